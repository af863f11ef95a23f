"""The ids of a release stay: none goes without a line in renames.txt, and old expectation files work with a newer suite."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Mock

from runner import VERSION
from runner.cases import catalogue
from runner.cases.frozen_ids import find_faults, format_frozen, freeze, load_release, parse_frozen, releases_of
from runner.cases.renames import NAME, coming_release, load_renames, names_since, order, parse_renames
from runner.expectations.folder import SUITE_LINE, migrate, read_files
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.model import Case, Tier, UsageError

_PATH = Path("s/s-fails.txt")
_CASES = """\
from runner.model import Case, Tier
def cases():
    yield Case("s/a/kept", "a.body", {"type": "int"})
    yield Case("s/a/old.1", "a.body", {"type": "char"})
    yield Case("s/a/tier", "a.body", tier=Tier.FULL)
    yield Case("s/a/gone", "a.body", {"type": "long"})
"""


@pytest.fixture
def suites(tmp_path: Path) -> Path:
    """Suites of four cases, frozen as 2026.10."""
    folder = tmp_path / "suites"
    (folder / "s/a").mkdir(parents=True)
    (folder / "releases").mkdir()
    (folder / "s/suite.yaml").write_text("suite: s\n")
    (folder / "s/cases.py").write_text(_CASES)
    (folder / "s/a/run.py").write_text("BODIES = {}\n")
    cases = catalogue.load(folder).cases.values()
    (folder / "releases/2026.10.txt").write_text(format_frozen(freeze(cases, folder), "2026.10"))
    return folder


@pytest.fixture
def rewrite(suites: Path) -> Callable[..., None]:
    """Change the suite: pairs of texts; and the list of renames."""

    def rewrite(*pairs: tuple[str, str], renames: str = "") -> None:
        text = _CASES
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        (suites / "s/cases.py").write_text(text)
        (suites / NAME).write_text(renames)

    return rewrite


def test_no_id_of_the_newest_release_is_gone_without_a_line_in_the_list_of_renames() -> None:
    suites = ROOT / "suites"
    newest = releases_of(suites)[-1]
    now = freeze(catalogue.load(suites).cases.values(), suites)
    assert list(find_faults(load_release(suites, newest), now, load_renames(), newest)) == []
    if newest == VERSION:
        assert load_release(suites, newest).cases.keys() == now.cases.keys()
    assert order(newest) <= order(VERSION)


def test_every_expectation_file_names_a_release_of_the_suites() -> None:
    known = {*releases_of(ROOT / "suites"), VERSION}
    for path in (ROOT / "expectations").glob("*/*.txt"):
        stated = re.findall(r"^# Suite: (.*)$", path.read_text(), re.MULTILINE)
        assert path.name.endswith("-device.txt") or (len(stated) == 1 and stated[0] in known), path


def test_a_list_reads_back_as_it_was_written_and_refuses_to_be_edited(tmp_path: Path) -> None:
    cases = [Case("s/a/b"), Case("s/a/b.c-d=1", tier=Tier.FULL), Case("s/a.x/b..c", "k", {"n": (1, None)}, ("fp64",))]
    (tmp_path / "s").mkdir()
    (tmp_path / "s/run.py").write_text("x = 1  # of no meaning\n")
    frozen = freeze(cases, tmp_path)
    text = format_frozen(frozen, "2026.10")
    assert parse_frozen(text, Path("x")) == frozen
    with pytest.raises(UsageError, match="x:1: is not the list that its first line speaks of"):
        parse_frozen(text.replace("full", "premerge"), Path("x"))


def test_changes_names_what_was_added_removed_renamed_moved_and_altered(
    suites: Path, rewrite: Callable[..., None], mock: Mock
) -> None:
    assert mock.cli("changes", "2026.10", "--suites", str(suites))[1].startswith(
        "2026.10 to HEAD: 0 added, 0 removed, 0 ren"
    )
    rewrite(
        ("s/a/old.1", "s/a/new.1"),
        ("Tier.FULL", "Tier.NIGHTLY"),
        ("s/a/gone", "s/a/more"),
        ('"int"', '"uint"'),
        renames="# why\n2026.11 s/a/old.1 s/a/new.1\n2026.11 s/a/gone -\n",
    )
    (suites / "s/a/run.py").write_text("# no comment counts\nBODIES = {1: 2}\n")
    code, output = mock.cli("changes", "2026.10", "HEAD", "--suites", str(suites))
    assert output.splitlines() == [
        "added s/a/more",
        "removed s/a/gone",
        "renamed s/a/old.1 -> s/a/new.1",
        "tier s/a/tier: full -> nightly",
        "meaning s/a/kept",
        "code of s/a",
        "2026.10 to HEAD: 1 added, 1 removed, 1 renamed, 1 in another tier, 1 with another meaning; "
        "the code of 1 folders is another",
    ]
    assert code == 0
    code, output = mock.cli("changes", "2026.10", "--suites", str(suites), "--format", "json")
    assert json.loads(output)["renamed"] == {"s/a/old.1": "s/a/new.1"}


def test_a_silent_rename_is_refused_with_the_line_to_write(suites: Path, rewrite: Callable[..., None], mock: Mock) -> None:
    rewrite(("s/a/old.1", "s/a/newer.1"))
    code, output = mock.cli("changes", "2026.10", "--suites", str(suites))
    assert code == 1
    assert f"write `{coming_release()} s/a/old.1 s/a/newer.1` into suites/renames.txt, - for s/a/newer.1: removed" in output


@pytest.mark.parametrize(
    ("renames", "message"),
    [
        ("2026.11 s/a/kept s/a/tier", "s/a/kept is there; delete the line"),
        ("2026.11 s/a/x s/a/absent", "there is no case s/a/absent"),
        ("2026.11 s/a/x", "renames.txt:1: write RELEASE OLD NEW"),
        ("soon s/a/x s/a/y", "renames.txt:1: write RELEASE OLD NEW"),
    ],
)
def test_a_wrong_line_of_the_list_of_renames_is_named(
    suites: Path, rewrite: Callable[..., None], mock: Mock, renames: str, message: str
) -> None:
    rewrite(renames=renames)
    code, output = mock.cli("changes", "2026.10", "--suites", str(suites))
    assert code
    assert message in output


def test_an_unknown_release_and_two_in_the_wrong_order_are_refused(suites: Path, mock: Mock) -> None:
    code, output = mock.cli("changes", "2026.09", "--suites", str(suites))
    assert (code, "there are 2026.10, HEAD" in output) == (2, True)
    code, output = mock.cli("changes", "HEAD", "2026.10", "--suites", str(suites))
    assert (code, "2026.10 is older than HEAD" in output) == (2, True)


_RENAMES = parse_renames("2026.11 s/a/a s/a/b\n2026.12 s/a/b s/x/c\n2026.12 s/a/gone -\n2027.1 s/a/a2 s/a/a\n", Path("r"))


def test_an_old_file_is_read_by_todays_names_through_every_release_since() -> None:
    assert names_since("2026.10", _RENAMES)["s/a/a"] == "s/x/c"
    assert "s/a/a" not in names_since("2026.11", _RENAMES)  # there it is another case
    old = "# head\n# Suite: {}\n\n# why\ns/a/a,Fail,x\ns/a/gone,Crash\n"
    assert migrate(old.format("2026.10"), _PATH, _RENAMES) == old.format("2026.10").replace("s/a/a", "s/x/c")
    assert migrate(old.format("2027.1"), _PATH, _RENAMES) == old.format("2027.1")
    assert "s/x/c,Fail,x\n" in migrate(old.format("2026.12.dev0"), _PATH, _RENAMES).replace("s/a/a", "s/x/c")
    assert "s/x/c" in migrate("s/a/b,Fail\n", _PATH, _RENAMES)  # names no release: all hold


def test_a_glob_of_an_old_file_still_covers_the_cases_that_it_covered() -> None:
    text = migrate("# head\n# Suite: 2026.10\n\n# hangs\ns/a/*\n", Path("s/s-skips.txt"), _RENAMES)
    found = Expectations(Target("s"), {Path("s/s-skips.txt"): text})
    assert found.skip("s/x/c")
    assert found.skip("s/x/c").reason == "hangs (renamed, from s/s-skips.txt:5)"  # type: ignore[union-attr]
    assert not found.skip("s/x/other")


def test_the_line_of_the_release_is_not_a_reason_and_a_wrong_one_is_named_by_its_place(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    path = tmp_path / "s/s-fails.txt"
    path.write_text("# why\n# Suite: 2026.11\ns/a/x,Fail\n")
    (entry,) = Expectations(Target("s"), read_files(tmp_path, "s")).entries()
    assert entry.reason == "why"
    path.write_text("# why\n# Suite: next\n")
    with pytest.raises(UsageError, match=r"s-fails.txt:2: 'next' is not a release of the suites"):
        read_files(tmp_path, "s")


def test_the_release_of_new_files_is_this_one() -> None:
    assert f"# Suite: {VERSION}" == SUITE_LINE
    assert order("2026.9") < order("2026.11.dev0") < order("2026.11") < order("2026.11.1") < order("2026.12")
