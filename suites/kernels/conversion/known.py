"""Conversions of constants, which a compiler folds, compared with the model of those at run time (6.4.3)."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..integer import constant
from ..kit.integers import BITS, UNSIGNED
from ..kit.scalar import literal, np_type, pragmas
from .exact import FORMATS, ROUNDINGS, Number, answers, default_mode, greatest
from .functions import answer_columns
from .operands import flushed, operands

_WIDTH = 8  # components of a call
_SPECIAL = (float("nan"), float("inf"), float("-inf"), -0.0, 2.5, -1.5)


def _is_saturation_known(value: Number, target: str) -> bool:
    """Neither NaN nor below an unsigned type's range: those fail in more than the limit."""
    return not math.isnan(value) and (value >= 0 or target in UNSIGNED)


# A compiler's faults mostly belong to one part: each has its own case, so that a known one hides no other.
_PARTS: dict[str, Callable[[Number, str], bool]] = {
    "": lambda value, target: True,
    "ordinary": lambda value, target: math.isfinite(value) and _is_saturation_known(value, target),
    "infinite": lambda value, target: math.isinf(value) and _is_saturation_known(value, target),
    "special": lambda value, target: not _is_saturation_known(value, target),
    "within": lambda value, target: abs(value) <= greatest(target),
    "beyond": lambda value, target: abs(value) > greatest(target),
}


def _literal(value: Number, source: str) -> str:
    return constant.literal(int(value), source) if source in BITS else literal(value, source)


def _operands(source: str, target: str, part: str, rng: np.random.Generator) -> list[Number]:
    """The operands of a part: first those that are always tested, then the edges in random order."""
    every: list[Any] = operands(source, target).tolist()
    order = [*(_SPECIAL if source in FORMATS else ()), *(every[n] for n in rng.permutation(len(every)))]
    return [value for value in order if _PARTS[part](value, target)]


def check_known(device: Device, *, target: str, sources: Sequence[str], suffixes: Sequence[str], part: str) -> None:
    """Conversions of constants; each function is called with a vector.

    `suffixes`: as in the functions' names; `part`: a name of `_PARTS`.
    """
    wide, optional = f"{target}{_WIDTH}", flushed(device.device)
    lines: list[str] = []
    wants: list[tuple[str, NDArray[Any], list[NDArray[Any]]]] = []
    for source in sources:
        every = _operands(source, target, part, device.rng)
        for suffix in suffixes:
            mode = suffix[-3:] if suffix[-3:] in ROUNDINGS else default_mode(target)
            rows = []
            for value in every:
                allowed = answers(value, source, target, mode, optional, saturated="_sat" in suffix)
                rows += [] if allowed is None else [(value, allowed)]
            rows = [rows[n % len(rows)] for n in range(_WIDTH)]
            vector = f"({source}{_WIDTH})({', '.join(_literal(value, source) for value, _ in rows)})"
            lines.append(f"vstore{_WIDTH}(convert_{wide}{suffix}({vector}), {len(lines)}, r);")
            inputs = np.array([value for value, _ in rows], np_type(source))
            wants.append((f"convert_{wide}{suffix}", inputs, answer_columns([row[1] for row in rows], target)))
    body = "\n    ".join(lines)
    text = f"{pragmas(target, *sources)}__kernel void f(__global {target} *r) {{\n    {body}\n}}\n"
    shape = (len(lines), _WIDTH)
    out = device.buffer(np.zeros(shape, np_type(target)))
    device.launch(device.build(text).f, [1], None, out)
    for row, (name, inputs, want) in zip(device.read(out, np_type(target), shape), wants, strict=True):
        check.exact(f"{name} of constants", row, want, [inputs])
