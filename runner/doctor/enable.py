"""RUSTICL_ENABLE: which device each of its words selects. Rusticl ignores an unknown word silently."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from runner.doctor.children import Answer
from runner.doctor.finding import Finding, Level, Section
from runner.drivers.registry import Driver, kernel_devices, missing_device
from runner.spelling import closest

# The words of RUSTICL_ENABLE beside drivers.yaml's: Mesa, src/gallium/frontends/rusticl/mesa/pipe/device.rs.
_WORDS = {"lp": "llvmpipe", "swrast": "llvmpipe", "msm": "freedreno", "panthor": "panfrost"}


def is_known(driver: Driver) -> bool:
    """True for a driver that some Rusticl has."""
    return driver.platform == "rusticl" and not driver.absent and driver.opencl


def examine_enable(
    value: str | None,
    drivers: Mapping[str, Driver],
    now: Sequence[Mapping[str, str]],
    alone: Sequence[Mapping[str, str]],
    zink: Answer | None = None,
) -> Section:
    """Which devices RUSTICL_ENABLE selects.

    `now` are Rusticl's devices as a program finds them, `alone` those of Rusticl's .icd file by itself: with every driver
    enabled where the variable is not set, and with the render node that the runner supplies to zink. `zink` is the answer to
    ZINK.
    """
    findings = []
    if value is None:
        level = Level.PROBLEM if alone and not now else Level.NOTE
        text = f"RUSTICL_ENABLE is not set: what the build enables (often nothing) gives {len(now) or 'no'} devices"
        words = [driver_of_device(d, drivers) for d in alone]
        step = f"export RUSTICL_ENABLE={words[0]}" if words and not now else ""
        findings.append(Finding(level, text, step))
        findings += [
            Finding(Level.OK, f"RUSTICL_ENABLE={word} would give {d['name']}{_supplied(word)}")
            for word, d in zip(words, alone, strict=True)
        ]
        if zink and zink.died:
            findings.append(
                Finding(
                    Level.NOTE,
                    f"RUSTICL_ENABLE=zink {zink.died}; Mesa 26.2 compiles for seconds at its start",
                    "runner probe --driver zink waits for it",
                )
            )
        return Section("RUSTICL_ENABLE", tuple(findings))
    findings.append(Finding(Level.NOTE, f"RUSTICL_ENABLE={value}"))
    if not value.strip(","):
        findings.append(Finding(Level.PROBLEM, "it is empty, and enables nothing", "name a driver, or unset it"))
    words = [w for w in value.split(",") if w]
    for position, word in enumerate(words):
        # A number by itself adds a device of the driver before it: iris:0,1.
        if not (position and word.isdigit()):
            findings.append(_examine_word(word, drivers, now, alone))
    return Section("RUSTICL_ENABLE", tuple(findings))


def _examine_word(
    word: str, drivers: Mapping[str, Driver], now: Sequence[Mapping[str, str]], alone: Sequence[Mapping[str, str]]
) -> Finding:
    name, colon, index = word.partition(":")
    known = {**{d.rusticl: d.name for d in drivers.values() if is_known(d)}, **_WORDS}
    if name not in known:
        absent = next((d.absent for d in drivers.values() if d.name == name and d.absent), "")
        near = closest(re.sub(r"\W", "", name.lower()), known)
        return Finding(
            Level.PROBLEM,
            f"{name!r} is no driver of Rusticl, which ignores it without a word{near}{f'; {absent}' if absent else ''}",
            f"drivers: {', '.join(sorted(known))}; in small letters, separated by commas, without blanks",
        )
    if colon and not (index.isdigit() and int(index) < 32):
        return Finding(
            Level.PROBLEM,
            f"{word!r}: {index!r} is no number of a device, so it matches none",
            f"write {name}, or {name}:0 for the first device alone",
        )
    driver = drivers[known[name]]
    mine = [d["name"] for d in now if driver_of_device(d, drivers) == driver.name]
    if mine:
        return Finding(Level.OK, f"{word} matched {'; '.join(mine)}")
    supplied = [d["name"] for d in alone if driver_of_device(d, drivers) == driver.name]
    if supplied:
        return Finding(
            Level.NOTE,
            f"{word} matched nothing here; {supplied[0]}{_supplied(driver.name) or ' alone'}",
            f"runner --driver {driver.name}",
        )
    why = missing_device(driver) or "this Mesa may be built without it, or has fewer such devices"
    return Finding(Level.PROBLEM, f"{word} is a driver of Rusticl and matched no device", why)


def driver_of_device(device: Mapping[str, str], drivers: Mapping[str, Driver]) -> str:
    """The driver whose device it is, by its name, or ""."""
    return next((d.name for d in drivers.values() if is_known(d) and d.device and re.search(d.device, device["name"])), "")


def _supplied(name: str) -> str:
    return " (with the render node that the runner supplies)" if name == "zink" and not kernel_devices() else ""
