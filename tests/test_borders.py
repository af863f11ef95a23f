"""Whatever a file holds, reading it ends in data of the right types or in one line with its place: never in a traceback."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml

from runner.cases import catalogue
from runner.cli import main
from runner.compiler_stats import listing
from runner.drivers.registry import REGISTRY, load_drivers
from runner.model import Attempt, DeviceReport, Result, Status, UsageError
from runner.records import journal
from runner.run_config import RunConfig

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
    """What is read; None where it is refused, in one line that names the place."""
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
    for number, line in enumerate(_lines(), 1):
        for mutant in _mutants(line):
            lines = _lines()
            lines[number - 1] = mutant
            (tmp_path / journal.NAME).write_text("".join(json.dumps(one) + "\n" for one in lines))
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


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\n", b"[" * 99_999 + b"\n", b"\n", b'{"event": "header"}\n', b"PK\x03\x04\x00"]
)
def test_a_file_that_is_no_record_ends_every_command_with_2_and_one_line(
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
