"""doubles.npz holds what mpmath gives, and the references in float64 agree with it."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from mutation import SUITES

from runner import check
from runner.importing import import_suite_module

generate: Any = import_suite_module(SUITES / "kernels", "math_functions.generate")
stored: Any = import_suite_module(SUITES / "kernels", "math_functions.stored")
answer: Any = import_suite_module(SUITES / "kernels", "math_functions.answer")
geometric: Any = import_suite_module(SUITES / "kernels", "common.geometric")
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


def test_values_that_only_a_limit_holds_are_not_prescribed() -> None:
    edges = import_suite_module(SUITES / "kernels", "math_functions.edges")
    table = import_suite_module(SUITES / "kernels", "math_functions.table")
    assert ((-1.0, 2147483647), -1.0, None) in edges.LIMITED["pown"]
    assert {row[1] for row in edges.LIMITED["half_powr"]} == {1.0}, (
        "no table names half_powr: 8192 units, as of any other number"
    )
    for name, rows in edges.LIMITED.items():
        assert table.BUILTINS[name].limits[0] > 0, name
        assert not {row[0] for row in rows} & {row[0] for row in edges.EDGES[name]}, name


def test_every_builtin_has_a_reference() -> None:
    table = import_suite_module(SUITES / "kernels", "math_functions.table")
    limited = [n for n, b in table.BUILTINS.items() if b.limits[0] < float("inf")]
    dtype = np.dtype(np.float32)
    assert all(callable(reference.reference(name, dtype)) for name in limited)


def test_mad_of_the_embedded_profile_is_a_product_and_a_sum() -> None:
    inputs = [column[:, None] for column in stored.columns("mad", "float")]
    with np.errstate(all="ignore"):
        right = inputs[0] * inputs[1] + inputs[2]
        wrong = [np.where(right == 1, 2, right), right * np.float32(1.001), -right, inputs[0] * inputs[1]]

    def require(got: Any) -> None:
        answer.require("mad", "float", np.inf, inputs, [got], [right], denormals=False)

    require(right)
    for got in wrong:
        with pytest.raises(check.Mismatch):
            require(got.astype(np.float32))


@pytest.mark.parametrize("name", ["dot", "length", "normalize"])
def test_geometric_builtins_of_the_embedded_profile_have_a_limit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    device = SimpleNamespace(device=SimpleNamespace(profile="EMBEDDED_PROFILE", single_fp_config=0))
    params: dict[str, Any] = {"builtin": name, "type": "float", "width": 3}
    off = 0.0

    def evaluated(_device: Any, name: str, _floating: str, vectors: list[Any]) -> Any:
        exact = geometric._reference(name, [v.astype(np.longdouble) for v in vectors])
        return (exact * np.longdouble(1 + off)).astype(np.float32)

    monkeypatch.setattr(geometric, "_evaluate", evaluated)
    geometric.check_geometric(device, **params)
    off = 2.0**-18
    with pytest.raises(check.Mismatch):
        geometric.check_geometric(device, **params)
