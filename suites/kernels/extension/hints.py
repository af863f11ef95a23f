"""cl_khr_expect_assume: hints to the compiler about a value do not change results.

OpExpectKHR's result is its value, even if another one was expected (SPV_KHR_expect_assume); assumptions are true here.
"""

import numpy as np

from runner import check
from runner.device import Device

from ..kit.spirv import DTYPES, compute, kernel_text, memory, split

_ITEMS = 64
_EXTENSION = 'OpCapability ExpectAssumeKHR\nOpExtension "SPV_KHR_expect_assume"\n'
# Each y has the same value as without the hint. An expectation is right for some items, an assumption for all.
_C = {
    "expect": "y = __builtin_expect(x, 3L);",
    "branch": "if (__builtin_expect(x > 20, 0)) y = x * 3; else y = x + 7;",
    "loop": "for (int i = 0; __builtin_expect(i < x, 1); i++) y += i * x;",
    "switch": "switch (__builtin_expect(x % 4, 2L)) { case 0: y = 5; break; case 2: y = x; break; default: y = -x; }",
    "assume": "__builtin_assume(x >= 0); y = x / 4 + x % 4;",
    "assume_branch": "if (x > 30) { __builtin_assume(x != 7); y = x == 7 ? 1 : x; } else y = x == 7 ? 2 : 3;",
}


def _want(name: str, x: int) -> int:
    match name:
        case "expect":
            return x
        case "branch":
            return x * 3 if x > 20 else x + 7
        case "loop":
            return sum(i * x for i in range(x))
        case "switch":
            return {0: 5, 2: x}.get(x % 4, -x)
        case "assume":
            return x // 4 + x % 4
    return x if x > 30 else 2 if x == 7 else 3


def check_hint_c(device: Device, *, name: str) -> None:
    """Hints in OpenCL C, by clang's builtins. `name`: of _C."""
    body = f"int x = a[get_global_id(0)], y = 0; {_C[name]} r[get_global_id(0)] = y;"
    values = np.arange(_ITEMS, dtype=np.int32)
    out = device.buffer(np.full(_ITEMS, -77, np.int32))
    program = device.build(f"__kernel void f(__global int *r, __global const int *a) {{ {body} }}")
    device.launch(program.f, [_ITEMS], None, out, device.buffer(values))
    check.equal("y of each x", device.read(out, np.int32, _ITEMS), [_want(name, int(x)) for x in values])


def check_hint_expect(device: Device, *, type: str) -> None:
    """OpExpectKHR with a constant that equals some of the values. `type`: an integer type of SPIR-V, or bool."""
    if type == "bool":
        body = """%true = OpConstantTrue %bool
%seven = OpULessThan %bool %x %uint_7
%e = OpExpectKHR %bool %seven %true
%y = OpSelect %uint %e %uint_11 %uint_22"""
        values = np.arange(_ITEMS, dtype=np.uint32) % 16
        got = compute(device, _EXTENSION + kernel_text("uint", {"x": "uint"}, body), "uint", [values], _ITEMS)
        check.equal("y of each x", got, np.where(values < 7, 11, 22))
        return
    component, width = split(type)
    declared = f"%expected = OpConstantComposite %{type} {f'%{component}_5 ' * width}\n" if width > 1 else ""
    expected = "%expected" if width > 1 else f"%{component}_5"
    values = (device.rng.integers(0, 8, _ITEMS * width)).astype(DTYPES[component])
    values[::5] = np.iinfo(DTYPES[component]).max
    text = _EXTENSION + declared + kernel_text(type, {"x": type}, f"%y = OpExpectKHR %{type} %x {expected}")
    rows = _ITEMS if width != 3 else _ITEMS * width // 3
    got = compute(device, text, type, [memory(values, type)], rows)
    check.equal("y of each x", got.reshape(-1), values)


def check_hint_assume(device: Device) -> None:
    """OpAssumeTrueKHR of conditions that are true for each item."""
    body = """%fits = OpULessThan %bool %x %uint_64
OpAssumeTrueKHR %fits
%quotient = OpUDiv %uint %x %uint_3
%low = OpULessThan %bool %x %uint_100
%y = OpSelect %uint %low %quotient %uint_9"""
    values = np.arange(_ITEMS, dtype=np.uint32)
    got = compute(device, _EXTENSION + kernel_text("uint", {"x": "uint"}, body), "uint", [values], _ITEMS)
    check.equal("y of each x", got, values // 3)
