"""tinygrad's back ends that talk to a kernel driver, or to the card itself.

They are only looked at: to open them has effects, as the PCI interfaces take the card from its kernel driver.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from runner.doctor.finding import Finding, Level

# Back end: its device nodes, what brings them, and what it needs besides.
_BY_NODE = {
    "QCOM": (
        ("kgsl-3d0",),
        "a Qualcomm kernel with kgsl (Android's); on mainline Linux (msm) DEV=CL on Rusticl is the way",
        "for Adreno below 730; its compiler is libllvm-qcom.so (a630 alone), or IR3 of the package tinymesa: DEV=QCOM:IR3",
    ),
    "AMD by KFD": (("kfd",), "the kernel driver amdgpu with CONFIG_HSA_AMD, and an AMD GPU", ""),
    "NV": (
        ("nvidiactl", "nvidia-uvm", "nvidia0"),
        "NVIDIA's kernel driver with nvidia-uvm loaded (modprobe nvidia-uvm)",
        "its compiler is CUDA's libnvrtc.so",
    ),
}
# Whoever tests Rusticl has none of these; they are named so that nobody looks for them here.
_ELSEWHERE = {
    "AMD by PCI": "DEV=PCI+AMD takes a card from its kernel driver",
    "AMD by USB": "DEV=USB+AMD drives a card in an ASM2464PD case",
    "NV by PCI": "DEV=PCI+NV takes a card from its kernel driver",
    "METAL": "macOS alone has it",
}
_KFD_TARGETS = ((9, 4, 2), (9, 5, 0))  # and all of 11 and 12: AMDDevice's assertion on its target
Opened = Mapping[str, str]


def examine_kernel_backends(opened: Opened, root: Path = Path("/")) -> list[Finding]:
    """A finding for each; `opened` is what opening each device node said, `root` holds dev/ and sys/."""
    found = [_examine(name, opened, root) for name in _BY_NODE]
    return found + [Finding(Level.NOTE, f"{name}: not looked at: {text}") for name, text in _ELSEWHERE.items()]


def _examine(name: str, opened: Opened, root: Path) -> Finding:
    nodes, source, more = _BY_NODE[name]
    missing = ", ".join(f"/dev/{node}" for node in nodes if not (root / "dev" / node).exists())
    machine = f" (this is {os.uname().machine})" if name == "QCOM" and os.uname().machine != "aarch64" else ""
    if missing:
        return Finding(Level.NOTE, f"{name}: not usable: no {missing}{machine}", source)
    if closed := "; ".join(f"{path}: {opened[path]}" for n in nodes if opened.get(path := str(root / "dev" / n))):
        return Finding(Level.NOTE, f"{name}: not usable: {closed}", "usermod -aG render $USER, and log in again")
    if name != "AMD by KFD":
        return Finding(Level.OK, f"{name}: /dev/{nodes[0]} opens, so usable", more)
    targets = _kfd_targets(root / "sys/devices/virtual/kfd/kfd/topology/nodes")
    shown = ", ".join(f"gfx{t[0]}{t[1]:x}{t[2]:x}" for t in targets) or "no GPU"
    if any(t in _KFD_TARGETS or t[0] in (11, 12) for t in targets):
        return Finding(Level.OK, f"{name}: usable: {shown}")
    return Finding(
        Level.NOTE, f"{name}: not usable: tinygrad takes gfx942, gfx950, gfx11 and gfx12 alone: {shown}", "DEV=CL"
    )


def _kfd_targets(nodes: Path) -> list[tuple[int, int, int]]:
    """The GPUs of the kernel's list, as (major, minor, stepping)."""
    targets = []
    for properties in sorted(nodes.glob("*/properties")):
        found = re.search(r"^gfx_target_version (\d+)", properties.read_text(encoding="utf-8"), re.M)
        if found and int(found[1]):
            number = int(found[1])
            targets.append((number // 10000, number // 100 % 100, number % 100))
    return targets
