"""tiers.txt says when a case runs, and nothing else does; `runner list -v ID` says which line."""

from pathlib import Path

import pytest
from mutation import SUITES

from runner.cases import catalogue
from runner.cases.tiers import NAME, Tiers
from runner.cli import main
from runner.model import Tier, UsageError

_TEXT = """\
# a comment
s/area
  premerge  *.int slow/*  # and why
  full      slow/worst.*
  nightly   night
s/all
  premerge  *
"""


@pytest.fixture
def tiers(tmp_path: Path) -> Tiers:
    (tmp_path / NAME).write_text(_TEXT)
    return Tiers(tmp_path / NAME)


@pytest.mark.parametrize(
    ("name", "tier", "why"),
    [
        ("area/abs.int", Tier.PREMERGE, "3: *.int"),
        ("area/abs.uint", Tier.FULL, " no glob matches"),
        ("area/slow/a", Tier.PREMERGE, "3: slow/*"),
        ("area/slow/worst.int", Tier.FULL, "4: slow/worst.*"),
        ("area/night", Tier.NIGHTLY, "5: night"),
        ("area/nightly", Tier.FULL, " no glob matches"),
        ("all/anything", Tier.PREMERGE, "7: *"),
        ("other/abs.int", Tier.FULL, " no glob matches"),
    ],
)
def test_the_last_glob_that_matches_decides(tiers: Tiers, name: str, tier: Tier, why: str) -> None:
    assert tiers.tier_of(f"s/{name}") is tier
    assert tiers.why(f"s/{name}") == f"{tiers.path}:{why}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("  premerge *\n", ":1: write a tier and globs below an area"),
        ("s/a\n  premerg *\n", ":2: write a tier and globs below an area; closest: 'premerge'"),
        ("s/a\n\n  full\n", ":3: write a tier and globs below an area"),
        ("s/a premerge *\n", ":1: 's/a premerge *' is not an area"),
        ("s\n", ":1: 's' is not an area"),
    ],
)
def test_a_line_that_says_nothing_is_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / NAME).write_text(text)
    with pytest.raises(UsageError) as error:
        Tiers(tmp_path / NAME)
    assert words in str(error.value)


@pytest.mark.parametrize("path", sorted(SUITES.glob(f"*/{NAME}")), ids=lambda path: path.parent.name)
def test_every_glob_of_the_tiers_decides_about_a_case(path: Path) -> None:
    tiers = Tiers(path)
    used = {tiers.why(test_id) for test_id in catalogue.load(SUITES).cases if test_id.startswith(f"{path.parent.name}/")}
    globs = [f"{path}:{line}: {glob}" for rules in tiers.rules.values() for _, glob, line in rules]
    assert [glob for glob in globs if glob not in used] == []


def test_a_case_is_described_with_the_reason_of_its_tier(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "-v", "kernels/integer/abs.int"]) == 0
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()[1:])
    assert lines["tier"].startswith(f"premerge ({SUITES}/kernels/{NAME}:")
    assert lines["area"] == "kernels/integer"
    assert lines["tests"] == "abs(a) (OpenCL C 3.0, 6.15.3)"
    file, _, line = lines["body"].rpartition(":")
    assert Path(file).read_text().splitlines()[int(line) - 1].startswith("def check_operation(")
    assert main(["list", "-v", "kernels/integer/*.int"]) == 2
