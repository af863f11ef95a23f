"""Many conversion functions of scalars in one kernel: every mode, from every source of a class (OpenCL C 3.0, 6.4.3)."""

from collections.abc import Sequence

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas
from .exact import ROUNDINGS, answers, default_mode
from .functions import answer_columns
from .operands import flushed, operands

_COUNT = 64  # numbers of each source, drawn from the operands of the cases of single functions


def check_together(device: Device, *, target: str, sources: Sequence[str], suffixes: Sequence[str]) -> None:
    """Conversions to one type in one kernel. `suffixes`: as in the functions' names."""
    inputs = {source: device.rng.choice(operands(source, target), _COUNT) for source in sources}
    functions = [(source, suffix) for source in sources for suffix in suffixes]
    pointers = "".join(f"__global const {source} *{source}s, " for source in sources)
    calls = [f"r[{n} * n + i] = convert_{target}{suffix}({source}s[i]);" for n, (source, suffix) in enumerate(functions)]
    text = "\n    ".join(["size_t i = get_global_id(0), n = get_global_size(0);", *calls])
    text = f"{pragmas(target, *sources)}__kernel void f({pointers}__global {target} *r) {{\n    {text}\n}}\n"
    shape = (len(functions), _COUNT)
    out = device.buffer(np.zeros(shape, np_type(target)))
    device.launch(device.build(text).f, [_COUNT], None, *(device.buffer(a) for a in inputs.values()), out)
    got = device.read(out, np_type(target), shape)
    for (source, suffix), row in zip(functions, got, strict=True):
        mode = suffix[-3:] if suffix[-3:] in ROUNDINGS else default_mode(target)
        optional, saturated = flushed(device.device), "_sat" in suffix
        every = [answers(a.item(), source, target, mode, optional, saturated=saturated) for a in inputs[source]]
        defined = [n for n, allowed in enumerate(every) if allowed is not None]
        wants = answer_columns([allowed for allowed in every if allowed is not None], target)
        check.exact(f"convert_{target}{suffix}", row[defined], wants, [inputs[source][defined]])
