"""The terminal during a run: one line that is never cut, a credible time, colours if they show."""

import io
from collections import Counter

import pytest

from runner.model import Verdict
from runner.output.terminal import Progress, paint, progress_line


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


COUNTS = Counter(
    {Verdict.PASS: 5430, Verdict.EXPECTED_FAIL: 1036, Verdict.FAIL: 12, Verdict.IMPROVED_PASS: 3, Verdict.SKIP: 552}
)


def test_what_is_done_comes_first_then_the_time_then_the_red_counts() -> None:
    line = progress_line(COUNTS, 14066, 120.0, 200)
    assert line == ("7033/14066  2 min left  Fail 12, ExpectedFail 1036, Pass 5430, Skip 552, UnexpectedImprovement(Pass) 3")


@pytest.mark.parametrize("width", [20, 40, 60, 79, 100])
def test_no_word_is_cut_at_any_width(width: int) -> None:
    line = progress_line(COUNTS, 14066, 120.0, width)
    known = {f"{verdict} {number}" for verdict, number in COUNTS.items()}
    words = line.split("  ")[2].split(", ") if line.count("  ") == 2 else []
    assert len(line) <= max(width, len("7033/14066  2 min left"))
    assert all(word in known or word.startswith("others ") for word in words)
    assert not words or sum(int(word.rsplit(" ", 1)[1]) for word in words) == COUNTS.total()


@pytest.mark.parametrize(
    ("done", "spent_s", "text"),
    [
        (1, 3.5, ""),  # the first case waited for the driver
        (1000, 10.0, "2 min left"),
        (6900, 100.0, "less than a minute left"),
        (150, 300.0, "3 h 49 min left"),
        (1, 17.4, ""),  # else 34 hours
        (139, 200.0, ""),
    ],
)
def test_the_time_that_is_left_is_said_in_minutes_once_it_is_known(done: int, spent_s: float, text: str) -> None:
    line = progress_line(Counter({Verdict.PASS: done}), 7018, spent_s, 200)
    assert line == "  ".join(filter(None, (f"{done}/7018", text, f"Pass {done}")))


def test_a_run_of_few_cases_says_nothing_of_its_time() -> None:
    assert progress_line(Counter({Verdict.PASS: 2}), 3, 12.0, 200) == "2/3  Pass 2"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert paint("RED", "red", Terminal()) == "\033[31mRED\033[0m"
    assert paint("RED", "red", io.StringIO()) == "RED"
    monkeypatch.setenv(name, value)
    assert paint("RED", "red", Terminal()) == "RED"


def test_a_dumb_terminal_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    stream = Terminal()
    progress = Progress(1, stream)
    progress.add("a/b", Verdict.FAIL, "value: wrong", red=True)
    progress.finish()
    assert stream.getvalue() == "Fail: a/b: value: wrong\n"
