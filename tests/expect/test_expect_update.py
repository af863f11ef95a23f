"""`runner expect update`: how a line changes if its test fails, flakes or passes."""

from pathlib import Path
from typing import Any

import pytest
from expect_tree import KNOWN, Tree

from runner.expectations.folder import read_files
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.maintenance.evidence import signature_of
from runner.model import Status, Verdict
from runner.records import journal
from runner.verdict.intervals import is_healed, rates_agree
from runner.verdict.judge import judge

_P, _F, _C, _T, _S = Status.PASS, Status.FAIL, Status.CRASH, Status.TIMEOUT, Status.SKIP


_A630 = "freedreno-a630-fails"


def test_two_agreeing_runs_make_a_fails_line_with_signature_and_a_place_for_the_reason(tree: Tree) -> None:
    runs = [tree.run(a=(_F, _F), b=(_P,)), tree.run(a=(_F, _F), b=(_P,))]
    assert tree("update", *runs) == 0
    assert tree.lines(_A630) == ["s/a/a,Fail,value: got 1 want 2"]
    assert "# reason: TODO\ns/a/a" in tree.text(_A630)
    assert tree.text(_A630).startswith("# Expected failures. Measured: FD630, Mesa 25.0.7-2, LLVM 19.1, libclc 19.\n")
    assert tree("lint") == 1  # the reason is missing


def test_a_failure_that_another_release_knows_names_its_bug_and_waits_for_a_person(tree: Tree) -> None:
    tree.expect("freedreno-a618-mesa26.2-fails", "# bug 17\ns/a/a,Fail,got 1 want 2\n\n# bug 18\ns/a/b,Fail,got 1 want 3\n")
    tree("update", *[tree.run(a=(_F, _F), b=(_F, _F)) for _ in range(2)])
    suggested = "# bug 17: reason: TODO, the same message on freedreno-a618-mesa26.2\ns/a/a,Fail,value: got 1 want 2\n"
    assert suggested in tree.text(_A630)
    assert "# reason: TODO\ns/a/b,Fail" in tree.text(_A630), "of bug 18 the message says otherwise"
    assert tree("lint") == 1


def test_differing_results_become_a_flakes_line_with_the_statuses_seen_and_their_rate(tree: Tree) -> None:
    runs = [tree.run(a=(_F, _P), b=(_P,), c=(_F, _F)), tree.run(a=(_C, _P), b=(_F, _F), c=(_C, _C))]
    tree("update", *runs)
    assert sorted(tree.lines("freedreno-a630-flakes")) == ["s/a/a,Fail|Crash,2/4", "s/a/b,Fail,2/3", "s/a/c,Fail|Crash,4/4"]


def test_passing_lines_go_with_their_comment_and_the_rest_keeps_its_bytes(tree: Tree) -> None:
    tree.expect(_A630, KNOWN)
    tree("update", tree.run(a=(_F,), c=(_P, _P)), tree.run(a=(_F,), c=(_P, _P)))
    assert tree.text(_A630) == KNOWN.split("\n# only b")[0]


def test_a_changed_failure_keeps_its_place_and_its_reason(tree: Tree) -> None:
    tree.expect(_A630, KNOWN)
    outcome = ((_C, "SIGABRT: assertion `x' failed"),) * 2
    tree("update", tree.run(a=outcome), tree.run(a=outcome))
    assert tree.text(_A630) == KNOWN.replace("Fail,value: got 1", "Crash,SIGABRT: assertion `x' failed")


def test_a_fails_line_that_flakes_moves_with_its_reason(tree: Tree) -> None:
    tree.expect(_A630, KNOWN)
    tree("update", tree.run(c=(_P, _F, _P)), tree.run(c=(_F,)))
    assert tree.lines(_A630) == ["s/a/a,Fail,value: got 1", "s/a/b,Crash,SIGSEGV"]
    assert tree.text("freedreno-a630-flakes").endswith("\n# only b\ns/a/c,Fail,2/4\n")


def test_what_broader_files_say_is_overruled_and_never_edited(tree: Tree) -> None:
    broad = tree.expect("freedreno-fails", "# why\ns/a/a,Fail\ns/a/b,Fail,value: got 1\n")
    tree("update", tree.run(a=(_P, _P), b=(_F,), c=(_P,)), tree.run(a=(_P, _P), b=(_F,)))
    assert broad.read_text() == "# why\ns/a/a,Fail\ns/a/b,Fail,value: got 1\n"
    assert tree.lines(_A630) == ["s/a/a,Pass"]
    tree("update", tree.run(a=(_F, _F), b=(_F,)), tree.run(a=(_F, _F)))
    assert tree.lines(_A630) == []  # the broader entry holds again


def test_what_a_familys_entry_says_gets_no_entry_of_its_own_and_keeps_it_if_others_pass(tree: Tree) -> None:
    tree.expect(_A630, family := "# bug 3\ns/*,Fail,value: got 1\n")
    other = ((_F, "value: got 7 want 2"),) * 2
    tree("update", *[tree.run(a=(_F, _F), b=(_P,), c=other) for _ in range(2)])
    assert tree.text(_A630).startswith(family)
    assert tree.lines(_A630) == ["s/*,Fail,value: got 1", "s/a/c,Fail,value: got 7 want 2"]


def test_the_layer_is_as_narrow_as_the_narrowest_file_that_applies(tree: Tree) -> None:
    tree.expect("all-mesa25.0-fails", "# why\ns/a/a,Fail\n")
    tree("update", tree.run(a=(_P, _P)), tree.run(a=(_P, _P)))
    assert tree.lines("freedreno-a630-mesa25.0-fails") == ["s/a/a,Pass"]


def test_nothing_is_written_below_a_skips_line(tree: Tree) -> None:
    tree.expect("all-skips", "# hangs the board\ns/a/*\n")
    tree("update", tree.run(a=(_F, _F)), tree.run(a=(_F, _F)))
    assert not list(tree.folder.glob("expectations/freedreno/*"))


def test_what_lifts_a_skips_line_stays_when_its_test_passes_and_follows_it_when_it_fails(tree: Tree) -> None:
    tree.expect("all-skips", "# hangs the others\ns/a/*\n")
    tree.expect(_A630, "# why\ns/a/a,Fail,value: got 1\ns/a/b,Pass\ns/a/c,Pass\n")
    tree("update", *[tree.run(a=(_P,), b=(_P,), c=(_F, _F)) for _ in range(2)])
    assert sorted(tree.lines(_A630)) == ["s/a/a,Pass", "s/a/b,Pass", "s/a/c,Fail,value: got 1 want 2"]


def test_a_flake_goes_only_after_passes_that_its_rate_makes_incredible() -> None:
    assert not is_healed((1, 2), 50)
    assert is_healed((1, 2), 80)
    assert not is_healed((3, 200), 1000)
    assert is_healed((3, 200), 1500)
    assert not is_healed(None, 10**6)
    assert rates_agree((3, 200), (1, 10))
    assert not rates_agree((3, 200), (9, 10))


def test_a_new_way_of_flaking_joins_the_line(tree: Tree) -> None:
    tree.expect("freedreno-a630-flakes", "# races\ns/a/a,Fail,3/20\ns/a/b,Fail,3/20\n")
    tree("update", tree.run(a=(_C, _P), b=(_F, _P)), tree.run(a=(_P,), b=(_P,)))
    assert tree.text("freedreno-a630-flakes") == "# races\ns/a/a,Fail|Crash,4/23\ns/a/b,Fail,3/20\n"


def test_a_flake_that_fails_every_time_becomes_a_fails_line(tree: Tree) -> None:
    tree.expect("freedreno-a630-flakes", "# head\n\n# races\ns/a/a,Fail,3/200\ns/a/b,Fail,9/10\n")
    tree("update", tree.run(a=(_F,) * 5, b=(_F,) * 5), tree.run(a=(_F,) * 5, b=(_F,) * 5))
    assert tree.lines("freedreno-a630-flakes") == ["s/a/b,Fail,9/10"]
    assert tree.text(_A630).endswith("# races\ns/a/a,Fail,value: got 1 want 2\n")


def test_sharpen_writes_all_that_the_runs_share_into_lines_that_hold(tree: Tree) -> None:
    held = "# head\n\n# why\ns/a/a,Fail,value:\ns/a/b,Crash\ns/a/c,Fail,value: got 1 want 2\n"
    tree.expect(_A630, held)
    runs = [tree.run(a=(_F,), b=((_C, _DIED),), c=(_F,)) for _ in range(2)]
    tree("update", *runs)
    assert tree.text(_A630) == held
    tree("update", "--sharpen", *runs)
    assert tree.lines(_A630) == ["s/a/a,Fail,value: got 1 want 2", f"s/a/b,Crash,{_DIED}", "s/a/c,Fail,value: got 1 want 2"]
    tree.expect(_A630, held)
    tree("update", "--sharpen", runs[0])
    assert tree.text(_A630) == held


_DIED = "SIGSEGV: died in f (main thread)"
_LIBX = "SIGSEGV: died in libx (a thread)"


@pytest.mark.parametrize(
    ("messages", "signature"),
    [
        (["value: got 1 want 2"] * 2, "value: got 1 want 2"),
        (["value: x[3]: got 1", "value: x[41]: got 9"], "value: x["),
        (["value: x: got 1 want 2 (3 of 9 wrong)", "value: x: got 1 want 2 (4 of 9 wrong)"], "value: x: got 1 want 2"),
        (["at 0x7f01: pipe broken by gpu", "at 0x7f99: pipe broken by gpu"], ": pipe broken by gpu"),
        (["SIGSEGV"] * 3, "SIGSEGV"),
        (["value: exp(0x1.8p+3): got 0x1.1p+0", "value: exp(0x1.8p+3): got 0x1.14p+0"], "value: exp(0x1.8p+3): got"),
        (["SIGSEGV: died in libx (a thread), NULL+0x50", "SIGSEGV: died in libx (a thread), NULL+0x58"], _LIBX),
        (["first line\nsecond", "first line\nthird"], "first line"),
        (["one", "two"], ""),
        ([""], ""),
    ],
)
def test_a_signature_is_what_all_failures_share(messages: list[str], signature: str) -> None:
    assert signature_of(messages) == signature
    assert all(signature in m for m in messages)


@pytest.mark.parametrize("seed", range(40))
def test_after_an_update_the_same_runs_are_as_expected_and_a_second_one_changes_nothing(tree: Tree, seed: int) -> None:
    import random

    source = random.Random(seed)
    kinds = [(_P,), (_F, _F), (_C, _C), (_T, _T), (_F, _P), (_C, _P), (_F, _C, _F), (_P, _F, _P)]
    lines = [f"{i},{source.choice(['Fail', 'Crash', 'Timeout', 'Fail,other'])}" for i in tree.ids if source.random() < 0.5]
    tree.expect(_A630, "# head\n\n# why\n" + "".join(f"{line}\n" for line in lines))
    flaky = [i for i in tree.ids if not any(line.startswith(f"{i},") for line in lines) and source.random() < 0.3]
    tree.expect(
        "freedreno-a630-flakes", "# head\n\n# why\n" + "".join(f"{i},Fail,{source.randint(1, 4)}/9\n" for i in flaky)
    )
    tree.expect("freedreno-fails", "# why\n" + "".join(f"{i},Fail\n" for i in tree.ids if source.random() < 0.3))
    steady = {i[-1]: source.choice(kinds) for i in tree.ids}

    def outcomes() -> dict[str, Any]:
        return {i: o if source.random() < 0.8 else source.choice(kinds) for i, o in steady.items()}

    runs = [tree.run(**outcomes()) for _ in range(3)]
    assert tree("update", *runs) == 0
    after = {p: p.read_text() for p in tree.folder.glob("expectations/*/*")}
    found = Expectations(Target("freedreno", "a630", mesa="25.0"), read_files(tree.folder / "expectations", "freedreno"))
    for run in runs:
        for result in journal.read(Path(run)).results.values():
            verdict = judge(result, found.find(result.id)).verdict
            assert not verdict.is_red(strict_flakes=True), (result, verdict, found.find(result.id))
            assert verdict not in (Verdict.IMPROVED_PASS, Verdict.IMPROVED_FAIL), (result, found.find(result.id))
    assert tree("update", *runs) == 0
    assert {p: p.read_text() for p in tree.folder.glob("expectations/*/*")} == after
