"""The checks that every suite relies on: what they accept, what they refuse, and their messages."""

import math
from fractions import Fraction

import numpy as np
import pytest

from runner import check
from runner.check import Mismatch

F = np.float32


def _exact_ulp(got: float, want: Fraction) -> Fraction:
    """|got - want| in units of the last place of float32 at `want`, in exact arithmetic."""
    exponent = math.floor(math.log2(abs(want))) if want else -126
    while Fraction(2) ** (exponent + 1) <= abs(want):
        exponent += 1
    unit = Fraction(2) ** (max(exponent, -126) - 23)
    return abs(Fraction(got) - want) / unit


def test_ulp_error_agrees_with_exact_arithmetic() -> None:
    rng = np.random.default_rng(7)
    want = np.ldexp(rng.uniform(-1, 1, 500), rng.integers(-148, 127, 500))
    got = (want * (1 + rng.uniform(-1e-6, 1e-6, 500))).astype(F)
    measured = check.ulp_error(got, want)
    for g, w, m in zip(got, want, measured, strict=True):
        assert m == pytest.approx(float(_exact_ulp(float(g), Fraction(float(w)))), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    ("got", "want", "error"),
    [
        (np.nan, np.nan, 0),
        (np.inf, np.inf, 0),
        (-np.inf, -np.inf, 0),
        (1.0, np.nan, np.inf),
        (np.nan, 1.0, np.inf),
        (0.0, -0.0, 0),
        (np.inf, float(np.finfo(F).max), 1),
        (float(np.finfo(F).max), np.inf, np.inf),
        (1e-45, 0.0, 1),
        (0.0, 2.0**-149, 1),
        (2.0**-24, 0.0, 2.0**125),
        (-np.inf, np.inf, np.inf),
    ],
)
def test_an_ulp_error_has_a_value_at_every_edge(got: float, want: float, error: float) -> None:
    assert check.ulp_error(np.array([got], F), np.array([want]))[0] == error


def test_ulp_takes_the_nearest_of_several_references() -> None:
    got = np.array([0.0, 1.0], F)
    denormal = np.array([1e-40, 1.0])
    check.ulp("f", got, [denormal, np.array([0.0, 1.0])], 0)
    with pytest.raises(Mismatch):
        check.ulp("f", got, [denormal], 0)


def test_a_message_carries_operands_values_and_the_limit() -> None:
    got, want = np.array([1.0, 0.99993896484375], F), np.array([1.0, 1.0])
    with pytest.raises(Mismatch) as caught:
        check.ulp("exp", got, [want], 3, [np.array([0.0, -(2.0**-14)], F)])
    assert str(caught.value) == (
        "value: exp(-0x1p-14 (-6.10352e-05)): got 0x1.fff8p-1 (0.999939) want 0x1p+0 (1), "
        "512 ulp > 3 allowed (1 of 2 wrong) at [1]"
    )


def test_equal_names_the_first_wrong_place() -> None:
    check.equal("x", [1, 2], [1, 2])
    check.equal("x", np.array([np.nan]), np.array([np.nan]))
    check.equal("x", "CL_SUCCESS", "CL_SUCCESS")
    with pytest.raises(Mismatch, match=r"value: x\[1, 0\]: got 3 want 2 \(1 of 4 wrong\)"):
        check.equal("x", [[1, 1], [3, 1]], [[1, 1], [2, 1]])
    with pytest.raises(Mismatch, match=r"got shape \(2,\) want \(3,\)"):
        check.equal("x", np.array([1, 2]), np.array([1, 2, 3]))
    with pytest.raises(Mismatch, match=r"value: x: got 'a\\nb' want b"):
        check.equal("x", "a\nb", "b")
    with pytest.raises(Mismatch, match="api: x: got CL_SUCCESS want CL_INVALID_VALUE"):
        check.equal("x", "CL_SUCCESS", "CL_INVALID_VALUE", stage="api")


def test_equal_names_what_a_list_has_and_should_not_have() -> None:
    with pytest.raises(Mismatch, match=r"value: names: got __opencl_x, y want none$"):
        check.equal("names", ["__opencl_x", "y"], [])
    with pytest.raises(Mismatch, match=r"value: numbers: got none want 0, 1, 2, 3, 4, 5, 6, 7, and 92 more$"):
        check.equal("numbers", [], list(range(100)))
    with pytest.raises(Mismatch, match=r'value: words: got a want ""$'):
        check.equal("words", "a", "")


def test_close_wants_the_same_infinities_and_nans() -> None:
    check.close("x", [np.inf, np.nan, 1.05], [np.inf, np.nan, 1], atol=0.1)
    for got, want in ((np.inf, -np.inf), (1.0, np.nan), (np.nan, 1.0), (1e300, np.inf), (np.inf, 1e300)):
        with pytest.raises(Mismatch):
            check.close("x", [got], [want], atol=0.1, rtol=0.1)
    with pytest.raises(Mismatch, match=r"error 0\.2 > 0\.1 allowed"):
        check.close("x", [1.2], [1.0], atol=0.1)


def test_exact_knows_the_sign_of_zero_and_takes_any_of_several_answers() -> None:
    got = np.array([0.0, -0.0, np.nan, 2.0], F)
    check.exact("f", got, [np.array([0.0, 0.0, np.nan, 1.0], F), np.array([-0.0, -0.0, 0.0, 2.0], F)])
    check.exact("f", np.array([-1, 7], np.int8), [np.array([-1, 7], np.int8)])
    with pytest.raises(Mismatch, match=r"f\(-5 \(0xfb\)\): got 0x0p\+0 \(0\) want -0x0p\+0 \(-0\)"):
        check.exact("f", np.array([0.0], F), [np.array([-0.0], F)], [np.array([-5], np.int8)])


@pytest.mark.parametrize(
    ("wrong", "operand", "message"),
    [
        ([1, 3], [1.0, np.nan, 2.0, np.nan, 3.0], "only where an operand is NaN"),
        ([1, 2], [1.0, 1e-40, 1e-44, 3.0, 4.0], "only where an operand is denormal"),
        ([0, 1, 2, 3, 4], [1.0, 2.0, 3.0, 4.0, 5.0], "all"),
        ([2, 3, 4], [1.0, 2.0, 3.0, 4.0, 5.0], "all from there on"),
        ([0, 2, 4], [1.0, 2.0, 3.0, 4.0, 5.0], "every 2 elements"),
        ([1], [1.0, 2.0, 3.0, 4.0, 5.0], ""),
    ],
)
def test_a_message_names_what_the_wrong_elements_share(wrong: list[int], operand: list[float], message: str) -> None:
    mask = np.zeros(5, bool)
    mask[wrong] = True
    assert check.pattern(mask, [np.array(operand, F)], np.ones(5, F)) == message


def test_a_message_names_the_wrong_component() -> None:
    mask = np.zeros((6, 3), bool)
    mask[1:5, 2] = True
    assert check.pattern(mask, [], np.ones((6, 3), np.int32)) == "only component 2"


def test_every_check_counts_as_a_look() -> None:
    before = check.comparison_count()
    check.true("so", True)
    check.equal("x", 1, 1)
    check.close("x", [1], [1])
    check.ulp("x", np.ones(1, F), [np.ones(1)], 0)
    check.exact("x", np.ones(1, F), [np.ones(1, F)])
    assert check.comparison_count() == before + 5
