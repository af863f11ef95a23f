"""Math builtins: within the ULP limit everywhere, and exact at the edges."""

import numpy as np

from runner import check
from runner.device import Device

from ..kit.floating import keeps_denormals, log_uniform
from ..kit.scalar import np_type, pragmas
from . import option, stored
from .answer import base, compute, require, rounded, rows_of
from .edges import EDGES, LIMITED, NAN_TO_NUMBER
from .kernel import GROUP, call, evaluate
from .open_limits import require_sane
from .stored import types
from .table import BUILTINS, COARSE, COARSE_ULP, ENDS_RTOL, LGAMMA, WIDTHS

_SAMPLES = 48 * 22  # for a builtin without a limit: whole vectors of every width


def check_ulp(device: Device, *, builtin: str, type: str, width: int, form: str, space: str) -> None:
    """A builtin is within its limit. `width`: of its vectors; `form`, `space`: see `kernel.source`.

    The form "coarse" has a wider limit than the specification's: an error beyond it is not a matter of units.
    """
    limit = BUILTINS[builtin].limit(type, embedded=option.embedded(device))
    rows = rows_of(builtin, type, width, "" if form == "coarse" else form)
    if form == "coarse":
        form, limit = "", COARSE_ULP[type]
        chosen = rows[COARSE[type][builtin](stored.columns(builtin, type)[0][rows])]
        rows = np.resize(chosen, (-(-chosen.size // GROUP) * GROUP, 1))
    inputs = [column[rows] for column in stored.columns(builtin, type)]
    if form == "scalar":
        inputs[-1] = np.broadcast_to(inputs[-1][:, :1], inputs[0].shape)
        wants = rounded(builtin, type, limit, compute(builtin, type, [a.astype(np.float64) for a in inputs]))
    else:
        wants = [part[rows] for part in base(builtin, type, limit)]
    outputs = evaluate(device, builtin, inputs, type, form, space)
    denormals = keeps_denormals(device, type) and not builtin.startswith("half_")
    require(builtin, type, limit, inputs, outputs, wants, denormals=denormals)


def check_edge(device: Device, *, builtin: str, type: str, form: str) -> None:
    """A builtin at its edges: exact values, including the sign of zero, and others within its limit (see edges.py)."""
    kinds = types(builtin, type)
    limit = BUILTINS[builtin].limit(type, embedded=option.embedded(device))
    exact, limited = (
        [row for row in table if all(_is_representable(t, x) for t, x in zip(kinds, row[0], strict=True))]
        for table in (EDGES[builtin], LIMITED.get(builtin, []))
    )
    rows = [*exact, *limited]
    inputs = [np.array([[row[0][i]] for row in rows]).astype(np_type(t)) for i, t in enumerate(kinds)]
    outputs = evaluate(device, builtin, inputs, type, form)
    for position, got in enumerate(outputs):
        prescribed = np.array([row[1 + position] is not None for row in exact], dtype=bool)
        want = np.array([row[1 + position] for row in exact if row[1 + position] is not None], dtype=np.float64)
        what, count = builtin if position == 0 else f"*{builtin}", len(exact)
        given = [a[:count][prescribed, 0] for a in inputs]
        check.exact(what, got[:count][prescribed, 0], [want.astype(got.dtype)], given)
    if limited:
        want = np.array([row[1] for row in limited], dtype=np.float64)
        check.ulp(builtin, outputs[0][count:, 0], [want], limit, [a[count:, 0] for a in inputs])


def check_nans(device: Device, *, type: str) -> None:
    """Each builtin of one operand returns NaN for a NaN of either sign (OpenCL C 3.0, 7.2)."""
    operands = np.array([[np.nan], [-np.nan]]).astype(np_type(type))
    for name in NAN_TO_NUMBER:
        if type == "float" or not name.startswith("half_"):
            got = evaluate(device, name, [operands], type)[0]
            check.exact(name, got[:, 0], [np.full(2, np.nan, got.dtype)], [operands[:, 0]])


def _is_representable(type_name: str, value: float) -> bool:
    if type_name == "int" or value != value:
        return True
    with np.errstate(over="ignore"):
        return float(np_type(type_name).type(value)) == value


def check_returns(device: Device, *, builtin: str, type: str, near_zero: bool, known: str) -> None:
    """A builtin without a limit is within the bound of open_limits.py, at every width.

    `near_zero`: small numbers of either sign, for lgamma, which else gets no negative ones smaller than 2^-60.
    `known`: the operand ("a" or "b") that is the constant 3 in the source, or "".
    """
    kinds = types(builtin, type)
    columns = stored.columns(builtin, type)
    if builtin in LGAMMA:
        columns = [columns[0][(columns[0] >= 0) | (columns[0] <= -(2.0**-60))]]
    inputs = [column[np.linspace(0, column.size - 1, _SAMPLES).astype(np.intp)] for column in columns]
    if near_zero:
        lowest = max(np.finfo(np_type(type)).minexp, -80)
        inputs = [log_uniform(type, lowest, -8, _SAMPLES, builtin)]
    if known:
        inputs["ab".index(known)].fill(3)
    kernels, buffers = [], [device.buffer(a) for a in inputs]
    pointed = {"f": type, "i": "int", "": ""}[BUILTINS[builtin].pointer]
    for width in WIDTHS:
        w = "" if width == 1 else str(width)
        loads = [f"vload{w}(i, {n})" if w else f"{n}[i]" for n in "abc"[: len(kinds)]]
        if known:
            loads["ab".index(known)] = f"({type}{w})(3)"
        parameters = [f"__global const {t} *{n}" for t, n in zip(kinds, "abc", strict=False)]
        parameters += [f"__global {t} *{n}" for t, n in ((type, "result"), (pointed, "stored")) if t]
        lines = [f"{pointed}{w} p;" if pointed else "", f"{type}{w} r = {call(builtin, loads, '&p')};"]
        for value, target in (("r", "result"), ("p", "stored"))[: 2 if pointed else 1]:
            lines.append(f"vstore{w}({value}, i, {target});" if w else f"{target}[i] = {value};")
        body = "\n    ".join(["size_t i = get_global_id(0);", *filter(None, lines)])
        kernels.append(f"__kernel void f{width}({', '.join(parameters)}) {{\n    {body}\n}}\n")
    program = device.build(pragmas(type) + "".join(kernels))
    for width in WIDTHS:
        dtypes = [np_type(type), *([np_type(pointed)] if pointed else [])]
        out = [device.buffer(np.zeros(_SAMPLES, dtype)) for dtype in dtypes]
        device.launch(getattr(program, f"f{width}"), [_SAMPLES // width], None, *buffers, *out)
        outputs = [device.read(o, dtype, _SAMPLES) for o, dtype in zip(out, dtypes, strict=True)]
        require_sane(builtin, type, inputs, outputs, denormals=keeps_denormals(device, type))


def check_ends(device: Device, *, builtin: str, type: str, end: str) -> None:
    """pown and rootn of an end of the range by 1 and -1 give a number of the same sign.

    Even a library that is some units off (`COARSE`) has to stay in the range.
    """
    info = np.finfo(np_type(type))
    if end == "greatest":
        ends = np.array([info.max, np.nextafter(info.max, info.dtype.type(0)), info.max / 2])
    else:
        ends = np.array([info.tiny, 1.5 * info.tiny, 4 * info.tiny])
    x = np.tile(np.concatenate([ends, -ends]), 2).astype(info.dtype)
    n = np.repeat(np.array([1, -1], np.int32), x.size // 2)
    got = evaluate(device, builtin, [x[:, None], n[:, None]], type)[0]
    want = x.astype(np.float64) ** n
    low = np.abs(want) < float(info.tiny) * (1 + ENDS_RTOL[type])
    atol = np.where(low & (not keeps_denormals(device, type)), float(info.tiny), float(info.smallest_subnormal))
    what = f"{builtin}.{type} of the {end}"
    check.close(what, got, want[:, None], atol=atol[:, None], rtol=ENDS_RTOL[type])
    check.equal(f"sign of {what}", np.signbit(got), np.signbit(x)[:, None], [x[:, None], n[:, None]])
