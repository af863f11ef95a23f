"""What -t, -x and --failed select: globs, ids, folders, files of them, and what failed in a run."""

import io
from pathlib import Path

import pytest
from conftest import MOCK, Mock, call

from runner.cases.catalogue import Catalogue, select
from runner.ids import read_globs
from runner.model import Case, Tier, UsageError

_SUITE = f"--suites={MOCK / 'suites'}"
_TIERS = {"k/a/one": Tier.PREMERGE, "k/a/two": Tier.FULL, "k/b/one": Tier.FULL, "k/b/three": Tier.NIGHTLY}
_CATALOGUE = Catalogue({i: Case(i, "k", {}, tier=tier) for i, tier in _TIERS.items()}, {}, _TIERS, {})


@pytest.mark.parametrize(
    ("include", "tier", "ids"),
    [
        (("k/a",), Tier.FULL, ["k/a/one", "k/a/two"]),
        (("k/a/",), Tier.FULL, ["k/a/one", "k/a/two"]),
        (("k/b/three",), Tier.PREMERGE, ["k/b/three"]),
        (("k/a/one", "k/b/one"), Tier.PREMERGE, ["k/a/one", "k/b/one"]),
        (("k/a/*",), Tier.PREMERGE, ["k/a/one"]),
    ],
)
def test_a_folder_is_what_lies_in_it_and_a_named_case_is_of_every_tier(
    include: tuple[str, ...], tier: Tier, ids: list[str]
) -> None:
    assert select(_CATALOGUE, include, tier=tier) == ids


@pytest.mark.parametrize(
    ("include", "exclude", "message"),
    [
        (("k/a/*", "k/b/*"), (), "'k/b/*': nothing of its 2 cases is of tier premerge; give --tier full"),
        (("k/b",), (), "'k/b': nothing of its 2 cases is of tier premerge; give --tier full"),
        (("k/a",), ("k/*",), "nothing is selected in tier premerge: -x leaves nothing of 1 cases"),
        (("one",), (), "'one' matches no test; '*one*' matches 2, as 'k/a/one'"),
        (("three",), (), "'three' matches no test; '*three*' matches 1, as 'k/b/three'"),
    ],
)
def test_nothing_that_was_asked_for_is_left_out_without_a_word(
    include: tuple[str, ...], exclude: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UsageError) as error:
        select(_CATALOGUE, include, exclude)
    assert message in str(error.value)


def test_a_file_and_standard_input_hold_globs_ids_and_lines_of_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "failures.csv"
    path.write_text("# red\nk/a/one,Fail\n\nk/b/*  # all\n")
    assert read_globs(f"@{path}") == ["k/a/one", "k/b/*"]
    monkeypatch.setattr("sys.stdin", io.StringIO("k/a/two,Pass,0.1\n"))
    assert read_globs("@-") == ["k/a/two"]
    path.write_text("# nothing\n")
    with pytest.raises(UsageError, match="holds no id"):
        read_globs(f"@{path}")


def test_list_reads_the_ids_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "ids").write_text("mock/basic/fail\nmock/group\n")
    code, output = call(["list", _SUITE, "-t", f"@{tmp_path / 'ids'}"], tmp_path, {})
    assert (code, output.split()) == (0, ["mock/basic/fail", *(f"mock/group/{n}" for n in range(4))])
    code, output = call(["list", _SUITE, "-t", "@none"], tmp_path, {})
    assert (code, output) == (2, "runner: -t @none: cannot be read: No such file or directory\n")


def test_failed_runs_what_was_red_again_on_the_same_driver_and_next_begins_with_it(mock: Mock) -> None:
    mock.expect("fails", "# Nothing fails.\n")
    code, output = mock.run("-t", "mock/basic/pass", "-t", "mock/basic/fail", "-t", "mock/basic/abort", "--retries", "0")
    assert code == 1, output
    line = next(line for line in output.splitlines() if "--failed" in line)
    assert output.index("next:\n") + len("next:\n") == output.index(line)
    assert f"--driver mock --retries 0 --suites {MOCK / 'suites'}" in line
    places = [word for word in mock.command() if word.startswith(("--registry", "--suites", "--expect", "--results"))]
    code, output = mock.cli("run", *places, "-j1", "--retries=0", "--failed", str(mock.results))
    assert code == 1, output
    assert mock.rows() == {"mock/basic/abort": "Crash", "mock/basic/fail": "Fail"}
    code, output = mock.run("--failed", str(mock.results), "-t", "mock/basic/a*", "--retries", "0")
    assert mock.rows() == {"mock/basic/abort": "Crash"}, output
    mock.run("-t", "mock/basic/pass")
    code, output = mock.run("--failed", str(mock.results))
    assert (code, output.strip()) == (2, f"runner: --failed {mock.results}: nothing is red there")
