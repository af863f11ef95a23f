"""The files that a run tests, so that none is exchanged unnoticed in the middle of a run.

A worker's children start again and again, and each loads the files of that moment: Mesa, LLVM, a Vulkan driver, libclc,
tinygrad, pyopencl, the bodies of the cases. The files of the first child are what the run tests. The libraries are those
that the kernel says a child has mapped; the rest is found in its folders. A file is known by its size and its times:
unchanged files need no hash. The build id of a library is kept, too, to be shown.
"""

import hashlib
import importlib.machinery
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from runner import ROOT
from runner.child.libraries import build_id
from runner.drivers.mesa_prefix import library_of
from runner.drivers.registry import REGISTRY, VULKAN_FOLDERS
from runner.expectations.bugs import bugs_folder
from runner.model import EXCHANGED, DeviceReport, InfrastructureError
from runner.output.terminal import describe
from runner.run_config import RunConfig, folders_in

_PACKAGES = ("tinygrad", "pyopencl")  # whose modules are imported one by one
_LIBCLC = ("/usr/lib/clc", "/usr/share/clc")
_SETTINGS = ("/usr/share/drirc.d", "/etc/drirc")  # Mesa's own, by driver and program
_OWN_SETTINGS = ".drirc"  # the same of the user
# Which variables name files, or folders of them, that the loaders of OpenCL and Vulkan and Mesa read; lists of them, too.
_NAMING = """
VK_DRIVER_FILES VK_ICD_FILENAMES VK_ADD_DRIVER_FILES VK_LAYER_PATH VK_ADD_LAYER_PATH VK_IMPLICIT_LAYER_PATH OCL_ICD_FILENAMES
OPENCL_LAYERS OPENCL_LAYER_PATH OPENCL_VENDOR_PATH GALLIUM_PIPE_SEARCH_DIR MESA_SHADER_READ_PATH INTEL_SHADER_ASM_READ_PATH
"""
# Where Vulkan's loader looks, beside the machine's folders, and the defaults of these variables.
_XDG = {
    "XDG_CONFIG_HOME": "~/.config",
    "XDG_CONFIG_DIRS": "/etc/xdg",
    "XDG_DATA_HOME": "~/.local/share",
    "XDG_DATA_DIRS": "",
}
_NAME = re.compile(r"(.+?)(?:-\d|\.)")  # libLLVM of libLLVM.so.19.1 and of libLLVM-20.so.1
_MAY_MOVE = ("limits",)  # of a device: some state how much memory is free now
_GONE = "gone"
_RUN_AGAIN = "leave it as it is until the end, and run again"


class Exchanged(InfrastructureError):
    """A file that decides what is tested, or the device itself, has changed since the run began."""


class Inventory:
    """The files of a worker's first child, to be compared with those of every later one."""

    def __init__(self, places: Iterable[Path], own: Path) -> None:
        """Looks at the files of these places now, in a folder at all files; `own` is made again for each child."""
        self._places, self._own = [p for p in places if not p.is_relative_to(own)], f"{own}/"
        self.files = dict(_look_at(self._places))  # by path, what `_stamp` makes of each
        self._libraries: dict[str, str] = {}  # the same of what some child has mapped
        self._build_ids: dict[str, str] = {}
        self._report: DeviceReport | None = None

    def check(self, report: DeviceReport, pid: int) -> None:
        """Raise Exchanged if a child that is ready, its device or a file has changed."""
        self.check_libraries(pid)
        self.check_files()
        if self._report is None:
            self._report = report
            self.files = self._libraries | self.files
        was, now = ({k: v for k, v in asdict(r).items() if k not in _MAY_MOVE} for r in (self._report, report))
        if names := [name for name in was if was[name] != now[name]]:
            first, second = (f"{describe(r)} of {r.library} ({r.build_id or 'no build id'})" for r in (self._report, report))
            raise Exchanged(f"{EXCHANGED}{first} at first, {second} now: another {', '.join(names)}; {_RUN_AGAIN}")

    def check_files(self) -> None:
        """Raise Exchanged if the file has changed or is gone."""
        now = dict(_look_at(self._places))
        now |= {path: _stamp(path) for path in self.files.keys() - now.keys()}
        self._compare(self.files, now)

    def check_libraries(self, pid: int) -> None:
        """Raise Exchanged if a process has mapped another library than those before it; a new one becomes known."""
        mapped = {path: deleted for path, deleted in mapped_files(pid).items() if not path.startswith(self._own)}
        for path, deleted in mapped.items():
            stamp = _stamp(path)
            if path in self._libraries:
                self._compare({path: self._libraries[path]}, {path: stamp})
                continue
            if deleted and stamp == _GONE:
                continue  # built, loaded and deleted by what a case runs: it never comes again
            if deleted:
                raise Exchanged(f"{EXCHANGED}{path} is another file than the one that was loaded; {_RUN_AGAIN}")
            if other := next((k for k in self._libraries if k not in mapped and _name(k) == _name(path)), ""):
                raise Exchanged(f"{EXCHANGED}{other} was loaded at first, {path} is now; {_RUN_AGAIN}")
            self._libraries[path], self._build_ids[path] = stamp, build_id(Path(path))

    def _compare(self, first: Mapping[str, str], now: Mapping[str, str]) -> None:
        for path, stamp in first.items():
            if not _is_same(stamp, now[path]):
                ids = [i or "none" for i in (self._build_ids[path], build_id(Path(path)))] if path in self._build_ids else []
                shown = f" (build id {ids[0]} at first, {ids[1]} now)" if ids else ""
                raise Exchanged(difference({path: stamp}, now) + shown)


def difference(first: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Which of the files that both know is not the same, or ""."""
    for path, stamp in first.items():
        if path in now and not _is_same(stamp, now[path]):
            return f"{EXCHANGED}{path} is {_show(now[path])}, and was {_show(stamp)} at first; {_RUN_AGAIN}"
    return ""


def places_of(config: RunConfig, environment: Mapping[str, str], root: str) -> list[Path]:
    """The files and folders that decide what a child with that environment tests; `root` is that of another architecture."""
    own = [part for part in environment.get("PYTHONPATH", "").split(os.pathsep) if part]
    folders = [str(p) for p in Path(root).glob("usr/local/lib/python3*/dist-packages")] if root else sys.path
    specs = [importlib.machinery.PathFinder.find_spec(name, [*own, *folders]) for name in _PACKAGES]
    packages = [Path(folder) for spec in specs if spec for folder in spec.submodule_search_locations or ()]
    icd = environment.get("OCL_ICD_VENDORS", "")
    named = [environment.get(name, "").split(os.pathsep) for name in _NAMING.split()]
    given = [config.registry, config.gpt2_weights, config.piglit, *(word for words in named for word in words)]
    # Programs of the CTS write beside themselves, where they run.
    programs = [p for p in Path(config.cts).rglob("*") if os.access(p, os.X_OK) and p.is_file()] if config.cts else []
    # With each folder itself, whose time shows that a file is new there.
    home = environment.get("HOME", "")
    xdg = [environment.get(name) or place.replace("~", home) for name, place in _XDG.items()]
    vulkan = [*VULKAN_FOLDERS, *(Path(folder, "vulkan") for line in xdg for folder in line.split(os.pathsep) if folder)]
    machine = [
        folder / f"{kind}.d" for folder in dict.fromkeys(vulkan) for kind in ("icd", "implicit_layer", "explicit_layer")
    ]
    machine += [Path(f"{root}{folder}") for folder in (*_LIBCLC, *_SETTINGS)]
    machine += [Path(home, _OWN_SETTINGS)] if home else []
    given += [icd, str(library_of(Path(icd)) or "") if icd else ""]
    suites = Path(config.suites or ROOT / "suites")  # of plain pytest they are words of its own
    return [suites, ROOT / "runner", *packages, *machine, *programs, *(Path(word) for word in given if word)]


def judged_by(config: RunConfig, driver: str) -> dict[str, str]:
    """The files that decide what a result means, and its message: a hash of each, by path."""
    folders = folders_in(config.expectations) if config.expectations else []
    places = [*(folder / name for folder in folders for name in ("all", driver)), Path(config.registry or REGISTRY)]
    places += [bugs_folder(config.expectations)] if folders else []
    places += [mesa.parent, mesa] if (mesa := Path(config.expectations_mesa)).name else []
    files = [p for place in places for p in ([place] if place.is_file() else place.glob("*"))]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files if path.is_file()}


def judged_otherwise(first: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Which of these files was written, made or deleted meanwhile, or ""."""
    changed = sorted(path for path in first.keys() | now.keys() if first.get(path) != now.get(path))
    more = f" and {len(changed) - 1} more files" if changed[1:] else ""
    changes = "is not what it was when the run began; --resume judges the results by what is there now"
    return f"{EXCHANGED}{changed[0]}{more} {changes}" if changed else ""


def mapped_files(pid: int) -> dict[str, bool]:
    """The shared objects of a process, by the kernel's list, and whether each has lost its name since."""
    try:
        lines = Path(f"/proc/{pid}/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:  # it has ended
        return {}
    paths = sorted({parts[5] for line in lines if ".so" in line and len(parts := line.split(maxsplit=5)) == 6})
    return {path.removesuffix(" (deleted)"): path.endswith(" (deleted)") for path in paths if path.startswith("/")}


def _look_at(places: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for place in places:
        if not place.is_dir():
            if place.is_file():
                yield str(place), _stamp(str(place))
            continue
        if place.name.endswith(".d"):
            yield str(place), _stamp(str(place))
        yield from _walk(str(place))


def _walk(folder: str) -> Iterator[tuple[str, str]]:
    """The files below a folder, except what Python, git and editors leave there."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith((".", "__pycache__")) or entry.name.endswith("~"):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path)
        else:
            yield entry.path, _stamp(entry.path)


def _stamp(path: str) -> str:
    """The stamp that tells a file from another one of its name: size, times, and what changes only the second time."""
    try:
        at = os.stat(path)  # noqa: PTH116  # a thousand at each child's start: a Path costs as much again
    except OSError:
        return _GONE
    return f"{at.st_size} {at.st_mtime_ns} {at.st_ctime_ns} {at.st_nlink}.{at.st_mode}.{at.st_uid}.{at.st_gid}"


def _is_same(stamp: str, other: str) -> bool:
    """Whether two stamps are of one content. A new link or permission does not matter."""
    if _GONE in (stamp, other):
        return stamp == other
    (size, written, changed, more), (size2, written2, changed2, more2) = stamp.split(" "), other.split(" ")
    return (size, written) == (size2, written2) and (changed == changed2 or more != more2)


def _show(stamp: str) -> str:
    if stamp == _GONE:
        return _GONE
    size, written, *_ = stamp.split(" ")
    return f"{int(size):,} bytes of {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(int(written) / 1e9))}"


def _name(path: str) -> str:
    """What a library is called in every version, as libLLVM."""
    name = path.rpartition("/")[2]
    found = _NAME.match(name)
    return found[1] if found else name
