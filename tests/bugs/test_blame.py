"""Whose an exception is: a slip of the suite is never a regression of the driver."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from mutation import SUITES, cases_of

from runner.child import __main__ as child
from runner.child import blame
from runner.model import Status


def within(module: str, text: str) -> Callable[..., Any]:
    """The function `f` of a text, as if it stood in a module of this name."""
    names: dict[str, Any] = {"__name__": module, "np": np}
    exec(compile(text, f"/x/{module.replace('.', '/')}.py", "exec"), names)
    function: Callable[..., Any] = names["f"]
    return function


def raised(function: Callable[..., Any], *args: Any) -> Exception:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whichever it is
        function(*args)
    return caught.value


CALL = "def f(inner):\n    inner()"


@pytest.mark.parametrize(
    "slip", ["{}['width']", "[][0]", "int('x')", "assert_()", "np.zeros(3).reshape(2)", "1 / 0", "open('/no/such/file')"]
)
def test_what_a_body_raises_is_the_suites(slip: str) -> None:
    text = f"def assert_():\n    raise AssertionError\ndef f():\n    {slip}"
    error = raised(within("suite_kernels_1.integer.functions", text))
    assert not blame.is_answer(error)
    assert "functions.py:" in blame.describe(error)


@pytest.mark.parametrize("layer", ["pyopencl.array", "tinygrad.engine.realize", "pyvkfft.base", "reikna.fft"])
def test_what_the_layer_below_raises_is_an_answer(layer: str) -> None:
    inner = within(layer, "def f():\n    [][0]")
    assert blame.is_answer(raised(within("suite_tinygrad_1.nn.run", CALL), inner))
    numpy_in_it = within(layer, "def f():\n    np.zeros(3).reshape(2)")
    assert blame.is_answer(raised(within("suite_tinygrad_1.nn.run", CALL), numpy_in_it))


def test_what_the_layer_raises_of_its_own_is_an_answer_without_a_frame_of_it() -> None:
    error = type("LogicError", (Exception,), {"__module__": "pyopencl._cl"})

    def fail() -> None:
        raise error

    assert blame.is_answer(raised(within("suite_models_1.run", CALL), fail))


def test_what_a_body_raises_is_the_suites_even_if_the_layer_calls_it_back() -> None:
    step = within("suite_tinygrad_1.training.run", "def f():\n    {}['width']")
    error = raised(within("suite_tinygrad_1.nn.run", CALL), lambda: within("tinygrad.engine.jit", CALL)(step))
    assert not blame.is_answer(error)
    assert "training/run.py" not in blame.describe(error)
    assert blame.describe(error) == "KeyError: 'width' (run.py:2)"


@pytest.mark.parametrize("slip", ["np.no_such_name", "no_such_name", "f(1)"])
def test_a_misspelt_name_and_a_wrong_call_are_the_suites_wherever_they_are_noticed(slip: str) -> None:
    assert not blame.is_answer(raised(within("tinygrad.tensor", f"def f():\n    {slip}")))


@pytest.mark.parametrize(("old", "new"), [("width", "widht"), ("builtin", "build"), ("type", "")])
def test_a_misspelt_or_missing_parameter_of_a_case_is_an_error(old: str, new: str) -> None:
    cases = cases_of("kernels")
    case = next(case for case in cases if case.kind == "relational.compare")
    params = {new if name == old else name: value for name, value in case.params.items() if name != old or new}
    status, message = child._run(None, SUITES / "kernels", replace(case, params=params), 0, lambda _: None)
    assert status is Status.ERROR
    assert message.startswith("body: TypeError: check_compare() ")
    assert repr(new or old) in message
