"""The random programs of the kernel suite: how they are made, their models, and `runner fuzz`."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from mutation import SUITES, cases_of

from runner.check import Compiled, Mismatch
from runner.cli import main
from runner.importing import import_suite_module
from runner.model import Attempt, Case, ExitCode, Status, UsageError
from runner.run import fuzzing
from runner.run.fuzzing import Fuzzing, Red
from runner.run_config import RunConfig

KERNELS = SUITES / "kernels"


def module(name: str) -> Any:
    return import_suite_module(KERNELS, name)


_NAMES = ("generator", "families", "opencl_c", "interpreter", "shrinking", "sharing", "floats", "spirv_text", "omission")
GENERATOR, FAMILIES, OPENCL_C, INTERPRETER, SHRINKING, SHARING, FLOATS, SPIRV, OMISSION = (
    module(f"random_programs.{name}") for name in _NAMES
)


def test_the_random_programs_are_the_same_on_every_python() -> None:
    """An expectation names a program by its number. The hash was made on Python 3.13, and is 3.11's and 3.14's too."""
    texts = [OPENCL_C.source(GENERATOR.generate(flavour, 7)) for flavour in GENERATOR.FLAVOURS]
    assert hashlib.sha256("".join(texts).encode()).hexdigest()[:16] == "a9a45a0ff79990d5"
    later = [OPENCL_C.source(FAMILIES.generate(name, 7)) for name in FAMILIES.FAMILIES if name not in GENERATOR.FLAVOURS]
    assert hashlib.sha256("".join(later).encode()).hexdigest()[:16] == "cbd5642e7fd00dd0"


@pytest.mark.parametrize("flavour", ["loop", "switch", "call", "vector"])
def test_a_failing_program_is_cut_down_to_what_fails(flavour: str) -> None:
    """The fault: the interpreter's own answer with one multiplication left out."""
    program = GENERATOR.generate(flavour, 1)

    def multiplies(candidate: Any) -> bool:
        return " * " in OPENCL_C.source(candidate).replace("get_global_id(0) * ", "")

    number = 1
    while not multiplies(program):
        number += 1
        program = GENERATOR.generate(flavour, number)
    least, cuts = SHRINKING.shrink(program, lambda candidate, _: multiplies(candidate), 2000)
    assert OPENCL_C.source(SHRINKING.cut(program, cuts)) == OPENCL_C.source(least)
    assert multiplies(least)
    statements = list(SHRINKING._statements(least.kernel.body))
    assert len(statements) <= 2, OPENCL_C.source(least)
    words = GENERATOR.inputs(flavour, number, program, 1)[0]
    assert INTERPRETER.interpret(least, words)


def test_a_random_program_that_ends_the_process_is_cut_down_by_its_cases() -> None:
    """The fault: a compiler that dies on every loop."""
    cases = cases_of("kernels")

    def text(case: Case) -> str:
        program = GENERATOR.generate(case.params["flavour"], case.params["number"])
        return str(OPENCL_C.source(SHRINKING.cut(program, case.params.get("cuts", ()))))

    case = next(c for c in cases if c.id.startswith("kernels/random/loop/") and "while (" in text(c))
    least = module("reduction").reduce(case, lambda smaller: "while (" in text(smaller))
    assert "while (" in text(least)
    assert len(text(least)) < len(text(case)) / 5


def test_a_program_that_a_compiler_refuses_is_red_even_if_nothing_runs() -> None:
    """The fault: it was cut down to one that builds, which ends a case of compile mode, and the case passed."""

    class Compiler:
        executes = False

        def build(self, source: str, _: str = "") -> SimpleNamespace:
            if "while (" in source:
                raise Mismatch("build: no loops")
            return SimpleNamespace(f=None)

        def buffer(self, _: object) -> None: ...

        def launch(self, *_: object) -> None: ...

        def read(self, *_: object) -> None:
            raise Compiled

    cases = cases_of("kernels")
    check_program = module("random_programs.programs").check_program
    loops = [case for case in cases if case.id.startswith("kernels/random/loop/")]
    for case in loops:
        with pytest.raises((Mismatch, Compiled)) as error:
            check_program(Compiler(), **case.params)
        refused = "while (" in OPENCL_C.source(GENERATOR.generate("loop", case.params["number"]))
        assert str(error.value).startswith("build: no loops; cut down to: ") == refused


@pytest.mark.parametrize("family", [name for name in FAMILIES.FAMILIES if name not in GENERATOR.FLAVOURS])
def test_every_cut_of_a_program_leaves_one_that_the_model_can_run(family: str) -> None:
    for number in range(2):
        program = FAMILIES.generate(family, number)
        words = FAMILIES.inputs(family, number, program)
        pixels = {(x, y): (x, y, x + y, 255) for x in range(8) for y in range(8)}
        given = [range(8 * n, 8 * n + 8) for n in range(len(words) // 8)], {"im": pixels, "js": pixels}
        for candidate in [program, *list(SHRINKING.smaller(program))[::20]]:
            got, _ = SHARING.interpret_group(candidate, words, *given)
            found = len(module("random_programs.language").outputs(candidate.kernel))
            assert {len(row) for row in got} == {found}
            assert OPENCL_C.source(candidate)
            if FAMILIES.FAMILIES[family].spirv:
                module("kit.assembler").assemble(SPIRV.spirv_text(candidate))


def test_a_construct_stands_in_most_programs_of_its_family() -> None:
    signs = {
        "vector_array": "m0[(",
        "struct": "= h0(",
        "loop_switch": "switch (",
        "half": "tame_half",
        "float": "tame_float",
        "double": "tame_double",
        "union": "= u.",
        "atomic": "= atomic_",
        "image": "read_image",
        "sub_group": "= sub_group_",
    }
    for family, sign in signs.items():
        with_it = sum(sign in OPENCL_C.source(FAMILIES.generate(family, number)) for number in range(30))
        assert with_it >= 15, f"{sign} in {with_it} of 30 programs of {family}"


@pytest.mark.parametrize(("kind", "dtype"), [("half", np.float16), ("float", np.float32), ("double", np.float64)])
def test_the_model_of_floating_point_is_numpys(kind: str, dtype: type[np.floating[Any]]) -> None:
    """numpy computes with the processor's own arithmetic, for half by way of float, which is exact enough for these."""
    draw = random.Random(7)
    least = FLOATS.MIN_MAGNITUDE[kind]
    operations = {"f+": np.add, "f-": np.subtract, "f*": np.multiply, "f/": np.divide, "fmin": np.fmin, "fmax": np.fmax}
    whole = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint, "fabs": np.abs}
    with np.errstate(all="ignore"):
        for _ in range(3000):
            a, b = (FLOATS.real(draw.getrandbits(64), kind) for _ in range(2))
            for op, of in {**operations, **whole}.items():
                if op == "f/" and kind != "double":
                    continue
                operands = (a, b)[: FLOATS.OPERANDS[op]]
                want = float(of(*map(dtype, operands)))
                want = 0.0 if abs(want) < least else want
                got = FLOATS.apply(op, kind, kind, operands)
                assert FLOATS.bits(got, kind) == FLOATS.bits(want, kind), (op, operands)
            whole_number = draw.getrandbits(draw.randrange(1, 64)) * draw.choice((1, -1))
            assert FLOATS.apply("cast", kind, "long", [whole_number]) == float(np.int64(whole_number).astype(dtype))


def test_what_is_left_out_of_a_program_is_not_in_it() -> None:
    for family in ("expression", "half", "struct"):
        for number in range(20):
            program = OMISSION.left_out(FAMILIES.generate(family, number), ("add_sat", "f*", "char"))
            text = OPENCL_C.source(program)
            assert "add_sat" not in text
            assert "char" not in text


def test_a_chunk_goes_on_after_a_program_that_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault: 1001 and 1005 are wrong, and 1003 dies, which keeps the request's own message from being sent."""
    asked = []

    def attempt(case: Case) -> Attempt:
        numbers = case.params["numbers"]
        asked.append(numbers)
        if 1003 in numbers:
            printed = "program 1000\nprogram 1001\nwrong 1001: value: y\nprogram 1002\nprogram 1003\n"
            return Attempt(Status.CRASH, message="SIGSEGV", output=printed)
        printed = "program 1004\nprogram 1005\nwrong 1005: value: x\n"
        return Attempt(Status.FAIL, message="value: 1 of 4 programs", output=printed)

    monkeypatch.setattr(fuzzing, "_suite", fuzzing.suite_of(RunConfig("llvmpipe", suites=str(SUITES))), raising=False)
    monkeypatch.setattr(fuzzing, "_left_out", (), raising=False)
    monkeypatch.setattr(fuzzing, "_worker", SimpleNamespace(take_late=lambda: None), raising=False)
    monkeypatch.setattr(fuzzing, "_attempt", attempt)
    reds, skipped = fuzzing._run_chunk(("loop", 1000, 8))
    wrong = [Red("loop", 1001, "Fail", "value: y"), Red("loop", 1005, "Fail", "value: x")]
    assert reds == [wrong[0], Red("loop", 1003, "Crash", "SIGSEGV"), wrong[1]]
    assert (asked, skipped) == ([list(range(1000, 1008)), list(range(1004, 1008))], "")


def test_a_run_continues_where_its_journal_ends(tmp_path: Path) -> None:
    config = RunConfig("llvmpipe", suites=str(SUITES), results=str(tmp_path))

    def open_again(count: int, *, resume: bool = True) -> Fuzzing:
        return Fuzzing(config, ("loop", "half"), 1000, count, (), resume=resume)

    assert open_again(70, resume=False).done == 0
    red = {"family": "loop", "number": 1003, "status": "Crash", "message": "SIGSEGV", "least": "", "group": ""}
    with (tmp_path / "fuzz.jsonl").open("a") as journal:
        journal.write(json.dumps({"event": "chunk", "chunk": ["loop", 1000, 20], "reds": [red], "skipped": ""}) + "\n")
        journal.write('{"event": "chu')  # it was cut off there
    again = open_again(70)
    assert again.done == 20
    assert again.reds == [Red("loop", 1003, "Crash", "SIGSEGV")]
    assert [c for c in again._chunks if c not in again._done] == [("half", 1000, 20), ("loop", 1020, 15), ("half", 1020, 15)]
    with pytest.raises(UsageError, match="exists; --resume"):
        open_again(70, resume=False)
    with pytest.raises(UsageError, match="give the same"):
        open_again(71)


def test_all_small_takes_what_a_journal_has_only_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three deaths in one place: one that was counted, one that is small already, and one that is new."""

    class Pool:
        def __init__(self, *_: Any, **__: Any) -> None:
            pass

        def __enter__(self) -> Pool:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def submit(self, function: Callable[[Any], Any], given: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_result(([died(1021)], "") if function is fuzzing._run_chunk else replace(given, least="small"))
            return future

    def died(number: int, least: str = "", group: str = "") -> Red:
        return Red("loop", number, "Crash", f"SIGSEGV: died in a < b{number}", least, group)

    place = fuzzing.place_of(died(0))
    monkeypatch.setattr(fuzzing, "ProcessPoolExecutor", Pool)
    config = RunConfig("llvmpipe", suites=str(SUITES), results=str(tmp_path))
    Fuzzing(config, ("loop",), 1000, 40, (), resume=False)
    known = [died(1001, "kept", place), died(1002, "", place), died(1003, "", "passes by itself")]
    begun = {"event": "chunk", "chunk": ["loop", 1000, 20], "reds": [asdict(red) for red in known], "skipped": ""}
    with (tmp_path / "fuzz.jsonl").open("a") as journal:
        for event in [begun, *({"event": "red", **asdict(red)} for red in known)]:
            journal.write(json.dumps(event) + "\n")
    for all_small, forms in ((False, ["kept", "", "", ""]), (True, ["kept", "small", "", "small"])):
        again = Fuzzing(config, ("loop",), 1000, 40, (), resume=True, all_small=all_small)
        again.run(lambda _: None, lambda _: None)
        assert [red.least for red in sorted(again.reds, key=lambda red: red.number)] == forms


def test_an_interrupted_run_says_what_it_has_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(self: Fuzzing, *_: Any) -> None:
        self._done.add(("loop", 1000, 20))
        self.reds += [
            Red("loop", 1003, "Fail", "value: x", "kernel", "Fail: sub_sat"),
            Red("loop", 1004, "Fail", "value: y"),
        ]
        raise KeyboardInterrupt

    monkeypatch.setattr(Fuzzing, "run", run)
    words = ["fuzz", "--driver", "llvmpipe", "--family", "loop", "--suites", str(SUITES), "--results", str(tmp_path)]
    assert main(words) == ExitCode.INTERRUPTED
    printed = capsys.readouterr().out
    assert "2 red of 20" in printed
    assert "1 x Fail: sub_sat\n  kernels/random/loop/1003: value: x\n  kernel\n" in printed
    assert "1 x not run by itself yet\n  kernels/random/loop/1004: value: y\n" in printed
