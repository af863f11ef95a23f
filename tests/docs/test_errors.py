"""Bad input, bad files, bad disks: one clear line, the right exit code, nothing lost."""

import os
import re
import subprocess
import sys
from pathlib import Path

import forked
import pytest
from conftest import MOCK, ROOT, Command, Mock

from runner.cases import catalogue
from runner.cli import main
from runner.commands import COMMANDS, actions_of
from runner.model import ExitCode, InfrastructureError, UsageError
from runner.records.journal import Journal, read

_SUITES = f"--suites={MOCK / 'suites'}"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--driver", "lvmpipe"], "--driver lvmpipe: no such driver; closest: 'llvmpipe'"),
        (["--driver", "llvmpipe", "--quux"], "no option --quux; see `runner run --help`"),
        (["--driver", "llvmpipe", "--output", "x"], "no option --output; see `runner run --help`"),
        (
            ["--driver", "llvmpipe", _SUITES, "-t", "mock/basic/pas"],
            "'mock/basic/pas' matches no test; closest: 'mock/basic/pass'",
        ),
        (["--driver", "llvmpipe", _SUITES, "-x", "nothing/*"], "'nothing/*' matches no test"),
        (["--driver", "llvmpipe", "--shard", "3/2"], "argument --shard: 3/2: I must be 1 to N"),
        (["--driver", "llvmpipe", "-j", "0"], "argument -j/--jobs: 0 is not positive"),
        (["--driver", "llvmpipe", "--variant", "loud"], "--variant loud: llvmpipe has asan, checks, cold_cache, max_"),
        (["--driver", "llvmpipe", "--gpt2-weights", "/nonexistent"], "--gpt2-weights /nonexistent: no such file or folder"),
        (["--driver", "llvmpipe", "--gpt2-weights", str(MOCK)], f"--gpt2-weights {MOCK}: has no config.json, no model.s"),
        (["--driver", "llvmpipe", "--tier", "premrge"], "not one of premerge, full, nightly; closest: 'premerge'"),
        (["--driver", "llvmpipe", "--ssh-config", "/none", "--on", "b"], "--ssh-config /none: no such file or folder"),
        (
            ["--driver", "llvmpipe", "--mode", "emulate", "--gpu", "a630", _SUITES],
            "--mode emulate --gpu a630: that is a GPU of freedreno; give --driver freedreno",
        ),
        (["--driver", "llvmpipe", "--gpu", "a999", _SUITES], "--gpu a999: no such class of CPU; known: sse2"),
        (["--jobs", "2"], "give --driver NAME; with what is installed, this machine can run: "),
        (["run-case", "--driver", "llvmpipe", _SUITES, "mock/basic/exit33"], "no test; closest: 'mock/basic/exit3'"),
        (["list", _SUITES, "-t", "z*"], "'z*' matches no test"),
        (["report", "/nonexistent"], "/nonexistent/journal.jsonl: No such file or directory"),
        (["--driver", "llvmpipe", _SUITES, "--resume"], "no run to resume; run without --resume"),
    ],
)
def test_a_wrong_argument_gets_one_clear_line_and_exit_code_2(command: Command, words: list[str], text: str) -> None:
    code, output = command(*words)
    assert code == 2, output
    assert text in output, output
    assert len(output.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "name", ["msm", "freedreno", "panthor", "iris", "radeonsi", "r600", "asahi", "v3d", "nouveau", "etnaviv", "lima"]
)
def test_a_driver_without_its_device_ends_with_3_and_says_what_was_looked_for(command: Command, name: str) -> None:
    if Path("/dev/dri").exists():
        pytest.skip("this machine has a render node")
    code, output = command("--driver", name, f"--suites={MOCK / 'suites'}")
    assert code == 3, output
    assert len(output.strip().splitlines()) == 1
    assert "looked for" in output or "no device anywhere" in output


def test_without_a_rusticl_icd_the_message_says_what_to_do(mock: Mock, tmp_path: Path) -> None:
    (tmp_path / "vendors").mkdir()
    mock.environment = {"OCL_ICD_VENDORS": f"{tmp_path}/vendors"}
    code, output = mock.cli("--driver", "llvmpipe", f"--suites={MOCK / 'suites'}", "-t", "mock/basic/pass")
    assert code == 3, output
    assert f"no *rusticl*.icd file in OCL_ICD_VENDORS={tmp_path}/vendors" in output, output


@pytest.mark.parametrize("name", ["OCL_ICD_VENDORS", "VK_DRIVER_FILES"])
def test_a_variable_that_names_no_file_ends_with_2_before_the_run(mock: Mock, name: str) -> None:
    mock.environment = {name: "/nonexistent.icd"}
    code, output = mock.cli("--driver", "llvmpipe", f"--suites={MOCK / 'suites'}", "-t", "mock/basic/pass")
    assert (code, output) == (2, f"runner: {name}=/nonexistent.icd: /nonexistent.icd: no such file or folder\n")


@pytest.mark.root
def test_the_wrong_platform_ends_with_3_before_a_case_is_judged(mock: Mock, tmp_path: Path) -> None:
    registry = tmp_path / "drivers.yaml"
    registry.write_text('llvmpipe: {device: "^Adreno"}\n')
    places = (f"--registry={registry}", f"--results={mock.results}", f"--suites={MOCK / 'suites'}")
    code, output = mock.cli("--driver", "llvmpipe", *places, "-j", "2", "-t", "mock/basic/*")
    assert code == 3
    assert "looked for a device of llvmpipe" in output
    assert "found the platform 'rusticl'" in output
    assert not read(mock.results).results
    starts = (mock.results / "journal.jsonl").read_text().count('{"event":"start"')
    assert starts <= 2, "a worker that has no device begins no second case"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("suite.yaml", "suite: [broken\n", "suite.yaml:2: not YAML"),
        ("suite.yaml", "suite: other\n", "must begin with `suite: s`"),
        ("suite.yaml", "suite: s\ntimeout: 3\n", "unknown key 'timeout'; closest: 'timeout_s'"),
        ("suite.yaml", "suite: s\nrequires: fp16\n", "requires: 'fp16' is of the wrong type"),
        (
            "suite.yaml",
            "suite: s\nrequires: [fp17]\n",
            "suite.yaml: requires: no device has a feature 'fp17'; closest: 'fp16'",
        ),
        (
            "suite.yaml",
            "suite: s\nhints: {fp15: ask}\n",
            "suite.yaml: hints: no device has a feature 'fp15'; closest: 'fp16'",
        ),
        (
            "cases.py",
            "from runner.model import Case\ndef cases(): return [Case('s/a/x', requires=('fp16', 'fp17'))]\n",
            "cases.py: s/a/x: requires: no device has a feature 'fp17'; closest: 'fp16'",
        ),
        (
            "cases.py",
            "from runner.model import Case\ndef cases(): return [Case('s/a/x', requires=('image_read:r.flaot',))]\n",
            "cases.py: s/a/x: requires: no device has a feature 'image_read:r.flaot'",
        ),
        ("cases.py", "def cases(): return [1/0]\n", "cases.py: cannot be loaded: ZeroDivisionError"),
        ("cases.py", "from runner.model import Case\ndef cases(): return [Case('x/y')]\n", "bad id 'x/y'"),
        ("cases.py", "from runner.model import Case\ndef cases(): return [Case('s/a b/y')]\n", "bad id 's/a b/y'"),
        (
            "cases.py",
            "from runner.model import Case\ndef cases(): return [Case('s/y')] * 2\n",
            "two cases have the id 's/y'",
        ),
    ],
)
def test_a_bad_suite_is_an_error_with_its_place(tmp_path: Path, name: str, text: str, message: str) -> None:
    suite = tmp_path / "s"
    suite.mkdir()
    (suite / "suite.yaml").write_text("suite: s\n")
    (suite / "cases.py").write_text("def cases(): return []\n")
    (suite / name).write_text(text)
    with pytest.raises(UsageError) as caught:
        catalogue.load(tmp_path)
    assert message in str(caught.value)


def test_a_bad_expectation_stops_the_run_with_its_place(mock: Mock) -> None:
    path = mock.expect("fails", "# why\nmock/basic/fail,Fial\n")
    code, output = mock.run("-t", "mock/basic/fail")
    assert code == 2
    assert f"{path}:2: unknown status 'Fial'" in output


def test_a_finding_is_a_note_and_not_red(mock: Mock) -> None:
    path = mock.expect("fails", "# why\nmock/basic/pas,Fail\n")
    code, output = mock.run("-t", "mock/basic/pass")
    assert code == 0
    assert f"note: {path}:2: no test 'mock/basic/pas'; closest: 'mock/basic/pass'" in output


def test_a_results_folder_that_cannot_be_written_is_named(mock: Mock) -> None:
    mock.results.write_text("a file")
    code, output = mock.run("-t", "mock/basic/pass")
    assert code == 2
    assert str(mock.results) in output
    assert len(output.strip().splitlines()) == 1


def test_a_foreign_folder_is_not_taken_for_results(mock: Mock) -> None:
    mock.results.mkdir()
    (mock.results / "thesis.txt").write_text("mine")
    code, output = mock.run("-t", "mock/basic/pass")
    assert code == 2
    assert "not empty" in output
    assert (mock.results / "thesis.txt").exists()


def test_a_full_disk_is_named_and_keeps_what_is_there(tmp_path: Path) -> None:
    full = tmp_path / "journal.jsonl"
    full.symlink_to("/dev/full")
    message = "No space left on device; make room, then go on with --resume"
    with Journal(full) as journal, pytest.raises(InfrastructureError, match=message):
        journal.write("start", id="a/b")


def test_a_disk_that_fills_up_ends_the_run_with_3_and_can_be_resumed(mock: Mock) -> None:
    """On a real file system of 384 KiB, in a mount namespace of its own."""
    mock.results.mkdir()
    inner = mock.command("-j", "1", "-t", "mock/basic/flood", "-t", "mock/bulk/*", "-t", "mock/basic/utf8")
    # CLONE_NEWNS, then a tmpfs over the results folder, then exec the run.
    script = (
        "import ctypes, os, sys; libc = ctypes.CDLL(None, use_errno=True)\n"
        "if libc.unshare(0x20000) or libc.mount(b'none', sys.argv[1].encode(), b'tmpfs', 0, b'size=384k'): sys.exit(77)\n"
        "os.execv(sys.argv[2], sys.argv[2:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(mock.results), *inner],
        capture_output=True,
        text=True,
        cwd=mock.folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "MOCK_BULK": "50", "MOCK_STATE": str(mock.folder / "state")},
    )
    if done.returncode == 77:
        pytest.skip("this machine forbids a mount of one's own")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "No space left on device" in done.stderr, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_damaged_journal_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_text('{"event":"start","id":"a"}\n')
    with pytest.raises(UsageError, match=r"journal.jsonl:1: damaged"):
        read(tmp_path)


def test_help_lists_every_command_and_the_exit_codes() -> None:
    code, output = forked.call(["--help"], ROOT, os.environ)
    assert code == 0
    for word in (*(name for name in COMMANDS if " " not in name), "130 interrupted"):
        assert word in output
    for group in ("expect", "bugs", "history", "list", "export"):
        output = forked.call([group, "--help"], ROOT, os.environ)[1]
        for name, text in actions_of(group).items():
            assert f"    {name}" in output
            assert text.split()[0] in output


def test_the_help_of_ci_run_lists_every_command() -> None:
    done = subprocess.run([ROOT / "ci/run", "--help"], capture_output=True, text=True, check=True)
    for name, text in COMMANDS.items():
        assert (f"  {name}: {text}\n" in done.stdout) == (" " not in name)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["lst"], "no command 'lst'; closest: 'list'"),
        (["help"], "no command 'help'; closest: '--help'"),
        (["--drvier", "llvmpipe"], "no option --drvier; closest: '--driver'"),
        (["run-case", "--drvier=llvmpipe", "kernels/a/b"], "no option --drvier; closest: '--driver'"),
        (["expect", "lnt"], "no command 'lnt'; closest: 'lint'"),
        (["history", "show", "--drivr", "iris"], "no option --drivr; closest: '--driver'"),
    ],
)
def test_a_misspelt_word_gets_the_closest_one(words: list[str], meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == ExitCode.USAGE
    assert meant in capsys.readouterr().err


def test_a_misspelt_option_of_a_run_gets_the_closest_one_if_nothing_is_installed(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    lacking = ("pytest", "xdist", "junitparser", "numpy", "pyopencl", "tinygrad", "yaml")
    code = f"import sys; sys.modules.update(dict.fromkeys({lacking})); from runner.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "--drvier"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.stderr.startswith("runner: no option --drvier; closest: '--driver'")
    assert done.returncode == ExitCode.USAGE


def test_an_option_may_be_cut_short_if_only_one_begins_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", f"--suite={MOCK / 'suites'}", "-t", "mock/group/0"]) == 0
    assert capsys.readouterr().out == "mock/group/0\n"


def test_the_version_is_the_distributions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert re.fullmatch(r"runner \d{4}\.\d+\S*\n", capsys.readouterr().out)


def test_list_has_every_case_or_those_of_a_tier(command: Command) -> None:
    suites = f"--suites={MOCK / 'suites'}"
    every, full = (command("list", suites, *words)[1].split() for words in ([], ["--tier=full"]))
    assert set(every) - set(full) == {"mock/tier/nightly"}
    assert command("list", suites, "--census", "--tier=full")[0] == ExitCode.USAGE


def test_list_of_the_mock_suite_obeys_its_globs(command: Command) -> None:
    code, output = command("list", f"--suites={MOCK / 'suites'}", "-t", "mock/group/*", "-x", "*/3")
    assert (code, output.split()) == (0, ["mock/group/0", "mock/group/1", "mock/group/2"])
