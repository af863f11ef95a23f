"""Math builtins: within the ULP limit everywhere, and exact at the edges."""

from __future__ import annotations

import numpy as np

from runner import check
from runner.device import Device
from runner.model import Case

from ..floating import keeps_denormals
from ..scalar import np_type, pragmas
from . import option, stored
from .answer import base, compute, require, rounded, rows_of
from .edges import EDGES
from .kernel import GROUP, call, evaluate
from .stored import types
from .table import BUILTINS, COARSE, COARSE_ULP, WIDTHS


def check_ulp(device: Device, case: Case) -> None:
    """A builtin within its limit. Params: builtin, type, width of its vectors, form and space (see `kernel`).

    The form `coarse` has another limit, not the specification's: what is beyond it is wrong in another way than by units.
    """
    name, floating, form = case.params["builtin"], case.params["type"], case.params["form"]
    limit = BUILTINS[name].limit(floating, embedded=option.embedded(device))
    rows = rows_of(name, floating, case.params["width"], "" if form == "coarse" else form)
    if form == "coarse":
        form, limit = "", COARSE_ULP[floating]
        chosen = rows[COARSE[floating][name](stored.columns(name, floating)[0][rows])]
        rows = np.resize(chosen, (-(-chosen.size // GROUP) * GROUP, 1))
    inputs = [column[rows] for column in stored.columns(name, floating)]
    if form == "scalar":
        inputs[-1] = np.broadcast_to(inputs[-1][:, :1], inputs[0].shape)
        wants = rounded(name, floating, limit, compute(name, floating, [a.astype(np.float64) for a in inputs]))
    else:
        wants = [part[rows] for part in base(name, floating, limit)]
    outputs = evaluate(device, name, inputs, floating, form, case.params["space"])
    denormals = keeps_denormals(device, floating) and not name.startswith("half_")
    require(name, floating, limit, inputs, outputs, wants, denormals=denormals)


def check_edges(device: Device, case: Case) -> None:
    """The exact values of a builtin at its edges, with the sign of zero. Params: builtin, type, form."""
    name, floating = case.params["builtin"], case.params["type"]
    kinds = types(name, floating)
    rows = [row for row in EDGES[name] if all(_holds(t, x) for t, x in zip(kinds, row[0], strict=True))]
    inputs = [np.array([[row[0][i]] for row in rows]).astype(np_type(t)) for i, t in enumerate(kinds)]
    outputs = evaluate(device, name, inputs, floating, case.params["form"])
    for position, got in enumerate(outputs):
        prescribed = np.array([row[1 + position] is not None for row in rows])
        want = np.array([row[1 + position] for row in rows if row[1 + position] is not None], dtype=np.float64)
        what = name if position == 0 else f"*{name}"
        check.exact(what, got[prescribed, 0], [want.astype(got.dtype)], [a[prescribed, 0] for a in inputs])


def _holds(type_name: str, value: float) -> bool:
    if type_name == "int" or value != value:
        return True
    with np.errstate(over="ignore"):
        return float(np_type(type_name).type(value)) == value


def check_returns(device: Device, case: Case) -> None:
    """A builtin without a limit links and returns at every width. Params: builtin, type."""
    name, floating = case.params["builtin"], case.params["type"]
    kinds = types(name, floating)
    inputs = [column[:64].copy() for column in stored.columns(name, floating)]
    kernels, buffers = [], [device.buffer(np.tile(a, 16)) for a in inputs]
    pointed = {"f": floating, "i": "int", "": ""}[BUILTINS[name].pointer]
    for width in WIDTHS:
        w = "" if width == 1 else str(width)
        loads = [f"vload{w}(i, {n})" if w else f"{n}[i]" for n in "abc"[: len(kinds)]]
        store = f"vstore{w}(r, i, result);" if w else "result[i] = r;"
        parameters = [f"__global const {t} *{n}" for t, n in zip(kinds, "abc", strict=False)]
        kernels.append(
            f"__kernel void f{width}({', '.join(parameters)}, __global {floating} *result, __global int *mark) {{\n"
            f"    size_t i = get_global_id(0);\n    {f'{pointed}{w} p;' if pointed else ''}\n"
            f"    {floating}{w} r = {call(name, loads, '&p')};\n    {store}\n    mark[i] = (int)i + {width};\n}}\n"
        )
    program = device.build(pragmas(floating) + "".join(kernels))
    for width in WIDTHS:
        result, mark = (
            device.buffer(64 * width * np_type(floating).itemsize),
            device.buffer(np.zeros(64, np.int32)),
        )
        device.launch(getattr(program, f"f{width}"), [64], None, *buffers, result, mark)
        check.equal(
            f"work-items after {name} of width {width}",
            device.read(mark, np.int32, 64),
            np.arange(64, dtype=np.int32) + width,
        )
