"""Emulated GPUs: what a driver submits behind one of Mesa's noop shims is executed on the CPU (docs/emulation.md).

This package imports nothing of the runner and knows no OpenCL. FAMILIES names the GPUs of each emulator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Family:
    """An emulator, and the GPUs that it emulates, by their `--gpu` names."""

    gpus: tuple[str, ...]
    checks: tuple[str, ...] = ()  # GPUs whose findings with EMULATOR_EXECUTE=0 have all been examined


_ADRENO = ("a618", "a630", "a660", "a702", "a730", "a740", "a750")
_MALI = ("g71", "g72", "g51", "g31", "g76", "g52", "g52_r1", "g57", "g57_9093", "g610", "g310")
_RDNA = (
    *("vega10", "raven", "renoir"),  # gfx9
    *("navi10", "navi21", "vangogh", "raphael_mendocino"),
    *("navi31", "navi33", "phoenix", "gfx1150", "strix1"),
    "gfx1201",
)
FAMILIES: Mapping[str, Family] = {
    "adreno": Family(_ADRENO, checks=_ADRENO),
    "intel": Family(
        ("tgl", "rkl", "adl", "dg1", "dg2", "mtl", "arl", "skl", "kbl", "glk", "icl"),
        checks=("tgl", "rkl", "adl", "dg1", "skl", "kbl", "glk", "icl"),
    ),
    "mali": Family(_MALI, checks=_MALI),
    "rdna": Family(_RDNA),
}
