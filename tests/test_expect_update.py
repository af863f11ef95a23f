"""`runner expect update`, `init`, `factor` and `explain`: from real journals to files that judge those runs green."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from conftest import MOCK, Mock

from runner.cli import main
from runner.commands.expect.evidence import signature_of
from runner.expectations.files import parse_file, read_files
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.model import Attempt, DeviceReport, How, Kind, Result, Status, Verdict
from runner.records import journal
from runner.records.journal import Journal
from runner.run_config import RunConfig
from runner.verdict.intervals import is_healed, rates_agree
from runner.verdict.judge import judge

_P, _F, _C, _T, _S = Status.PASS, Status.FAIL, Status.CRASH, Status.TIMEOUT, Status.SKIP
_DEVICE = DeviceReport(
    platform="rusticl",
    device="FD630",
    mesa="25.0.7",
    driver_version="25.0.7-2",
    llvm="19.1",
    libclc="abc",
    libclc_version="19",
    features=("fp16",),
    extensions=("cl_khr_fp16",),
)
_OTHERS = (replace(_DEVICE, libclc="other"), replace(_DEVICE, mesa="24.3.1"))
_git = pytest.mark.skipif(not shutil.which("git"), reason="the Mesa root has no git; the machine's own Python runs this")

Outcome = tuple[Status, ...] | tuple[tuple[Status, str], ...]


class Desk:
    """A folder with expectations for freedreno, suites of eight tests, and runs."""

    ids = tuple(f"s/a/{name}" for name in "abcdefgh")

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0
        for name in ("expectations/all", "expectations/freedreno", "suites/s"):
            (folder / name).mkdir(parents=True)
        (folder / "suites/s/suite.yaml").write_text("suite: s\n")
        (folder / "suites/s/cases.py").write_text(
            f"from runner.model import Case\ndef cases():\n    return [Case(i) for i in {self.ids!r}]\n"
        )

    def expect(self, name: str, text: str) -> Path:
        path = self.folder / "expectations" / name.split("-")[0] / f"{name}.txt"
        path.write_text(text)
        return path

    def text(self, name: str) -> str:
        return (self.folder / "expectations" / name.split("-")[0] / f"{name}.txt").read_text()

    def lines(self, name: str) -> list[str]:
        return [line for line in self.text(name).splitlines() if line and not line.startswith("#")]

    def run(
        self,
        device: DeviceReport = _DEVICE,
        footer: str | None = "",
        variant: str = "",
        missing: int = 0,
        **results: Outcome,
    ) -> str:
        """A journal of a run in which test s/a/<name> had these attempts."""
        self.count += 1
        folder = self.folder / f"run{self.count}"
        folder.mkdir()
        ids = [f"s/a/{name}" for name in results] + [f"s/a/missing{n}" for n in range(missing)]
        config = RunConfig("freedreno", variant=variant)
        with Journal(folder / journal.NAME) as out:
            out.write(
                "header",
                config=config.to_json(),
                ids=ids,
                suites="x",
                expectations="",
                begun=f"2026-01-{self.count:02}T00:00:00+00:00",
            )
            out.write("device", report=asdict(device))
            for name, outcome in results.items():
                pairs = [o if isinstance(o, tuple) else (o, "value: got 1 want 2") for o in outcome]
                attempts = tuple(Attempt(s, 0.1 + self.count, m if s is not _P else "") for s, m in pairs)
                out.write("result", **Result(f"s/a/{name}", attempts).to_json())
            if footer is not None:
                out.write("footer", reason=footer, wall_s=1.0)
        return str(folder)

    def __call__(self, *words: str) -> int:
        own = ["--expectations", str(self.folder / "expectations"), "--suites", str(self.folder / "suites")]
        if words[0] == "factor":
            own = own[:2]
        return main(["expect", words[0], *own, *words[1:]])


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


_A630 = "freedreno-a630-fails"


def test_two_agreeing_runs_make_a_fails_line_with_signature_and_a_place_for_the_reason(desk: Desk) -> None:
    runs = [desk.run(a=(_F, _F), b=(_P,)), desk.run(a=(_F, _F), b=(_P,))]
    assert desk("update", *runs) == 0
    assert desk.lines(_A630) == ["s/a/a,Fail,value: got 1 want 2"]
    assert "# reason: TODO\ns/a/a" in desk.text(_A630)
    assert desk.text(_A630).startswith("# Expected failures. Measured: FD630, Mesa 25.0.7-2, LLVM 19.1, libclc 19.\n")
    assert desk("lint") == 1  # the reason is missing


def test_shards_beside_the_directory_that_they_were_merged_into_count_once(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    shards = [desk.run(a=(_F, _F), b=(_P,)), desk.run(c=(_F, _F))]
    merged = desk.folder / "merged"
    for number, shard in enumerate(shards):
        shutil.copytree(shard, merged / f"parts/{number}")
    shutil.copy(Path(shards[0]) / journal.NAME, merged)  # stands for what `runner merge` writes; the parts count
    assert desk("update", *shards, str(merged)) == 0
    output = capsys.readouterr().out
    assert not (desk.folder / "expectations/freedreno/freedreno-a630-fails.txt").exists(), output  # one run is no proof
    assert output.count("again; it counts once") == 2
    # A folder of runs, and an archive of it as GitLab serves it, are as good as the runs.
    again = desk.folder / "night"
    again.mkdir()
    shutil.move(desk.run(a=(_F, _F)), again)
    shutil.make_archive(str(desk.folder / "artifacts"), "zip", again)
    assert desk("update", str(merged), str(again), str(desk.folder / "artifacts.zip")) == 0
    assert desk.lines(_A630) == ["s/a/a,Fail,value: got 1 want 2"]


def test_one_run_makes_no_line(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    run = desk.run(a=(_F, _F, _F))
    assert desk("update", run, run) == 0  # given twice, it still is one
    assert not list(desk.folder.glob("expectations/freedreno/*"))
    output = capsys.readouterr().out
    assert "one run is no proof" in output and "it counts once" in output


def test_differing_results_become_a_flakes_line_with_the_statuses_seen_and_their_rate(desk: Desk) -> None:
    runs = [desk.run(a=(_F, _P), b=(_P,), c=(_F, _F)), desk.run(a=(_C, _P), b=(_F, _F), c=(_C, _C))]
    desk("update", *runs)
    assert sorted(desk.lines("freedreno-a630-flakes")) == [
        "s/a/a,Fail|Crash,2/4",
        "s/a/b,Fail,2/3",
        "s/a/c,Fail|Crash,4/4",
    ]


_KNOWN = """\
# Measured: a630

# the compiler drops a barrier, issue 7
s/a/a,Fail,value: got 1
s/a/b,Crash,SIGSEGV

# only b
s/a/c,Fail
"""


def test_passing_lines_go_with_their_comment_and_the_rest_keeps_its_bytes(desk: Desk) -> None:
    desk.expect(_A630, _KNOWN)
    desk("update", desk.run(a=(_F,), c=(_P, _P)), desk.run(a=(_F,), c=(_P, _P)))
    assert desk.text(_A630) == _KNOWN.split("\n# only b")[0]


def test_a_changed_failure_keeps_its_place_and_its_reason(desk: Desk) -> None:
    desk.expect(_A630, _KNOWN)
    outcome = ((_C, "SIGABRT: assertion `x' failed"),) * 2
    desk("update", desk.run(a=outcome), desk.run(a=outcome))
    assert desk.text(_A630) == _KNOWN.replace("Fail,value: got 1", "Crash,SIGABRT: assertion `x' failed")


def test_a_fails_line_that_flakes_moves_with_its_reason(desk: Desk) -> None:
    desk.expect(_A630, _KNOWN)
    desk("update", desk.run(c=(_P, _F, _P)), desk.run(c=(_F,)))
    assert desk.lines(_A630) == ["s/a/a,Fail,value: got 1", "s/a/b,Crash,SIGSEGV"]
    assert desk.text("freedreno-a630-flakes").endswith("\n# only b\ns/a/c,Fail,2/4\n")


def test_what_broader_files_say_is_overruled_and_never_edited(desk: Desk) -> None:
    broad = desk.expect("freedreno-fails", "# why\ns/a/a,Fail\ns/a/b,Fail,value: got 1\n")
    desk("update", desk.run(a=(_P, _P), b=(_F,), c=(_P,)), desk.run(a=(_P, _P), b=(_F,)))
    assert broad.read_text() == "# why\ns/a/a,Fail\ns/a/b,Fail,value: got 1\n"
    assert desk.lines(_A630) == ["s/a/a,Pass"]
    desk("update", desk.run(a=(_F, _F), b=(_F,)), desk.run(a=(_F, _F)))
    assert desk.lines(_A630) == []  # the broader line holds again


def test_the_layer_is_as_narrow_as_the_narrowest_file_that_applies(desk: Desk) -> None:
    desk.expect("all-mesa25.0-fails", "# why\ns/a/a,Fail\n")
    desk("update", desk.run(a=(_P, _P)), desk.run(a=(_P, _P)))
    assert desk.lines("freedreno-a630-mesa25.0-fails") == ["s/a/a,Pass"]


def test_a_newer_build_decides_and_is_no_flake(desk: Desk) -> None:
    old, new = _DEVICE, replace(_DEVICE, driver_version="25.0.8", mesa="25.0.8")
    desk.expect(_A630, "# why\n\n# w\ns/a/a,Fail\n")
    desk(
        "update",
        desk.run(old, a=(_F,), b=(_P,)),
        desk.run(old, a=(_F,), b=(_P,)),
        desk.run(new, a=(_P, _P), b=(_F, _F)),
    )
    assert desk.lines(_A630) == []  # a is fixed; one run of b is no proof
    assert not (desk.folder / "expectations/freedreno/freedreno-a630-flakes.txt").exists()


def test_errors_skips_and_what_was_not_run_change_nothing(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    path = desk.expect(_A630, _KNOWN)
    for _ in range(2):
        runs = [desk.run(a=(Status.ERROR, Status.ERROR), b=((_S, "unsupported: fp64"),), missing=3) for _ in range(2)]
    desk("update", *runs)
    assert path.read_text() == _KNOWN
    assert "delete that entry if the feature is gone for good" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"footer": "probe: SIGSEGV"}, "ended by a fault"),
        ({"footer": "two devices in one run: x, and y"}, "ended by a fault"),
        ({"footer": None, "missing": 2}, "finish it with --resume"),
        ({"variant": "sync"}, "is of --variant sync"),
        ({"device": _OTHERS[0]}, "is another device"),
        ({"device": _OTHERS[1]}, "is another device"),
    ],
)
def test_a_run_that_is_no_evidence_is_refused_by_name(
    desk: Desk, capsys: pytest.CaptureFixture[str], given: dict[str, object], said: str
) -> None:
    bad = desk.run(a=(_F, _F), **given)  # type: ignore[arg-type]
    assert desk("update", bad, desk.run(a=(_F, _F))) == 0
    output = capsys.readouterr().out
    assert f"refused: {bad}: " in output and said in output and "one run is no proof" in output
    if "device" not in given:
        assert desk("update", bad) == 2


def test_a_run_with_another_libclc_than_the_file_was_measured_with_is_refused(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.expect(_A630, "# Measured: FD630, libclc 22\n\n# why\ns/a/a,Fail\n")
    runs = [desk.run(a=(_P, _P)) for _ in range(2)]
    assert desk("update", *runs) == 2
    assert "give --layer freedreno-a630-libclc19" in capsys.readouterr().err
    assert desk("update", *runs, "--layer", "freedreno-a630-libclc19") == 0
    assert desk.lines("freedreno-a630-libclc19-fails") == ["s/a/a,Pass"]
    assert desk.lines(_A630) == ["s/a/a,Fail"]


def test_nothing_is_written_below_a_skips_line(desk: Desk) -> None:
    desk.expect("all-skips", "# hangs the board\ns/a/*\n")
    desk("update", desk.run(a=(_F, _F)), desk.run(a=(_F, _F)))
    assert not list(desk.folder.glob("expectations/freedreno/*"))


def test_interrupted_and_cut_short_runs_count_for_what_they_ran(desk: Desk) -> None:
    runs = [
        desk.run(footer="interrupted", a=(_F, _F), missing=2),
        desk.run(footer="9 regressions (--max-fails 9)", a=(_F, _F)),
    ]
    desk("update", *runs)
    assert desk.lines(_A630) == ["s/a/a,Fail,value: got 1 want 2"]


def test_another_target_than_the_one_asked_for_is_refused(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert desk("update", "--driver", "msm", "--gpu", "a660", desk.run(a=(_F,))) == 2
    assert "is of freedreno-a630-mesa25.0-libclc19, not of freedreno a660" in capsys.readouterr().err


def test_nothing_is_written_unless_everything_parses(desk: Desk) -> None:
    desk.expect("freedreno-fails", "s/a/a,Fial\n")
    assert desk("update", desk.run(a=(_F, _F)), desk.run(a=(_F, _F))) == 2
    good = desk.run(b=(_F, _F))
    (Path(good) / journal.NAME).open("a").write("{torn\n")
    desk.expect("freedreno-fails", "")
    assert desk("update", good, desk.run(b=(_F, _F))) == 2
    assert sorted(p.name for p in desk.folder.glob("expectations/*/*")) == ["freedreno-fails.txt"]


def test_a_test_that_has_left_the_suites_gets_no_line(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk("update", desk.run(zzz=(_F, _F)), desk.run(zzz=(_F, _F)))
    assert "no suite has it any more" in capsys.readouterr().out
    assert not list(desk.folder.glob("expectations/freedreno/*"))


def test_boards_go_to_their_own_files(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    other = replace(_DEVICE, device="FD660")
    runs = [desk.run(d, a=(_F, _F), b=(_F,) * n, c=(_P,)) for d, n in ((_DEVICE, 1), (other, 2), (_DEVICE, 1), (other, 2))]
    offer = "2 of these entries are common to a630, a660: `runner expect factor --driver freedreno` offers them to freedreno"
    desk("update", *runs)
    assert offer in capsys.readouterr().out.splitlines()
    assert desk.lines(_A630) == desk.lines("freedreno-a660-fails") == [f"s/a/{i},Fail,value: got 1 want 2" for i in "ab"]
    assert desk("factor") == 0
    assert desk.lines(_A630)  # an offer changes nothing


def test_a_flake_goes_only_after_passes_that_its_rate_makes_incredible() -> None:
    assert not is_healed((1, 2), 50) and is_healed((1, 2), 80)
    assert not is_healed((3, 200), 1000) and is_healed((3, 200), 1500)
    assert not is_healed(None, 10**6)
    assert rates_agree((3, 200), (1, 10)) and not rates_agree((3, 200), (9, 10))


def test_a_new_way_of_flaking_joins_the_line(desk: Desk) -> None:
    desk.expect("freedreno-a630-flakes", "# races\ns/a/a,Fail,3/20\ns/a/b,Fail,3/20\n")
    desk("update", desk.run(a=(_C, _P), b=(_F, _P)), desk.run(a=(_P,), b=(_P,)))
    assert desk.text("freedreno-a630-flakes") == "# races\ns/a/a,Fail|Crash,4/23\ns/a/b,Fail,3/20\n"


def test_a_flake_that_fails_every_time_becomes_a_fails_line(desk: Desk) -> None:
    desk.expect("freedreno-a630-flakes", "# head\n\n# races\ns/a/a,Fail,3/200\ns/a/b,Fail,9/10\n")
    desk("update", desk.run(a=(_F,) * 5, b=(_F,) * 5), desk.run(a=(_F,) * 5, b=(_F,) * 5))
    assert desk.lines("freedreno-a630-flakes") == ["s/a/b,Fail,9/10"]
    assert desk.text(_A630).endswith("# races\ns/a/a,Fail,value: got 1 want 2\n")


@pytest.mark.parametrize(
    ("messages", "signature"),
    [
        (["value: got 1 want 2"] * 2, "value: got 1 want 2"),
        (["value: x[3]: got 1", "value: x[41]: got 9"], "value: x["),
        (["at 0x7f01: pipe broken by gpu", "at 0x7f99: pipe broken by gpu"], ": pipe broken by gpu"),
        (["SIGSEGV"] * 3, "SIGSEGV"),
        (["first line\nsecond", "first line\nthird"], "first line"),
        (["one", "two"], ""),
        ([""], ""),
    ],
)
def test_a_signature_is_what_all_failures_share(messages: list[str], signature: str) -> None:
    assert signature_of(messages) == signature
    assert all(signature in m for m in messages)


@pytest.mark.parametrize("seed", range(40))
def test_after_an_update_the_same_runs_are_as_expected_and_a_second_one_changes_nothing(desk: Desk, seed: int) -> None:
    import random

    source = random.Random(seed)
    kinds = [(_P,), (_F, _F), (_C, _C), (_T, _T), (_F, _P), (_C, _P), (_F, _C, _F), (_P, _F, _P)]
    lines = [f"{i},{source.choice(['Fail', 'Crash', 'Timeout', 'Fail,other'])}" for i in desk.ids if source.random() < 0.5]
    desk.expect(_A630, "# head\n\n# why\n" + "".join(f"{line}\n" for line in lines))
    flaky = [i for i in desk.ids if not any(line.startswith(f"{i},") for line in lines) and source.random() < 0.3]
    desk.expect(
        "freedreno-a630-flakes",
        "# head\n\n# why\n" + "".join(f"{i},Fail,{source.randint(1, 4)}/9\n" for i in flaky),
    )
    desk.expect("freedreno-fails", "# why\n" + "".join(f"{i},Fail\n" for i in desk.ids if source.random() < 0.3))
    steady = {i[-1]: source.choice(kinds) for i in desk.ids}
    runs = [
        desk.run(**{i: o if source.random() < 0.8 else source.choice(kinds) for i, o in steady.items()}) for _ in range(3)
    ]
    assert desk("update", *runs) == 0
    after = {p: p.read_text() for p in desk.folder.glob("expectations/*/*")}
    found = Expectations(Target("freedreno", "a630", mesa="25.0"), read_files(desk.folder / "expectations", "freedreno"))
    for run in runs:
        for result in journal.read(Path(run)).results.values():
            verdict = judge(result, found.find(result.id)).verdict
            assert not verdict.is_red(strict_flakes=True), (result, verdict, found.find(result.id))
            assert verdict not in (Verdict.IMPROVED_PASS, Verdict.IMPROVED_FAIL), (
                result,
                found.find(result.id),
            )
    assert desk("update", *runs) == 0
    assert {p: p.read_text() for p in desk.folder.glob("expectations/*/*")} == after


@_git
def test_the_patch_applies_and_gives_the_same_files(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    subprocess.run(["git", "init", "-q", str(desk.folder)], check=True)
    desk.expect(_A630, _KNOWN.rstrip("\n"))  # the last line has no end
    runs = [desk.run(a=(_P, _P), c=(_C, _P), d=(_F, _F)) for _ in range(2)]
    before = {p: p.read_bytes() for p in desk.folder.glob("expectations/*/*")}
    desk("update", "--patch", *runs)
    patch = capsys.readouterr().out
    assert before == {p: p.read_bytes() for p in desk.folder.glob("expectations/*/*")}
    desk("update", *runs)
    wanted = {p: p.read_bytes() for p in desk.folder.glob("expectations/*/*")}
    for path in wanted:
        path.unlink()
    for path, content in before.items():
        path.write_bytes(content)
    subprocess.run(["git", "-C", str(desk.folder), "apply", "-"], input=patch, text=True, check=True)
    assert {p: p.read_bytes() for p in desk.folder.glob("expectations/*/*")} == wanted


@_git
def test_a_commit_holds_the_files_alone_and_the_evidence(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "tester")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "tester@example.org")
    root = desk.folder
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    path = desk.expect(_A630, _KNOWN)
    runs = [desk.run(a=(_P, _P), d=(_F, _F)) for _ in range(2)]
    assert desk("update", "--commit", *runs) == 2  # the file is not committed: somebody's work
    assert path.read_text() == _KNOWN
    subprocess.run(["git", "-C", str(root), "add", "expectations"], check=True)
    subprocess.run(["git", "-C", str(root), "commit", "-qm", "first"], check=True)
    assert desk("update", "--commit", *runs) == 0
    shown = subprocess.run(["git", "-C", str(root), "show", "--stat"], capture_output=True, text=True, check=True).stdout
    assert "expectations: freedreno-a630: 1 new, 1 gone" in shown and "1 file changed" in shown
    assert "s/a/d,Fail,value: got 1 want 2: failed 4 of 4 executions in 2 runs (Fail)" in shown
    assert "2026-01-01T00:00:00+00:00" in shown and str(root) not in shown


def test_init_writes_a_new_boards_files_once(desk: Desk) -> None:
    runs = [desk.run(a=(_F, _F), b=(_P,)) for _ in range(2)]
    assert desk("init", *runs) == 0
    assert desk.lines("freedreno-a630-device") == ["fp16", "cl_khr_fp16"]
    assert desk.lines(_A630) == ["s/a/a,Fail,value: got 1 want 2"]
    assert desk("init", *runs) == 2


def test_factor_moves_what_every_gpu_has_and_judges_as_before(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.expect(_A630, "# head\n\n# shared\ns/a/a,Fail,x\ns/a/b,Fail\n\n# own\ns/a/c,Fail\n")
    desk.expect("freedreno-a660-fails", "# head\n\n# shared too\ns/a/a,Fail,x\ns/a/b,Crash\n")
    desk.expect("freedreno-a630-flakes", "# races\ns/a/d,Fail,1/10\n")
    desk.expect("freedreno-a660-flakes", "# races\ns/a/d,Fail,2/10\n")
    assert desk("factor") == 0
    offered = capsys.readouterr().out
    assert "s/a/a,Fail,x" in offered and "s/a/d,Fail,3/20" in offered and "s/a/b" not in offered
    desk("factor", "--patch")
    patch = capsys.readouterr().out
    assert "+# shared\n+s/a/a,Fail,x\n" in patch and "new file mode" in patch
    desk.expect("freedreno-a730-device", "fp16\n")  # measured, and nothing failed there
    desk("factor")
    assert "no entry is common" in capsys.readouterr().out


def test_explain_names_what_decides_and_what_it_overrules(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.expect("all-fails", "# everywhere\ns/a/a,Crash\n")
    desk.expect("freedreno-fails", "# here\ns/a/a,Fail,value: x\n")
    desk.expect("freedreno-a660-fails", "# there\ns/a/a,Pass\n")
    assert desk("explain", "s/a/a", "--driver", "msm", "--gpu", "a630") == 0
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
    desk("explain", "s/a/a", "--driver", "msm", "--gpu", "a660")
    assert "s/a/a on freedreno-a660: must pass" in capsys.readouterr().out
    desk.expect("all-skips", "# hangs\ns/a/*\n")
    desk("explain", "s/a/a", "--driver", "msm")
    assert "is not run\n  decided by" in capsys.readouterr().out
    assert desk("explain", "s/a/aa", "--driver", "msm") == 2


def test_explain_without_a_release_lists_every_one(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.expect("freedreno-mesa25.0-fails", "# old\ns/a/a,Fail\n")
    desk.expect("freedreno-mesa26.2-flakes", "# new\ns/a/a,Crash,1/9\n")
    desk.expect("freedreno-a660-fails", "# there\ns/a/a,Pass\n")
    desk("explain", "s/a/a", "--driver", "msm")
    output = capsys.readouterr().out
    assert output.startswith(
        "s/a/a on freedreno: must pass, but not everywhere:\n"
        "  on freedreno-a660: must pass\n"
        "  on freedreno-a660-mesa25.0: is expected to end in Fail\n"
        "  on freedreno-a660-mesa26.2: is a known flake (Crash, 1 of 9 times)\n"
        "  on freedreno-mesa25.0: is expected to end in Fail\n"
        "  on freedreno-mesa26.2: is a known flake (Crash, 1 of 9 times)\n"
    ), output
    desk("explain", "s/a/a", "--driver", "msm", "--mesa-version", "25.1")
    assert "s/a/a on freedreno-mesa25.1: must pass\n" in capsys.readouterr().out


def test_real_runs_of_the_mock_suite_are_green_after_an_update(mock: Mock) -> None:
    words = ["-j", "1", "-t", "mock/state/flake"]
    for name in ("pass", "fail", "segfault", "assert"):
        words += ["-t", f"mock/basic/{name}"]
    for name in ("one", "two"):
        assert mock.run(*words)[0] == 1
        mock.results.rename(mock.folder / name)
        shutil.rmtree(mock.folder / "state")
    own = (
        "--suites",
        str(MOCK / "suites"),
        "--registry",
        str(MOCK / "drivers.yaml"),
        "--expectations",
        "expectations",
    )
    code, output = mock.cli("expect", "update", *own, "one", "two")
    assert code == 0, output
    lines = parse_file((mock.folder / "expectations/mock/mock-fails.txt").read_text(), Kind.FAILS, "f").entries
    assert {e.pattern: (e.statuses, e.signature) for e in lines}["mock/basic/segfault"] == ({_C}, "SIGSEGV")
    code, output = mock.run(*words)
    assert code == 0, output
    assert mock.rows()["mock/state/flake"] == "KnownFlake" and mock.rows()["mock/basic/assert"] == "ExpectedFail"
    code, output = mock.cli("expect", "update", *own, "one", "two", "results")
    assert code == 0 and ", 0 entries change" in output


def test_a_leak_of_state_becomes_a_flakes_line(mock: Mock) -> None:
    for name in ("one", "two"):
        assert mock.run("-j", "1", "-t", "mock/state/poison*")[0] == 1
        assert any(a.how is How.REPLAY for a in journal.read(mock.results).results["mock/state/poisoned"].attempts)
        mock.results.rename(mock.folder / name)
    own = (
        "--suites",
        str(MOCK / "suites"),
        "--registry",
        str(MOCK / "drivers.yaml"),
        "--expectations",
        "expectations",
    )
    assert mock.cli("expect", "update", *own, "one", "two")[0] == 0
    assert "mock/state/poisoned,Fail,4/6" in (mock.folder / "expectations/mock/mock-flakes.txt").read_text()
