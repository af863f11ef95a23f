"""tinygrad's back ends that talk to a kernel driver, or to the card itself.

They are only looked at: to open them has effects, as the PCI interfaces take the card from its kernel driver.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from runner.doctor.finding import Finding, advice, find

_KFD_TARGETS = ((9, 4, 2), (9, 5, 0))  # and all of 11 and 12: AMDDevice's assertion on its target
Opened = Mapping[str, str]


def examine_kernel_backends(opened: Opened, root: Path = Path("/")) -> list[Finding]:
    """A finding for each; `opened` is the error of opening each device node, "" for none, `root` holds dev/ and sys/."""
    found = [_examine(name, opened, root) for name in advice()["kernel"]]
    return found + [find("not-looked-at", name=name, why=text) for name, text in advice()["elsewhere"].items()]


def _examine(name: str, opened: Opened, root: Path) -> Finding:
    own = advice()["kernel"][name]
    nodes = {node: root / "dev" / node for node in own["nodes"]}
    missing = ", ".join(f"/dev/{node}" for node, path in nodes.items() if not path.exists())
    machine = f" (this is {os.uname().machine})" if name == "QCOM" and os.uname().machine != "aarch64" else ""
    if missing:
        return find("not-usable", name=name, why=f"no {missing}{machine}", step=own["source"])
    if closed := "; ".join(f"{path}: {opened[str(path)]}" for path in nodes.values() if opened.get(str(path))):
        return find("not-usable", name=name, why=closed, step="usermod -aG render $USER, and log in again")
    if name != "AMD by KFD":
        return find("node-opens", name=name, node=own["nodes"][0], more=own["more"])
    targets = _kfd_targets(root / "sys/devices/virtual/kfd/kfd/topology/nodes")
    shown = ", ".join(f"gfx{t[0]}{t[1]:x}{t[2]:x}" for t in targets) or "no GPU"
    if any(t in _KFD_TARGETS or t[0] in (11, 12) for t in targets):
        return find("usable", name=name, how=f": {shown}")
    return find("not-usable", name=name, why=f"tinygrad takes gfx942, gfx950, gfx11 and gfx12 alone: {shown}", step="DEV=CL")


def _kfd_targets(nodes: Path) -> list[tuple[int, int, int]]:
    """The GPUs of the kernel's list, as (major, minor, stepping)."""
    targets = []
    for properties in sorted(nodes.glob("*/properties")):
        found = re.search(r"^gfx_target_version (\d+)", properties.read_text(encoding="utf-8"), re.M)
        if found and int(found[1]):
            number = int(found[1])
            targets.append((number // 10000, number // 100 % 100, number % 100))
    return targets
