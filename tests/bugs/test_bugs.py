"""Bugs are files of their own, which the entries of expectation files name, and which every edit of those files keeps."""

from pathlib import Path

import pytest
from answers import write_run
from conftest import MOCK, Mock
from expect_files import Files

from runner.cases.renames import Rename
from runner.cli import main
from runner.commands.bugs.check import case_of
from runner.expectations.bugs import bugs_folder, find_bug, load_bugs
from runner.expectations.files import parse_file
from runner.expectations.folder import migrate
from runner.expectations.resolution import Expectations
from runner.expectations.target import parse_layer
from runner.maintenance.common_entries import find_shared
from runner.maintenance.decision import Want, decide
from runner.maintenance.document import Block, edit
from runner.maintenance.evidence import Evidence, Shows
from runner.model import Attempt, Expectation, FileKind, Result, Status, UsageError, Verdict
from runner.verdict.judge import judge

_BUG = """\
title: sin is wrong
clause: OpenCL C 3.0, 7.4
says: sin is within 4 ulp.
case: k/math/sin
upstream: unreported
"""


@pytest.fixture
def files(tmp_path: Path) -> Files:
    (tmp_path / "bugs").mkdir()
    (tmp_path / "bugs/0017-sin.yaml").write_text(_BUG + "gone: [iris-mesa26.2]\n")
    return Files(tmp_path)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"iris__fails": "# why\nk/math/sin,Fail,value: got 1\n"}, "iris-fails.txt:2: k/math/sin names no bug"),
        ({"iris__skips": "# why\nk/math/sin\n"}, "iris-skips.txt:2: k/math/sin names no bug"),
        ({"iris__fails": "# bug 18: why\nk/math/sin,Fail,value: got 1\n"}, "iris-fails.txt:2: k/math/sin: no bug 18"),
        (
            {"iris__mesa26_d_2__fails": "# bug 17: why\nk/math/sin,Fail,value: got 1\n"},
            "iris-mesa26.2-fails.txt:2: k/math/sin: bug 17 is gone from iris-mesa26.2, says 0017-sin.yaml",
        ),
        (
            {"iris__tgl__mesa27_d_0__fails": "# bug 17: why\nk/math/sin,Fail,value: got 1\n"},
            "iris-tgl-mesa27.0-fails.txt:2: k/math/sin: bug 17 is gone from iris-tgl-mesa27.0",
        ),
        ({"iris__fails": "# waived: open\nk/math/sin,Fail,value: got 1\n"}, "k/math/sin is waived without a link"),
        ({"iris__fails": "# head\n"}, "0017-sin.yaml:1: no entry names bug 17"),
        ({"iris__fails": "# bug 17: x\nk/math/exp,Fail,value: got 1\n"}, "k/math/sin fails nowhere by bug 17"),
    ],
)
def test_lint_finds_what_is_wrong_between_an_entry_and_its_bug(
    files: Files, capsys: pytest.CaptureFixture[str], texts: dict[str, str], words: str
) -> None:
    assert files.write(**texts).lint() == 1
    assert words in capsys.readouterr().out


def test_a_bug_whose_reports_a_sanitizer_keeps_out_needs_no_entry(
    files: Files, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (files.folder / "thread.txt").write_text("# bug 17: a counter\nrace:^n$\n")
    files.write(iris__fails="# head\n")
    monkeypatch.setattr("runner.maintenance.bug_checks._SUPPRESSIONS", files.folder)
    files.lint()
    assert "no entry names bug 17" not in capsys.readouterr().out


@pytest.mark.parametrize("layer", ["iris-mesa25.0", "iris", "zink-mesa26.2", "all-mesa26.2", "iris-compile-mesa25.3"])
def test_a_bug_is_not_gone_from_an_older_release_nor_from_another_driver(files: Files, layer: str) -> None:
    assert not load_bugs(files.folder / "bugs")[17].is_gone_from(parse_layer(layer))


def test_an_entry_that_names_a_bug_is_waived_by_a_link_or_pending_is_in_order(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    files.write(
        iris__mesa25_d_0__fails="# bug 17: near pi\nk/math/sin,Fail,value: got 1\n",
        zink__fails="# waived: https://example.org/1 leaves it open\nk/image/copy.a,Fail,value: got 1\n\n"
        "# pending\nk/image/copy.b,Fail,value: got 1\n",
    )
    assert files.lint() == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title: [", "0018-x.yaml:"),
        ("- 1", "0018-x.yaml:1: "),
        (_BUG + "seen: [iris]", "Bug has no 'seen'; docs/bugs.md"),
        (_BUG.replace("unreported", "soon"), "write unreported, reported or declined LINK, or fixed in RELEASE"),
        (_BUG + "gone: [iris_26]", ""),
    ],
)
def test_a_bug_that_cannot_be_read_is_named_with_its_line_and_what_to_do(files: Files, text: str, words: str) -> None:
    (files.folder / "bugs/0018-x.yaml").write_text(text)
    if not words:
        assert load_bugs(files.folder / "bugs")[18].gone == (parse_layer("iris_26"),)
        return
    with pytest.raises(UsageError) as caught:
        find_bug(files.folder / "bugs", 18)
    assert words in str(caught.value)


def test_two_bugs_of_one_number_are_refused(files: Files) -> None:
    (files.folder / "bugs/0017-cos.yaml").write_text(_BUG)
    with pytest.raises(UsageError, match=r"0017-sin.yaml:1: 0017-cos.yaml has the number 17 too"):
        load_bugs(files.folder / "bugs")


def test_an_edit_of_a_file_keeps_the_bugs_of_its_entries() -> None:
    text = "# head\n\n# bug 17: near pi,\n# of double\nk/math/cos,Fail,old\nk/math/sin,Fail,old\n"
    (first, _) = parse_file(text, FileKind.FAILS, "f").entries
    moved = Block((first.reason,), (Expectation("k/math/tan", FileKind.FLAKES, frozenset({Status.FAIL}), "", (1, 3)),))
    changed = {"k/math/sin": Expectation("k/math/sin", FileKind.FAILS, frozenset({Status.CRASH}), "new")}
    after = edit(text, FileKind.FAILS, "f", {"k/math/cos"}, changed)
    assert [(e.pattern, e.bug, e.reason) for e in parse_file(after, FileKind.FAILS, "f").entries] == [
        ("k/math/sin", 17, "bug 17: near pi, of double")
    ]
    assert [e.bug for e in parse_file(edit("", FileKind.FLAKES, "f", add=[moved]), FileKind.FLAKES, "f").entries] == [17]


def test_what_a_renamed_glob_has_lost_and_what_gpus_share_keep_their_bug() -> None:
    text = migrate("# bug 17: hangs\ns/a/*\n", Path("s/s-skips.txt"), [Rename("2026.11", "s/a/x", "s/b/x", "f:1")])
    assert {e.pattern: e.bug for e in parse_file(text, FileKind.SKIPS, "f").entries} == {"s/a/*": 17, "s/b/x": 17}
    fails = {Path(f"iris/iris-{gpu}-fails.txt"): f"# bug {n}\nk/math/sin,Fail,x\n" for gpu, n in (("tgl", 17), ("dg2", 17))}
    ((shared,),) = find_shared(fails, "iris").values()
    assert shared.entry.bug == 17
    fails[Path("iris/iris-tgl-fails.txt")] = "# bug 18\nk/math/sin,Fail,x\n"
    assert find_shared(fails, "iris") == {}


def test_every_entry_of_this_repository_names_its_bug_and_every_bug_has_an_entry(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["expect", "lint"]) == 0, capsys.readouterr().out
    assert len(load_bugs(bugs_folder("expectations"))) > 300


def test_the_list_counts_the_entries_of_each_bug_by_driver(capsys: pytest.CaptureFixture[str], files: Files) -> None:
    files.write(
        all__fails="# bug 17\nk/math/sin,Fail,x\n",
        iris__fails="# bug 17: y\nk/math/exp,Fail,x\nk/math/sin,Fail,y\n",
        zink__fails="# no bug\nk/math/exp,Fail,x\n",
    )
    own = f"--expectations={files.folder / 'expectations'}"
    assert main(["bugs", own]) == 0
    assert capsys.readouterr().out == (
        "  17  sin is wrong\n      unreported; all 1, iris 2\n1 bugs, 3 entries: 1 unreported\n"
    )
    assert main(["bugs", "--driver", "zink", own]) == 0
    assert capsys.readouterr().out.startswith("0 bugs")


def test_a_report_names_every_target_on_which_the_bug_decides_and_on_what_it_was_measured(
    capsys: pytest.CaptureFixture[str], files: Files
) -> None:
    head = "# Expected failures. Measured: {} of Mesa 25.0.7, LLVM 19.1 (Debian). More.\n\n"
    files.write(
        all__mesa25_d_0__fails="# bug 17\nk/math/sin,Fail,x\n",
        iris__mesa25_d_0__fails=head.format("iris"),
        iris__tgl__mesa25_d_0__fails=head.format("iris on TGL"),
        zink__mesa25_d_0__fails=head.format("zink") + "k/math/sin,Pass\n",
        zink__tu__mesa25_d_0__fails=head.format("zink on tu") + "# bug 17\nk/math/sin,Crash,y\n",
        zink__tu__mesa25_d_0__flakes="# bug 18\nk/math/exp,Fail\n",  # a later file of the same target, which names another
        iris__no8__mesa25_d_0__fails="# bug 17\nk/math/sin,Fail,z\n",
        iris__no8__mesa25_d_0__skips="# bug 18\nk/math/exp\n",
        pocl__fails=head.format("PoCL"),
        v3d__fails=head.format("nothing yet, on no device"),
    )
    assert main(["bugs", "show", "17", "--markdown", f"--expectations={files.folder / 'expectations'}"]) == 0
    report = capsys.readouterr().out
    assert "OpenCL C 3.0, 7.4: sin is within 4 ulp." in report
    assert "| 25.0.7 | iris, iris (no8), zink (tu) | 1 |" in report
    assert "It is not seen any more with iris of Mesa 26.2." in report
    assert report.count("| 25.0") == 1
    assert "`k/math/sin` is red on 2 of 3 that were measured on a device: on iris, zink; expected to pass on pocl." in report
    assert main(["bugs", "show", "17", f"--expectations={files.folder / 'expectations'}"]) == 0
    assert "  its case   red on 2 of 3 that were measured on a device: on iris, zink; " in capsys.readouterr().out
    assert "runner repro" not in report


def test_bugs_are_found_by_a_word_and_shown_if_only_one_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bugs", "mad_sat"]) == 0
    listed = capsys.readouterr().out
    assert [line.split()[0] for line in listed.splitlines() if line[:4].strip().isdecimal()] == ["116", "356", "712"]
    assert main(["bugs", "show", "mad_sat"]) == 2
    assert "3 say 'mad_sat': 116, 356, 712; give a number of `runner bugs mad_sat`" in capsys.readouterr().err
    assert main(["bugs", "show", "--markdown", "emit_deref_array"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("# zink: an index that shares its constant with a double")
    assert shown.err.startswith("project: Mesa, https://gitlab.freedesktop.org/mesa/mesa/-/issues\nsearch there first: nir_")
    assert main(["bugs", "shwo"]) == 2
    assert "no bug says that" in capsys.readouterr().err


def test_a_bug_has_an_owner_by_its_place_unless_its_file_says_another() -> None:
    bugs = load_bugs(Path(__file__).parents[2] / "bugs")
    owners = {116: "libclc", 161: "Mesa", 94: "Mesa", 276: "PoCL", 355: "SPIRV-Tools", 393: "the application", 24: ""}
    assert {number: bugs[number].owner for number in owners} == owners


def test_no_program_of_a_bug_needs_a_variable() -> None:
    for path in (Path(__file__).parents[2] / "bugs/programs").glob("*.py"):
        assert 'os.environ.setdefault("RUSTICL_ENABLE", ' in path.read_text(), path


@pytest.mark.root
def test_check_runs_the_case_of_a_bug_and_says_whether_it_is_open(mock: Mock) -> None:
    expectations = str(Path(__file__).parents[2] / "expectations")
    code, output = mock.cli("bugs", "check", "--driver=llvmpipe", f"--expectations={expectations}", "116", "47", "91", "9")
    states = [line.split()[:2] for line in output.splitlines() if line.split()[1].isdecimal()]
    assert states == [["open", "116"], ["open", "47"], ["gone", "91"], ["hidden", "9"]], output
    assert "hidden     9 behind bug 1 " in output
    assert "4 bugs: 2 open, 1 gone, 1 hidden" in output
    assert code == 0


def test_a_bug_is_shown_by_another_of_its_tests_if_its_own_fails_by_another_bug(files: Files) -> None:
    bug = find_bug(files.folder / "bugs", 17)
    for text, case in (
        ("# bug 17\nk/math/sin,Fail\n", "k/math/sin"),
        ("# bug 18\nk/math/sin,Fail\n\n# bug 17\nk/math/cos,Fail\n", "k/math/cos"),
        ("# bug 18\nk/math/sin,Fail\n\n# bug 17\npiglit/sin,Fail\n", "k/math/sin"),
        ("# bug 17\nk/math/cos,Fail\n", "k/math/sin"),
    ):
        path = Path("iris/iris-fails.txt")
        assert case_of(bug, Expectations(parse_layer("iris-tgl"), {path: text})) == case, text


def test_a_pending_entry_fails_as_known_passes_as_any_and_goes_after_one_run() -> None:
    pending = Expectation("a/b", FileKind.FAILS, frozenset({Status.FAIL}), "x", reason="pending: radeonsi was not here")
    for status, verdict in ((Status.FAIL, Verdict.EXPECTED_FAIL), (Status.PASS, Verdict.PASS)):
        assert judge(Result("a/b", (Attempt(status, message="x"),)), pending).verdict is verdict
    evidence = Evidence(Shows.PASSES, runs=1, executions=1)
    assert decide("a/b", evidence, pending) == Want(None)


def test_lint_names_a_pending_entry_that_one_run_saw_passing(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    files.write(iris__mesa25_d_0__fails="# bug 17\nk/math/sin,Fail,got 1\n\n# pending\nk/math/exp,Fail,got 1\n")
    run = write_run(files.folder, 1, k_math_exp=(Status.PASS,), k_math_sin=(Status.PASS,))
    assert files.lint(run) == 1
    assert "iris-mesa25.0-fails.txt:5: k/math/exp was not seen failing in 1 runs (1 passes): delete it" in (
        output := capsys.readouterr().out
    )
    assert "1 findings" in output


def test_a_new_failure_names_the_known_bug_of_another_driver_with_the_same_message(mock: Mock) -> None:
    other = mock.folder / "expectations/zink/zink-mesa25.0-fails.txt"
    other.parent.mkdir()
    other.write_text("# bug 17\nmock/basic/fail,Fail,got 1 want 2\n\n# bug 18\nmock/basic/segfault,Crash,SIGSEGV\n")
    code, output = mock.run("-t", "mock/basic/fail", "-t", "mock/basic/segfault")
    assert code == 1
    assert "(as bug 17 on zink-mesa25.0 (same message))" in output
    assert "bug 18" not in output, "SIGSEGV alone is any bug's"
    mock.expect("fails", "# bug 19\nmock/basic/fail,Fail,quite another way\n")
    assert "as bug 19" not in mock.run("-t", "mock/basic/fail")[1], "what the entry says is not what the case said"
    code, output = mock.cli(
        "summary", f"--suites={MOCK / 'suites'}", f"--expectations={mock.folder / 'expectations'}", "results"
    )
    assert "as bug 17 on zink-mesa25.0" in output
