"""Whatever a file holds, reading it ends in data of the right types or in one line with its place: never in a traceback.

One file: each border is a row or a few lines, and all are tried the same way.
"""

import contextlib
import copy
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import inputs
import pytest
import yaml
from conftest import MOCK

from runner.bench import table
from runner.cases import catalogue
from runner.cases.census import find_losses
from runner.cases.frozen_ids import load_release
from runner.cases.renames import load_renames
from runner.cli import main
from runner.commands import bench
from runner.compiler_stats import listing
from runner.compiler_stats.formats import compilers
from runner.drivers.registry import REGISTRY, load_drivers
from runner.expectations.mesa import load_mesa_lists
from runner.maintenance.patch import change_of
from runner.model import Attempt, DeviceReport, Result, Status, UsageError
from runner.records import journal
from runner.records.history import History
from runner.run_config import RunConfig
from suites.kernels.programs import annotation

T = TypeVar("T")
_ODD: tuple[Any, ...] = (None, True, -1, 1e300, "", "\x1b[31m", "(", "{9}", [], [None], {}, {"a": [1]}, [[[]]])


def _mutants(data: Any) -> Iterator[Any]:
    """The data with one value after the other replaced by odd ones, or left out."""

    def places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        yield path
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, one in inner:
            yield from places(one, (*path, key))

    for path in places(data, ()):
        for odd in _ODD:
            if not path:
                yield odd
                continue
            mutant = copy.deepcopy(data)
            target = mutant
            for key in path[:-1]:
                target = target[key]
            target[path[-1]] = odd
            yield mutant
            if isinstance(target, dict):
                target.pop(path[-1], None)
                yield mutant


def _attempt(read: Callable[[], T], place: str) -> T | None:
    """What is read; None if it is refused, in one line that names the place."""
    try:
        return read()
    except UsageError as error:
        refusal = str(error)
    assert place in refusal
    return None


def _lines() -> list[dict[str, Any]]:
    config = RunConfig("llvmpipe", suites="s", expectations="e", include=("a/*",)).to_json()
    attempt = Attempt(Status.FAIL, 0.1, "value: x", "printed", signal="SIGSEGV", exit_code=1)
    lines = [
        {"event": "header", "config": config, "ids": ["a/b/c"], "suites": "d", "expectations": "d", "begun": "2026-01-01"},
        {"event": "device", "report": asdict(DeviceReport(features=("execute",), limits={"x": 1}))},
        {"event": "start", "id": "a/b/c"},
        {"event": "result", **Result("a/b/c", (attempt,)).to_json()},
        {"event": "resume"},
        {"event": "footer", "reason": "", "wall_s": 1.0},
    ]
    return json.loads(json.dumps(lines))  # type: ignore[no-any-return]


def test_a_journal_of_any_content_is_read_or_refused_with_its_line(tmp_path: Path) -> None:
    texts = [json.dumps(line) for line in _lines()]
    for place, line in enumerate(_lines()):
        for mutant in _mutants(line):
            lines = [*texts[:place], json.dumps(mutant), *texts[place + 1 :], ""]
            (tmp_path / journal.NAME).write_text("\n".join(lines))
            if record := _attempt(lambda: journal.read(tmp_path), f"{journal.NAME}:"):
                assert all(r.attempts for r in record.results.values())
                assert all(type(a.message) is str for r in record.results.values() for a in r.attempts)
                assert all(type(i) is str for i in record.ids)
                assert type(record.wall_s) is float


def test_statistics_of_any_content_are_read_or_refused_with_their_line(tmp_path: Path) -> None:
    line = {"event": "kernel", **asdict(listing.Kernel("f", "s", {"loops": 1.0}, 0.5, "SIMD8", "a/b/c"))}
    for mutant in _mutants(line):
        (tmp_path / listing.NAME).write_text(json.dumps(mutant) + "\n")
        if kernels := _attempt(lambda: listing.read(tmp_path), f"{listing.NAME}:1: damaged"):
            assert all(type(kernel.name) is str for kernel in kernels.values())


def test_a_registry_of_any_content_is_read_or_refused_with_its_driver(tmp_path: Path) -> None:
    whole = yaml.safe_load(REGISTRY.read_text())
    path = tmp_path / "drivers.yaml"
    for name in ("llvmpipe", "freedreno"):
        for mutant in _mutants(whole[name]):
            path.write_text(json.dumps({name: mutant}))
            if drivers := _attempt(lambda: load_drivers(path), f"{path}: {name}: "):
                assert drivers[name].gpu_of(DeviceReport(device="Adreno 630")) is not None
                drivers[name].variant_environment("sync")


def test_a_header_of_a_suite_of_any_content_is_read_or_refused_with_its_file(tmp_path: Path) -> None:
    suite = tmp_path / "s"
    suite.mkdir()
    (suite / "cases.py").write_text("def cases(): return []\n")
    header = {"suite": "s", "description": "d", "timeout_s": 3, "requires": ["fp16"], "hints": {"fp16": "buy one"}}
    for mutant in _mutants(header):
        (suite / "suite.yaml").write_text(json.dumps(mutant))
        if loaded := _attempt(lambda: catalogue.load_suite(suite), f"{suite / 'suite.yaml'}: "):
            found, _ = loaded
            assert found.timeout_s > 0
            assert all(type(word) is str for word in found.requires)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e30", "9" * 400, "-" + "9" * 400, "true", '"1"'])
@pytest.mark.parametrize("field", ["compile_s", "private_bytes", "work_group_items"])
def test_a_mark_with_a_number_that_no_record_can_hold_is_ignored(tmp_path: Path, field: str, number: str) -> None:
    built = {"source": "s", "compile_s": "0.5"}
    kernel = {"source": "s", "name": "k", "private_bytes": "0", "work_group_items": "1"}
    lines = ["@@runner build", f"@@runner built {_object(built, field, number)}", "SIMD8 shader: 1 instructions. 0 loops."]
    lines += [f"@@runner kernel {_object(kernel, field, number)}", "@@runner made"]
    (tmp_path / "output").write_text("\n".join(lines) + "\n")
    sieve = listing.ListingExtractor(tuple(compilers()), ())
    sieve.clean(tmp_path / "output")
    for one in sieve.take():
        json.loads(json.dumps(asdict(one), allow_nan=False))


def _object(data: dict[str, str], field: str, number: str) -> str:
    texts = {name: number if name == field else value for name, value in data.items()}
    own = ", ".join(f'"{name}": {json.dumps(v) if name in ("source", "name") else v}' for name, v in texts.items())
    return f"{{{own}}}"


def test_a_file_in_another_encoding_is_refused_with_its_name_and_line(tmp_path: Path) -> None:
    data = b"# one\n# two\nname\xe9,Fail\n"
    (tmp_path / "mock-rusticl-fails.txt").write_bytes(data)
    (tmp_path / "program.cl").write_bytes(data)
    for path, read in (
        (tmp_path / "mock-rusticl-fails.txt", lambda: load_mesa_lists(str(tmp_path), "mock")),
        (tmp_path / "program.cl", lambda: annotation.read(tmp_path / "program.cl")),
        (tmp_path / "program.cl", lambda: change_of(tmp_path / "program.cl", "")),
    ):
        with pytest.raises(UsageError, match=rf"{path}:3: is not in UTF-8"):
            read()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
        "CREATE TRIGGER writes AFTER INSERT ON test BEGIN DELETE FROM run; END",
    ],
)
def test_a_history_that_computes_is_refused_before_it_is_read(
    tmp_path: Path, statement: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "history.sqlite"
    History(path, create=True).__exit__()
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute(statement)
        database.commit()
    assert main(["history", "show", "--history", str(path)]) == 2
    assert statement.split()[2] in capsys.readouterr().err


def test_a_record_of_bench_of_any_content_is_compared_or_refused(tmp_path: Path) -> None:
    measure = {"name": "time per token", "unit": "ms", "samples": [1.0, 2.0, 3.0, 4.0, 5.0]}
    option = {"name": "x", "identity": {"device": "d", "cores": 2}, "others_cores": 0.0, "measures": [measure]}
    whole = {"bench": "gpt2", "begun": "2026-01-01", "size": "tiny", "options": [option]}
    for mutant in _mutants(whole):
        (tmp_path / "old.json").write_text(json.dumps(mutant))
        if old := _attempt(lambda: bench._read(str(tmp_path / "old.json")), "old.json"):
            table.comparable(old, whole)
            assert all(type(line) is str for line in table.compare(old, whole))


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\n", b"[" * 99_999 + b"\n", b"\n", b'{"event": "header"}\n', b"PK\x03\x04\x00"]
)
def test_a_file_that_is_not_a_record_ends_every_command_with_2_and_one_line(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / journal.NAME).write_bytes(content)
    (tmp_path / "artifacts.zip").write_bytes(content)
    (tmp_path / "history.sqlite").write_bytes(content)
    for words in (
        ["report", str(tmp_path)],
        ["summary", str(tmp_path)],
        ["summary", str(tmp_path / "artifacts.zip")],
        ["flakes", "--history", str(tmp_path / "history.sqlite")],
    ):
        assert main(words) == 2, words
        stderr = capsys.readouterr().err
        assert len(stderr.splitlines()) == 1, stderr
        assert "Traceback" not in stderr, stderr


_RED = [line for line in inputs.JOURNAL.splitlines(keepends=True) if b'"resume"' not in line][:-1]


def _changed(*places: int, new: bytes = b"", lines: list[bytes] = _RED) -> bytes:
    return b"".join(new if number in places else line for number, line in enumerate(lines))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"".join(_RED) + b"".join(_RED), "a second header"),
        (b"".join(line for line in _RED for _ in range(2)), "a second header"),
        (_changed(len(_RED) - 2, new=_RED[3] * 2), "a second result of mock/basic/pass"),
        (_changed(0, new=_RED[0].replace(b'"mock/basic/fail", ', b"")), "'mock/basic/fail' is not one of the run's cases"),
        (_changed(0, new=_RED[0].replace(b'"mock/basic/utf8"', b'"mock/basic/pass"')), "an id stands there twice"),
        (_changed(7, new=_RED[7].replace(b'"result"', b'"Result"')), "no event 'Result'"),
        (_changed(7, new=_RED[7].replace(b'"attempts"', b'"attempts": [], "attempts"')), "a name stands there twice"),
        (_changed(1, new=_RED[1] + _RED[1].replace(b'"device": ""', b'"device": "b"')), "another device than before: 'b'"),
        (_changed(7, new=_RED[-1] + _RED[7]), "'result' after the end of the run"),
        (_changed(len(_RED) - 1, new=_RED[-1].replace(b"1.5", b"NaN")), "'nan' is not a number of seconds"),
    ],
)
def test_a_journal_of_two_runs_or_one_that_hides_a_result_is_damaged(
    tmp_path: Path, data: bytes, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / journal.NAME).write_bytes(data)
    assert main(["report", str(tmp_path)]) == 2
    stderr = capsys.readouterr().err
    assert why in stderr, stderr
    assert re.search(rf"{journal.NAME}:\d+: damaged", stderr), stderr


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("mock: {opencl: false}\nmock: {opencl: true}\n", "'mock' stands there twice"),
        ("mock: {opencl: false, opencl: true}\n", "'opencl' stands there twice"),
        ("../mock: {opencl: false}\n", "a driver's name is"),
        ('"mo\\e[31mck": {opencl: false}\n', "a driver's name is"),
        ("'': {opencl: false}\n", "a driver's name is"),
    ],
)
def test_a_registry_that_says_a_thing_twice_or_names_no_folder_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "drivers.yaml").write_text(text)
    with pytest.raises(UsageError, match=why):
        load_drivers(tmp_path / "drivers.yaml")


@pytest.mark.parametrize("place", ["/", "/dev/zero", "pipe"])
@pytest.mark.parametrize("name", ["report", "summary", "html", "stats", "merge", "history import"])
def test_what_has_no_end_in_the_place_of_a_journal_is_refused(
    tmp_path: Path, name: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r").mkdir()
    path = tmp_path / "r" / journal.NAME
    os.mkfifo(path) if place == "pipe" else path.symlink_to(place)
    more = {"merge": [f"--results={tmp_path}/o"], "history import": [f"--history={tmp_path}/h"]}.get(name, [])
    with contextlib.chdir(tmp_path):
        assert main([*name.split(), str(tmp_path / "r"), *more]) in ((0, 2) if name == "history import" else (2,))
    output, stderr = capsys.readouterr()
    assert "not a regular file" in output + stderr


@pytest.mark.parametrize("words", [["expect", "explain", "kernels/math/half/exp"], ["expect", "explain", "\x1b"]])
def test_a_command_without_its_driver_says_so(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RUNNER_DRIVER", raising=False)
    assert main(words) == 2
    assert "give --driver" in capsys.readouterr().err


@pytest.mark.parametrize("order", [("before", "after"), ("after", "before"), ("both",)])
def test_of_a_run_before_and_after_it_was_resumed_the_later_one_counts(
    tmp_path: Path, order: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = inputs.JOURNAL.splitlines(keepends=True)
    for folder in ("", "both"):
        for name, data in (("before", lines[:4]), ("after", lines)):
            (tmp_path / folder / name).mkdir(parents=True)
            (tmp_path / folder / name / journal.NAME).write_bytes(b"".join(data))
    words = [
        "summary",
        *(str(tmp_path / name) for name in order),
        f"--suites={MOCK / 'suites'}",
        f"--expectations={tmp_path}",
    ]
    assert main(words) == 0
    assert "mock/basic/fail" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["renames.txt", "census.txt", "releases/2026.12.txt"])
def test_what_has_no_end_in_the_place_of_a_list_of_ids_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)
    readers: dict[str, Callable[[], object]] = {
        "renames.txt": lambda: load_renames(path),
        "census.txt": lambda: find_losses({}, tmp_path),
        "releases/2026.12.txt": lambda: load_release(tmp_path, "2026.12"),
    }
    with pytest.raises(UsageError):
        readers[name]()


def test_a_pipe_in_the_place_of_an_expectation_file_is_a_finding_of_lint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "llvmpipe").mkdir()
    os.mkfifo(tmp_path / "llvmpipe/llvmpipe-fails.txt")
    assert main(["expect", "lint", f"--suites={MOCK / 'suites'}", f"--expectations={tmp_path}"]) == 2
    assert "not a regular file" in capsys.readouterr().out


def test_logs_that_are_a_link_to_themselves_end_a_report_with_their_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / journal.NAME).write_bytes(inputs.JOURNAL)
    (tmp_path / "logs").symlink_to("logs")
    words = ["report", str(tmp_path), f"--suites={MOCK / 'suites'}", f"--expectations={tmp_path}"]
    assert main(words) == 3
    stderr = capsys.readouterr().err
    assert str(tmp_path / "logs") in stderr
    assert "traceback" not in stderr
