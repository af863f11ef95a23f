"""Conversions and operations on every pair of components: a compiler that packs two narrow values must select both.

OpenCL C 3.0, 6.3.7 and 6.4.3.
"""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas

_ITEMS = 64
PAIRS = list(itertools.product(range(2), repeat=2))
_CONSTANTS = ((5, 5), (3, 9))  # some instructions can encode only one number
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "min({0}, {1})": np.minimum,
    "max({0}, {1})": np.maximum,
    "{0} * {1}": lambda v, k: v * k,
    "{1} - {0}": lambda v, k: k - v,
    "{0} + {1}": lambda v, k: v + k,
    "{0} - {1}": lambda v, k: v - k,
}


def check_pairs(device: Device, *, source: str, target: str) -> None:
    """Each pair of four components is converted to a vector of two. `source`, `target`: scalar types; values fit both."""
    pairs = list(itertools.product(range(4), repeat=2))
    lines = "\n    ".join(f"r[16 * i + {n}] = convert_{target}2(a[i].s{p}{q});" for n, (p, q) in enumerate(pairs))
    kernel = device.build(
        f"""{pragmas(source, target)}
__kernel void f(__global const {source}4 *a, __global {target}2 *r) {{
    uint i = get_global_id(0);
    {lines}
}}
"""
    ).f
    data = device.rng.integers(0, 128, (_ITEMS, 4)).astype(np_type(source))
    out = device.buffer(np.zeros((_ITEMS, 16, 2), np_type(target)))
    device.launch(kernel, [_ITEMS], None, device.buffer(data), out)
    want = data[:, pairs].astype(np_type(target))
    check.equal(f"pairs of {source}4 as {target}2", device.read(out, np_type(target), want.shape), want)


def check_pairs_of_wide(device: Device, *, type: str) -> None:
    """Pairs of four ints or floats, which are narrowed before the pair is selected, or after it."""
    forms, pairs = ("convert_{t}4(a[i]).s{p}{q}", "convert_{t}2(a[i].s{p}{q})"), list(itertools.product(range(4), repeat=2))
    source = pragmas(type)
    for wide in ("int", "float"):
        rows = [form.format(t=type, p=p, q=q) for form, (p, q) in itertools.product(forms, pairs)]
        lines = "\n    ".join(f"r[{len(rows)} * i + {n}] = {row};" for n, row in enumerate(rows))
        source += f"""
__kernel void of_{wide}(__global const {wide}4 *a, __global {type}2 *r) {{
    uint i = get_global_id(0);
    {lines}
}}
"""
    program = device.build(source)
    for wide in ("int", "float"):
        data = device.rng.integers(0, 128, (_ITEMS, 4)).astype(np_type(wide))
        want = np.tile(data[:, pairs].astype(np_type(type)), (1, len(forms), 1))
        out = device.buffer(np.zeros_like(want))
        device.launch(getattr(program, f"of_{wide}"), [_ITEMS], None, device.buffer(data), out)
        check.equal(f"pairs of {wide}4 as {type}2", device.read(out, want.dtype, want.shape), want)


def check_packed(device: Device, *, type: str) -> None:
    """a * b + c on two components each. The values are small, so that each step is exact."""
    product = "fma({0}, {1}, {2})" if type == "half" else "{0} * {1} + {2}"
    # A Latin square, so that every pair of choices for two operands occurs.
    choices = [(p, q, PAIRS[(m + n) % 4]) for (m, p), (n, q) in itertools.product(enumerate(PAIRS), repeat=2)]
    operands = [[f"{name}[i].s{k}{m}" for name, (k, m) in zip("abc", pairs, strict=True)] for pairs in choices]
    lines = "\n    ".join(f"r[{len(choices)} * i + {n}] = {product.format(*names)};" for n, names in enumerate(operands))
    kernel = device.build(
        f"""{pragmas(type)}
__kernel void f(__global const {type}2 *a, __global const {type}2 *b, __global const {type}2 *c, __global {type}2 *r) {{
    uint i = get_global_id(0);
    {lines}
}}
"""
    ).f
    kind = np_type(type)
    a, b, c = (device.rng.integers(0, 8, (_ITEMS, 2)) for _ in range(3))
    out = device.buffer(np.zeros((_ITEMS, len(choices), 2), kind))
    device.launch(kernel, [_ITEMS], None, *(device.buffer(x.astype(kind)) for x in (a, b, c)), out)
    at = np.array(choices)
    want = (a[:, at[:, 0]] * b[:, at[:, 1]] + c[:, at[:, 2]]).astype(kind)
    check.equal(f"{product.format('a', 'b', 'c')} of pairs of {type}2", device.read(out, kind, want.shape), want)


def check_beside_constant(device: Device, *, type: str) -> None:
    """Operators on two components, in each order, and a constant; and comparisons of a sum.

    Signed values are small, so that nothing overflows; unsigned ones wrap.
    """
    kind = np_type(type)
    low, high = (0, np.iinfo(kind).max + 1) if type[0] == "u" else (-10, 11)
    a = device.rng.integers(low, high, (_ITEMS, 2)).astype(kind)
    constants = {f"({type}2)({k[0]}, {k[1]})": np.array(k, kind) for k in _CONSTANTS}
    b = a + np.array(_CONSTANTS, kind)[device.rng.integers(0, 2, _ITEMS)]  # the sum with one of the two
    rows = [
        (operator.format(f"a[i].s{p[0]}{p[1]}", literal), f(a[:, p], constant))
        for (operator, f), p, (literal, constant) in itertools.product(_OPERATORS.items(), PAIRS, constants.items())
    ]
    rows += [
        (f"as_{type}2(a[i] + {literal} == b[i])", -(a + constant == b).astype(kind))
        for literal, constant in constants.items()
    ]
    lines = "\n    ".join(f"r[{len(rows)} * i + {n}] = {code};" for n, (code, _) in enumerate(rows))
    kernel = device.build(
        f"""
__kernel void f(__global const {type}2 *a, __global const {type}2 *b, __global {type}2 *r) {{
    uint i = get_global_id(0);
    {lines}
}}
"""
    ).f
    out = device.buffer(np.zeros((_ITEMS, len(rows), 2), kind))
    device.launch(kernel, [_ITEMS], None, device.buffer(a), device.buffer(b), out)
    got = device.read(out, kind, (_ITEMS, len(rows), 2))
    for n, (code, want) in enumerate(rows):
        check.equal(code.replace("[i]", ""), got[:, n], want)
