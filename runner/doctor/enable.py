"""RUSTICL_ENABLE: which device each of its words selects. Rusticl ignores an unknown word silently."""

import re
from collections.abc import Mapping, Sequence

from runner.doctor.children import Answer
from runner.doctor.finding import Finding, Section, find
from runner.drivers.machine import kernel_devices
from runner.drivers.presence import missing_device
from runner.drivers.registry import Driver
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
    enabled if the variable is not set, and with the render node that the runner supplies to zink. `zink` is the answer to
    ZINK.
    """
    if value is None:
        words = [driver_of_device(d, drivers) for d in alone]
        nothing = bool(words) and not now
        findings = [find("enable-nothing", word=words[0]) if nothing else find("enable-not-set", count=len(now) or "no")]
        gives = zip(words, alone, strict=True)
        findings += [find("enable-would-give", word=w, name=d["name"], supplied=_supplied(w)) for w, d in gives]
        if zink and zink.died:
            findings.append(find("enable-zink-is-slow", died=zink.died))
        return Section("RUSTICL_ENABLE", tuple(findings))
    findings = [find("variable", name="RUSTICL_ENABLE", value=value)]
    if not value.strip(","):
        findings.append(find("enable-empty"))
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
    names = {**{d.rusticl: d.name for d in drivers.values() if is_known(d)}, **_WORDS}
    if name not in names:
        absent = next((f"; {d.absent}" for d in drivers.values() if d.name == name and d.absent), "")
        near = closest(re.sub(r"\W", "", name.lower()), names)
        return find("enable-unknown", name=name, near=near, absent=absent, known=", ".join(sorted(names)))
    if colon and not (index.isdigit() and int(index) < 32):
        return find("enable-no-number", word=word, index=index, name=name)
    driver = drivers[names[name]]
    if mine := [d["name"] for d in now if driver_of_device(d, drivers) == driver.name]:
        return find("enable-matched", word=word, devices="; ".join(mine))
    if own := next((d["name"] for d in alone if driver_of_device(d, drivers) == driver.name), ""):
        supplied = _supplied(driver.name) or " alone"
        return find("enable-matches-alone", word=word, device=own, supplied=supplied, driver=driver.name)
    why = missing_device(driver) or "this Mesa may be built without it, or has fewer such devices"
    return find("enable-no-device", word=word, why=why)


def driver_of_device(device: Mapping[str, str], drivers: Mapping[str, Driver]) -> str:
    """The driver whose device it is, by its name, or ""."""
    return next((d.name for d in drivers.values() if is_known(d) and d.device and re.search(d.device, device["name"])), "")


def _supplied(name: str) -> str:
    return " (with the render node that the runner supplies)" if name == "zink" and not kernel_devices() else ""
