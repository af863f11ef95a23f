"""Whatever a file, a board or a process says: data of our types, or the reader's own error with its place.

Each property has 100 examples on every change, always the same. `ci/test --nightly tests/run/test_fuzz.py` tries a million
others, all properties together; FUZZ_EXAMPLES says another number for each.

One file: a property is a few lines, and all are tried together.
"""

import contextlib
import io
import json
import os
import random
import re
import subprocess
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock as unittest_mock

import inputs
import pytest
from conftest import MOCK, ROOT
from fuzz_parsers import PARSERS
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from runner import cli
from runner.boards.address import Board
from runner.boards.deployment import read_facts
from runner.boards.fleet import read_answer
from runner.cases import catalogue, census
from runner.commands import COMMANDS, actions_of, module_of
from runner.commands.options import Parser
from runner.compiler_stats import listing
from runner.compiler_stats.formats import compilers
from runner.drivers.presence import check_identity
from runner.drivers.registry import load_drivers
from runner.expectations.files import format_file, parse_file
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.ids import ID_PATTERN, to_id, to_name
from runner.model import DeviceReport, ExitCode, FileKind, InfrastructureError, Result, UsageError
from runner.pages.evidence_view import view_evidence
from runner.pages.fill import script_json
from runner.records import journal
from runner.records.artifacts import opened_artifacts
from runner.records.evidence import parse_events
from runner.records.history import History
from runner.run.case_report import CaseReport
from runner.run.kernel_log import KernelLog
from runner.run.supervisor import ProtocolError, Supervisor
from runner.run_config import RunConfig
from runner.verdict.report import make_report
from tools.deqp.__main__ import main as deqp

T = TypeVar("T")
_CHUNK = 10_000  # examples of one test: hypothesis remembers every one that it has tried
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")  # characters that a terminal would obey
_NO_EXPECTATIONS = Expectations(Target("mock"), {})


def _attempt(read: Callable[[], T], place: str) -> T | None:
    """What is read; None if it is refused with its place."""
    try:
        return read()
    except UsageError as error:
        refusal = str(error)
    assert place in refusal, refusal
    return None


def _journal(data: bytes, folder: Path) -> None:
    (folder / journal.NAME).write_bytes(data)
    if record := _attempt(lambda: journal.read(folder), journal.NAME):
        report = make_report(record, _NO_EXPECTATIONS, {})
        assert all(ID_PATTERN.fullmatch(row.id) for row in report.rows if row.result)


def _torn_journal(drawn: tuple[bool, frozenset[int], int], folder: Path) -> None:
    """A run of which lines or the end are lost is not green."""
    red, lost, end = drawn
    lines = [line for line in inputs.JOURNAL.splitlines(keepends=True) if red or b"mock/basic/f" not in line]
    if not red:
        lines = [line.replace(b'"Crash"', b'"Pass"').replace(b'"mock/basic/fail", ', b"") for line in lines]
        header = json.loads(inputs.JOURNAL.splitlines()[0])
        header["ids"] = [i for i in header["ids"] if i != "mock/basic/fail"]
        lines.insert(0, json.dumps(header).encode() + b"\n")
    data = b"".join(line for number, line in enumerate(lines) if number not in lost)
    (folder / journal.NAME).write_bytes(data[: len(data) * end // 1000])
    if record := _attempt(lambda: journal.read(folder), journal.NAME):
        report = make_report(record, _NO_EXPECTATIONS, {})
        whole = all(i in record.results for i in record.ids) and record.finished
        assert (report.exit_code == ExitCode.GREEN) == (not red and whole)


def _commands(drawn: tuple[bytes, bytes, tuple[str, ...]], folder: Path) -> None:
    """Commands that read records end with an exit code, and their last handler has nothing to do."""
    data, statistics, words = drawn
    results = folder / "r"
    results.mkdir(exist_ok=True)
    (results / journal.NAME).write_bytes(data)
    (results / listing.NAME).write_bytes(statistics)
    (folder / "expectations/mock").mkdir(parents=True, exist_ok=True)
    where = {"R": results, "O": folder / "out", "S": MOCK / "suites", "E": folder / "expectations", "H": folder / "h.sqlite"}
    for name in ("out", "h.sqlite"):
        if (folder / name).is_file():
            (folder / name).unlink()
    _run([str(where.get(word, word)) for word in words])


def _run(words: list[str]) -> int:
    output = io.StringIO()
    kept = dict(os.environ)
    try:
        with (
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(output),
            unittest_mock.patch.object(cli, "_explain", side_effect=_raise),
        ):
            code = cli.main(words)
    finally:
        os.environ.clear()
        os.environ.update(kept)
    assert code in {*ExitCode}, output.getvalue()
    assert not _CONTROL.search(output.getvalue()), output.getvalue()
    return code


def _raise(error: Exception, _: Any) -> None:
    raise error


def _expectations(drawn: tuple[FileKind, str], _: Path) -> None:
    kind, text = drawn
    if file := _attempt(lambda: parse_file(text, kind, "p"), "p:"):
        assert parse_file(format_file(file), kind, "p") == file
        known = Expectations(Target("mock"), {Path(f"mock/mock-{kind}.txt"): text})
        _attempt(lambda: (known.find("a/b/c"), known.skip("a/b/c"), list(known.findings(["a/b/c"]))), "disagrees")


def _registry(data: bytes, folder: Path) -> None:
    path = folder / "drivers.yaml"
    path.write_bytes(data)
    for driver in (_attempt(lambda: load_drivers(path), str(path)) or {}).values():
        for name in ("", "Adreno 630", "llvmpipe (LLVM 19.1.7, 256 bits)", "zink Vulkan 1.4(x (RADV NAVI21))"):
            report = DeviceReport(device=name, platform="rusticl")
            config = RunConfig(driver.name, "avx2")
            assert driver.target(config, report).driver == driver.name
            _attempt(partial(check_identity, driver, config, report), "--gpu avx2")  # a class that lacks its lavapipe_
            _attempt(partial(driver.cpu_class, "avx2"), "--gpu avx2")
            driver.variant_environment("sync")


def _suite(data: bytes, folder: Path) -> None:
    suite = folder / "s"
    suite.mkdir(exist_ok=True)
    (suite / "cases.py").write_text("def cases(): return []\n")
    (suite / "suite.yaml").write_bytes(data)
    if loaded := _attempt(lambda: catalogue.load_suite(suite), f"{suite / 'suite.yaml'}"):
        assert loaded[0].timeout_s > 0
        assert all(type(word) is str for word in (*loaded[0].requires, *loaded[0].hints))


def _statistics(data: bytes, folder: Path) -> None:
    (folder / listing.NAME).write_bytes(data)
    if kernels := _attempt(lambda: listing.read(folder), listing.NAME):
        assert all(kernel.key == key for key, kernel in kernels.items())


def _printed_listing(data: bytes, folder: Path) -> None:
    """Whatever a case prints among its compiler's marks, it ends no run with --stats."""
    path = folder / "output"
    path.write_bytes(data)
    sieve = listing.ListingExtractor(tuple(compilers()), ("Unhandled ALU op",))
    sieve.clean(path)
    assert path.stat().st_size <= len(data)
    for kernel in sieve.take():
        (folder / listing.NAME).write_text(json.dumps({"event": "kernel", **asdict(kernel) | {"id": "a/b/c"}}) + "\n")
        assert listing.read(folder)


def _archive(data: bytes, folder: Path) -> None:
    path = folder / "artifacts.zip"
    path.write_bytes(data)
    with contextlib.suppress(UsageError), opened_artifacts(path) as runs:
        assert all("runner-" in str(run.resolve()) for run in runs)
    assert {p.name for p in folder.iterdir()} == {path.name}


def _history(drawn: tuple[Any, tuple[str, ...]], folder: Path) -> None:
    rows, command = drawn
    path = folder / "h.sqlite"
    inputs.write_history(path, rows)
    (folder / "empty").mkdir(exist_ok=True)
    where = {"OUT": str(folder / "site"), "EMPTY": str(folder / "empty")}
    _run([*(where.get(word, word) for word in command), f"--history={path}"])
    if durations := _attempt(lambda: _durations(path), str(path)):
        assert all(type(seconds) is float for seconds in durations.values())


def _durations(path: Path) -> dict[str, float]:
    with History(path) as history:
        return history.durations("mock", "", "execute", 2, "2026-02-01T00:00:00+00:00")


def _gate_answer(stdout: bytes, _: Path) -> None:
    answer = read_answer(Board("phone"), subprocess.CompletedProcess([], 0, stdout, b"\xff"))
    assert bool(answer.device) != bool(answer.refusal)
    assert answer.refusal.isprintable()


def _facts(stdout: bytes, _: Path) -> None:
    try:
        facts = read_facts(subprocess.CompletedProcess([], 0, stdout, b""))
    except InfrastructureError as error:
        refusal = str(error)
    else:
        assert all(type(word) is str for word in (*facts.platforms, facts.series, *facts.stamp.values()))
        return
    assert refusal.isprintable()


def _console(drawn: tuple[list[bytes], int | None], _: Path) -> None:
    """Only what is signed with the nonce, for this job, and stands at the start of a line is a verdict."""
    noise, code = drawn
    verdict = import_module("serial_verdict")
    lines = list(noise)
    if code is not None:
        line = f"rusticl: job 42 exit_code: {code} {verdict.WORDS[code]}".encode()
        lines.append(b"\n" + line + b" check: " + verdict._sign(line, "n" * 16) + b"\r\n")
    assert verdict.find_verdict(b"".join([b"\n", *lines, *noise]), "42", "n" * 16) == code


def _deqp_files(drawn: tuple[str, str, str, str], folder: Path) -> None:
    texts = dict(zip(("fails", "flakes", "skips", "results"), drawn, strict=True))
    words = ["import", "--layer", "mock", "--suite", "piglit", str(folder / "out")]
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
        words += [f"--{name}", str(folder / name)]
    for path in sorted((folder / "out").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = deqp(words)
    assert code in (0, 2)
    if code == 0:
        journal.read(folder / "out/results")


def _deqp_name(name: str, _: Path) -> None:
    test_id = to_id(name, "piglit")
    assert ID_PATTERN.fullmatch(test_id)
    assert to_name(test_id, "piglit") == name


def _census(drawn: tuple[dict[tuple[str, str], tuple[int, str]], str], _: Path) -> None:
    taken, text = drawn
    assert census.parse_census(census.format_census(taken), Path("p")) == taken
    _attempt(lambda: census.parse_census(text, Path("p")), "p:")


def _kernel_log(data: bytes, folder: Path) -> None:
    path = folder / "kmsg"
    path.write_bytes(b"6,1,1,-;before\n")
    log = KernelLog(path)
    log.mark()
    with path.open("ab") as file:
        file.write(data)
    text = log.take()
    assert "before" not in text
    os.close(log._fd)


def _child_reply(line: bytes, folder: Path) -> None:
    """What a child answers is refused, or an attempt that a journal can hold."""
    (folder / "output").touch()
    supervisor = Supervisor(folder / "output", 1 << 30)
    supervisor._number, supervisor._token = 1, "t"
    with contextlib.suppress(ProtocolError):
        result = Result("a/b/c", (supervisor._parse_reply(supervisor._parse_message(line)),))
        assert Result.from_json(json.loads(json.dumps(result.to_json()).encode())) == result


def _case_report(text: str, _: Path) -> None:
    with contextlib.suppress(ValueError):
        report = CaseReport.parse(text, "mock/basic/fail")
        assert CaseReport.parse(report.to_json(), "mock/basic/fail") == report


def _lines_of(drawn: Any) -> str:
    lines = drawn.get("lines") if isinstance(drawn, dict) else drawn
    return "".join(f"{json.dumps(line)}\n" for line in (lines if isinstance(lines, list) else [lines]))


def _evidence(text: str, _: Path) -> None:
    view = view_evidence(parse_events(text), 1000)
    assert "</script" not in script_json(view)


_WITH_OPTIONS = sorted(name for name in COMMANDS if not actions_of(name) or name in ("bugs", "list"))


def _arguments(drawn: tuple[str, list[str]], _: Path) -> None:
    name, words = drawn
    parser = Parser(prog=f"runner {name}")
    module_of(name).add_parser(parser)
    with contextlib.suppress(UsageError, SystemExit), contextlib.redirect_stdout(io.StringIO()):
        parser.parse_args(words)


_REPLY = {"event": "done", "number": 1, "token": "t", "status": "Pass", "message": "", "duration_s": 0.5, "cpu_s": 0.5}
_REPORT = json.loads(
    CaseReport(DeviceReport(), "", "", Result.from_json(inputs.journal_lines()[7]), (listing.Kernel("f", "s"),)).to_json()
)
_EVENTS = [
    {"event": "build", "step": 1, "program": "p", "source": "kernel </script>", "options": "", "language": "SPIR-V"},
    {"event": "return", "step": 1, "error": "", "log": ""},
    {"event": "data", "buffer": "b", "bytes": 4, "head": "00000000", "dtype": "float16", "shape": [2], "origin": "fill"},
    {"event": "launch", "step": 2, "kernel": "f", "program": "p", "global_size": [1], "arguments": [{"kind": "null"}]},
    {"event": "wrong", "check": "r", "dtype": "int32", "shape": [1], "wrong": 1, "total": 1}
    | {"elements": [{"index": [0], "got": "1", "want": "2", "inputs": ["0"]}]},
    {"event": "end", "status": "Fail", "message": "", "how": "alone"},
]
_READERS = (
    ("report", "R", "--suites", "S", "--expectations", "E"),
    *(
        ("report", "--as", form, "R", "--suites", "S", "--expectations", "E")
        for form in ("text", "markdown", "flakes", "junit")
    ),
    ("report", "--as", "html", "R", "--suites", "S", "--expectations", "E", "--against", "R"),
    ("export", "kcidb", "R", "--suites", "S", "--expectations", "E"),
    ("diff", "R", "R", "--suites", "S", "--expectations", "E"),
    ("stats", "R"),
    ("stats", "R", "--against", "R"),
    ("history", "import", "R", "--history", "H"),
    ("expect", "update", "R", "R", "--suites", "S", "--expectations", "E"),
    ("merge", "R", "--results", "O", "--suites", "S", "--expectations", "E"),
)
_HISTORY_COMMANDS = (
    ("history", "flakes", "--expectations=."),
    ("history", "show"),
    ("site", "OUT", "--expectations", "EMPTY"),
)
_SIGNED = st.builds(
    lambda job, code, word, check, start: start + f"rusticl: job {job} exit_code: {code} {word} check: {check}\n".encode(),
    st.sampled_from(["42", "43", "4"]),
    st.integers(0, 999),
    st.sampled_from(["green", "regressions", "x"]),
    st.text("0123456789abcdef", min_size=15, max_size=17),
    st.sampled_from([b"", b"\n", b"\r", b"\n\x1b[0m", b"\n2026-01-01T00:00:00Z "]),
)
_OPTIONS = [
    *("-t", "-x", "-j", "--shard", "--tier", "--timeout-scale", "--history", "--results", "--runs", "--on", "-h"),
    *("--", "-"),
]
_WORDS = st.lists(
    st.sampled_from([*_OPTIONS, "1/2", "1e400", "nan", "-1", "9" * 5000, "\u0661/\u0662", "%(prog)s"]) | inputs.TEXTS,
    max_size=6,
)
PROPERTIES: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any, Path], None]]] = {
    "journal": (inputs.JOURNALS, _journal),
    "torn_journal": (
        st.tuples(st.booleans(), st.frozensets(st.integers(0, 14), max_size=2), st.integers(0, 1000)),
        _torn_journal,
    ),
    "commands": (st.tuples(inputs.JOURNALS, inputs.STATISTICS, st.sampled_from(_READERS)), _commands),
    "expectations": (st.tuples(st.sampled_from(FileKind), inputs.EXPECTATIONS | inputs.TEXTS), _expectations),
    "drivers.yaml": (inputs.REGISTRIES, _registry),
    "suite.yaml": (inputs.HEADERS, _suite),
    "statistics": (inputs.STATISTICS, _statistics),
    "listings": (inputs.LISTINGS, _printed_listing),
    "archives": (inputs.ARCHIVES, _archive),
    "history": (st.tuples(inputs.HISTORIES, st.sampled_from(_HISTORY_COMMANDS)), _history),
    "evidence": (inputs.mutants({"lines": _EVENTS}).map(_lines_of), _evidence),
    "board_gate": (inputs.GATE_ANSWERS, _gate_answer),
    "board_facts": (inputs.FACTS_ANSWERS, _facts),
    "console": (
        st.tuples(
            st.lists(_SIGNED | st.binary(max_size=40), max_size=4), st.none() | st.sampled_from([0, 1, 2, 3, 4, 5, 130])
        ),
        _console,
    ),
    "deqp_files": (st.tuples(*[inputs.LINE_TEXTS | inputs.DEQP] * 4), _deqp_files),
    "deqp_names": (inputs.LINE_TEXTS.filter(bool), _deqp_name),
    "census": (st.tuples(inputs.CENSUSES, inputs.TEXTS), _census),
    "kernel_log": (inputs.KERNEL_LOGS, _kernel_log),
    "child_replies": (
        inputs.mutants(_REPLY).map(lambda d: json.dumps(d).encode()) | inputs.torn(json.dumps(_REPLY).encode()),
        _child_reply,
    ),
    "case_reports": (inputs.mutants(_REPORT).map(json.dumps), _case_report),
    "arguments": (st.tuples(st.sampled_from(_WITH_OPTIONS), _WORDS), _arguments),
    **PARSERS,
}


_EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", -(-1_000_000 // len(PROPERTIES))))


@pytest.fixture(autouse=True)
def _serial_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "ci"))
    for name in [n for n in os.environ if n.startswith("MOCK")]:
        monkeypatch.delenv(name)


def _examine(name: str, examples: int, start: int, folder: Path) -> None:
    strategy, check = PROPERTIES[name]

    @seed(start)
    @settings(max_examples=examples, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def examine(value: Any) -> None:
        check(value, folder)

    examine()


@pytest.mark.slow
@pytest.mark.parametrize("name", PROPERTIES)
def test_what_is_read_is_of_our_types_or_refused_with_its_place(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Constants of the modules that happen to be loaded would give each order of the tests other examples.
    monkeypatch.setattr(providers, "_get_local_constants", Constants)
    _examine(name, 100, 18, tmp_path)


@pytest.mark.nightly("other examples of the same properties, a million of them")
@pytest.mark.parametrize("first", range(0, _EXAMPLES, _CHUNK))
@pytest.mark.parametrize("name", PROPERTIES)
def test_a_million_more_are_read_or_refused(name: str, first: int, tmp_path: Path) -> None:
    start = random.Random().getrandbits(64)
    print(f"seed {start}")  # pytest shows it if one fails
    _examine(name, min(_CHUNK, _EXAMPLES - first), start, tmp_path)
