"""Math builtins under build options that change what they may return (API 3.0, 5.8.6.2, 5.8.6.3)."""

import math
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.check import Mismatch
from runner.device import Device

from ..kit.floating import Array, keeps_denormals
from . import stored
from .answer import Parts, base, require
from .kernel import evaluate, source
from .table import BUILTINS, RELAXED

_RELAXED_OPTIONS = ("-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations")
_FINITE_OPTIONS = (*_RELAXED_OPTIONS, "-cl-finite-math-only")
_RELAXED_LIMITS = (  # functions whose limit in the relaxed table differs from the usual one
    *("divide", "recip", "acos", "asin", "atan", "exp", "exp2", "log", "log2", "log10"),
    *("sin", "cos", "sincos", "sinpi", "cospi"),
)
_TINY = 2.0**-126
_DOMAINS = {  # for each operand's magnitude, or zero: outside, the relaxed table promises nothing
    "recip": (_TINY, 2.0**126),
    "divide": (2.0**-62, 2.0**62),
    "sin": (_TINY, math.pi),
    "cos": (_TINY, math.pi),
    "sincos": (_TINY, math.pi),
    "sinpi": (_TINY, 1.0),
    "cospi": (_TINY, 1.0),
}


def embedded(device: Device) -> bool:
    """True for the embedded profile, which has wider limits."""
    return bool(device.device.profile == "EMBEDDED_PROFILE")


def relaxed(name: str, x: Array, want: NDArray[Any], *, embedded: bool) -> NDArray[np.float64]:
    """The limit in ULP for each operand x (7.4, the table of -cl-unsafe-math-optimizations)."""
    unit = np.spacing(np.abs(want).astype(np.float32)).astype(np.float64)
    plain = RELAXED[name] if not embedded else max(RELAXED[name], BUILTINS[name].limits[1])
    if name in ("sin", "cos", "sincos", "sinpi", "cospi"):
        return 2.0**-11 / unit
    if name in ("log", "log2", "log10"):
        return np.where((x >= 0.5) & (x <= 2), np.maximum(2.0**-21 / unit, plain), plain)
    if name in ("exp", "exp2") and not embedded:
        return plain + np.floor(np.abs(2 * x.astype(np.float64)))
    return np.full(x.shape, plain)


def _normal(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Mask of the values that are finite and not denormal."""
    return np.asarray(np.isfinite(values) & ((values == 0) | (np.abs(values) >= _TINY)))


def _defined_rows(name: str, options: str, columns: list[Array], wants: Parts) -> NDArray[np.intp]:
    """The rows for which the specification promises a result under these options."""
    keep = np.ones(columns[0].size, np.bool_)
    if options in _FINITE_OPTIONS:
        for values in (*(c for c in columns if c.dtype.kind == "f"), *wants):
            keep &= np.isfinite(values)
            if options in _RELAXED_OPTIONS:
                keep &= _normal(values)
    if options in _RELAXED_OPTIONS and name in _DOMAINS:
        low, high = _DOMAINS[name]
        for values in columns:
            size = np.abs(values)
            zero = (size == 0) & (name not in ("recip", "divide"))
            keep &= zero | ((size >= low) & (size <= high))
    return np.flatnonzero(keep)


def check_option(device: Device, *, builtin: str, option: str) -> None:
    """A builtin of float is within its limit under a build option."""
    profile = embedded(device)
    limit = BUILTINS[builtin].limit("float", embedded=profile)
    inputs, outputs, wants = _evaluate(device, builtin, option, limit)
    if option in _RELAXED_OPTIONS and builtin in _RELAXED_LIMITS:
        for what, got, want in zip((builtin, f"*{builtin}"), outputs, wants, strict=False):
            check.ulp(what, got, [want], relaxed(builtin, inputs[0], want, embedded=profile), inputs)
        return
    flushing = (*_RELAXED_OPTIONS, "-cl-denorms-are-zero")  # the relaxed options imply flushing
    denormals = keeps_denormals(device, "float") and option not in flushing
    require(builtin, "float", limit, inputs, outputs, wants, denormals=denormals)


def _evaluate(device: Device, name: str, options: str, limit: float) -> tuple[list[Array], list[Array], Parts]:
    columns, wants = stored.columns(name, "float"), base(name, "float", limit)
    rows = _defined_rows(name, options, columns, wants)[:, None]
    inputs = [column[rows] for column in columns]
    outputs = evaluate(device, name, inputs, "float", options=options)
    return inputs, outputs, [part[rows] for part in wants]


def check_rounded_divide(device: Device, *, option: str) -> None:
    """Division and sqrt are correctly rounded, or, if the device lacks the flag for it, the option may be refused."""
    if not device.device.single_fp_config & cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT:
        try:
            device.build(source("divide", "float", 1, "", "private"), option)
        except Mismatch:
            check.true("the option is refused", True)
        else:
            check.true(f"{option} is refused without CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT", False, stage="api")
        return
    for name in ("divide", "recip", "sqrt"):
        inputs, outputs, wants = _evaluate(device, name, option, 0)
        require(name, "float", 0, inputs, outputs, wants, denormals=keeps_denormals(device, "float"))
