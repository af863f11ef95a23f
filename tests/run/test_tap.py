"""What listens for a function does not change it, whoever else listens."""

import traceback
from typing import Any

import pytest

from runner import tap
from runner.child import blame


@tap.told("half")
def half(number: int) -> int:
    """What a function of pyopencl is in these tests."""
    if number % 2:
        raise ValueError("odd")
    return number // 2


def test_every_listener_hears_of_a_call_and_of_how_it_ended() -> None:
    heard: list[Any] = []

    def listener(number: int) -> tap.Steps:
        heard.append(number)
        try:
            heard.append((yield))
        except ValueError as error:
            heard.append(str(error))
            raise KeyError from error  # a slip of the listener's

    with tap.listening({"half": listener}), tap.listening({"half": heard.append}):
        assert half(8) == 4
        with pytest.raises(ValueError, match="odd") as raised:
            half(7)
    half(6)
    assert heard == [8, 8, 4, 7, 7, "odd"]
    names = [frame.name for frame in traceback.extract_tb(raised.value.__traceback__)]
    assert "listener" not in names
    assert names[-1] == "half"


def test_a_wrong_call_is_refused_by_the_function() -> None:
    heard: list[int] = []
    with tap.listening({"half": heard.append}), pytest.raises(TypeError, match="'number'"):
        half()  # type: ignore[call-arg]
    assert not heard


def test_a_wrong_call_is_shown_where_the_suite_makes_it() -> None:
    suite: dict[str, Any] = {"__name__": "suite_own.run"}
    exec(compile("def body(half):\n    half(other=1)\n", "run.py", "exec"), suite)
    with pytest.raises(TypeError) as raised:
        suite["body"](half)
    assert blame.describe(raised.value).endswith("(run.py:2)")
