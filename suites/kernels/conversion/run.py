"""Explicit conversions and reinterpretation (OpenCL C 3.0, 6.4), against rational numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device
from runner.model import Case

from ..integer.run import bounds, edges, saturate, wrap
from ..scalar import np_type, pragmas

Rounding = Callable[[Fraction], int]

ROUNDINGS: dict[str, Rounding] = {"rte": round, "rtz": math.trunc, "rtp": math.ceil, "rtn": math.floor}
FORMATS = {"half": (11, -14, 15), "float": (24, -126, 127), "double": (53, -1022, 1023)}  # digits, exponents


def round_to_float(value: Fraction, type_name: str, mode: str) -> float:
    """`value` in a floating-point type, denormals kept; beyond its range as IEEE 754 says for the mode."""
    digits, least, greatest = FORMATS[type_name]
    if value == 0:
        return 0.0
    exponent = abs(value.numerator).bit_length() - value.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > abs(value)
    unit = Fraction(2) ** (max(exponent, least) - digits + 1)
    rounded = ROUNDINGS[mode](value / unit) * unit
    largest = (2 - Fraction(2) ** (1 - digits)) * Fraction(2) ** greatest
    if abs(rounded) <= largest:
        return float(rounded)
    stays = mode == "rtz" or mode == ("rtn" if value > 0 else "rtp")
    return math.copysign(float(largest) if stays else math.inf, value)


def convert(value: float | int, target: str, mode: str, *, saturated: bool) -> float | int | None:
    """What convert_<target>[_sat]_<mode> gives; None where the specification leaves it open (6.4.3)."""
    if target in FORMATS:
        if isinstance(value, int) and abs(value) > 2 ** FORMATS[target][2]:
            return None  # C99 6.3.1.4: an integer out of a format's range
        return float(value) if not math.isfinite(value) else round_to_float(Fraction(value), target, mode)
    if not math.isfinite(value):
        ends = bounds(target)
        return None if not saturated else 0 if math.isnan(value) else ends[value > 0]
    whole = ROUNDINGS[mode](Fraction(value))
    if saturated:
        return saturate(whole, target)
    if isinstance(value, int) and target.startswith("u"):
        return wrap(whole, target)
    return whole if saturate(whole, target) == whole else None


TIES = (0.0, -0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.1, 1.5, 2.5, 3.5, 99.5, 126.5, 127.5, 254.5, 255.5, 10000.5)


def sources(source: str, target: str) -> NDArray[Any]:
    """Operands: the edges of both types, ties, and for floats their neighbours; no denormals."""
    return _float_sources(source, target) if source in FORMATS else _int_sources(source, target)


def _int_sources(source: str, target: str) -> NDArray[Any]:
    long = [2**k + d for k in range(1, 64) for d in (-3, -1, 0, 1, 3)]  # ties of a shorter mantissa
    values = [*edges(source), *(edges(target) if target not in FORMATS else []), *long, *(-v for v in long)]
    fitting = [v for v in dict.fromkeys(values) if saturate(v, source) == v]
    return np.array(fitting, dtype=np_type(source))


def _float_sources(source: str, target: str) -> NDArray[Any]:
    dtype = np_type(source)
    if target in FORMATS:
        digits, least, greatest = FORMATS[target]
        unit, large = 2.0**-digits, 2.0**greatest
        ends = [(2 - unit) * large, large, 2.0**least, 1 + unit, 1 + 3 * unit, 3e38, 65519.0, 65520.0, np.pi]
    else:
        ends = [float(abs(end) + d) for end in bounds(target) for d in (-1, -0.5, 0, 0.5, 1)]
        ends += [3e9, 1e19, 1e30]
    numbers = np.array([*TIES, *ends])
    with np.errstate(over="ignore"):
        values = np.concatenate([numbers, -numbers]).astype(dtype)
        inwards, upwards = (np.nextafter(values, dtype.type(to)) for to in (0, np.inf))
    values = np.concatenate([values, inwards, upwards])
    values = values[(np.abs(values) >= np.finfo(dtype).tiny) | (values == 0)]
    return np.concatenate([values, np.array([np.inf, -np.inf, np.nan], dtype=dtype)])


def check_convert(device: Device, case: Case) -> None:
    """One conversion function. Params: target, suffix as in its name, source, width."""
    target, suffix, source, width = (case.params[k] for k in ("target", "suffix", "source", "width"))
    mode = suffix[-3:] if suffix[-3:] in ROUNDINGS else "rte" if target in FORMATS else "rtz"
    rows = []
    for raw in sources(source, target):
        want = convert(raw.item(), target, mode, saturated="_sat" in suffix)
        if want is not None:
            rows.append((raw, want))
    rows += rows[: -len(rows) % 48]  # whole vectors of every width
    inputs = np.array([row[0] for row in rows], dtype=np_type(source))
    want = np.array([row[1] for row in rows], dtype=np_type(target))
    w = "" if width == 1 else str(width)
    name = f"convert_{target}{w}{suffix}"
    statement = f"vstore{w}({name}(vload{w}(i, a)), i, r);" if w else f"r[i] = {name}(a[i]);"
    kernel = device.build(
        f"""
{pragmas(target, source)}__kernel void f(__global const {source} *a, __global {target} *r) {{
    size_t i = get_global_id(0);
    {statement}
}}
"""
    ).f
    out = device.buffer(np.zeros(len(rows), dtype=want.dtype))
    device.launch(kernel, [len(rows) // width], None, device.buffer(inputs), out)
    got = device.read(out, want.dtype, len(rows))
    same = (got == want) | ((got != got) & (want != want))
    first = int(np.argmin(same))
    check.equal(f"{name}({check.show(inputs[first])})", got[first], want[first])
    check.equal(name, got, want)


def check_as_type(device: Device, case: Case) -> None:
    """as_typen keeps the bits (6.4.4). Params: target, source (OpenCL C), bytes, used_bytes."""
    target, source = case.params["target"], case.params["source"]
    kernel = device.build(
        f"""
__kernel void f(__global const {source} *a, __global {target} *r) {{
    size_t i = get_global_id(0);
    r[i] = as_{target}(a[i]);
}}
"""
    ).f
    data = device.rng.integers(0, 256, (64, case.params["bytes"]), dtype=np.uint8)
    out = device.buffer(np.zeros_like(data))
    device.launch(kernel, [64], None, device.buffer(data), out)
    used = case.params["used_bytes"]
    check.equal(f"as_{target}({source})", device.read(out, np.uint8, data.shape)[:, :used], data[:, :used])


def check_half_memory(device: Device, case: Case) -> None:
    """vstore_half in one rounding mode, then vload_half: needs no cl_khr_fp16 (6.15.7). Params: mode."""
    mode = case.params["mode"]
    suffix = f"_{mode}" if mode else ""
    kernel = device.build(
        f"""
__kernel void f(__global const float *a, __global half *h, __global float *r) {{
    size_t i = get_global_id(0);
    vstore_half{suffix}(a[i], i, h);
    r[i] = vload_half(i, h);
    vstorea_half4{suffix}(vload4(i, a), i, h + 4096);
}}
"""
    ).f
    samples = device.rng.uniform(1, 2, 400) * 2.0 ** device.rng.integers(-12, 16, 400)
    values = np.concatenate([sources("float", "half"), samples, -samples]).astype(np.float32)
    values = values[np.isnan(values) | (np.abs(values) >= 2.0**-14) | (values == 0)]
    values = np.concatenate([values, values[: -values.size % 4]])
    scalars = values.size // 4  # each of these items stores one number, and four
    halves, out = device.buffer(np.zeros(8192, np.float16)), device.buffer(np.zeros(scalars, np.float32))
    device.launch(kernel, [scalars], None, device.buffer(values), halves, out)
    want = np.array([convert(v.item(), "half", mode or "rte", saturated=False) for v in values])
    got = device.read(halves, np.float16, 8192)
    check.ulp(f"vstore_half{suffix}", got[:scalars], [want[:scalars]], 0, [values[:scalars]])
    check.ulp(f"vstorea_half4{suffix}", got[4096:][: values.size], [want], 0, [values])
    rest = np.concatenate([got[scalars:4096], got[4096 + values.size :]])
    check.equal("what nothing was stored to", rest, np.zeros_like(rest))
    check.equal("vload_half", device.read(out, np.float32, scalars), want[:scalars])


BODIES = {
    "conversion.convert": check_convert,
    "conversion.as_type": check_as_type,
    "conversion.half_memory": check_half_memory,
}
