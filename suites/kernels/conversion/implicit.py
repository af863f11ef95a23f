"""Conversions without a call of a function (OpenCL C 3.0, 6.4.1 and 6.4.2)."""

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas
from .exact import answers, convert, default_mode, is_denormal
from .operands import flushed, operands
from .table import WIDTHS

_FORMS = ("an assignment", "a cast", "an argument", "a returned value", "an initialiser")


def check_implicit(device: Device, *, target: str, source: str, width: int) -> None:
    """An assignment, a cast, a call and a cast to a vector convert a scalar.

    They round as convert_ does without a suffix, and a cast to a vector fills every component.
    """
    optional = flushed(device.device)
    rows = [
        (raw, allowed)
        for raw in operands(source, target)
        if (allowed := answers(raw.item(), source, target, default_mode(target), optional)) is not None
    ]
    kernel = device.build(
        f"""
{pragmas(target, source)}{target} same({target} x) {{ return x; }}
{target} converted({source} x) {{ return x; }}
__kernel void f(__global const {source} *a, __global {target} *r, __global {target} *v) {{
    size_t i = get_global_id(0), n = get_global_size(0);
    {target} x[1] = {{ a[i] }};
    r[i] = a[i];
    r[n + i] = ({target})a[i];
    r[2 * n + i] = same(a[i]);
    r[3 * n + i] = converted(a[i]);
    r[4 * n + i] = x[0];
    vstore{width}(({target}{width})a[i], i, v);
}}
"""
    ).f
    n = len(rows)
    inputs = np.array([row[0] for row in rows], dtype=np_type(source))
    wants = [np.array(column, dtype=np_type(target)) for column in zip(*(r[1] for r in rows), strict=True)]
    out = device.buffer(np.zeros(len(_FORMS) * n, dtype=np_type(target)))
    wide_out = device.buffer(np.zeros(width * n, dtype=np_type(target)))
    device.launch(kernel, [n], None, device.buffer(inputs), out, wide_out)
    for form, got in zip(_FORMS, device.read(out, np_type(target), (len(_FORMS), n)), strict=True):
        check.exact(f"{target} of {source} by {form}", got, wants, [inputs])
    got = device.read(wide_out, np_type(target), (n, width))
    splats = [np.repeat(want[:, None], width, axis=1) for want in wants]
    check.exact(f"({target}{width}){source}", got, splats, [np.repeat(inputs[:, None], width, axis=1)])


def check_chain(device: Device, *, a: str, b: str, c: str) -> None:
    """A conversion of a conversion: the loss of the middle one must stay. The parameters are the three types."""
    rows = []
    for raw in np.unique(np.concatenate([operands(a, b), operands(a, c)])):
        middle = convert(raw.item(), b, default_mode(b), saturated=False)
        last = None if middle is None else convert(middle, c, default_mode(c), saturated=False)
        numbers = ((raw.item(), a), (middle, b), (last, c))
        if last is not None and not any(is_denormal(v, t) for v, t in numbers if v is not None):
            rows.append((raw, last))
    kernel = device.build(
        f"""
{pragmas(a, b, c)}__kernel void f(__global const {a} *a, __global {c} *r) {{
    size_t i = get_global_id(0), n = get_global_size(0);
    r[i] = ({c})({b})a[i];
    r[n + i] = convert_{c}(convert_{b}(a[i]));
    {b} x = a[i];
    r[2 * n + i] = x;
}}
"""
    ).f
    inputs, want = (np.array(column, np_type(t)) for column, t in zip(zip(*rows, strict=True), (a, c), strict=True))
    out = device.buffer(np.zeros(3 * want.size, want.dtype))
    device.launch(kernel, [want.size], None, device.buffer(inputs), out)
    forms = (f"({c})({b}){a}", f"convert_{c}(convert_{b}({a}))", f"{c} of {b} x = {a}")
    for form, got in zip(forms, device.read(out, want.dtype, (3, want.size)), strict=True):
        check.exact(form, got, [want], [inputs])


def check_truth(device: Device, *, type: str) -> None:
    """A scalar becomes a bool, and a bool a number, or an integer vector, which is -1 if it is true."""
    values = operands(type, "int")
    # Denormals are left out, because one that may be flushed may be false, too.
    inputs = np.array([v for v in values if not is_denormal(v.item(), type)], dtype=np_type(type))
    vectors = "\n    ".join(
        f"vstore{w}(({type}{w})(bool)a[i], i, v + {sum(x for x in WIDTHS if x < w)} * n);" for w in WIDTHS
    )
    integer = inputs.dtype.kind in "iu"
    kernel = device.build(
        f"""
{pragmas(type)}__kernel void f(__global const {type} *a, __global uchar *t, __global {type} *r, __global {type} *v) {{
    size_t i = get_global_id(0), n = get_global_size(0);
    bool b = a[i];
    t[i] = b;
    t[n + i] = (bool)a[i] ? 7 : 5;
    t[2 * n + i] = !a[i];
    t[3 * n + i] = 3 + (a[i] && true);
    r[i] = b;
    r[n + i] = ({type})(a[i] != 0);
    {vectors if integer else ""}
}}
"""
    ).f
    n = inputs.size
    truth = inputs != 0
    flags = device.buffer(np.zeros(4 * n, np.uint8))
    numbers, wide = (device.buffer(np.zeros(count * n, inputs.dtype)) for count in (2, sum(WIDTHS)))
    device.launch(kernel, [n], None, device.buffer(inputs), flags, numbers, wide)
    wants = (truth, np.where(truth, 7, 5), ~truth, 3 + truth)
    forms = ("bool b = a", "(bool)a ? 7 : 5", "!a", "3 + (a && true)")
    for form, got, want in zip(forms, device.read(flags, np.uint8, (4, n)), wants, strict=True):
        check.equal(f"{form} with {type} a", got, want.astype(np.uint8), inputs=[inputs])
    for got in device.read(numbers, inputs.dtype, (2, n)):
        check.equal(f"{type} of a bool", got, truth.astype(inputs.dtype), inputs=[inputs])
    if not integer:
        return
    got = device.read(wide, inputs.dtype, sum(WIDTHS) * n)
    begin = 0
    for width in WIDTHS:
        part = got[begin : begin + width * n].reshape(n, width)
        begin += width * n
        want = np.repeat(np.where(truth, -1, 0)[:, None], width, axis=1).astype(inputs.dtype)
        operand = np.repeat(inputs[:, None], width, axis=1)
        check.equal(f"({type}{width})(bool)a", part, want, inputs=[operand])
