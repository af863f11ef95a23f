"""Strategies of hypothesis: data that a damaged or foreign file, board or process may send."""

import copy
import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml
from conftest import MOCK
from hypothesis import strategies as st

from runner.compiler_stats.listing import Kernel
from runner.drivers.registry import REGISTRY
from runner.model import Attempt, DeviceReport, How, Result, Status
from runner.run_config import RunConfig

# Values over which careless code falls, beside those that hypothesis draws by itself.
_ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 10**400, 1e300, float("nan"), float("inf"), "", "/", "../x", "a/b\n", "\x1b]0;x\x07", "\ud800"),
    *("(", "{9}", "{0.__class__}", "%s", "٣", "9" * 5000, "2026-01-01", [], {}, [[]], {"": 0}),
)
SCALARS = st.sampled_from(_ODD) | st.integers() | st.floats() | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
)
IDS = st.lists(
    st.text("Az09_.+=-", min_size=1, max_size=4).filter(lambda p: p not in (".", "..")), min_size=2, max_size=4
).map("/".join)
# Lines end in more ways than one, for Python's splitlines, terminals and YAML.
TEXTS = st.text(st.sampled_from("aZ0#,|*?/. =:\t\r\n\x0b\x0c\x1c\x85\u2028é\x00\ud800\x1b"), max_size=200) | st.text(
    max_size=80
)
LINE_TEXTS = TEXTS.filter(lambda t: "\ud800" not in t)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from _places(one, (*path, key))


@st.composite
def mutants(draw: st.DrawFn, document: Any) -> Any:
    """A document of JSON with up to three of its values replaced, left out, or put in twice."""
    whole = [copy.deepcopy(document)]
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(_places(whole, ()))[1:]))
        target: Any = whole
        for key in path[:-1]:
            target = target[key]
        match draw(st.sampled_from(("replace", "replace", "delete", "add"))):
            case "delete" if len(path) > 1:
                del target[path[-1]]
            case "add" if isinstance(target, list):
                target.append(copy.deepcopy(draw(VALUES)))  # what is drawn again must not have been changed
            case "add":
                target[draw(st.text(max_size=9))] = copy.deepcopy(draw(VALUES))
            case _:
                target[path[-1]] = copy.deepcopy(draw(VALUES))
    return whole[0]


@st.composite
def torn(draw: st.DrawFn, data: bytes) -> bytes:
    """Bytes that were cut, lost, doubled or changed somewhere, as by a bad disk, a bad line, or a hand."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 40)))
        match draw(st.sampled_from(("cut", "lose", "double", "change", "insert"))):
            case "cut":
                data = data[:at]
            case "lose":
                data = data[:at] + data[end:]
            case "double":
                data = data[:end] + data[at:]
            case "change":
                data = data[:at] + draw(st.binary(max_size=end - at)) + data[end:]
            case _:
                data = data[:at] + draw(st.binary(max_size=9)) + data[at:]
    return data


def journal_lines() -> list[dict[str, Any]]:
    """A finished run of four mock cases: two pass, one fails, one crashes and then passes."""
    config = RunConfig("mock", suites=str(MOCK / "suites"), registry=str(MOCK / "drivers.yaml"), include=("mock/*",))
    fail = Attempt(Status.FAIL, 0.1, "value: got 1 want 2", "printed", nth_in_child=1)
    crash = Attempt(Status.CRASH, 0.1, "SIGSEGV", "", signal="SIGSEGV")
    good = Attempt(Status.PASS, 0.1, how=How.ALONE, exit_code=None)
    results = {"basic/pass": (good,), "basic/utf8": (good,), "basic/fail": (fail, fail), "basic/segfault": (crash, good)}
    lines: list[dict[str, Any]] = [
        {
            "event": "header",
            "config": config.to_json(),
            "ids": [f"mock/{name}" for name in results],
            "suites": "d",
            "expectations": "d",
            "begun": "2026-01-01T00:00:00+00:00",
        },
        {"event": "device", "report": asdict(DeviceReport(features=("execute",), limits={"x": 1}, environment={"A": "b"}))},
    ]
    for name, attempts in results.items():
        lines.append({"event": "start", "id": f"mock/{name}"})
        lines.append({"event": "result", **Result(f"mock/{name}", attempts).to_json()})
    lines += [
        {"event": "footer", "reason": "", "wall_s": 1.5},
        {"event": "resume"},
        {"event": "footer", "reason": "", "wall_s": 1},
    ]
    return json.loads(json.dumps(lines))  # type: ignore[no-any-return]


def to_lines(values: Any) -> bytes:
    """Values as JSON lines, however odd they are."""
    return "".join(f"{json.dumps(value)}\n" for value in (values if isinstance(values, list) else [values])).encode()


JOURNAL = to_lines(journal_lines())
JOURNALS = mutants(journal_lines()).map(to_lines) | torn(JOURNAL)
_KERNEL = {"event": "kernel", **asdict(Kernel("f", "s", {"loops": 1.0}, 0.5, "SIMD8", "a/b/c"))}
STATISTICS = mutants([_KERNEL, _KERNEL]).map(to_lines) | torn(to_lines([_KERNEL, _KERNEL]))
_DRIVERS = yaml.safe_load(REGISTRY.read_text(encoding="utf-8"))
REGISTRIES = mutants({name: _DRIVERS[name] for name in ("llvmpipe", "freedreno", "zink")}).map(
    lambda d: json.dumps(d).encode()
)
REGISTRIES |= torn((MOCK / "drivers.yaml").read_bytes())
HEADER = {"suite": "s", "description": "d", "timeout_s": 3, "requires": ["fp16"], "hints": {"fp16": "buy one"}}
HEADERS = mutants(HEADER).map(lambda d: json.dumps(d).encode()) | torn(b"suite: s\ndescription: d\nrequires: [fp16]\n")


def _archive(names: list[tuple[str, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in names:
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


_MEMBERS = st.sampled_from(
    [
        "results/journal.jsonl",
        "journal.jsonl",
        "../journal.jsonl",
        "/tmp/journal.jsonl",
        "a/../../journal.jsonl",
        "parts/0/journal.jsonl",
    ]
) | st.text("ab/.\\:\x00\n", max_size=12).map(lambda t: f"{t}.jsonl")
ARCHIVES = st.lists(st.tuples(_MEMBERS, torn(JOURNAL)), max_size=3, unique_by=lambda m: m[0].partition("\0")[0]).map(
    _archive
)
ARCHIVES |= torn(_archive([("results/journal.jsonl", JOURNAL)]))


# The rows of a history, a list per table; a foreign file need not have SQLite's types.
_ROWS: dict[str, list[Any]] = {
    "run": [1, "k", "2026-01-01T00:00:00+00:00", "mock", "", 0, "25.0", "", "", "", "b", "d", 2, ""],
    "test": [1, "mock/basic/pass"],
    "message": [1, "value: got 1 want 2"],
    "execution": [1, 1, 0, "Fail", 0.5, "warm", 1, 1],
}
_EXECUTIONS = [[1, 1, 1, "Pass", 0.5, "alone", 1, None], [2, 1, 0, "Pass", 0.5, "warm", 1, None]]
HISTORIES = mutants(_ROWS)
_COLUMNS = {
    "run": "id, key, begun, driver, gpu, mode, mesa, libclc, tinygrad, variant, build, device, jobs, fault",
    "test": "id, name",
    "message": "id, text",
    "execution": "run, test, attempt, status, duration_s, how, nth_in_child, message",
}


def write_history(path: Path, rows: Any) -> None:
    """A history with these rows, in columns without a type, beside two executions that make a flake."""
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    for table, columns in _COLUMNS.items():
        database.execute(f"CREATE TABLE {table} ({columns})")
        own = rows.get(table) if isinstance(rows, dict) else None
        for row in [own, *(_EXECUTIONS if table == "execution" else [])]:
            cells = [_cell(cell) for cell in row] if isinstance(row, list) else []
            if len(cells) == columns.count(",") + 1:
                database.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(cells))})", cells)
    database.execute("PRAGMA user_version = 2")
    database.commit()
    database.close()


def _cell(value: Any) -> Any:
    """A value as SQLite can hold it."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "surrogatepass")
    if value is None or isinstance(value, float) or (isinstance(value, int) and abs(value) < 1 << 63):
        return value
    return str(value)[:99]


FACTS = {
    "python": [3, 11, 2],
    "machine": "aarch64",
    "bits": 64,
    "libc": "glibc 2.36",
    "tar": True,
    "stamp": {"project": "x"},
    "busy": False,
}
GATE = {"report": json.loads(json.dumps(asdict(DeviceReport(device="mock", features=("execute",)))))}
_LOGIN_OUTPUT = st.sampled_from([b"", b"Welcome!\n", b"\xff\xfe\n", b'{"\n', b'{"a": 1}\n'])


def _lines_of(document: Any) -> st.SearchStrategy[bytes]:
    """One line of JSON as a board prints it, between what its login shell says."""
    line = mutants(document).map(lambda d: f"{json.dumps(d)}\n".encode()) | torn(f"{json.dumps(document)}\n".encode())
    return st.tuples(_LOGIN_OUTPUT, line, _LOGIN_OUTPUT).map(b"".join)


GATE_ANSWERS, FACTS_ANSWERS = _lines_of(GATE), _lines_of(FACTS)
LISTINGS = st.lists(
    st.sampled_from(
        [
            *(b"@@runner build", b'@@runner built {"source": "s", "compile_s": 0.5}', b"@@runner made", b"@@runner refused"),
            *(
                b'@@runner kernel {"source": "s", "name": "k", "private_bytes": 0, "work_group_items": 1}',
                b"@@runner built {",
            ),
            *(b"SIMD8 shader: 1 instructions. 0 loops. 9 cycles. 0:0 spills:fills", b"; CL prog 0/0: 41 instr, 18 nops,"),
            *(b"SGPRS: 16", b"VGPRS: 8", b"Code Size: 99999999999999999999 bytes", b"\t(then repeated 9 times)"),
            b"MESA_SHADER_COMPUTE shader: 8 inst, 2.00 cycles, 1:2 spills:fills",
        ]
    )
    | st.binary(max_size=30)
    | LINE_TEXTS.map(str.encode),
    max_size=12,
).map(b"\n".join)
_STATUSES = st.sampled_from(["Fail", "Crash", "Timeout", "Pass", "Fail|Crash", "Fial", ""])
_RATES = st.sampled_from(
    ["", ",1/9", ",0/9", ",9/1", ",٣/٤", f",{'9' * 5000}/{'9' * 5001}", ",value: got 1, want 2", ", x "]
)
_ENTRIES = st.tuples(
    IDS | st.sampled_from(["*", "a/*", "a/b/?", "a/b/c"]), st.just(",") | st.just(""), _STATUSES, _RATES
).map("".join)
EXPECTATIONS = st.lists(_ENTRIES | IDS | LINE_TEXTS.map(lambda t: f"# {t}") | st.just(""), max_size=8).map("\n".join)
_NAMES = IDS | st.sampled_from(["spec@cl@a,b", "a@@b", "..@x", "^a.*$", "(", "a{2}b", "[", "(?=x)"])
DEQP = st.lists(
    st.tuples(_NAMES, st.sampled_from(["", ",Fail", ",Pass,0.1", ",Flake,nan", ",Fail,1e999", ",Skip,-1"])).map("".join)
).map("\n".join)
CENSUSES = st.dictionaries(
    st.tuples(
        st.text("ab/_", min_size=1, max_size=6).filter(lambda t: not t.startswith("#")),
        st.sampled_from(["premerge", "full"]),
    ),
    st.tuples(st.integers(0, 999_999_999), st.text("0123456789abcdef", min_size=16, max_size=16)),
    max_size=4,
)
_RECORDS = st.sampled_from(
    [b"6,752,15372729246,-;text\n", b"6,1,%s,-;x\n" % (b"9" * 500), b"\xff\n", b";\n", "٣,٣,٣,-;x\n".encode()]
)
KERNEL_LOGS = st.lists(_RECORDS | st.binary(max_size=30), max_size=5).map(b"".join)
