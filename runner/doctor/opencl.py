"""OpenCL as programs find it: ICD loaders, .icd files, platforms and devices.

Two kinds of question are asked: all .icd files at once in the environment as it is, which is what a program gets, and
each .icd file alone, so that a library that dies or hangs is known by its name.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from runner.child.libraries import build_id, root_packages
from runner.doctor.children import Answer, Question, last_words
from runner.doctor.enable import is_known
from runner.doctor.finding import Finding, Level, Section, find, install_step
from runner.drivers.machine import VENDORS
from runner.drivers.registry import Driver, node_environment

QUESTION = Question(("platforms",))
ZINK = "zink alone"


def find_icd_files(environment: Mapping[str, str]) -> list[Path]:
    """The .icd files that a loader reads: those of OCL_ICD_VENDORS, a file or a folder, else the installed ones."""
    if named := environment.get("OCL_ICD_VENDORS"):
        place = Path(named)
        return sorted(place.glob("*.icd")) if place.is_dir() else [place]
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

    If RUSTICL_ENABLE is not set, every driver is enabled, as the runner enables the one that it is asked for; zink in
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
    findings = []
    if loader := next((r["loader"] for r in replies if r and r.get("loader")), ""):
        findings.append(find("loader", library=_identify(Path(loader))))
    elif together.reply:
        findings.append(find("no-loader", error=together.reply["error"], install=install_step()))
    findings += [find("loader-of-pyopencl", library=_identify(p)) for p in _pyopencl_loaders()]
    names = ("OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_LAYERS")
    findings += [find("variable", name=n, value=environment[n]) for n in names if environment.get(n)]
    if not icds:
        findings.append(find("no-icd", folders=", ".join(map(str, VENDORS)), install=install_step()))
    findings += [_examine_icd(icd, alone.get(str(icd)), len(icds)) for icd in icds]
    if packages := root_packages():
        findings.append(find("packages", packages=", ".join(p.rpartition(" ")[0] for p in packages)))
    return Section("OpenCL loaders and .icd files", tuple(findings))


def _examine_icd(icd: Path, answer: Answer | None, count: int) -> Finding:
    named = library_of(icd)
    if answer is None:
        return find("icd-names-nothing", icd=icd, what="names no library" if icd.exists() else "is not there")
    if answer.died:
        others = ", and with it every OpenCL program that loads all .icd files" if count > 1 else ""
        words = f" ({text})" if (text := last_words(answer)) else ""
        return find("icd-dies", icd=icd, named=named, died=answer.died, others=others, words=words)
    if error := answer.reply.get("unloadable"):
        return find("icd-does-not-load", icd=icd, named=named, error=error)
    library = _identify(Path(answer.reply["library"]))
    owner = f", of {package}" if (package := answer.reply["package"]) else ""
    empty = answer.reply["loader"] and not answer.reply["platforms"]
    return find("icd-without-platform" if empty else "icd", icd=icd, named=named, library=library, owner=owner)


def examine_platforms(together: Answer) -> Section:
    """What a program finds in this environment."""
    name = "OpenCL platforms and devices"
    if together.died:
        return Section(name, (find("platforms-die", died=together.died),))
    platforms = together.reply["platforms"]
    findings = [f for number, platform in enumerate(platforms) for f in _examine_platform(number, platform, len(platforms))]
    return Section(name, tuple(findings or [find("no-platform", install=install_step())]))


def _examine_platform(number: int, platform: Mapping[str, Any], count: int) -> Iterator[Finding]:
    name, devices = platform["name"], platform["devices"]
    if name == "Clover":
        level = Level.NOTE if number else Level.PROBLEM
        what = f"with {len(devices)} devices" if devices else "and without a device"
        yield find("clover", level, number=number, devices=what)
        return
    facts = {"number": number, "name": name, "version": platform["version"]}
    first = " (tinygrad takes the first platform, and no other)" if not number and count > 1 else ""
    see = "see RUSTICL_ENABLE below" if "rusticl" in name else ""
    yield find("platform" if devices else "platform-without-device", **facts, first=first, see=see)
    for device in devices:
        yield find("device-does-not-open" if device["error"] else "device", **device)
        for line in device["unlikely"]:
            yield find("unlikely", line=line)


def _identify(library: Path) -> str:
    number = build_id(library)
    return f"{library}{f', build id {number}' if number else ''}"


def _pyopencl_loaders() -> list[Path]:
    """The ICD loader that pyopencl's wheel brings, which OpenCL programs in Python use; none if it is the system's."""
    spec = find_spec("pyopencl")
    if not spec or not spec.origin:
        return []
    folder = Path(spec.origin).parent
    return sorted(p for f in (folder / ".libs", folder.parent / "pyopencl.libs") for p in f.glob("libOpenCL*"))
