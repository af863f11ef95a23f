"""The references of half and of the conversions are two models of one rule; they must agree."""

from pathlib import Path

import numpy as np
import pytest

from runner.importing import import_suite_module

_SUITE = Path(__file__).parents[2] / "suites" / "kernels"


@pytest.mark.parametrize("source", ["float", "double"])
@pytest.mark.parametrize("mode", ["rte", "rtz", "rtp", "rtn"])
def test_two_models_round_to_half_alike(source: str, mode: str) -> None:
    rounding = import_suite_module(_SUITE, "half.rounding")
    exact = import_suite_module(_SUITE, "conversion.exact")
    values = rounding.numbers(source, 48 * 256)[:2000]
    want = np.array([exact.round_to_float(v.item(), "half", mode) for v in values])
    got = rounding.round_to_half(values, mode).astype(np.float64)
    assert np.array_equal(got, want, equal_nan=True)
    assert np.array_equal(np.signbit(got), np.signbit(want))


def test_the_numbers_hold_what_shows_each_mode() -> None:
    """For each pair of modes some number is rounded differently; ties, denormals and overflow are among them."""
    rounding = import_suite_module(_SUITE, "half.rounding")
    values = rounding.numbers("float", 48 * 256)
    rounded = [rounding.round_to_half(values, mode) for mode in ("rte", "rtz", "rtp", "rtn")]
    for n, one in enumerate(rounded):
        for other in rounded[:n]:
            assert np.count_nonzero(one != other) > 1000
    finite = np.isfinite(values)
    assert np.count_nonzero(np.isinf(rounded[0]) & finite) > 10
    assert np.count_nonzero((np.abs(rounded[0]) < 2.0**-14) & (rounded[0] != 0)) > 100
