"""Vulkan as zink finds it: the drivers' .json files and the devices that the loader shows."""

import json
from collections.abc import Mapping
from pathlib import Path

from runner.doctor.children import Answer, Question, ask, last_words
from runner.doctor.finding import Finding, Section, find

_FOLDERS = ("/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d")
_TIMEOUT_S = 0.6
QUESTION = Question(("vulkan",))


def find_driver_files(environment: Mapping[str, str]) -> list[Path]:
    """The .json files that the loader reads: those that VK_DRIVER_FILES names, else the installed ones."""
    named = environment.get("VK_DRIVER_FILES") or environment.get("VK_ICD_FILENAMES")
    if named:
        return [Path(p) for p in named.split(":") if p]
    own = Path(environment.get("XDG_DATA_HOME") or Path(environment.get("HOME", "/"), ".local/share"))
    return [p for folder in (*_FOLDERS, own / "vulkan/icd.d") for p in sorted(Path(folder).glob("*.json"))]


def examine_vulkan(environment: Mapping[str, str], answer: Answer) -> Section:
    """The devices, then the files. If the loader died, each driver is asked on its own to find out whose fault it is."""
    files = find_driver_files(environment)
    if answer.died:
        findings = [find("vulkan-dies", died=answer.died, words=last_words(answer))]
        alone = {str(p): Question(("vulkan",), {"VK_DRIVER_FILES": str(p)}) for p in files}
        dead = {path: one for path, one in ask(alone, _TIMEOUT_S).items() if one.died}
        findings += [find("vulkan-driver-dies", path=p, died=a.died, words=last_words(a)) for p, a in dead.items()]
    else:
        findings = [find("vulkan-device", **device) for device in answer.reply["devices"]]
        why = answer.reply["error"] or "the loader shows none"
        findings = findings or [find("no-vulkan-device", why=why)]
    return Section("Vulkan", (*findings, *map(_describe_file, files)))


def _describe_file(path: Path) -> Finding:
    try:
        library = str(json.loads(path.read_text(encoding="utf-8"))["ICD"]["library_path"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        return find("vulkan-file-bad", path=path, error=error)
    lost = "/" in library and not (path.parent / library).exists()
    return find("vulkan-file-names-nothing" if lost else "vulkan-file", path=path, library=library)
