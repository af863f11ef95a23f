"""Journals, archives and answers of boards come from strangers: no part of them is followed, run or shown as it is.

One file: short tests, one a thing that a stranger may send.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import MOCK, Mock, make_mock

from runner.boards.address import Board
from runner.boards.deployment import read_facts
from runner.cases.catalogue import load_header
from runner.compiler_stats import listing
from runner.drivers.registry import load_drivers
from runner.expectations.bugs import find_bug
from runner.ids import ID_PATTERN
from runner.model import UsageError
from runner.records import artifacts, journal
from runner.records.artifacts import find_runs, opened_artifacts, run_key
from runner.records.evidence import evidence_path

_OWN_SUITES = ("--suites", str(MOCK / "suites"))


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of one run."""
    mock = make_mock(tmp_path_factory.mktemp("once") / "mock")
    code, output = mock.run("-t", "mock/basic/fail", "-t", "mock/basic/pass")
    assert code == 1, output
    return mock.results


@pytest.fixture
def ran(mock: Mock, once: Path) -> Mock:
    """A copy of these."""
    shutil.copytree(once, mock.results)
    return mock


def _rewrite(mock: Mock, old: str, new: str) -> None:
    path = mock.results / journal.NAME
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


_BAD_IDS = [
    *("/tmp/x", "../../x", "mock/../../../x", "mock/./x", "mock//x", "mock/x\n", "mock/\x1b[31m", "mock", "."),
    *("a/..", ""),
]


@pytest.mark.parametrize("test_id", _BAD_IDS)
def test_an_id_that_is_none_is_refused_wherever_a_journal_says_it(ran: Mock, test_id: str) -> None:
    assert not ID_PATTERN.fullmatch(test_id)
    whole = (ran.results / journal.NAME).read_text()
    before = set(ran.folder.rglob("*"))
    for event in ("header", "start", "result"):
        lines = [json.loads(line) for line in whole.splitlines()]
        for data in lines:
            if data["event"] == event == "header":
                data["ids"].append(test_id)
            elif data["event"] == event:
                data["id"] = test_id
        (ran.results / journal.NAME).write_text("".join(json.dumps(data) + "\n" for data in lines))
        with pytest.raises(UsageError, match=r"journal.jsonl:\d+: damaged .*is not an id"):
            journal.read(ran.results)
        for command in ("report", "summary", "html"):
            assert ran.cli(command, str(ran.results), *_OWN_SUITES)[0] == 2
    assert set(ran.folder.rglob("*")) == before


def test_the_statistics_of_a_stranger_are_checked_as_his_journal(tmp_path: Path) -> None:
    kernel = {"event": "kernel", "id": "/tmp/x", "name": "k", "source": "s", "metrics": {}, "compile_s": 0.0, "variant": ""}
    (tmp_path / listing.NAME).write_text(json.dumps(kernel) + "\n")
    with pytest.raises(UsageError, match="'/tmp/x' is not an id"):
        listing.read(tmp_path)


def test_the_suites_that_a_journal_names_are_never_imported(ran: Mock, tmp_path: Path) -> None:
    trap, caught = tmp_path / "trap", tmp_path / "caught"
    (trap / "mock").mkdir(parents=True)
    (trap / "mock/suite.yaml").write_text((MOCK / "suites/mock/suite.yaml").read_text())
    (trap / "mock/cases.py").write_text(f"open({str(caught)!r}, 'w')\ndef cases(): return []\n")
    _rewrite(ran, json.dumps(str(MOCK / "suites")), json.dumps(str(trap)))
    for command in ("report", "summary", "html", "junit", "expect update"):
        for options in ((), _OWN_SUITES):
            ran.cli(*command.split(), str(ran.results), *options)
            assert not caught.exists(), (command, options)
    code, output = ran.cli("report", str(ran.results))
    assert code == 2
    assert "give --suites" in output
    assert ran.cli("report", str(ran.results), *_OWN_SUITES)[0] == 1


def test_no_link_in_a_results_folder_leads_a_write_out_of_it(ran: Mock, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("results.csv.part", "junit.xml.part", "logs/mock/basic/fail.txt.part"):
        (ran.results / name).symlink_to(outside / "written")
    assert ran.cli("report", str(ran.results), *_OWN_SUITES)[0] == 1
    for link in ("logs/mock", "logs"):
        shutil.rmtree(ran.results / link)
        (ran.results / link).symlink_to(outside)
        code, output = ran.cli("report", str(ran.results), *_OWN_SUITES)
        assert code == 3, output
        assert "a link leads out of the results" in output, output
        (ran.results / link).unlink()
    assert not list(outside.iterdir())


def test_a_pipe_a_device_and_a_circle_of_links_have_no_end_and_are_not_read(ran: Mock) -> None:
    for name in ("again", "once_more"):
        (ran.folder / name).symlink_to(".")
    with opened_artifacts(ran.folder) as runs:
        assert runs == [ran.results]
    for read in (lambda: journal.read(ran.results), lambda: listing.read(ran.results)):
        for name in (journal.NAME, listing.NAME):
            (ran.results / name).unlink(missing_ok=True)
            os.mkfifo(ran.results / name)
        with pytest.raises(UsageError, match="not a regular file"):
            read()
    with pytest.raises(UsageError, match="not a regular file"):
        load_drivers(Path("/dev/zero"))


_ESCAPE = json.dumps("\x1b]0;x\x07\x9b31m\u202e")[1:-1]


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ('"driver":"mock"', f'"driver":"mock{_ESCAPE}"', {2}),
        ('"gpu":""', f'"gpu":"{_ESCAPE}"', {0, 1}),
        ('"reason":""', f'"reason":"probe: {_ESCAPE}"', {0, 1}),
        ('"message":"value', f'"message":"{_ESCAPE}value', {0, 1}),
        ('"device":""', f'"device":"{_ESCAPE}"', {0, 1}),
    ],
    ids=["driver", "gpu", "reason", "message", "device"],
)
def test_no_control_character_of_a_journal_reaches_a_terminal(ran: Mock, old: str, new: str, codes: set[int]) -> None:
    _rewrite(ran, old, new)
    for words in (("summary",), ("summary", "--markdown"), ("report",)):
        code, output = ran.cli(words[0], str(ran.results), *words[1:], *_OWN_SUITES)
        assert code in codes, (words, output)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", output), (words, output)


@pytest.mark.parametrize("name", ["packages", "loaders", "extensions", "features", "cpu_flags"])
def test_a_list_of_the_device_that_holds_nothing_is_shown_as_nothing(ran: Mock, name: str) -> None:
    path = ran.results / journal.NAME
    events = [json.loads(line) for line in path.read_text().splitlines()]
    next(event for event in events if event["event"] == "device")["report"][name] = [""]
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    for command in ("report", "html"):
        code, output = ran.cli(command, str(ran.results), *_OWN_SUITES)
        assert code in (0, 1), output
        assert "Traceback" not in output


def test_a_command_to_repeat_is_one_command_whatever_the_journal_says(ran: Mock) -> None:
    _rewrite(ran, '"mesa_prefix":""', '"mesa_prefix":"$(touch caught); touch caught #\'"')
    _, output = ran.cli("report", str(ran.results), *_OWN_SUITES, "--expectations", str(ran.folder / "expectations"))
    lines = [line.strip() for line in output.splitlines() if " run-case " in line]
    assert lines, output
    for line in lines:
        assert "$(touch caught); touch caught #'" in shlex.split(line, comments=True)


def _archive(path: Path, *files: tuple[str, int]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, size in files:
            archive.writestr(name, b" " * size)
    return path


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ([("a/" * 20 + "journal.jsonl", 10)], "lies deeper than 16 folders"),
        ([(f"{n}/journal.jsonl", 1) for n in range(301)], "301 files"),
        ([(f"{n}/journal.jsonl", 1 << 20) for n in range(17)], "17 MiB unpacked, more than 16"),
        ([(f"{n}/journal.jsonl", 1 << 20) for n in range(9)], "9 MiB unpacked, and 16 MiB are free"),
    ],
    ids=["depth", "files", "sum", "disk"],
)
def test_an_archive_that_would_fill_the_disk_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: list[tuple[str, int]], why: str
) -> None:
    monkeypatch.setattr(artifacts, "_MAX_FILES", 300)
    monkeypatch.setattr(artifacts, "_MAX_BYTES", 16 << 20)
    if "free" in why:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=16 << 20))
    with pytest.raises(UsageError, match=why), opened_artifacts(_archive(tmp_path / "x.zip", *files)):
        raise AssertionError("it was unpacked")


def test_the_archive_of_a_run_in_which_everything_failed_in_one_way_is_read(tmp_path: Path, ran: Mock) -> None:
    lines = (ran.results / journal.NAME).read_text().splitlines(keepends=True)
    header = json.loads(lines[0])
    result = next(line for line in lines if '"result"' in line and "mock/basic/fail" in line)
    ids = [f"mock/all/{n}" for n in range(12_000)]
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        failed = (result.replace("mock/basic/fail", i).replace("printed", "printed " * 500) for i in ids)
        text = json.dumps({**header, "ids": ids}) + "\n" + "".join(failed)
        archive.writestr(f"results/{journal.NAME}", text + "x" * (64 << 20))  # as a torn line: repeats shrink most
        for test_id in ids:
            archive.writestr(f"results/{evidence_path(test_id)}", '{"event": "return", "step": 1, "error": "", "log": ""}\n')
    (info,) = (i for i in zipfile.ZipFile(tmp_path / "x.zip").infolist() if i.filename == f"results/{journal.NAME}")
    assert info.file_size > 300 * info.compress_size
    with opened_artifacts(tmp_path / "x.zip") as (run,):
        assert len(journal.read(run).results) == 12_000


def test_a_link_as_the_results_of_one_run_after_another(mock: Mock, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    mock.results.symlink_to(tmp_path / "disk/out")
    for number in range(3):
        code, output = mock.run("-t", "mock/basic/pass")
        assert code == 0, output
        assert mock.results.is_symlink()
        assert (tmp_path / "disk/out/junit.xml").exists()
        assert len(list((tmp_path / "disk").iterdir())) == 1 + number


def test_a_link_to_the_whole_disk_is_not_looked_through(ran: Mock, tmp_path: Path) -> None:
    (tmp_path / "top/a").mkdir(parents=True)
    shutil.copytree(ran.results, tmp_path / "top/a/results")
    place = tmp_path / "place"
    place.mkdir()
    (place / "everything").symlink_to(tmp_path / "top")
    (place / "one").symlink_to(ran.results)
    assert find_runs(place) == [place / "one"]


@pytest.mark.parametrize("form", [{"indent": None}, {"separators": (", ", ": ")}, {"sort_keys": True}])
def test_two_runs_are_two_though_another_program_wrote_their_journals_again(
    ran: Mock, tmp_path: Path, form: dict[str, Any]
) -> None:
    keys = set()
    for name, begun in (("a", "2026-01-01T00:00:00+00:00"), ("b", "2026-01-02T00:00:00+00:00")):
        folder = tmp_path / name
        shutil.copytree(ran.results, folder)
        events = [json.loads(line) for line in (folder / journal.NAME).read_text().splitlines()]
        events[0]["begun"] = begun
        if name == "a":
            fine = {"status": "Pass", "how": "warm"}
            events = [{**e, "attempts": [fine]} if e["event"] == "result" else e for e in events]
        (folder / journal.NAME).write_text("".join(json.dumps(event, **form) + "\n" for event in events))
        keys.add(run_key(folder))
    assert len(keys) == 2
    for order in ("ab", "ba"):
        _, output = ran.cli("summary", *(str(tmp_path / name) for name in order), *_OWN_SUITES)
        assert "mock/basic/fail" in output, output


def test_a_journal_that_was_written_again_is_the_same_run(ran: Mock) -> None:
    before, path = run_key(ran.results), ran.results / journal.NAME
    path.write_text("".join(json.dumps(json.loads(line)) + "\n" for line in path.read_text().splitlines()))
    assert run_key(ran.results) == before


_BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10)
)


@pytest.mark.parametrize("text", [_BOMB, "a: &a [*a]\n", "a: &a {b: c}\nd: *a\n"])
def test_yaml_with_aliases_is_refused_with_its_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "s").mkdir()
    readers: dict[str, Callable[[Path], object]] = {
        "drivers.yaml": load_drivers,
        "s/suite.yaml": load_header,
        "0001-x.yaml": lambda path: find_bug(path.parent, 1),
    }
    for name, read in readers.items():
        (tmp_path / name).write_text(text)
        with pytest.raises(UsageError, match=f"{name}.*an alias"):
            read(tmp_path / name)


def test_no_control_character_of_a_kernels_name_reaches_a_terminal(ran: Mock) -> None:
    kernel = listing.Kernel("k\x1b]0;x\x07\nINJECTED", "s", {"loops": 1.0}, 0.5, "\x9b31m", id="mock/basic/fail")
    (ran.results / listing.NAME).write_text(json.dumps({"event": "kernel", **asdict(kernel)}) + "\n")
    for words in (["stats"], ["stats", "--format", "markdown"], ["stats", "--format", "json"]):
        code, output = ran.cli(*words, str(ran.results))
        assert code == 0, output
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", output), output
        assert not re.search("^INJECTED", output, re.MULTILINE), output


def test_no_control_character_of_a_driver_reaches_the_terminal_of_a_plain_pytest() -> None:
    """pytest runs the suites by the same plugin, without a controller."""
    words = ["-m", "pytest", "--driver=mock", f"--registry={MOCK / 'drivers.yaml'}", str(MOCK / "suites"), "-k", "hostile"]
    done = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        cwd=MOCK.parent.parent,
        env={k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")} | {"MOCK_HOSTILE": "1"},
    )
    assert "1 failed" in done.stdout, done.stdout + done.stderr
    assert "the end" in done.stdout
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", done.stdout), done.stdout


def test_no_control_character_of_a_folders_name_reaches_a_terminal(ran: Mock, tmp_path: Path) -> None:
    folder = tmp_path / "x\x1b]0;y\x07"
    folder.mkdir()
    for words in (["merge", str(folder), str(ran.results), "--results", str(tmp_path / "out")], ["report", str(folder)]):
        _, output = ran.cli(*words, *_OWN_SUITES)
        assert "x\\x1b]0;y" in output, output
        assert not re.search("[\x00-\x08\x0b-\x1f]", output), output


def test_an_archive_that_is_damaged_or_locked_is_a_bad_file(tmp_path: Path, ran: Mock) -> None:
    whole = tmp_path / "x.zip"
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(ran.results / journal.NAME, "results/journal.jsonl")
    data = whole.read_bytes()
    for position in range(0, len(data), 7):
        whole.write_bytes(data[:position] + bytes([data[position] ^ 0xFF]) + data[position + 1 :])
        try:
            with opened_artifacts(whole):
                pass
        except UsageError:
            continue


@pytest.mark.parametrize("text", ["phone:..", "phone:.", "..:x", "phone:/..", "phone:a/../b", "phone:/opt/./x", ".:x"])
def test_a_board_has_no_folder_outside_its_own(text: str) -> None:
    with pytest.raises(UsageError, match="no part of it"):
        Board.parse(text)


def test_a_login_shell_that_greets_does_not_hide_what_the_board_is() -> None:
    facts = '{"python": [3, 11, 2], "machine": "aarch64", "bits": 64, "libc": "glibc 2.36", "tar": true, '
    facts += '"stamp": {}, "busy": false}'
    for stdout in (f"Welcome!\n{facts}\n", f"{facts}\nGood bye\n"):
        assert read_facts(subprocess.CompletedProcess([], 0, stdout.encode(), b"")).machine == "aarch64"
