"""Properties of the parsers of other programs' output: lists, programs with annotations, output of tests and drivers."""

import contextlib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import inputs
import yaml
from conftest import ROOT
from hypothesis import strategies as st

from runner import check
from runner.analysis.golden import load_golden
from runner.bench import table
from runner.cases import frozen_ids, renames
from runner.expectations.bugs import find_bug
from runner.expectations.mesa import load_mesa_lists
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target, parse_name
from runner.ids import ID_PATTERN
from runner.lines import one_line
from runner.model import FileKind, UsageError
from runner.program import Ended
from runner.records.journal import Record
from runner.run_config import RunConfig
from runner.shapes import MALFORMED
from runner.verdict import sanitizer
from runner.verdict.last_words import last_words
from runner.verdict.place import add_place, has_place, read_frames, without_place
from runner.verdict.report import make_report
from suites.cts import installation, verdict
from suites.cts.run import read_results
from suites.kernels.programs import annotation
from suites.piglit.binaries import read_result


def _refused(read: Callable[[], Any], place: str) -> Any:
    """What is read; None if it is refused with its place."""
    try:
        return read()
    except UsageError as error:
        refusal = str(error)
    assert place in refusal, refusal
    return None


def _bug(data: bytes, folder: Path) -> None:
    path = folder / "0001-x.yaml"
    path.write_bytes(data)
    if bug := _refused(lambda: find_bug(folder, 1), f"{path}:"):
        texts = [getattr(bug, name) for name, kind in get_type_hints(type(bug)).items() if kind is str]
        assert texts
        assert all(type(text) is str for text in texts)


def _program(data: bytes, folder: Path) -> None:
    path = folder / "x.cl"
    path.write_bytes(data)
    if program := _refused(lambda: annotation.read(path), f"{path}"):
        assert program.fails != bool(program.tests)
        assert all(ID_PATTERN.fullmatch(f"kernels/programs/{test.name}") for test in program.tests)
    _refused(lambda: annotation.read(path, loose=True), f"{path}")
    _refused(lambda: annotation.names(path), f"{path}")


def _mesa_lists(drawn: tuple[bytes, bytes, bytes], folder: Path) -> None:
    for kind, data in zip(FileKind, drawn, strict=True):
        (folder / f"mock-rusticl-{kind}.txt").write_bytes(data)
    if lists := _refused(lambda: load_mesa_lists(str(folder), "mock"), f"{folder}/mock-rusticl-"):
        for test_id in ("piglit/spec@cl@a", *lists.fails):
            found = [*lists.entries_of(test_id), *filter(None, [lists.skip(test_id)])]
            assert all(entry.source.startswith(str(folder)) for entry in found)


def _cts(drawn: tuple[int, str, str, bytes], folder: Path) -> None:
    """Whatever a program of the CTS prints and writes: a pass, or one of the four ways in which a body says what it is."""
    code, output, errors, data = drawn
    (folder / "results.json").write_bytes(data)
    (folder / "list.csv").write_text(output, encoding="utf-8", errors="replace")
    ways = (check.Mismatch, check.NothingTested, check.Unsupported)
    with contextlib.suppress(*ways):
        verdict.judge("a", Ended(code, output, errors), read_results(folder / "results.json"))
    assert all(row.program for row in installation.read_rows(folder / "list.csv"))


def _piglit(drawn: tuple[str, str], _: Path) -> None:
    report = read_result(*drawn)
    assert type(report.result) is str
    assert all(type(word) is str for pair in report.subtests.items() for word in pair)


_OTHER = make_report(Record(RunConfig("mock"), ("cts/api+--wimpy/binary_get",)), Expectations(Target("mock"), {}), {})


def _golden(data: bytes, folder: Path) -> None:
    path = folder / "golden.json"
    path.write_bytes(data)
    if report := _refused(lambda: load_golden(path, _OTHER), f"{path}: "):
        assert all(ID_PATTERN.fullmatch(row.id) for row in report.rows)


def _frozen(drawn: tuple[str, bool], _: Path) -> None:
    """Also one that somebody has edited and signed again."""
    body, signed = drawn
    digest = hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest() if signed else "0" * 64
    text = f"# Release 2026.12: 1 cases, sha256 {digest}. Made by `{frozen_ids.COMMAND}`.\n{body}"
    with contextlib.suppress(UnicodeEncodeError):  # no file is read to such a text
        text.encode()
        if frozen := _refused(lambda: frozen_ids.parse_frozen(text, Path("p")), "p:"):
            assert all(type(meaning) is str for _, meaning in frozen.cases.values())


def _renames(text: str, _: Path) -> None:
    for rename in _refused(lambda: renames.parse_renames(text, Path("p")), "p:") or ():
        assert ID_PATTERN.fullmatch(rename.old)
        assert renames.order(rename.release)
    _refused(lambda: renames.names_since("2026.11", renames.parse_renames(text, Path("p"))), "p:")


_MEASURE = {"name": "time per token", "unit": "ms", "samples": [1.0, 2.0, 3.0, 4.0, 5.0]}
_OPTION = {"name": "x", "identity": {"device": "d", "cores": 2}, "others_cores": 0.0, "measures": [_MEASURE]}
_BENCH = {"bench": "gpt2", "begun": "2026-01-01", "size": "tiny", "options": [_OPTION]}


def _bench(data: bytes, _: Path) -> None:
    try:
        old = table.parse(json.loads(data))
    except MALFORMED:
        return
    table.comparable(old, _BENCH)
    assert all(type(line) is str for line in table.compare(old, _BENCH))


def _output(text: str, _: Path) -> None:
    """Output of a dying driver: a message of one line, whose place can be taken off again."""
    words = last_words(text)
    message = add_place(f"SIGSEGV: {words}" if words else "SIGSEGV", text, traced=True)
    assert has_place(message)
    assert without_place(message).startswith("SIGSEGV")
    assert len(message) < 2000
    assert all(len(line.splitlines()) == 1 for line in read_frames(text)[1])
    report = sanitizer.read_report(text, "/usr/lib/libRusticlOpenCL.so.1")
    assert len(one_line(report)) <= 300


def _name(name: str, _: Path) -> None:
    """A file's name below the expectations folder: what it says is what `path` writes again."""
    path = Path("mock") / name.replace("/", "").replace("\0", "")
    if found := _refused(lambda: parse_name(path), f"{path}"):
        target, kind = found
        assert parse_name(target.path(kind)) == (target, kind)


_BUG = yaml.safe_load((ROOT / "bugs/0001-image-bounds-in-x-alone.yaml").read_text(encoding="utf-8"))
_CL = (ROOT / "suites/kernels/programs").glob("*.cl")
_PROGRAM = min((path.read_bytes() for path in _CL), key=len)
_GOLDEN = {"test_api": {"--wimpy": {"binary_get": "pass", "b": "fail"}}}
_RESULTS = {"cmd": "./test_a", "args": "--wimpy", "results": {"a": "pass", "b": "fail"}}
_WORDS = st.sampled_from(
    ["a...", "a passed", "a FAILED", "skip", "ERROR: x", "File f not found", "-----", "api, test_api a*", "#"]
)
_PRINTED = st.lists(_WORDS | inputs.LINE_TEXTS, max_size=6).map("\n".join)
_PIGLIT_LINES = st.sampled_from(
    [
        'PIGLIT: {"result": "pass"}',
        'PIGLIT: {"subtest": {"a": "fail"}}',
        "PIGLIT: [1]",
        "PIGLIT: 1",
        'PIGLIT: {"subtest": 3}',
        'PIGLIT: {"result": [], "subtest": {"a": {}}}',
        f"PIGLIT:{'[' * 9999}",
    ]
)
_MESA = st.lists(
    st.sampled_from(["spec@cl@a,Fail", "spec@cl@a", "^a.*$", "(", "a{2}b", ",Fail", "a,Crash,x", "\xe9", "[[:alpha:]]"])
    | inputs.LINE_TEXTS,
    max_size=5,
).map(lambda lines: "\n".join(lines).encode())
_FROZEN = st.lists(
    st.sampled_from(
        ["s/a/ premerge b:0123456789abcdef c:0123456789abcdef", "code s/a 0123456789abcdef", "s/a full", "x y z"]
    )
    | inputs.LINE_TEXTS,
    max_size=4,
).map("\n".join)
_RENAMES = st.lists(
    st.sampled_from(["2026.12 s/a/b s/a/c", "2026.12 s/a/b -", "2026.12 s/a/c s/a/b", "1 2 3", "# x"]) | inputs.LINE_TEXTS,
    max_size=5,
).map("\n".join)
_DYING = st.lists(
    st.sampled_from(
        [
            *("crash place: main thread, address 0x8", "crash place: thread a:b12, address 0xffffffffffffffff"),
            *("crash place: #0 /usr/lib/libgallium-25.0.7.so+0x12 _ZN3foo3barEv", "crash place: #1 ?+0 ", "crash place: #"),
            *("x: src/mock.c:41: lower: Assertion `a' failed.", "thread '<unnamed>' panicked at src/a.rs:1:2:", "_Z99999a"),
            *(
                "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address",
                "    #0 0x1 in f /usr/lib/libRusticlOpenCL.so.1",
            ),
            *(
                "SUMMARY: UndefinedBehaviorSanitizer: x a.c:1:2",
                "a.c:1:2: runtime error: x",
                "WARNING: ThreadSanitizer: race",
            ),
        ]
    )
    | inputs.LINE_TEXTS,
    max_size=9,
).map("\n".join)
_TOKENS = st.lists(
    st.sampled_from(["mock", "a630", "compile", "asan", "mesa25.0", "mesa25.0.1", "libclc19", "tinygrad0.12", "fails", "x"]),
    max_size=7,
).map(lambda words: "-".join(words) + ".txt")

PARSERS: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any, Path], None]]] = {
    "bugs": (inputs.mutants(_BUG).map(lambda d: json.dumps(d).encode()) | inputs.torn(yaml.safe_dump(_BUG).encode()), _bug),
    "programs": (inputs.torn(_PROGRAM), _program),
    "mesa_lists": (st.tuples(_MESA, _MESA, _MESA), _mesa_lists),
    "cts": (
        st.tuples(
            st.sampled_from([0, 1, 255]), _PRINTED, _PRINTED, inputs.mutants(_RESULTS).map(lambda d: json.dumps(d).encode())
        ),
        _cts,
    ),
    "piglit": (st.tuples(st.lists(_PIGLIT_LINES | inputs.LINE_TEXTS, max_size=4).map("\n".join), _PRINTED), _piglit),
    "golden": (
        (inputs.mutants(_GOLDEN) | inputs.mutants(_RESULTS)).map(lambda d: json.dumps(d).encode())
        | inputs.torn(json.dumps(_GOLDEN).encode()),
        _golden,
    ),
    "frozen": (st.tuples(_FROZEN, st.booleans()), _frozen),
    "renames": (_RENAMES, _renames),
    "bench": (inputs.mutants(_BENCH).map(lambda d: json.dumps(d).encode()), _bench),
    "output": (_DYING, _output),
    "names": (_TOKENS | inputs.LINE_TEXTS, _name),
}
