"""half as a type (cl_khr_fp16): operators, and every half converted to other types."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.floating import overflowed
from ..kit.scalar import np_type, pragmas
from .rounding import Half, every_half, round_to_half
from .table import INTEGERS, OPERATORS, suffix

_MIN_NORMAL_HALF = 2.0**-14

# In float64, sums and products of halves are exact, and a quotient has more than three times half's digits.
_EXACT: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "negate": lambda a, b: -a,
    "plus": lambda a, b: a,
    "assign_add": lambda a, b: a + b,
    "assign_mul": lambda a, b: a * b,
    "choose": lambda a, b: np.where(a < b, a, b),
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "greater": lambda a, b: a > b,
    "greater_equal": lambda a, b: a >= b,
    "equal": lambda a, b: a == b,
    "not_equal": lambda a, b: a != b,
    "not": lambda a, b: a == 0,
    "and": lambda a, b: (a != 0) & (b != 0),
    "or": lambda a, b: (a != 0) | (b != 0),
}


def keeps_denormals(device: Device) -> bool:
    """Whether the device has CL_FP_DENORM for half."""
    return bool(device.device.half_fp_config & cl.device_fp_config.DENORM)


def mode_of(device: Device) -> str:
    """The default rounding mode: to nearest, if the device has it (API 3.0, CL_DEVICE_HALF_FP_CONFIG)."""
    nearest = device.device.half_fp_config & cl.device_fp_config.ROUND_TO_NEAREST
    return "rte" if nearest else "rtz"


def flush(values: Half, zero: float) -> Half:
    """The values with denormals replaced by `zero`."""
    denormal = (np.abs(values) < np.float16(_MIN_NORMAL_HALF)) & (values != 0)
    return np.where(denormal, np.float16(zero), values)


def _operands() -> tuple[Half, Half]:
    """Edges crossed with edges, and random halves: 48 * 48 pairs."""
    edges = [0, 1, -1, 2, 0.5, -0.5, 3, -3, 1 / 3, 1000, -2047, 2048, 65504, -65504, 32768, np.inf, -np.inf, np.nan]
    edges += [2.0**-14, -(2.0**-14), 2.0**-24, 2.0**-15, -(2.0**-24) * 3, 1 + 2.0**-10, 1 - 2.0**-11, -0.0, 0.1, 255]
    a = np.array(edges, np.float16)
    x, y = (grid.ravel() for grid in np.meshgrid(a, a))
    rest = 48 * 48 - x.size
    random = np.random.default_rng(2).integers(0, 1 << 16, (2, rest), dtype=np.uint16).view(np.float16)
    cancel = np.where(np.arange(rest) % 4, random[1], -random[0])
    return np.concatenate([x, random[0]]), np.concatenate([y, cancel])


def _reference(name: str, a: Half, b: Half, mode: str) -> Half:
    with np.errstate(all="ignore"):
        if name == "scalar":  # two roundings, or only one if the compiler contracts
            product = round_to_half(a.astype(np.float64) * 3, mode)
            return round_to_half(product.astype(np.float64) - 0.5, mode)
        return round_to_half(np.asarray(_EXACT[name](a.astype(np.float64), b.astype(np.float64))), mode)


def _quotients(a: Half, b: Half, mode: str, *, denormals: bool) -> list[NDArray[np.float64]]:
    """a / b before rounding, and other right values if denormals are flushed; the limit of 1 ULP counts from these."""
    tops = np.full(a.shape, np.finfo(np.float16).max if mode == "rtz" else np.inf)
    zeros = () if denormals else (0.0, -0.0)
    wants = []
    for x in (a, *(flush(a, zero) for zero in zeros)):
        for y in (b, *(flush(b, zero) for zero in zeros)):
            with np.errstate(all="ignore"):
                exact = x.astype(np.float64) / y.astype(np.float64)
            beyond = np.isfinite(exact) & np.isinf(overflowed(exact, "half"))
            wants.append(np.where(beyond, np.copysign(tops, exact), exact))
    low = _MIN_NORMAL_HALF * (1 + 2.0**-10)  # within the limit of a denormal
    return wants + [np.where(np.abs(want) < low, zero, want) for want in wants for zero in zeros]


def check_operator(device: Device, *, operator: str, width: int) -> None:
    """One operator, on scalars or on vectors."""
    expression, kind, _ = OPERATORS[operator]
    w = suffix(width)
    load = "{0}_[i]" if width == 1 else f"vload{width}(i, {{0}}_)"
    truth = "int" if width == 1 else "short"
    result = "half" if kind == "half" else truth
    store = f"r[i] = {expression};" if width == 1 else f"vstore{width}({expression}, i, r);"
    kernel = device.build(
        f"""
{pragmas("half")}__kernel void f(__global const half *a_, __global const half *b_, __global {result} *r) {{
    size_t i = get_global_id(0);
    half{w} a = {load.format("a")}, b = {load.format("b")};
    {store}
}}
"""
    ).f
    a, b = _operands()
    if not keeps_denormals(device) and (kind == "truth" or operator == "choose"):
        normal = ~((np.abs(a) < _MIN_NORMAL_HALF) & (a != 0)) & ~((np.abs(b) < _MIN_NORMAL_HALF) & (b != 0))
        a, b = (x[normal] for x in (a, b))
        a, b = (x[: x.size // 48 * 48] for x in (a, b))
    out = device.buffer(np.zeros(a.size, np_type(result)))
    device.launch(kernel, [a.size // width], None, device.buffer(a), device.buffer(b), out)
    got = device.read(out, np_type(result), (a.size // width, width))
    a, b = (x.reshape(got.shape) for x in (a, b))
    if kind == "truth":
        want = np.asarray(_EXACT[operator](a.astype(np.float64), b.astype(np.float64)))
        true = 1 if width == 1 else -1
        check.equal(f"{expression} on half{w}", got, (want * true).astype(got.dtype), inputs=[a, b])
        return
    mode = mode_of(device)
    if operator == "div":
        wanted = _quotients(a, b, mode, denormals=keeps_denormals(device))
        check.ulp(f"{expression} on half{w}", got, wanted, 1, [a, b])
        return
    wants = [_reference(operator, a, b, mode)]
    if operator == "scalar":
        with np.errstate(all="ignore"):
            wants.append(round_to_half(a.astype(np.float64) * 3 - 0.5, mode))
    if not keeps_denormals(device):
        xs, ys = ((x, flush(x, 0.0), flush(x, -0.0)) for x in (a, b))
        wants += [_reference(operator, x, y, mode) for x in xs for y in ys]
        wants += [flush(want, zero) for want in wants for zero in (0.0, -0.0)]
    check.exact(f"{expression} on half{w}", got, wants, [a, b])


def check_to(device: Device, *, target: str) -> None:
    """Every half is converted to another type: exactly to a wider one, saturated and to nearest to an integer."""
    name = f"convert_{target}{'_sat_rte' if target in INTEGERS else ''}"
    kernel = device.build(
        f"""
{pragmas("half", target)}__kernel void f(__global const half *a, __global {target} *r) {{
    for (size_t i = get_global_id(0); i < 65536; i += get_global_size(0))
        r[i] = {name}(a[i]);
}}
"""
    ).f
    halves = every_half()
    dtype = np_type(target)
    out = device.buffer(np.zeros(halves.size, dtype))
    device.launch(kernel, [256], None, device.buffer(halves), out)
    got = device.read(out, dtype, halves.size)
    wants: list[NDArray[Any]] = [halves.astype(dtype)] if dtype.kind == "f" else [_saturated(halves, dtype)]
    if dtype.kind == "f" and not keeps_denormals(device):
        wants += [flush(halves, zero).astype(dtype) for zero in (0.0, -0.0)]
    check.exact(name, got, wants, [halves])


def _saturated(halves: Half, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The halves as integers, by Python's, because the ends of long are not in float64."""
    info = np.iinfo(dtype)
    with np.errstate(invalid="ignore"):
        whole = np.rint(halves.astype(np.float64))
    ends = {np.inf: info.max, -np.inf: info.min}
    numbers = [0 if np.isnan(x) else ends[x] if x in ends else int(x) for x in whole.tolist()]
    return np.array([min(max(x, int(info.min)), int(info.max)) for x in numbers], dtype)
