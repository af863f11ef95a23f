"""Cases that a suite loses are red here, and in the first line of every run's summary."""

import shutil
from pathlib import Path

import pytest
from conftest import MOCK, ROOT, Mock

from runner.cases import catalogue
from runner.cases.census import COMMAND, NAME, find_losses, format_census, parse_census, take_census
from runner.model import Tier, UsageError


def test_the_suites_have_the_cases_of_their_census() -> None:
    path = ROOT / "suites" / NAME
    frozen = parse_census(path.read_text(), path)
    taken = take_census(catalogue.load(ROOT / "suites").tiers)
    changed = {key: (frozen.get(key), taken.get(key)) for key in frozen.keys() | taken.keys()}
    changed = {key: pair for key, pair in changed.items() if pair[0] != pair[1]}
    assert not changed, f"the cases have changed (was, is): {changed}; if that is meant, run: {COMMAND}"


def test_a_run_of_a_suite_that_lost_cases_says_so_first(mock: Mock, tmp_path: Path) -> None:
    suites = tmp_path / "suites"
    shutil.copytree(MOCK / "suites", suites)
    code, text = mock.cli("list", f"--suites={suites}", "--census")
    (suites / NAME).write_text(text)
    code, output = mock.run(f"--suites={suites}", "-t", "mock/basic/pass")
    assert code == 0, output
    assert "fewer" not in output, output
    cases = suites / "mock/cases.py"
    kept = [line for line in cases.read_text().splitlines() if "mock/group/" not in line]
    cases.write_text("\n".join(kept).replace("for n in range(4):", "").replace('"flood", ', ""))
    code, output = mock.run(f"--suites={suites}", "-t", "mock/basic/pass")
    first = output[output.index("cases fewer") - 2 :].splitlines()
    assert first[0] == f"5 cases fewer than {suites / NAME} has; if that is meant: {COMMAND}"
    assert first[1:3] == ["mock/group, tier premerge: none of 4 is left", "mock/basic, tier premerge: 1 of 14 are gone"]


def test_a_tier_that_shrinks_is_a_loss_and_one_that_grows_is_not(tmp_path: Path) -> None:
    tiers = {f"s/a/{n}": Tier.PREMERGE for n in range(3)}
    (tmp_path / NAME).write_text(format_census(take_census(tiers)))
    assert find_losses(tiers | {"s/a/new": Tier.PREMERGE}, tmp_path) == []
    assert find_losses(tiers | {"s/a/2": Tier.NIGHTLY}, tmp_path)[0].startswith("1 cases fewer")
    assert find_losses({}, tmp_path)[1] == "s/a, tier premerge: none of 3 is left"


def test_a_census_that_cannot_be_read_is_an_error_with_its_line(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("# head\ns/a premerge many\n")
    with pytest.raises(UsageError, match=r"census.txt:2: is not a line of a census; make it again: runner list --census"):
        find_losses({}, tmp_path)
