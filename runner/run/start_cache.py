"""The data that a driver's start-up leaves in Mesa's shader cache: parsed libclc, nine tenths of a start-up's time.

One worker of a run makes it for all; it is kept for later runs, below the project's cache folder, under a hash of
libclc, the packages and the variables, with Mesa's build id and a hash of each file beside it. No case has run when it is
taken, so no case's kernel is in it.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from runner.cache_folder import cache_folder
from runner.child.environment import recorded
from runner.child.libraries import build_id, find_libclc, libclc_hash, root_packages
from runner.model import DeviceReport

_FILES = "mesa_shader_cache*"  # Mesa's folders, for each of its kinds of cache
_INDEX = "index"  # of all entries' places: of fixed size, and made again if it is not there
_HEADER_BYTES = 64  # a file with no more than this holds no entry
_MANIFEST = "manifest.json"
_WRITE_S, _POLL_S = 60.0, 0.05


class StartCache:
    """The start-up's cache, as the workers of a run share it in `scratch`, and runs share it in `store`.

    `environment` is that of a child, whose cache folder is `cache`; variables that name that folder do not count.
    """

    def __init__(self, scratch: Path, environment: Mapping[str, str], cache: Path) -> None:
        self._shared, self._cache = scratch / "start", cache
        self._lock = os.open(scratch / "start.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
        self._claimed = False
        own = {name: value.replace(str(cache), "") for name, value in recorded(environment).items()}
        key = json.dumps([own, libclc_hash(find_libclc()), root_packages(), os.uname().machine])
        self._entry = cache_folder() / "libclc" / hashlib.sha256(key.encode()).hexdigest()[:32]
        self._device: list[str] | None = None  # the device whose entry this run has taken
        self._useless = environment.get("MESA_SHADER_CACHE_DISABLE", "") not in ("", "0", "false")

    def claim(self) -> bool:
        """True if a child may start: with the known cache, or to make it for all; False while another worker makes it."""
        if not (self._claimed or self._useless or self._shared.is_dir()):
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            self._claimed = True
        return True

    def wait(self, limit_s: float, stopped: Callable[[], bool]) -> None:
        """Until `claim` is true, the time is up or the run is stopped."""
        deadline_s = time.monotonic() + limit_s
        while not self.claim() and time.monotonic() < deadline_s and not stopped():
            time.sleep(_POLL_S)

    def fill(self) -> None:
        """Put the known entries into a new child's cache."""
        if not self._shared.is_dir() and self._claimed:
            self._fetch()
        if self._shared.is_dir():
            _copy(self._shared, self._cache)

    def keep(self, report: DeviceReport, pid: int) -> bool:
        """Keep the cache of a child, `pid`, after its start-up; False if the one that it began with is from another Mesa."""
        device = [report.driver_version, report.build_id, report.libclc, report.cpu_class, report.library]
        if self._device not in (None, device):
            self._device = None
            for folder in (self._shared, self._entry):
                shutil.rmtree(folder, ignore_errors=True)
            return False
        if not self._shared.is_dir() and self._claimed:
            _await_writes(pid)
            _publish(self._cache, self._shared)
            if report.build_id and report.libclc:
                self._store(device)
        self.release()
        return True

    def release(self) -> None:
        """Let another worker make it, if this one has not."""
        fcntl.flock(self._lock, fcntl.LOCK_UN)
        self._claimed = False

    def _fetch(self) -> None:
        """Take over what an earlier run has kept, if every byte is as it was written, and Mesa is the same file."""
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            manifest = json.loads((self._entry / _MANIFEST).read_bytes())
            device, hashes = manifest["device"], manifest["files"]
            if hashes != _hashes(self._entry) or build_id(Path(device[-1])) != device[1]:
                shutil.rmtree(self._entry, ignore_errors=True)
                return
            _publish(self._entry, self._shared)
            self._device = device

    def _store(self, device: list[str]) -> None:
        hashes = _hashes(self._shared)
        if not hashes:
            return
        with contextlib.suppress(OSError):  # a home that cannot be written: the next run makes its own
            self._entry.parent.mkdir(parents=True, exist_ok=True)
            _publish(self._shared, self._entry, json.dumps({"device": device, "files": hashes}))


def _publish(source: Path, target: Path, manifest: str = "") -> None:
    """Copy to a folder that appears whole, or not at all."""
    copy = Path(tempfile.mkdtemp(prefix=f"{target.name}.", dir=target.parent))
    try:
        _copy(source, copy)
        if manifest:
            (copy / _MANIFEST).write_text(manifest, encoding="utf-8")
        with contextlib.suppress(OSError):  # another run was first
            copy.rename(target)
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def _copy(source: Path, target: Path) -> None:
    for path, content in _entries(source).items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(content)


def _hashes(folder: Path) -> dict[str, str]:
    return {path: hashlib.sha256(content).hexdigest() for path, content in _entries(folder).items()}


def _entries(folder: Path) -> dict[str, bytes]:
    """The files that hold entries, by their path."""
    files = (p for top in folder.glob(_FILES) for p in top.rglob("*") if p.is_file() and p.name != _INDEX)
    contents = {}
    for path in files:
        with contextlib.suppress(FileNotFoundError):  # renamed meanwhile; Mesa compiles a lost entry again
            if path.stat().st_size > _HEADER_BYTES:
                contents[str(path.relative_to(folder))] = path.read_bytes()
    return contents


def _await_writes(pid: int) -> None:
    """Wait until the child's Mesa has written everything: its writer runs at nice 19, beside other work for seconds."""
    deadline_s, idle = time.monotonic() + _WRITE_S, 0
    while idle < 2 and time.monotonic() < deadline_s:
        idle = 0 if _is_writing(pid) else idle + 1
        time.sleep(_POLL_S)


def _is_writing(pid: int) -> bool:
    """Whether a thread of Mesa's cache (util/disk_cache.c: `disk$`, behind the program's name) is busy, by /proc."""
    for thread in Path(f"/proc/{pid}/task").glob("*/stat"):
        with contextlib.suppress(OSError):  # a thread that has ended
            name, state = thread.read_text(errors="replace").rsplit(") ", 1)
            if "disk$" in name and state[0] != "S":
                return True
    return False
