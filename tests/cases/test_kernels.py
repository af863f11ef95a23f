"""The kernel suite as a whole: its coverage page."""

import ast
import fnmatch
import itertools
import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from mutation import SUITES, cases_of

from runner.check import Mismatch, Unsupported
from runner.importing import import_suite_module

KERNELS = SUITES / "kernels"


def module(name: str) -> Any:
    return import_suite_module(KERNELS, name)


def test_every_case_belongs_to_one_row_of_the_coverage_page() -> None:
    cases = cases_of("kernels")
    globs = [row.glob for row in module("coverage").rows()]
    areas: dict[str, list[str]] = {}
    for case in cases:
        areas.setdefault(case.id.split("/")[1], []).append(case.id)
    members = {glob: fnmatch.filter(areas[glob.split("/")[1]], glob) for glob in globs}
    homes = Counter(itertools.chain.from_iterable(members.values()))
    assert [case.id for case in cases if homes[case.id] != 1] == []
    assert [glob for glob in globs if not members[glob]] == []


@pytest.mark.root
def test_each_name_of_the_header_is_in_an_area_or_has_its_reason() -> None:
    coverage = module("api_coverage")
    areas = {name: found for _, name, found, _ in coverage.named(Path("/usr/include/CL/cl.h"))}
    assert len(areas) > 300
    assert [name for name, found in areas.items() if not found and name not in coverage.UNNAMED] == []
    assert [name for name in coverage.UNNAMED if areas.get(name, "no such name")] == []


@pytest.mark.root
def test_each_function_of_the_header_gives_an_error_or_has_its_reason() -> None:
    coverage = module("api_coverage")
    given = coverage.provoked()
    assert given["clEnqueueCopyBuffer"]["CL_MEM_COPY_OVERLAP"] >= 4
    assert not given["clFinish"]["CL_INVALID_EVENT"], "a table of many functions is not a pair of each two"
    header = Path("/usr/include/CL/cl.h")
    functions = {name for kind, name, *_ in coverage.named(header) if kind == "function"}
    assert {name for name in functions if not given[name]} == set(coverage.SILENT)
    answered = {asked for kind, _, _, asked in coverage.named(header) if kind == "query"}
    assert answered <= functions
    assert "| clFlush | CL_INVALID_COMMAND_QUEUE 1 |  |" in coverage.page(header)


def test_a_case_that_accepts_two_errors_has_the_reason() -> None:
    cases = cases_of("kernels")
    found = {tuple(case.params.get("errors", ())) for case in cases if case.kind in ("api.mistake", "argument.refuse")}
    assert {errors for errors in found if len(errors) > 1} == set(module("api.terms").UNDECIDED)


def test_the_place_of_an_emulated_gpu_on_the_pci_bus_is_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMULATOR_GPU", "tgl")
    with pytest.raises(Unsupported):
        module("query.rules").pci_bus(None, [0, 0, 2, 0])


@pytest.mark.parametrize(("extension", "right"), [("cl_intel_device_partition_by_names", True), ("cl_khr_icd", False)])
def test_a_vendors_scheme_of_partition_needs_its_extension(
    extension: str, right: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = {"EXTENSIONS": extension, "PARTITION_MAX_SUB_DEVICES": 2}
    monkeypatch.setattr(module("query.rules"), "answer", lambda _, name: answers[name])
    with nullcontext() if right else pytest.raises(Mismatch, match='the device: got 0x4052 want ""'):
        module("query.rules").partitions(None, [0x1086, 0x4052])


@pytest.mark.parametrize(("answer", "right"), [(bytes(8), "CL_INVALID_QUEUE_PROPERTIES"), (b"\1" + bytes(3), "CL_SUCCESS")])
def test_a_queue_on_the_device_is_an_error_if_the_device_supports_none(
    answer: bytes, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module("api.mistakes"), "queried", lambda *_: answer)
    device = SimpleNamespace(device=SimpleNamespace(int_ptr=1))
    case = next(c for c in cases_of("kernels") if c.id.endswith("clCreateCommandQueueWithProperties.on_device"))
    assert list(module("api.mistakes").errors_of(device, **case.params)) == [right]


@pytest.mark.parametrize(("told", "right"), [("", True), ("Compilation done", True), ("1: error: no A", False)])
def test_a_build_that_went_well_may_have_a_log(told: str, right: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a program that was not built has none, nor one of another build."""
    query, building = module("program.query"), module("program.building")
    monkeypatch.setattr(query, "_program_in", lambda *_: None)
    monkeypatch.setattr(query, "raw", lambda *_, **__: (told.encode() + b"\0", "CL_SUCCESS"))
    monkeypatch.setattr(query, "log", lambda *_: told)
    query.check_state(None, state="built", query="log")
    with pytest.raises(Mismatch, match="there is a log") if told else nullcontext():
        query.check_state(None, state="new", query="log")
    logs = iter(("2: ", told))  # of two builds, each with its number
    names = {"STATUS": building.SUCCESS, "LOG": None}
    monkeypatch.setattr(building, "source", lambda *_: None)
    monkeypatch.setattr(building, "build", lambda *_: "CL_SUCCESS")
    monkeypatch.setattr(building, "answer", lambda *_: 3)
    monkeypatch.setattr(building, "build_info", lambda *_: names[_[2]] if names[_[2]] is not None else next(logs))
    with nullcontext() if right else pytest.raises(Mismatch, match="of a program that was built before"):
        building.check_again(None, builds=[("-DA=3", 3)], asks=["LOG"])


@pytest.mark.parametrize(
    ("options", "error", "right"),
    [
        ("-cl-no-signed-zeros -create-library", "CL_INVALID_LINKER_OPTIONS", True),
        ("-cl-no-signed-zeros -create-library", "CL_LINK_PROGRAM_FAILURE", False),
        ("-create-library", "CL_INVALID_LINKER_OPTIONS", False),
    ],
)
def test_options_of_an_executable_may_be_refused_for_a_library(
    options: str, error: str, right: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    linking = module("program.linking")
    monkeypatch.setattr(linking, "compiled", lambda *_: None)
    monkeypatch.setattr(linking, "link", lambda *_: (None, error))
    with nullcontext() if right else pytest.raises(Mismatch, match=error):
        linking.check_library_options(None, options=options)


def test_a_log_that_is_not_utf_8_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    builds = module("kit.builds")
    monkeypatch.setattr(builds, "build_info", lambda *_: b"no \xcc\0".decode())
    assert builds.log(None, None) == "no \\xcc"


@pytest.mark.parametrize(("room", "told", "right"), [(10**9, False, True), (100, True, True), (100, False, False)])
def test_a_device_that_prints_more_than_its_buffer_holds_need_not_return_minus_one(
    room: int, told: bool, right: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`room`: the lines that it prints; `told`: whether it returns -1 for the others."""
    launched: list[int] = []
    output = module("printf.output")

    def captured(_: object) -> str:
        _()  # type: ignore[operator]
        return "".join(f"line {k} of {launched[-1]} {'x' * 30}\n" for k in range(min(launched[-1], room)))

    monkeypatch.setattr(output, "captured", captured)
    monkeypatch.setattr(output, "_buffer_size", lambda _: 1024)
    device = SimpleNamespace(
        build=lambda _: SimpleNamespace(f=None),
        buffer=lambda data: data,
        launch=lambda *words: launched.append(int(words[-1])),
        read=lambda *_: np.array([max(0, launched[-1] - room) * told], np.int32),
        queue=SimpleNamespace(finish=lambda: None),
    )
    with nullcontext() if right else pytest.raises(Mismatch, match="do not fit"):
        output.check_fill(device, beyond=1)


def test_products_of_24_bits_are_open_beyond_them() -> None:
    operation, signed = module("integer.table").OPERATIONS["mul24"], module("kit.integers").IntegerType("int")
    (model,) = operation.forms.values()
    assert model(signed, 2**23 - 1, -(2**23)) == 8388608
    assert model(signed, 2**23, 1) is None
    assert model(signed, 1, -(2**23) - 1) is None


def test_what_has_no_result_for_some_operand_has_the_program_of_its_operation() -> None:
    folded, signed = module("integer.folded"), module("kit.integers").IntegerType("int")
    lines = list(folded._LINES["half_known"](signed, np.random.default_rng(1)))
    first, *others = folded._programs(lines, [0, 1, -1])
    assert {"logical", "compare", "bitwise"} <= {line.operation for line in first}
    assert [len({line.operation for line in program}) for program in others] == [1] * len(others)
    assert "divide" in {program[0].operation for program in others}


def test_no_module_of_a_suite_has_the_name_of_one_of_the_standard_library() -> None:
    modules = [path for path in SUITES.rglob("*") if path.suffix == ".py" or path.is_dir()]
    assert [str(path.relative_to(SUITES)) for path in modules if path.stem in sys.stdlib_module_names] == []


def test_no_image_is_made_by_the_constructor_that_pyopencl_gives_up() -> None:
    """Without a descriptor it "will stop working in 2026": create_image takes the same arguments."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(SUITES.rglob("*.py"))}
    for path, text in texts.items():
        calls = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call)] if "cl.Image" in text else []
        for call in (c for c in calls if ast.unparse(c.func) == "cl.Image"):
            assert "desc" in {keyword.arg for keyword in call.keywords}, f"{path}:{call.lineno}"


def test_two_builds_that_a_boundary_tells_apart_are_one_text_without_it() -> None:
    pairs = module("preprocessor.pairs").PAIRS
    for name, (first, second) in pairs.items():
        assert first.together == second.together, name
        assert (first.source, first.options, first.headers) != (second.source, second.options, second.headers), name
        assert first.value != second.value, name
