"""Constants of another value, ranges that start, step or stop elsewhere, buffers that are never written."""

from collections.abc import Callable
from typing import Any

from mutation import Function, Mutant, MutantGroup, of

from .tinygrad_movement import last_bit, no_launch, one_group_less, scaled_gradient

_ON_DEVICE = "suites.tinygrad.creation.run._on_device"
_TENSOR = "suites.tinygrad.creation.run._tensor"
_LIKE = "tinygrad.Tensor"
_CL = "tinygrad.runtime.ops_cl"


_AREA = MutantGroup("tinygrad/creation")
_code = _AREA.code


def _call(name: str, case: str, place: str, change: Callable[..., Any]) -> Mutant:
    return _AREA.call(name, case, place, of(change))


def _launch(name: str, case: str, place: str, wrap: Callable[[Function], Function]) -> Mutant:
    return _AREA.call(name, case, f"{_CL}.{place}", wrap)


MUTANTS = [
    _call(
        "range_from_one",
        "arange.int32.thousand",
        _ON_DEVICE,
        lambda f, *a, start, stop, **k: f(*a, start=start + 1, stop=stop + 1, **k),
    ),
    _call("range_backward", "arange.int32.backward", _ON_DEVICE, lambda f, *a, **k: f(*a, **k).flip(0)),
    _call(
        "range_in_float",
        "arange.int64.beyond_32_bits",
        _ON_DEVICE,
        lambda f, *a, dtype, **k: f(*a, dtype="float32", **k).cast(dtype),
    ),
    _call(
        "range_in_int",
        "arange.uint64.beyond_63_bits",
        _ON_DEVICE,
        lambda f, *a, **k: f(*a, **k).cast("int32").cast("uint64"),
    ),
    _call(
        "range_in_half",
        "arange.float32.tenths",
        _ON_DEVICE,
        lambda f, *a, dtype, **k: f(*a, dtype="float16", **k).cast(dtype),
    ),
    _call(
        "range_in_single",
        "arange.float64.tenths",
        _ON_DEVICE,
        lambda f, *a, dtype, **k: f(*a, dtype="float32", **k).cast(dtype),
    ),
    _call(
        "linspace_without_end",
        "linspace.float32.of_33",
        _ON_DEVICE,
        lambda f, *a, start, stop, steps, **k: f(*a, start=start, stop=stop - (stop - start) / steps, steps=steps, **k),
    ),
    _call(
        "linspace_backward",
        "linspace.float64.of_17",
        _ON_DEVICE,
        lambda f, *a, start, stop, **k: f(*a, start=stop, stop=start, **k),
    ),
    _call("eye_of_the_other", "eye.float32", _ON_DEVICE, lambda f, *a, **k: f(*a, **k).flip(0)),
    _call("eye_shifted", "eye.int32", _ON_DEVICE, lambda f, *a, **k: f(*a, **k).roll(1, 1)),
    _call("eye_of_two", "eye.uint8", _ON_DEVICE, lambda f, *a, **k: f(*a, **k) * 2),
    _call("columns_from_one", "grid.int32", _TENSOR, lambda f, *a, **k: f(*a, **k) + 1),
    _call("rows_reversed", "reversed_arange.int32", _TENSOR, lambda f, *a, **k: f(*a, **k).flip(0)),
    _call("like_of_one_more", "likes.int32", f"{_LIKE}.full_like", lambda f, x, v, **k: f(x, v + 1, **k)),
    _call("zeros_of_one", "constant.float32.zeros_like", f"{_LIKE}.zeros_like", lambda f, x, **k: x.ones_like(**k)),
    _code("constant_of_zero", "constant.float32.full_like", r"7\.0f", "0.0f"),
    _code("infinity_is_the_highest", "constant.float32.full.inf", "INFINITY", "0x1.fffffep127f"),
    _code("half_infinity_is_the_highest", "constant.float16.full.inf", "INFINITY", "65504.0f"),
    _code("nan_is_zero", "constant.float32.full.nan", "NAN", "0.0f"),
    _code("zero_without_sign", "constant.float32.full.minus_0", r"-0\.0f", "0.0f"),
    _code("byte_of_two", "constant.bool.ones", r"= 1;|= \(\(bool\)\(1\)\);", "= (bool)0;"),
    _code("lowest_is_next", "constant.int32.full.lowest", r"-2147483648", "-2147483647"),
    _code("even_groups", "constant.int32.full.minus_3.of_1048583", r"get_group_id\(0\)", "(get_group_id(0)&~1)"),
    _launch("one_group_less", "constant.float32.zeros", "CLProgram.__call__", one_group_less),
    _launch("no_launch", "constant.uint8.full.200.of_1", "CLProgram.__call__", no_launch),
    _launch("not_assigned", "empty.int8", "CLProgram.__call__", no_launch),
    _launch("last_bit", "arange.int32.many", "CLAllocator._copyout", last_bit),
    _launch(
        "values_cut",
        "values",
        "CLAllocator._copyin",
        lambda inner: lambda self, to, data: inner(self, to, memoryview(bytearray(data)[:-1] + b"\x55")),
    ),
    _AREA.call("scaled_gradient", "likes.float32.backward", "tinygrad.mixin.gradient.compute_gradient", scaled_gradient),
]
