"""`runner expect lint RESULTS`: the lines that no run has seen failing for long."""

from pathlib import Path

import pytest
from answers import write_run
from expect_files import Files

from runner.maintenance.quiet import QUIET_RUNS
from runner.model import Status
from runner.records.history import History

_W = "# why; no signature\n"


def test_a_line_that_no_run_saw_failing_is_named(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    p, f = Status.PASS, Status.FAIL
    files.write(
        iris__fails=f"{_W}k/image/read,Fail\nk/math/exp,Fail\n",
        v3d__fails=f"{_W}k/math/exp,Fail\n",
        iris__flakes=f"{_W}k/math/sin,Fail,1/90\n",
        iris__mesa26_d_2__fails=f"{_W}k/math/exp,Crash\n",
    )
    runs = [
        write_run(files.folder, n, k_math_exp=(p,), k_math_sin=(p,), k_image_read=(f, f) if n == 3 else (p,))
        for n in range(QUIET_RUNS)
    ]
    assert files.lint(*runs[1:]) == 0
    assert files.lint(*runs) == 1
    output = capsys.readouterr().out
    # The line of another driver, of another release, and a flake that is too rare to be missed yet are not named.
    quiet = f"iris-fails.txt:3: k/math/exp was not seen failing in {QUIET_RUNS} runs ({QUIET_RUNS} passes): delete it"
    assert quiet in output
    assert "1 findings: 1 quiet" in output
    # The history says the same; there its newest runs count, and --quiet-runs says how many.
    history = str(files.folder / "history.sqlite")
    with History(Path(history), create=True) as filled:
        for run in runs:
            filled.add(Path(run))
    assert files.lint("--history", history) == 1
    assert quiet in capsys.readouterr().out
    assert files.lint("--history", history, "--quiet-runs", str(QUIET_RUNS + 1)) == 0
    assert files.lint("--history", history, "--quiet-runs", "6") == 1
    output = capsys.readouterr().out
    for words in (
        "iris-fails.txt:2: k/image/read was not seen failing in 6 runs (6 passes)",
        "iris-fails.txt:3: k/math/exp",
        "iris-flakes.txt:2: k/math/sin",
    ):
        assert words in output
    assert files.lint("--history", history, "--quiet-runs", "7") == 1
    assert "k/image/read" not in capsys.readouterr().out  # it failed in the seventh


def test_a_flake_is_quiet_once_its_rate_makes_so_many_passes_incredible(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    files.write(iris__flakes=f"{_W}k/math/exp,Fail,9/20\nk/math/sin,Fail,1/20\n")
    runs = [write_run(files.folder, n, k_math_exp=(Status.PASS,) * 5, k_math_sin=(Status.PASS,) * 5) for n in range(5)]
    # The 95 % interval of 9/20 begins at 26 %: 0.74 ** 20 = 0.002, 0.74 ** 25 = 0.0005; that of 1/20 at 0.9 %.
    assert files.lint(*runs[1:]) == 0
    assert files.lint(*runs) == 1
    assert "k/math/exp was not seen failing in 5 runs (25 passes)" in (output := capsys.readouterr().out)
    assert "k/math/sin" not in output


def test_a_line_that_still_fails_in_one_release_is_not_quiet(files: Files) -> None:
    files.write(iris__fails=f"{_W}k/math/exp,Fail\n")
    old = write_run(files.folder, 0, k_math_exp=(Status.FAIL,))
    new = [write_run(files.folder, n, "26.2.6", k_math_exp=(Status.PASS,)) for n in range(1, QUIET_RUNS + 3)]
    assert files.lint(*new) == 1
    assert files.lint(old, *new) == 0
