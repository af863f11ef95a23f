"""doubles.npz holds what mpmath gives, and the references in float64 agree with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mutation import SUITES

from runner import check
from runner.importing import import_suite_module

generate: Any = import_suite_module(SUITES / "kernels", "math_functions.generate")
stored: Any = import_suite_module(SUITES / "kernels", "math_functions.stored")
reference: Any = import_suite_module(SUITES / "kernels", "math_functions.reference")


@pytest.mark.parametrize("name", stored.STORED)
def test_a_sample_of_the_file_is_what_mpmath_gives(name: str) -> None:
    count = stored.columns(name)[0].size
    rows = range(7, count, count // 40)
    near, rest = generate.values(name, rows)
    kept = np.load(stored.FILE)
    np.testing.assert_array_equal(kept[f"{name}.near"][rows], near)
    np.testing.assert_array_equal(kept[f"{name}.rest"][rows], rest)


@pytest.mark.parametrize("name", stored.STORED)
def test_float64_is_close_to_the_file(name: str) -> None:
    columns = [column.astype(np.float64) for column in stored.columns(name)]
    with np.errstate(all="ignore"):
        plain = np.asarray(reference.reference(name, np.dtype(np.float64))(*columns), dtype=np.float64)
        precise = stored.reference(name, plain)
        few = np.abs(precise) < np.finfo(np.float64).max / 4
    error = check.ulp_error(plain[few], precise[few])
    assert np.max(error[np.isfinite(error)]) < 2**20  # far below a unit of float


def test_every_builtin_has_a_reference() -> None:
    table = import_suite_module(SUITES / "kernels", "math_functions.table")
    limited = [n for n, b in table.BUILTINS.items() if b.limits[0] < float("inf")]
    dtype = np.dtype(np.float32)
    assert all(callable(reference.reference(name, dtype)) for name in limited)
