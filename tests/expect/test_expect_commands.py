"""`runner expect init`, `factor` and `explain`, the patch and the commit of an update, and real runs through all of them."""

import shutil
import subprocess

import pytest
from conftest import MOCK, Mock
from expect_tree import KNOWN, Tree

from runner.expectations.files import parse_file
from runner.model import FileKind, How, Status
from runner.records import journal

_P, _F, _C, _T, _S = Status.PASS, Status.FAIL, Status.CRASH, Status.TIMEOUT, Status.SKIP


_A630 = "freedreno-a630-fails"


def test_the_patch_applies_and_gives_the_same_files(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    subprocess.run(["git", "init", "-q", str(tree.folder)], check=True)
    tree.expect(_A630, KNOWN.rstrip("\n"))  # the last line has no end
    runs = [tree.run(a=(_P, _P), c=(_C, _P), d=(_F, _F)) for _ in range(2)]
    before = {p: p.read_bytes() for p in tree.folder.glob("expectations/*/*")}
    tree("update", "--patch", *runs)
    patch = capsys.readouterr().out
    assert before == {p: p.read_bytes() for p in tree.folder.glob("expectations/*/*")}
    tree("update", *runs)
    wanted = {p: p.read_bytes() for p in tree.folder.glob("expectations/*/*")}
    for path in wanted:
        path.unlink()
    for path, content in before.items():
        path.write_bytes(content)
    subprocess.run(["git", "-C", str(tree.folder), "apply", "-"], input=patch, text=True, check=True)
    assert {p: p.read_bytes() for p in tree.folder.glob("expectations/*/*")} == wanted


def test_a_commit_holds_only_the_files_and_the_evidence(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "tester")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "tester@example.org")
    root = tree.folder
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    path = tree.expect(_A630, KNOWN)
    runs = [tree.run(a=(_P, _P), d=(_F, _F)) for _ in range(2)]
    assert tree("update", "--commit", *runs) == 2  # the file is not committed: somebody's work
    assert path.read_text() == KNOWN
    subprocess.run(["git", "-C", str(root), "add", "expectations"], check=True)
    subprocess.run(["git", "-C", str(root), "commit", "-qm", "first"], check=True)
    assert tree("update", "--commit", *runs) == 0
    shown = subprocess.run(["git", "-C", str(root), "show", "--stat"], capture_output=True, text=True, check=True).stdout
    assert "expectations: freedreno-a630: 1 new, 1 gone" in shown
    assert "1 file changed" in shown
    assert "s/a/d,Fail,value: got 1 want 2: failed 4 of 4 executions in 2 runs (Fail)" in shown
    assert "2026-01-01T00:00:00+00:00" in shown
    assert str(root) not in shown


def test_init_writes_a_new_boards_files_once(tree: Tree) -> None:
    runs = [tree.run(a=(_F, _F), b=(_P,)) for _ in range(2)]
    assert tree("init", *runs) == 0
    assert tree.lines("freedreno-a630-device") == ["fp16", "cl_khr_fp16"]
    assert tree.lines(_A630) == ["s/a/a,Fail,value: got 1 want 2"]
    assert tree("init", *runs) == 2


def test_factor_moves_what_every_gpu_has_and_judges_as_before(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    tree.expect(_A630, "# head\n\n# shared\ns/a/a,Fail,x\ns/a/b,Fail\n\n# own\ns/a/c,Fail\n")
    tree.expect("freedreno-a660-fails", "# head\n\n# shared too\ns/a/a,Fail,x\ns/a/b,Crash\n")
    tree.expect("freedreno-a630-flakes", "# races\ns/a/d,Fail,1/10\n")
    tree.expect("freedreno-a660-flakes", "# races\ns/a/d,Fail,2/10\n")
    assert tree("factor") == 0
    offered = capsys.readouterr().out
    assert "s/a/a,Fail,x" in offered
    assert "s/a/d,Fail,3/20" in offered
    assert "s/a/b" not in offered
    tree("factor", "--patch")
    patch = capsys.readouterr().out
    assert "+# shared\n+s/a/a,Fail,x\n" in patch
    assert "new file mode" in patch
    tree.expect("freedreno-a730-device", "fp16\n")  # measured, and nothing failed there
    tree("factor")
    assert "no entry is common" in capsys.readouterr().out


def test_explain_names_what_decides_and_what_it_overrules(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    tree.expect("all-fails", "# everywhere\ns/a/a,Crash\n")
    tree.expect("freedreno-fails", "# here\ns/a/a,Fail,value: x\n")
    tree.expect("freedreno-a660-fails", "# there\ns/a/a,Pass\n")
    assert tree("explain", "s/a/a", "--driver", "msm", "--gpu", "a630") == 0
    output = capsys.readouterr().out
    assert output.startswith('s/a/a on freedreno-a630: is expected to end in Fail with "value: x"\n  decided by ')
    order = [
        output.index(word)
        for word in (
            "decided by",
            "freedreno-fails.txt:2",
            "overruled",
            "all-fails.txt:2",
            "not read (only for freedreno-a660)",
        )
    ]
    assert order == sorted(order)
    tree("explain", "s/a/a", "--driver", "msm", "--gpu", "a660")
    assert "s/a/a on freedreno-a660: must pass" in capsys.readouterr().out
    tree.expect("freedreno-skips", "# hangs\ns/a/*\n")
    tree("explain", "s/a/a", "--driver", "msm")
    assert "is not run, but not everywhere:\n  on freedreno-a660: must pass\n  decided by" in capsys.readouterr().out
    tree("explain", "s/a/a", "--driver", "msm", "--gpu", "a660")
    lifted = capsys.readouterr().out
    assert "must pass\n  decided by" in lifted
    assert f"overruled {tree.folder}/expectations/freedreno/freedreno-skips.txt:2: s/a/*" in lifted
    assert tree("explain", "s/a/aa", "--driver", "msm") == 2


def test_explain_names_the_families_that_may_decide(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    tree.expect("all-fails", "# a family\ns/*,Fail,no function\n")
    tree.expect("freedreno-fails", "# here\ns/a/a,Fail,value: x\n")
    tree.expect("freedreno-a660-fails", "# there\ns/a/a,Pass\n")
    for gpu, word in (("a630", "if it fails like this, decided by"), ("a660", "overruled")):
        assert tree("explain", "s/a/a", "--driver", "msm", "--gpu", gpu) == 0
        (line,) = (line for line in capsys.readouterr().out.splitlines() if "s/*,Fail,no function" in line)
        assert line.startswith(f"  {word} ")


def test_explain_without_a_release_lists_every_one(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    tree.expect("freedreno-mesa25.0-fails", "# old\ns/a/a,Fail\n")
    tree.expect("freedreno-mesa26.2-flakes", "# new\ns/a/a,Crash,1/9\n")
    tree.expect("freedreno-a660-fails", "# there\ns/a/a,Pass\n")
    tree("explain", "s/a/a", "--driver", "msm")
    output = capsys.readouterr().out
    assert output.startswith(
        "s/a/a on freedreno: must pass, but not everywhere:\n"
        "  on freedreno-a660: must pass\n"
        "  on freedreno-a660-mesa25.0: is expected to end in Fail\n"
        "  on freedreno-a660-mesa26.2: is a known flake (Crash, 1 of 9 times)\n"
        "  on freedreno-mesa25.0: is expected to end in Fail\n"
        "  on freedreno-mesa26.2: is a known flake (Crash, 1 of 9 times)\n"
    ), output
    tree("explain", "s/a/a", "--driver", "msm", "--mesa-version", "25.1")
    assert "s/a/a on freedreno-mesa25.1: must pass\n" in capsys.readouterr().out


def test_real_runs_of_the_mock_suite_are_green_after_an_update(mock: Mock) -> None:
    words = ["-j", "1", "-t", "mock/state/flake"]
    for name in ("pass", "fail", "segfault", "assert"):
        words += ["-t", f"mock/basic/{name}"]
    for name in ("one", "two"):
        assert mock.run(*words)[0] == 1
        mock.results.rename(mock.folder / name)
        shutil.rmtree(mock.folder / "state")
    own = ("--suites", str(MOCK / "suites"), "--registry", str(MOCK / "drivers.yaml"), "--expectations", "expectations")
    code, output = mock.cli("expect", "update", *own, "one", "two")
    assert code == 0, output
    lines = parse_file((mock.folder / "expectations/mock/mock-fails.txt").read_text(), FileKind.FAILS, "f").entries
    signatures = {e.pattern: (e.statuses, e.signature) for e in lines}
    assert signatures["mock/basic/segfault"] == (frozenset({_C}), "SIGSEGV: died in kill (main thread)")
    code, output = mock.run(*words)
    assert code == 0, output
    assert mock.rows()["mock/state/flake"] == "KnownFlake"
    assert mock.rows()["mock/basic/assert"] == "ExpectedFail"
    code, output = mock.cli("expect", "update", *own, "one", "two", "results")
    assert code == 0
    assert ", 0 entries change" in output


def test_a_leak_of_state_becomes_a_flakes_line(mock: Mock) -> None:
    for name in ("one", "two"):
        assert mock.run("-j", "1", "-t", "mock/state/poison*")[0] == 1
        assert any(a.how is How.REPLAY for a in journal.read(mock.results).results["mock/state/poisoned"].attempts)
        mock.results.rename(mock.folder / name)
    own = ("--suites", str(MOCK / "suites"), "--registry", str(MOCK / "drivers.yaml"), "--expectations", "expectations")
    assert mock.cli("expect", "update", *own, "one", "two")[0] == 0
    assert "mock/state/poisoned,Fail,4/6" in (mock.folder / "expectations/mock/mock-flakes.txt").read_text()
