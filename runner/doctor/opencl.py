"""OpenCL as programs find it: ICD loaders, .icd files, platforms and devices.

Two kinds of question are asked: all .icd files at once in the environment as it is, which is what a program gets, and
each .icd file alone, so that a library that dies or hangs is known by its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from runner.child.libraries import build_id, root_packages
from runner.doctor.children import Answer, Question, last_words
from runner.doctor.enable import is_known
from runner.doctor.finding import Finding, Level, Section, install_step
from runner.drivers.registry import VENDORS, Driver, node_environment

QUESTION = Question(("platforms",))
ZINK = "zink alone"


def find_icd_files(environment: Mapping[str, str]) -> list[Path]:
    """The .icd files that a loader reads: those of OCL_ICD_VENDORS, a file or a folder, else the installed ones."""
    if named := environment.get("OCL_ICD_VENDORS"):
        given = Path(named)
        return sorted(given.glob("*.icd")) if given.is_dir() else [given]
    files = {p.resolve(): p for folder in VENDORS for p in sorted(folder.glob("*.icd"))}
    return list(files.values())


def library_of(icd: Path) -> str:
    """The library that an .icd file names: its first line."""
    try:
        lines = icd.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return lines[0].strip() if lines else ""


def ask_alone(
    icds: Sequence[Path], environment: Mapping[str, str], drivers: Mapping[str, Driver], folder: Path
) -> dict[str, Question]:
    """A question for each .icd file; below `folder` each gets a folder of its own, which every loader takes.

    Where RUSTICL_ENABLE is not set every driver is enabled, as the runner enables the one that it is asked for; zink in
    a question of its own (ZINK), because its start takes seconds on Mesa 26.2: it compiles kernels, and caches none.
    """
    enabled = environment.get("RUSTICL_ENABLE")
    others = ",".join(d.rusticl for d in drivers.values() if is_known(d) and d.name != "zink")
    own = {"RUSTICL_ENABLE": others if enabled is None else enabled}
    supplied = node_environment(drivers["zink"])
    if "zink" in (enabled or ""):
        own |= supplied
    questions = {}
    for number, icd in enumerate(icds):
        if library := library_of(icd):
            pinned = folder / str(number)
            pinned.mkdir()
            (pinned / "one.icd").write_text(f"{library}\n", encoding="utf-8")
            alone = {"OCL_ICD_VENDORS": str(pinned), "OCL_ICD_FILENAMES": "", **own}
            questions[str(icd)] = Question(("icd", library), alone)
            if enabled is None and "rusticl" in f"{icd.name} {library}".lower():
                zink = {**alone, **supplied, "RUSTICL_ENABLE": "zink"}
                questions[ZINK] = Question(("icd", library), zink, optional=True)
    return questions


def rusticl_devices(answer: Answer) -> list[dict[str, Any]]:
    """The devices of Rusticl in an answer."""
    platforms = answer.reply["platforms"] if answer.reply and "platforms" in answer.reply else []
    return [d for p in platforms if "rusticl" in p["name"].lower() for d in p["devices"]]


def examine_icds(
    icds: Sequence[Path], alone: Mapping[str, Answer], together: Answer, environment: Mapping[str, str]
) -> Section:
    """Loaders and .icd files."""
    replies = (a.reply for a in (together, *(alone[str(i)] for i in icds if str(i) in alone)))
    loader = next((r["loader"] for r in replies if r and r.get("loader")), "")
    findings = []
    if loader:
        findings.append(Finding(Level.OK, f"ICD loader {_identify(Path(loader))} (clinfo, tinygrad)"))
    elif together.reply:
        findings.append(Finding(Level.PROBLEM, f"no ICD loader: {together.reply['error']}", install_step()))
    findings += [Finding(Level.NOTE, f"ICD loader {_identify(p)} (pyopencl's own)") for p in _pyopencl_loaders()]
    for name in ("OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_LAYERS"):
        if environment.get(name):
            findings.append(Finding(Level.NOTE, f"{name}={environment[name]}"))
    if not icds:
        findings.append(Finding(Level.PROBLEM, f"no .icd file in {', '.join(map(str, VENDORS))}", install_step()))
    for icd in icds:
        findings.append(_examine_icd(icd, alone.get(str(icd)), len(icds)))
    if packages := root_packages():
        findings.append(Finding(Level.NOTE, f"packages: {', '.join(p.rpartition(' ')[0] for p in packages)}"))
    return Section("OpenCL loaders and .icd files", tuple(findings))


def _examine_icd(icd: Path, answer: Answer | None, count: int) -> Finding:
    named = library_of(icd)
    if answer is None:
        what = "names no library" if icd.exists() else "is not there"
        return Finding(Level.PROBLEM, f"{icd} {what}", "correct OCL_ICD_VENDORS, or delete the file")
    head = f"{icd} names {named}"
    if answer.died:
        words = last_words(answer)
        others = ", and with it every OpenCL program that loads all .icd files" if count > 1 else ""
        return Finding(
            Level.PROBLEM,
            f"{head}, which {answer.died}{others}{f' ({words})' if words else ''}",
            "pin OCL_ICD_VENDORS to another .icd file, or reinstall its package",
        )
    if error := answer.reply.get("unloadable"):
        return Finding(Level.PROBLEM, f"{head}, which does not load: {error}", "install that library, or delete the file")
    library = Path(answer.reply["library"])
    owner = answer.reply["package"]
    text = f"{head}: {_identify(library)}{f', of {owner}' if owner else ''}"
    if answer.reply["loader"] and not answer.reply["platforms"]:
        return Finding(Level.PROBLEM, f"{text}: it loads, and has no platform", "delete the file, or reinstall its package")
    return Finding(Level.OK, text)


def examine_platforms(together: Answer) -> Section:
    """What a program finds in this environment."""
    if together.died:
        return Section(
            "OpenCL platforms and devices",
            (
                Finding(
                    Level.PROBLEM,
                    f"a program that asks for platforms {together.died}",
                    "see the .icd files above; pin OCL_ICD_VENDORS to a good one",
                ),
            ),
        )
    platforms = together.reply["platforms"]
    findings = [] if platforms else [Finding(Level.PROBLEM, "no OpenCL platform", install_step())]
    for number, platform in enumerate(platforms):
        name, devices = platform["name"], platform["devices"]
        if name == "Clover":
            findings.append(
                Finding(
                    Level.PROBLEM if not number else Level.NOTE,
                    f"platform {number} Clover is dead: Mesa's former OpenCL, dropped from Mesa, "
                    f"{f'with {len(devices)} devices' if devices else 'and without a device'}",
                    "pin OCL_ICD_VENDORS to Rusticl's .icd file",
                )
            )
            continue
        first = " (tinygrad takes the first platform, and no other)" if not number and len(platforms) > 1 else ""
        findings.append(
            Finding(
                Level.OK if devices else Level.PROBLEM,
                f"platform {number} {name}, {platform['version']}{first}{'' if devices else ': no device'}",
                "" if devices or "rusticl" not in name else "see RUSTICL_ENABLE below",
            )
        )
        findings += [_describe_device(d) for d in devices]
    return Section("OpenCL platforms and devices", tuple(findings))


def _describe_device(device: Mapping[str, str]) -> Finding:
    text = f"  {device['name']}: {device['type']}, {device['version']}, driver {device['driver_version']}"
    if device["error"]:
        return Finding(Level.PROBLEM, f"{text}: does not open: {device['error']}", "run with RUSTICL_DEBUG=program")
    return Finding(Level.OK, text)


def _identify(library: Path) -> str:
    number = build_id(library)
    return f"{library}{f', build id {number}' if number else ''}"


def _pyopencl_loaders() -> list[Path]:
    """The ICD loader that pyopencl's wheel brings, which OpenCL programs in Python use; none where it is the system's."""
    spec = find_spec("pyopencl")
    if not spec or not spec.origin:
        return []
    folder = Path(spec.origin).parent
    return sorted(p for f in (folder / ".libs", folder.parent / "pyopencl.libs") for p in f.glob("libOpenCL*"))
