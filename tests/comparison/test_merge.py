"""Shards: how a selection is divided, by hash and by duration, and how `runner merge` joins their results."""

import json
import random
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from conftest import MOCK, Mock

from runner.cases import catalogue
from runner.cases.catalogue import split
from runner.model import Case
from runner.records.history import History

_SELECTION = (
    *("-t", "mock/bulk/*", "-t", "mock/group/*", "-t", "mock/basic/fail", "-t", "mock/state/flake", "-t"),
    "mock/need/*",
)


def _cases(n: int) -> list[Case]:
    return [Case(f"s/a/{i:04}") for i in range(n)]


def _loads(places: dict[str, int], durations: dict[str, float], total: int) -> list[float]:
    return [sum(durations.get(i, 0.0) for i, at in places.items() if at == n) for n in range(1, total + 1)]


def test_shards_last_equally_long_if_durations_are_known() -> None:
    draw = random.Random(1)
    cases = _cases(500)
    durations = {c.id: draw.lognormvariate(-2, 1.5) for c in cases}
    for total in (2, 3, 8):
        loads = _loads(split(cases, total, durations), durations, total)
        best = max(sum(durations.values()) / total, max(durations.values()))
        assert max(loads) <= 1.02 * best
        hashed = _loads(split(cases, total, {}), durations, total)
        assert max(loads) < max(hashed)


def test_a_case_that_the_history_does_not_know_stays_where_its_hash_says_and_moves_no_other() -> None:
    cases = _cases(60)
    durations = {c.id: 1.0 + n for n, c in enumerate(cases[:40])}
    places, hashed = split(cases, 3, durations), split(cases, 3, {})
    assert all(places[c.id] == hashed[c.id] for c in cases[40:])
    new = [*cases, Case("s/a/new")]
    assert {i: at for i, at in split(new, 3, durations).items() if i != "s/a/new"} == places
    assert split(list(reversed(cases)), 3, durations) == places
    assert split(cases[5:], 3, {}) == {c.id: hashed[c.id] for c in cases[5:]}


def test_a_group_stays_whole_and_lasts_as_long_as_its_cases() -> None:
    group = [Case(f"s/g/{n}", group="s/g") for n in range(10)]
    single = [Case(f"s/a/{n}") for n in range(10)]
    durations = {c.id: 1.0 for c in [*group, *single]}
    places = split([*group, *single], 2, durations)
    assert len({places[c.id] for c in group}) == 1
    assert _loads(places, durations, 2) == [10, 10]


def _suite(folder: Path, count: int) -> catalogue.Catalogue:
    (folder / "s").mkdir(parents=True)
    (folder / "s/suite.yaml").write_text("suite: s\n")
    (folder / "s/cases.py").write_text(
        f"from runner.model import Case\ndef cases():\n    return [Case(f's/a/{{n:02}}') for n in range({count})]\n"
    )
    return catalogue.load(folder)


def test_excluding_a_case_moves_no_other_one(tmp_path: Path) -> None:
    known = _suite(tmp_path, 40)
    durations = {i: 1.0 + n % 7 for n, i in enumerate(known.cases)}
    for times in ({}, durations):
        before = [catalogue.select(known, shard=(n, 3), durations=times) for n in (1, 2, 3)]
        after = [catalogue.select(known, exclude=["s/a/07"], shard=(n, 3), durations=times) for n in (1, 2, 3)]
        assert [[i for i in own if i != "s/a/07"] for own in before] == after
        assert sorted(i for own in before for i in own) == sorted(known.cases)


def _run_shards(mock: Mock, total: int, *words: str) -> list[Path]:
    """Run every shard as a job of its own; their results directories."""
    folders = []
    for index in range(1, total + 1):
        mock.run("-j", "1", "--shard", f"{index}/{total}", *_SELECTION, *words)
        folders.append(mock.results.rename(mock.folder / f"shard{index}"))
    return folders


def _merge(mock: Mock, *folders: Path, out: str = "merged") -> tuple[int, str]:
    return mock.cli(
        "merge",
        *map(str, folders),
        "--results",
        str(mock.folder / out),
        f"--suites={MOCK / 'suites'}",
        f"--expectations={mock.folder / 'expectations'}",
    )


def _junit(folder: Path) -> list[tuple[str | None, str | None]]:
    return [(c.get("classname"), c.get("name")) for c in ET.parse(folder / "junit.xml").getroot().iter("testcase")]


def _rows(folder: Path) -> dict[str, str]:
    return dict(line.split(",")[:2] for line in (folder / "results.csv").read_text().splitlines())


def test_shards_become_the_run_that_was_divided(mock: Mock) -> None:
    mock.environment = {"MOCK_BULK": "20"}
    mock.expect("skips", "# why\nmock/bulk/00007\n")
    code, _ = mock.run("-j", "1", *_SELECTION)
    whole = mock.results.rename(mock.folder / "whole")
    (mock.folder / "state/mock_state_flake").unlink()
    (mock.folder / "state/g").unlink()
    folders = _run_shards(mock, 3)
    merged = mock.folder / "merged"
    assert _merge(mock, *folders, folders[0])[0] == code == 1  # a directory that is given twice counts once
    assert _rows(merged) == _rows(whole)
    assert set(_rows(whole).values()) == {"Pass", "Fail", "Skip", "Flake"}
    names = _junit(merged)
    assert len(set(names)) == len(names) == 27
    assert names == _junit(whole)  # stable, in the catalogue's order
    assert (merged / "failures.csv").read_text() == "mock/basic/fail,Fail\n"
    assert "value: mock: got 1 want 2" in (merged / "logs/mock/basic/fail.txt").read_text()
    # It can be judged again, and it stands for its shards in a history and in another merge.
    assert mock.cli("report", str(merged), f"--suites={MOCK / 'suites'}")[0] == 1
    file = str(mock.folder / "h.sqlite")
    mock.cli("history", "import", *map(str, folders), "--history", file)
    code, output = mock.cli("history", "import", str(merged), "--history", file)
    assert output.count(": 0 new executions") == 3
    assert "3 runs" in output
    assert _merge(mock, merged, folders[1], out="again")[0] == 1
    assert (mock.folder / "again/journal.jsonl").read_text().count('"result"') == 26
    assert _rows(mock.folder / "again") == _rows(whole)
    assert _merge(mock, *folders)[0] == 2  # never over something


def test_a_missing_shard_is_red_and_so_is_one_that_met_no_device(mock: Mock) -> None:
    mock.environment = {"MOCK_BULK": "20"}
    words = ("-t", "mock/bulk/*", "-j", "1")
    folders = []
    for index in (1, 2):
        assert mock.run(*words, "--shard", f"{index}/2")[0] == 0
        folders.append(mock.results.rename(mock.folder / f"shard{index}"))
    lost = _rows(folders[1])
    for n, gone in enumerate(([], [mock.folder / "not_there"], [mock.folder / "state"])):
        code, output = _merge(mock, folders[0], *gone, out=f"merged{n}")
        assert code == 1
        assert f"shard 2/2 is missing: {len(lost)} cases are in no run" in output
        rows = _rows(mock.folder / f"merged{n}")
        assert {i for i, verdict in rows.items() if verdict == "Missing"} == set(lost)
        assert len(rows) == 20
        assert (mock.folder / f"merged{n}/junit.xml").read_text().count("<failure") == len(lost)
    journal = folders[1] / "journal.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:6]))  # killed
    code, output = _merge(mock, *folders, out="killed")
    left = len(lost) - sum('"result"' in line for line in lines[:6])
    assert code == 1
    assert f"shard 2/2: {left} cases have no result (killed)" in output
    assert list(_rows(mock.folder / "killed").values()).count("Missing") == left
    # Its retry brings the rest.
    assert mock.run(*words, "--shard", "2/2")[0] == 0
    assert _merge(mock, *folders, mock.results, out="retried")[0] == 0
    assert set(_rows(mock.folder / "retried").values()) == {"Pass"}


def test_a_retry_that_ends_otherwise_is_a_flake_not_a_pass(mock: Mock) -> None:
    words = ("-t", "mock/state/flake_twice", "-t", "mock/basic/pass", "-j", "1")
    codes = [mock.run(*words)[0] for _ in range(2)]
    assert codes == [1, 0]
    assert _merge(mock, mock.folder / "results.1", mock.results)[0] == 0
    assert _rows(mock.folder / "merged") == {"mock/basic/pass": "Pass", "mock/state/flake_twice": "Flake"}
    assert "2 of 3 attempts" in (mock.folder / "merged/junit.xml").read_text()


def test_an_empty_shard_is_not_missing(mock: Mock) -> None:
    for index in (1, 2):
        assert mock.run("-t", "mock/basic/pass", "--shard", f"{index}/2")[0] == 0
    assert _merge(mock, mock.results)[0] == 0


def test_what_are_not_shards_of_one_run_are_not_joined(mock: Mock) -> None:
    mock.run("-t", "mock/basic/pass")
    other = mock.folder / "other"
    shutil.copytree(mock.results, other)
    journal = other / "journal.jsonl"
    header, *events = journal.read_text().splitlines(keepends=True)
    for what, value in {
        "include": ["mock/basic/fail"],
        "exclude": ["mock/tier/*"],
        "seed": 3,
        "tier": "nightly",
        "variant": "sync",
    }.items():
        changed = json.loads(header)
        assert changed["config"][what] != value
        changed["config"][what] = value
        journal.write_text(json.dumps(changed) + "\n" + "".join(events))
        code, output = _merge(mock, mock.results, other)
        assert code == 2, what
        assert what in output
        assert not (mock.folder / "merged").exists()
    assert mock.run("-t", "mock/basic/pass", "--seed", "3")[0] == 0  # and so it is if a run was asked for it
    assert "seed" in _merge(mock, mock.folder / "results.1", mock.results)[1]


def test_other_suites_than_those_that_ran_are_refused(mock: Mock) -> None:
    mock.run("-t", "mock/basic/pass")
    shutil.copytree(MOCK / "suites", mock.folder / "suites")
    (mock.folder / "suites/mock/run.py").write_text("# changed\n")
    code, output = mock.cli(
        "merge", str(mock.results), "--results", str(mock.folder / "merged"), f"--suites={mock.folder / 'suites'}"
    )
    assert code == 2
    assert "--suites" in output


def test_a_run_is_divided_by_the_history_that_earlier_runs_left(
    mock: Mock, wait_until: Callable[[Callable[[], bool], float], None]
) -> None:
    mock.environment = {"MOCK_SLEEP": "6", "MOCK_BULK": "6"}
    file = mock.folder / "h.sqlite"
    words = ("-j", "1", "-t", "mock/sleep/*", "-t", "mock/bulk/*", "--history", str(file))
    assert mock.run(*words)[0] == 0
    with History(file) as history:
        known = history.durations("mock", "", "execute", 2)
        assert all(seconds > 0.05 for i, seconds in known.items() if "sleep" in i)
        assert len(known) == 12
    begun = json.loads((mock.results / "journal.jsonl").read_text().splitlines()[0])["begun"]
    created = datetime.fromisoformat(begun) + timedelta(seconds=1)  # the journal knows whole seconds
    wait_until(lambda: datetime.now(UTC) > created, 5)
    # The second shard's job sees the first one's results already, and must divide as the first one did.
    mock.environment["CI_PIPELINE_CREATED_AT"] = created.isoformat().replace("+00:00", "Z")
    found = []
    for index in (1, 2):
        assert mock.run(*words, "--shard", f"{index}/2")[0] == 0
        found.append(set(_rows(mock.results)))
    places = split([Case(i) for i in known], 2, known)
    assert found == [{i for i, at in places.items() if at == index} for index in (1, 2)]
    loads = _loads(places, known, 2)
    assert max(loads) - min(loads) <= max(known.values())
