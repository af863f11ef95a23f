"""tinygrad's back ends that talk to a kernel driver, or to the card itself: QCOM, AMD and NV.

They are only looked at: to open them has effects, as the PCI interfaces take the card from its kernel driver. What they
need is read in the installed tinygrad's own runtime/ops_*.py, so that it holds for that release.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from runner.doctor.finding import Finding, Level

_KFD_TARGETS = ((9, 4, 2), (9, 5, 0))  # and all of 11 and 12: AMDDevice's assertion on its target
Opened = Mapping[str, str]


def examine_kernel_backends(opened: Opened, root: Path = Path("/")) -> list[Finding]:
    """QCOM, AMD and NV; `opened` is what opening each device node said, `root` holds dev/ and sys/."""
    return [_examine_qcom(opened, root), *_examine_amd(opened, root), *_examine_nv(opened, root)]


def _examine_qcom(opened: Opened, root: Path) -> Finding:
    path = root / "dev/kgsl-3d0"
    if not path.exists():
        return Finding(
            Level.NOTE,
            f"QCOM: not usable: no /dev/kgsl-3d0{_machine_note()}",
            "a Qualcomm kernel with kgsl (Android's); on mainline Linux (msm) DEV=CL on Rusticl is the way",
        )
    if error := opened.get(str(path)):
        return Finding(Level.NOTE, f"QCOM: not usable: {path}: {error}", "see the device nodes above")
    return Finding(
        Level.OK,
        f"QCOM: {path} opens, so usable for Adreno below 730",
        "its compiler is libllvm-qcom.so (a630 alone), or IR3 of the Python package tinymesa: DEV=QCOM:IR3",
    )


def _machine_note() -> str:
    return "" if os.uname().machine == "aarch64" else f" (this is {os.uname().machine})"


def _examine_amd(opened: Opened, root: Path) -> list[Finding]:
    source = back_end_source("amd")
    kfd = root / "dev/kfd"
    if not kfd.exists():
        first = Finding(
            Level.NOTE,
            "AMD by KFD: not usable: no /dev/kfd",
            "the kernel driver amdgpu with CONFIG_HSA_AMD, and an AMD GPU",
        )
    elif error := opened.get(str(kfd)):
        first = Finding(
            Level.NOTE,
            f"AMD by KFD: not usable: {kfd}: {error}",
            "usermod -aG render $USER, and log in again",
        )
    else:
        targets = _kfd_targets(root / "sys/devices/virtual/kfd/kfd/topology/nodes")
        good = [t for t in targets if t in _KFD_TARGETS or t[0] in (11, 12)]
        shown = ", ".join(f"gfx{t[0]}{t[1]:x}{t[2]:x}" for t in targets) or "no GPU"
        usable = "usable" if good else "not usable: tinygrad takes gfx942, gfx950, gfx11 and gfx12 alone"
        first = Finding(Level.OK if good else Level.NOTE, f"AMD by KFD: {usable}: {shown}", "" if good else "DEV=CL")
    pci = _examine_pci("AMD by PCI", source, 0x1002, None, root, "DEV=PCI+AMD")
    wanted = [(int(v, 16), int(d, 16)) for v, d in re.findall(r"list_devices\((0x\w+), (0x\w+)\)", source)]
    found = [p for p in (root / "sys/bus/usb/devices").glob("*") if _usb_id(p) in wanted]
    names = ", ".join(f"{v:04x}:{d:04x}" for v, d in wanted)
    usb = (
        Finding(Level.OK, f"AMD by USB: {found[0].name} is there; libusb-1.0 must be, too", "DEV=USB+AMD")
        if found
        else Finding(
            Level.NOTE,
            f"AMD by USB: not usable: no such device ({names})",
            "an ASM2464PD case with tinygrad's firmware, and libusb-1.0",
        )
    )
    return [first, pci, usb]


def _examine_nv(opened: Opened, root: Path) -> list[Finding]:
    nodes = [root / "dev" / name for name in ("nvidiactl", "nvidia-uvm", "nvidia0")]
    missing = [f"/dev/{p.name}" for p in nodes if not p.exists()]
    closed = [f"{p}: {opened[str(p)]}" for p in nodes if opened.get(str(p))]
    if missing or closed:
        first = Finding(
            Level.NOTE,
            f"NV: not usable: {'; '.join(closed) or 'no ' + ', '.join(missing)}",
            "NVIDIA's kernel driver with nvidia-uvm loaded (modprobe nvidia-uvm)",
        )
    else:
        first = Finding(Level.OK, "NV: its device nodes open, so usable", "its compiler is CUDA's libnvrtc.so")
    return [first, _examine_pci("NV by PCI", back_end_source("nv"), 0x10DE, 0x03, root, "DEV=PCI+NV")]


def _examine_pci(name: str, source: str, vendor: int, base: int | None, root: Path, use: str) -> Finding:
    """Cards that tinygrad drives by itself; the ids are a mask and values, as its PCIIface gives them."""
    listed = re.search(r"devices=\(\((0x\w+), ?\(([^)]*)\)", source)
    mask = int(listed[1], 16) if listed else 0
    known = {int(value, 16) for value in re.findall(r"0x\w+", listed[2])} if listed else set()
    for card in sorted((root / "sys/bus/pci/devices").glob("*")):
        own = [_number(card / part) for part in ("vendor", "device", "class")]
        if own[0] != vendor or own[1] & mask not in known or (base is not None and own[2] >> 16 != base):
            continue
        text = f"{name}: {card.name} (0x{own[1]:04x}) is one that tinygrad drives by itself, without a kernel driver"
        if os.access(card / "enable", os.W_OK):
            return Finding(Level.OK, f"{text}; it takes the card from its kernel driver, and from the screen", use)
        return Finding(Level.NOTE, f"{text}; not usable: {card / 'enable'} cannot be written", f"{use}, as root")
    return Finding(Level.NOTE, f"{name}: not usable: none of the {len(known)} kinds of card that tinygrad drives itself")


def _kfd_targets(nodes: Path) -> list[tuple[int, int, int]]:
    """The GPUs of the kernel's list, as (major, minor, stepping)."""
    targets = []
    for properties in sorted(nodes.glob("*/properties")):
        found = re.search(r"^gfx_target_version (\d+)", _read(properties), re.M)
        if found and int(found[1]):
            number = int(found[1])
            targets.append((number // 10000, number // 100 % 100, number % 100))
    return targets


def _usb_id(device: Path) -> tuple[int, int]:
    return _number(device / "idVendor"), _number(device / "idProduct")


def _number(path: Path) -> int:
    try:
        return int(_read(path), 16)
    except ValueError:
        return -1


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def back_end_source(name: str) -> str:
    """The text of a back end of the installed tinygrad."""
    spec = find_spec("tinygrad")
    return _read(Path(spec.origin).parent / f"runtime/ops_{name}.py") if spec and spec.origin else ""
