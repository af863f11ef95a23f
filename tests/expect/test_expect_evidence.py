"""`runner expect update`: which runs count, for which files, and what is not evidence."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from expect_tree import DEVICE, KNOWN, Tree

from runner.model import Status
from runner.records import journal

_P, _F, _C, _T, _S = Status.PASS, Status.FAIL, Status.CRASH, Status.TIMEOUT, Status.SKIP


_A630 = "freedreno-a630-fails"


_OTHER_DEVICES = (replace(DEVICE, libclc="other"), replace(DEVICE, mesa="24.3.1"))


def test_shards_beside_the_directory_that_they_were_merged_into_count_once(
    tree: Tree, capsys: pytest.CaptureFixture[str]
) -> None:
    shards = [tree.run(a=(_F, _F), b=(_P,)), tree.run(c=(_F, _F))]
    merged = tree.folder / "merged"
    for number, shard in enumerate(shards):
        shutil.copytree(shard, merged / f"parts/{number}")
    shutil.copy(Path(shards[0]) / journal.NAME, merged)  # stands for what `runner merge` writes; the parts count
    assert tree("update", *shards, str(merged)) == 0
    output = capsys.readouterr().out
    assert not (tree.folder / "expectations/freedreno/freedreno-a630-fails.txt").exists(), output  # one run proves nothing
    assert output.count("again; it counts once") == 2
    # A folder of runs, and an archive of it as GitLab serves it, are as good as the runs.
    again = tree.folder / "night"
    again.mkdir()
    shutil.move(tree.run(a=(_F, _F)), again)
    shutil.make_archive(str(tree.folder / "artifacts"), "zip", again)
    assert tree("update", str(merged), str(again), str(tree.folder / "artifacts.zip")) == 0
    assert tree.lines(_A630) == ["s/a/a,Fail,value: got 1 want 2"]


def test_one_run_makes_no_line(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    run = tree.run(a=(_F, _F, _F))
    assert tree("update", run, run) == 0  # given twice, it still is one
    assert not list(tree.folder.glob("expectations/freedreno/*"))
    output = capsys.readouterr().out
    assert "one run proves nothing" in output
    assert "it counts once" in output


def test_a_newer_build_decides_and_is_not_a_flake(tree: Tree) -> None:
    old, new = DEVICE, replace(DEVICE, driver_version="25.0.8", mesa="25.0.8")
    tree.expect(_A630, "# why\n\n# w\ns/a/a,Fail\n")
    tree("update", tree.run(old, a=(_F,), b=(_P,)), tree.run(old, a=(_F,), b=(_P,)), tree.run(new, a=(_P, _P), b=(_F, _F)))
    assert tree.lines(_A630) == []  # a is fixed; one run of b proves nothing
    assert not (tree.folder / "expectations/freedreno/freedreno-a630-flakes.txt").exists()


def test_errors_skips_and_what_was_not_run_change_nothing(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    path = tree.expect(_A630, KNOWN)
    for _ in range(2):
        runs = [tree.run(a=(Status.ERROR, Status.ERROR), b=((_S, "unsupported: fp64"),), missing=3) for _ in range(2)]
    tree("update", *runs)
    assert path.read_text() == KNOWN
    assert "delete that entry if the feature is gone for good" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"footer": "probe: SIGSEGV"}, "ended by a fault"),
        ({"footer": "two devices in one run: x, and y"}, "ended by a fault"),
        ({"footer": None, "missing": 2}, "finish it with --resume"),
        ({"variant": "sync"}, "is of --variant sync"),
        ({"device": _OTHER_DEVICES[0]}, "is another device"),
        ({"device": _OTHER_DEVICES[1]}, "is another device"),
    ],
)
def test_a_run_that_cannot_be_evidence_is_refused_by_name(
    tree: Tree, capsys: pytest.CaptureFixture[str], options: dict[str, Any], message: str
) -> None:
    bad = tree.run(a=(_F, _F), **options)
    assert tree("update", bad, tree.run(a=(_F, _F))) == 0
    output = capsys.readouterr().out
    assert f"refused: {bad}: " in output
    assert message in output
    assert "one run proves nothing" in output
    if "device" not in options:
        assert tree("update", bad) == 2


def test_a_run_with_another_libclc_than_the_file_was_measured_with_is_refused(
    tree: Tree, capsys: pytest.CaptureFixture[str]
) -> None:
    tree.expect(_A630, "# Measured: FD630, libclc 22\n\n# why\ns/a/a,Fail\n")
    runs = [tree.run(a=(_P, _P)) for _ in range(2)]
    assert tree("update", *runs) == 2
    assert "give --layer freedreno-a630-libclc19" in capsys.readouterr().err
    assert tree("update", *runs, "--layer", "freedreno-a630-libclc19") == 0
    assert tree.lines("freedreno-a630-libclc19-fails") == ["s/a/a,Pass"]
    assert tree.lines(_A630) == ["s/a/a,Fail"]


def test_interrupted_and_cut_short_runs_count_for_what_they_ran(tree: Tree) -> None:
    runs = [
        tree.run(footer="interrupted", a=(_F, _F), missing=2),
        tree.run(footer="9 regressions (--max-fails 9)", a=(_F, _F)),
    ]
    tree("update", *runs)
    assert tree.lines(_A630) == ["s/a/a,Fail,value: got 1 want 2"]


def test_another_target_than_the_one_asked_for_is_refused(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    assert tree("update", "--driver", "msm", "--gpu", "a660", tree.run(a=(_F,))) == 2
    assert "is of freedreno-a630-mesa25.0-libclc19, not of freedreno a660" in capsys.readouterr().err


def test_nothing_is_written_unless_everything_parses(tree: Tree) -> None:
    tree.expect("freedreno-fails", "s/a/a,Fial\n")
    assert tree("update", tree.run(a=(_F, _F)), tree.run(a=(_F, _F))) == 2
    good = tree.run(b=(_F, _F))
    with (Path(good) / journal.NAME).open("a") as torn:
        torn.write("{torn\n")
    tree.expect("freedreno-fails", "")
    assert tree("update", good, tree.run(b=(_F, _F))) == 2
    assert sorted(p.name for p in tree.folder.glob("expectations/*/*")) == ["freedreno-fails.txt"]


def test_a_test_that_has_left_the_suites_gets_no_line(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    tree("update", tree.run(zzz=(_F, _F)), tree.run(zzz=(_F, _F)))
    assert "no suite has it any more" in capsys.readouterr().out
    assert not list(tree.folder.glob("expectations/freedreno/*"))


def test_boards_go_to_their_own_files(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    other = replace(DEVICE, device="FD660")
    runs = [tree.run(d, a=(_F, _F), b=(_F,) * n, c=(_P,)) for d, n in ((DEVICE, 1), (other, 2), (DEVICE, 1), (other, 2))]
    offer = "2 of these entries are common to a630, a660: `runner expect factor --driver freedreno` offers them to freedreno"
    tree("update", *runs)
    assert offer in capsys.readouterr().out.splitlines()
    assert tree.lines(_A630) == tree.lines("freedreno-a660-fails") == [f"s/a/{i},Fail,value: got 1 want 2" for i in "ab"]
    assert tree("factor") == 0
    assert tree.lines(_A630)  # an offer changes nothing
