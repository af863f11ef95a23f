"""Vulkan as zink finds it: the drivers' .json files and the devices that the loader shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runner.doctor.children import Answer, Question, ask, last_words
from runner.doctor.finding import Finding, Level, Section

_FOLDERS = ("/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d")
_PATIENCE_S = 0.6
QUESTION = Question(("vulkan",))


def find_driver_files(environment: Mapping[str, str]) -> list[Path]:
    """The .json files that the loader reads: those that VK_DRIVER_FILES names, else the installed ones."""
    named = environment.get("VK_DRIVER_FILES") or environment.get("VK_ICD_FILENAMES")
    if named:
        return [Path(p) for p in named.split(":") if p]
    own = Path(environment.get("XDG_DATA_HOME") or Path(environment.get("HOME", "/"), ".local/share"))
    return [p for folder in (*_FOLDERS, own / "vulkan/icd.d") for p in sorted(Path(folder).glob("*.json"))]


def examine_vulkan(environment: Mapping[str, str], answer: Answer) -> Section:
    """The devices, then the files. Where the loader died, each driver is asked alone to find out whose fault it is."""
    files = find_driver_files(environment)
    findings = []
    if answer.died:
        findings.append(
            Finding(
                Level.PROBLEM,
                f"the Vulkan loader with all drivers {answer.died} {last_words(answer)}".rstrip(),
                "keep the driver at fault out: VK_DRIVER_FILES=FILE[:FILE] names those to load",
            )
        )
        alone = {str(p): Question(("vulkan",), {"VK_DRIVER_FILES": str(p)}) for p in files}
        for path, one in ask(alone, _PATIENCE_S).items():
            if one.died:
                findings.append(Finding(Level.PROBLEM, f"{path}: its driver {one.died} {last_words(one)}".rstrip()))
    else:
        devices = answer.reply["devices"]
        findings += [Finding(Level.OK, _device(d)) for d in devices]
        if not devices:
            why = answer.reply["error"] or "the loader shows none"
            findings.append(
                Finding(
                    Level.NOTE,
                    f"no Vulkan device ({why}); zink needs one",
                    "install the GPU's Vulkan driver; Mesa's is mesa-vulkan-drivers in Debian",
                )
            )
    return Section("Vulkan", (*findings, *(_describe_file(path) for path in files)))


def _device(device: Mapping[str, Any]) -> str:
    return f"{device['name']}: {device['type']}, Vulkan {device['api_version']}"


def _describe_file(path: Path) -> Finding:
    try:
        library = str(json.loads(path.read_text(encoding="utf-8"))["ICD"]["library_path"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        return Finding(Level.PROBLEM, f"{path}: not a driver's file: {error}", f"fix or delete {path}")
    beside = path.parent / library if "/" in library else None
    if beside and not beside.exists():
        return Finding(Level.PROBLEM, f"{path} names {library}, which is not there", f"fix or delete {path}")
    return Finding(Level.NOTE, f"{path}: {library}")
