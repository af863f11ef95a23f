"""cl_khr_integer_dot_product (OpenCL C 3.0, 6.15.3): the functions, and the device's queries about them."""

import ctypes
import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit import opencl
from ..kit.integers import bounds, edges, saturate
from ..kit.scalar import np_type
from .constant import literal
from .dot_table import DOTS, Dot

_CAPABILITIES, _PACKED_BIT, _UNPACKED_BIT = 0x1073, 1, 2
_ACCELERATION = {"4x8bit": 0x1074, "4x8packed": 0x1075}


def bytes_of(inputs: str, rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Two operands of four bytes for each work-item, as (256, 4) arrays of bits."""
    if inputs == "lane":  # one component counts, the others are multiplied by zero
        values = np.array([e % 256 for e in edges("char", 8)], np.uint8)
        pairs = np.array(list(itertools.product(values, values)), np.uint8)
        a, b = (rng.integers(0, 256, (4, 64, 4), dtype=np.uint8) for _ in range(2))
        for lane in range(4):
            others = [i for i in range(4) if i != lane]
            a[lane, :, others[:2]], b[lane, :, others[2:]], b[lane, :, others[:2]] = 0, 0, 255
            a[lane, :, lane], b[lane, :, lane] = pairs[:, 0], pairs[:, 1]
        return a.reshape(256, 4), b.reshape(256, 4)
    if inputs == "edges":
        values = np.array([0, 1, 127, 128, 129, 254, 255], np.uint8)
        return tuple(rng.choice(values, (256, 4)) for _ in range(2))  # type: ignore[return-value]
    same = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 4, axis=1)  # all components grow together
    return same, (same if inputs == "squares" else 255 - same)


def model(dot: Dot, a: NDArray[np.uint8], b: NDArray[np.uint8], acc: NDArray[np.int64]) -> list[int]:
    """The exact sums; with an accumulation, saturated to the result's type."""
    x = a.view(np.int8) if dot.kinds[0] == "s" else a
    y = b.view(np.int8) if dot.kinds[1] == "s" else b
    sums = (x.astype(np.int64) * y.astype(np.int64)).sum(axis=1)
    if not dot.accumulates:
        return [int(s) for s in sums]
    return [saturate(int(s) + int(c), dot.result) for s, c in zip(sums, acc, strict=True)]


def check_dot(device: Device, *, function: str, inputs: str) -> None:
    """A dot product, compared with exact sums. `function`: a name of DOTS."""
    dot = DOTS[function]
    kernel = device.build(dot.source, "-cl-std=CL3.0").f
    a, b = bytes_of(inputs, device.rng)
    low, high = bounds(dot.result)
    near = [low, high, 0, 1, high - 4 * 255 * 255, low + 4 * 255 * 128, high - 1, high // 2, low + 65025, high - 1020]
    acc = np.resize(np.array(near, np.int64), 256)
    want = np.array(model(dot, a, b, acc), np_type(dot.result))
    out = device.buffer(np.zeros(256, want.dtype))
    device.launch(kernel, [256], None, *map(device.buffer, (a, b, acc.astype(want.dtype))), out)
    got = device.read(out, want.dtype, 256)
    words = [a.view(np.uint32).ravel(), b.view(np.uint32).ravel()]
    check.equal(dot.call, got, want, words + ([acc.astype(want.dtype)] if dot.accumulates else []))


def check_dot_constant(device: Device, *, function: str) -> None:
    """Dot products of constants."""
    dot = DOTS[function]
    rows = [((1, 2, 3, 4), (5, 6, 7, 8), 9), ((255, 128, 127, 1), (255, 255, 127, 254), 0)]
    rows += [((128, 128, 128, 128), (128, 128, 128, 128), 1), ((0, 255, 0, 200), (3, 0, 250, 129), 7)]
    calls = []
    for a, b, acc in rows:
        named = [_constant(dot, 0, a), _constant(dot, 1, b), f"({dot.result}){acc}"]
        calls.append(f"{dot.name}({', '.join(named[: 3 if dot.accumulates else 2])})")
    stores = " ".join(f"r[{i}] = {call};" for i, call in enumerate(calls))
    kernel = device.build(f"__kernel void f(__global {dot.result} *r) {{ {stores} }}", "-cl-std=CL3.0").f
    operands: Any = [np.array([row[i] for row in rows], np.uint8) for i in (0, 1)]
    want = np.array(model(dot, *operands, np.array([r[2] for r in rows])), np.int64)  # type: ignore[call-arg]
    kind = np_type(dot.result)
    out = device.buffer(np.zeros(len(rows), kind))
    device.launch(kernel, [1], None, out)
    check.equal(f"{dot.name} of constants", device.read(out, kind, len(rows)), want.astype(kind))


def check_dot_known(device: Device, *, function: str) -> None:
    """Constant accumulators, at the ends of the range in which no sum of four products saturates."""
    dot = DOTS[function]
    low, high = bounds(dot.result)
    most, least = 4 * 255 * 255, 4 * 128 * 255  # of four products, above and below zero
    ends = [low, low + least - 1, low + least, 0, 7, high - most, high - most + 1, high - 4 * 128 * 128 + 1, high]
    calls = [f"r[{len(ends)} * i + {k}] = {dot.name}(a[i], b[i], {literal(end, dot.result)});" for k, end in enumerate(ends)]
    head = ", ".join(f"__global const {dot.vector(i)} *{name}" for i, name in enumerate("ab"))
    source = f"__kernel void f({head}, __global {dot.result} *r) {{ size_t i = get_global_id(0); {' '.join(calls)} }}"
    a, b = bytes_of("squares", device.rng)
    kind = np_type(dot.result)
    want = np.array([model(dot, a, b, np.full(256, end)) for end in ends]).T.astype(kind)
    out = device.buffer(np.zeros_like(want))
    device.launch(device.build(source, "-cl-std=CL3.0").f, [256], None, device.buffer(a), device.buffer(b), out)
    check.equal(f"{dot.name} with a constant", device.read(out, kind, want.shape), want)


def check_dot_operand(device: Device, *, function: str) -> None:
    """One operand is constant, or both, or zero; the accumulator is the item's; also sums with a product."""
    dot = DOTS[function]
    one, two, zero = (1, 127, 128, 255), (3, 0, 250, 129), (0, 0, 0, 0)
    a, b = bytes_of("edges", device.rng)
    kind, (low, high) = np_type(dot.result), bounds(dot.result)
    acc = device.rng.choice(np.array([low, low + 9, 0, 7, high - 9, high], np.int64), 256)
    small = np.arange(256)
    forms: list[tuple[str, NDArray[np.int64]]] = []
    for x, y in itertools.product((None, one, zero), (None, two, zero)):
        left = a if x is None else np.tile(np.array(x, np.uint8), (256, 1))
        right = b if y is None else np.tile(np.array(y, np.uint8), (256, 1))
        names = ["a" if x is None else _constant(dot, 0, x), "b" if y is None else _constant(dot, 1, y)]
        for last, third in (("acc", acc), ("0", 0 * acc), ("7", 0 * acc + 7)):
            call = f"{dot.name}({', '.join([*names, last] if dot.accumulates else names)})"
            product = np.array(model(dot, left, right, third), np.int64)
            if last == "acc":
                forms.append((call, product))
            else:  # sums that do not overflow
                forms.append((f"{call} + small", product + small))
                forms.append((f"{call} + 3", product + 3))
    head = ", ".join(f"__global const {dot.vector(i)} *{name}_" for i, name in enumerate("ab"))
    variables = f"{dot.vector(0)} a = a_[i]; {dot.vector(1)} b = b_[i]; {dot.result} acc = acc_[i], small = i;"
    stores = " ".join(f"r[{k} * 256 + i] = {code};" for k, (code, _) in enumerate(forms))
    source = f"__kernel void f({head}, __global const {dot.result} *acc_, __global {dot.result} *r) {{\n"
    source += f"    size_t i = get_global_id(0); {variables} {stores}\n}}\n"
    out = device.buffer(np.zeros((len(forms), 256), kind))
    operands = [device.buffer(values) for values in (a, b, acc.astype(kind))]
    device.launch(device.build(source, "-cl-std=CL3.0").f, [256], None, *operands, out)
    words = [a.view(np.uint32).ravel(), b.view(np.uint32).ravel(), acc.astype(kind)]
    for (code, want), got in zip(forms, device.read(out, kind, (len(forms), 256)), strict=True):
        check.equal(code, got, want.astype(kind), words)


def _constant(dot: Dot, operand: int, value: tuple[int, ...]) -> str:
    if dot.packed:
        return f"0x{int.from_bytes(bytes(value), 'little'):08x}u"
    signed = dot.kinds[operand] == "s"
    parts = ", ".join(str(v - 256 if signed and v > 127 else v) for v in value)
    return f"({dot.vector(operand)})({parts})"


def check_dot_capabilities(device: Device) -> None:
    """Packed input is mandatory, and since version 2.0 of the extension both are; only known bits are set."""
    bits = _query(device, _CAPABILITIES, np.uint64)[0]
    versions = {e.name: e.version for e in device.device.extensions_with_version}
    least = 3 if versions["cl_khr_integer_dot_product"] >= 2 << 22 else _PACKED_BIT
    check.equal("capabilities that are missing", int(bits) & least ^ least, 0, stage="api")
    check.equal("capabilities without a name", int(bits) & ~(_PACKED_BIT | _UNPACKED_BIT), 0, stage="api")
    features = {f.name for f in device.device.opencl_c_features}
    for bit, suffix in ((_PACKED_BIT, "_packed"), (_UNPACKED_BIT, "")):
        name = f"__opencl_c_integer_dot_product_input_4x8bit{suffix}"
        check.equal(f"{name} is listed", name in features, bool(int(bits) & bit), stage="api")


def check_dot_acceleration(device: Device, *, input: str) -> None:
    """Six cl_bools, one for each kind of product (cl_device_integer_dot_product_acceleration_properties_khr)."""
    answer = _query(device, _ACCELERATION[input], np.uint32)
    check.equal("properties", len(answer), 6, stage="api")
    check.true("each property is CL_TRUE or CL_FALSE", bool((answer <= 1).all()), stage="api")


def _query(device: Device, name: int, dtype: type[np.unsignedinteger[Any]]) -> NDArray[Any]:
    size, handle = ctypes.c_size_t(), device.device.int_ptr
    check.equal(
        "clGetDeviceInfo: size",
        opencl.call("clGetDeviceInfo", handle, name, 0, None, ctypes.byref(size)),
        opencl.SUCCESS,
        stage="api",
    )
    value = ctypes.create_string_buffer(size.value)
    check.equal(
        "clGetDeviceInfo", opencl.call("clGetDeviceInfo", handle, name, size.value, value, None), opencl.SUCCESS, stage="api"
    )
    return np.frombuffer(value.raw, dtype)
