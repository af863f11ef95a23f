"""The device nodes of a machine: render nodes and kgsl, their kernel drivers, Mesa's drivers for them, who may open them."""

import grp
import os
import pwd
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.doctor.finding import Finding, Section, find
from runner.drivers.registry import Driver


@dataclass(frozen=True, slots=True)
class Node:
    """A device node; `path` is "" if the kernel has the device and /dev does not show it."""

    name: str
    path: str
    kernel: str  # the kernel driver
    device: str  # what sysfs calls the hardware: a PCI id or a device tree's name


def find_nodes(root: Path = Path("/")) -> list[Node]:
    """The render nodes that sysfs or /dev shows, and Qualcomm's own nodes. `root` holds dev/ and sys/."""
    dri, drm = root / "dev/dri", root / "sys/class/drm"
    names = sorted({p.name for folder in (dri, drm) for p in folder.glob("renderD*")})
    nodes = []
    for name in names:
        link, event = drm / name / "device/driver", drm / name / "device/uevent"
        kernel = link.resolve().name if link.exists() else ""
        values = dict(line.split("=", 1) for line in _read(event).splitlines() if "=" in line)
        device = values.get("OF_COMPATIBLE_0") or values.get("PCI_ID", "")
        nodes.append(Node(name, str(dri / name) if (dri / name).exists() else "", kernel, device))
    kgsl = sorted((root / "dev").glob("kgsl*"))
    return nodes + [Node(p.name, str(p), "kgsl", _read(root / "sys/class/kgsl" / p.name / "gpu_model")) for p in kgsl]


def mesa_drivers(kernel: str, drivers: Mapping[str, Driver]) -> str:
    """The Rusticl drivers for a kernel driver, by drivers.yaml."""
    own = [d for d in drivers.values() if kernel in d.kernel]
    if not own:
        return "no driver of Rusticl's own; zink, if it has a Vulkan driver"
    return ", ".join(f"none ({d.absent})" if d.absent else f"RUSTICL_ENABLE={d.rusticl}" for d in own)


def examine_nodes(nodes: Sequence[Node], opened: Mapping[str, str], drivers: Mapping[str, Driver]) -> Section:
    """The device nodes, and who may open them; `opened` maps each path to its error, "" for none."""
    findings = [_examine(node, opened.get(node.path, ""), drivers) for node in nodes]
    if not any(n.name.startswith("renderD") for n in nodes):
        findings.append(find("no-render-node"))
    if not any(n.kernel == "kgsl" for n in nodes):
        findings.append(find("no-kgsl"))
    return Section("device nodes", (*findings, _describe_user()))


def _examine(node: Node, error: str, drivers: Mapping[str, Driver]) -> Finding:
    about = f"kernel driver {node.kernel or 'unknown'}{f', {node.device}' if node.device else ''}"
    about += f"; Mesa: {mesa_drivers(node.kernel, drivers)}" if node.kernel else ""
    if not node.path:
        return find("node-not-in-dev", name=node.name, about=about)
    try:
        status = Path(node.path).stat()
    except OSError as gone:
        return find("node-gone", path=node.path, error=gone.strerror)
    who = f"{stat.filemode(status.st_mode)} {_name(pwd.getpwuid, status.st_uid)} {_name(grp.getgrgid, status.st_gid)}"
    if not error:
        return find("node", path=node.path, who=who, about=about)
    permit = _permit(node.path, status)
    return find("node-closed", path=node.path, who=who, error=error, about=about, permit=permit)


def _permit(path: str, status: os.stat_result) -> str:
    """The step that lets this user open a node that it may not open."""
    group = _name(grp.getgrgid, status.st_gid)
    shared = status.st_mode & (stat.S_IRGRP | stat.S_IWGRP) == stat.S_IRGRP | stat.S_IWGRP
    if shared and group != "root" and status.st_gid not in (os.getegid(), *os.getgroups()):
        return f"usermod -aG {group} $USER, and log in again (the group of such nodes is render or video)"
    if shared and group != "root":
        return "the group is right: a container's or a policy's (SELinux, device cgroup) rule forbids it"
    return f"a udev rule that gives {path} to the group render with mode 0660 (systemd's own does)"


def _describe_user() -> Finding:
    groups = sorted({_name(grp.getgrgid, g) for g in (os.getegid(), *os.getgroups())})
    known = {name for name in ("render", "video") if _has_group(name)}
    without = sorted(known - set(groups))
    note = f"; not in {' and '.join(without)}" if without and os.geteuid() else ""
    return find("user", name=_name(pwd.getpwuid, os.geteuid()), groups=" ".join(groups), without=note)


def _has_group(name: str) -> bool:
    try:
        return bool(grp.getgrnam(name))
    except KeyError:
        return False


def _name(lookup: Callable[[int], tuple[object, ...]], number: int) -> str:
    try:
        return str(lookup(number)[0])
    except KeyError:
        return str(number)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
