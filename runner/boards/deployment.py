"""What `runner deploy` puts on a board: it is asked over ssh what it is, and gets what is not up to date as a tar."""

# The board's folder then holds
#
#     project/   runner/, emulators/, suites/ and expectations/
#     packages/  what ci/requirements.lock lists, unpacked
#     python     the board's python3, with both
#     runner     the command, for use on the board itself
#     stamp.json what all this was made from, so that a second deploy copies only what has changed

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from runner import ROOT
from runner.boards.address import Board
from runner.boards.fleet import LOCK, digest_lock, digest_project
from runner.cache_folder import cache_folder
from runner.cases import catalogue
from runner.lines import one_line, plain, tell
from runner.model import InfrastructureError
from runner.shapes import MALFORMED, as_tuple, make

_MIN_PYTHON = (3, 11)
_NO_PYTHON = 97
_MIN_GLIBC = 17  # manylinux2014, the oldest that today's wheels are built for
# Options of pip: the files of these hashes, for another machine, and none that would have to be built.
_INSTALL = """
install --quiet --disable-pip-version-check --no-deps --no-compile --only-binary=:all: --root-user-action=ignore
--implementation cp --require-hashes
"""
_PLACE = ROOT / "ci/crash_place.c"  # a library that says where a child dies; a compiler of the board's builds it there
_FILES = ROOT / "ci/board"  # the board's own files beside the project and the packages, and the script that examines it


@dataclass(frozen=True, slots=True)
class _Answer:
    """What `_FACTS` prints."""

    python: tuple[int, int, int]
    machine: str
    bits: int
    libc: str
    tar: bool
    stamp: Mapping[str, str]
    busy: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """A board's properties, as its own Python reports them."""

    python: tuple[int, int, int]
    machine: str  # as uname -m
    libc: str  # glibc or musl
    libc_minor: int
    stamp: Mapping[str, str]

    @property
    def series(self) -> str:
        """Python's version as wheels name it."""
        return f"{self.python[0]}.{self.python[1]}"

    @property
    def platforms(self) -> list[str]:
        """The tags of the wheels that run there, the newest first (PEP 600, PEP 656)."""
        if self.libc == "musl":
            return [f"musllinux_1_{minor}_{self.machine}" for minor in range(self.libc_minor, -1, -1)]
        minors = range(self.libc_minor, _MIN_GLIBC - 1, -1)
        return [*(f"manylinux_2_{minor}_{self.machine}" for minor in minors), f"manylinux2014_{self.machine}"]


def deploy_to(board: Board, suites: Path, ssh_config: str) -> None:
    """Bring one board up to date, and print each step. Raises InfrastructureError if it cannot be served."""

    def say(text: str) -> None:
        tell(f"{board.host}: {text}", flush=True)

    def run(remote: str, standard_input: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(board.command(remote, ssh_config), input=standard_input, capture_output=True)

    facts = read_facts(
        run(
            f"command -v python3 > /dev/null || exit {_NO_PYTHON}; python3 - {board.folder}",
            (_FILES / "facts.py").read_bytes(),
        )
    )
    major = 1 if facts.libc == "musl" else 2
    say(f"{facts.machine}, {facts.libc} {major}.{facts.libc_minor}, Python {facts.series}; into {board.folder}")
    stamp = {
        "project": digest_project(suites),
        "expectations": catalogue.digest(ROOT / "expectations"),
        "commands": catalogue.digest(_FILES),
        "crash place": hashlib.sha256(_PLACE.read_bytes()).hexdigest()[:16],
        "packages": digest_lock(),
        "python": facts.series,
    }
    if facts.stamp == stamp:
        say("up to date: nothing copied")
        return
    _check(run(f"mkdir -p {board.folder} && rm -f {board.folder}/stamp.json"), "cannot make the folder")
    same = {key for key in stamp if facts.stamp.get(key) == stamp[key]}
    if not {"packages", "python"} <= same:
        packages = resolve_packages(facts, say)
        size = _copy(run, board.folder, "packages", {packages: "."})
        say(f"copied {len(list(packages.glob('*.dist-info')))} Python packages ({size >> 20} MiB)")
    if not {"project", "expectations"} <= same:
        folders = {ROOT / name: name for name in ("runner", "emulators", "expectations")} | {suites: "suites"}
        size = _copy(run, board.folder, "project", folders)
        say(f"copied the runner, the suites and the expectations ({size >> 20} MiB)")
    files = {name: (_FILES / name).read_text(encoding="utf-8") for name in ("python", "runner")}
    files[_PLACE.name] = _PLACE.read_text(encoding="utf-8")
    _check(run(f"tar -x -f - -C {board.folder}", _tar_texts(files, 0o755)), "cannot write the commands")
    compiler = "$(command -v cc || command -v clang || echo false)"
    build = f"rm -f crash_place.so; {compiler} -shared -fPIC -O2 -o crash_place.so {_PLACE.name}"
    if run(f"cd {board.folder} && {build}").returncode:
        say("no C compiler there: its crashes will not say where")
    imports = "import junitparser, numpy, pyopencl, pytest, safetensors, tinygrad, xdist, yaml; import runner.run.board_gate"
    _check(run(f"{board.folder}/python -c '{imports}'"), "the packages do not load")
    _check(
        run(f"tar -x -f - -C {board.folder}", _tar_texts({"stamp.json": json.dumps(stamp)}, 0o644)), "cannot write the stamp"
    )
    say(f"ready: runner --driver NAME --on {board.host}")


def read_facts(done: subprocess.CompletedProcess[bytes]) -> Facts:
    """The output of ci/board/facts.py on a board. Raises InfrastructureError for a board that cannot be used."""
    if done.returncode == _NO_PYTHON:
        raise InfrastructureError("there is no python3; install it (apk add python3, apt install python3), 3.11 or later")
    _check(done, "cannot be asked")
    # A login shell may greet, and say goodbye.
    lines = [line for line in done.stdout.decode(errors="replace").splitlines() if line.startswith('{"python"')]
    if not lines:
        raise InfrastructureError(
            f"its python3 says {one_line(done.stdout.decode(errors='replace'), 80)!r}, which is not an answer"
        )
    try:
        data = plain(json.loads(lines[-1]))
        facts = make(_Answer, data | {"python": as_tuple(data["python"])})
    except MALFORMED as error:
        raise InfrastructureError(f"its python3 says {one_line(lines[-1], 80)!r}, which is not an answer") from error
    if facts.python < _MIN_PYTHON:
        raise InfrastructureError(f"its python3 is {'.'.join(map(str, facts.python))}; 3.11 or later is needed")
    if not facts.tar:
        raise InfrastructureError("there is no tar; install it")
    if facts.busy:
        raise InfrastructureError("a run is using it; wait until it is over, or end it")
    found = re.fullmatch(r"(glibc|musl) (\d+)\.(\d{1,4})(?!\d).*", facts.libc)
    if not found or facts.bits != 64 or facts.machine not in ("aarch64", "x86_64"):
        raise InfrastructureError(
            f"{facts.machine}, {facts.bits} bits, libc {facts.libc or 'unknown'}: the packages have wheels for "
            "only 64-bit aarch64 and x86_64 with glibc or musl"
        )
    return Facts(facts.python, facts.machine, found[1], int(found[3]), facts.stamp)


def resolve_packages(facts: Facts, say: Callable[[str], None]) -> Path:
    """A folder of the cache with all packages of the lock file, unpacked for a board.

    Raises InfrastructureError if pip cannot find them.
    """
    # Each with the hashes of its files, on continued lines.
    wanted = re.findall(r"^[A-Za-z](?:.*\\\n)*.*$", LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    wanted = [r for r in wanted if not (facts.libc == "musl" and r.startswith("siphash24"))]
    replacement = _FILES / "siphash24.py"
    parts = [digest_lock(), facts.series, *facts.platforms, replacement.read_text(encoding="utf-8")]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    target = cache_folder() / f"board-{facts.machine}-{facts.libc}-{facts.series}-{key[:12]}"
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    say(f"resolving {len(wanted)} packages for {facts.platforms[0]}, Python {facts.series}, from pip's index")
    platforms = [word for tag in facts.platforms for word in ("--platform", tag)]
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="board-new-") as work:
        # The machine's own settings for installing into itself do not apply to this folder.
        requirements = Path(work, "requirements")
        requirements.write_text("\n".join(wanted) + "\n", encoding="utf-8")
        environment = {k: v for k, v in os.environ.items() if k not in ("PIP_USER", "PIP_PREFIX", "PIP_TARGET")}
        options = ["--target", f"{work}/packages", "--python-version", facts.series, *platforms, "-r", str(requirements)]
        done = subprocess.run(
            [sys.executable, "-m", "pip", *_INSTALL.split(), *options], env=environment, capture_output=True
        )
        _check(done, "pip on this host does not find all wheels of ci/requirements.lock")
        if facts.libc == "musl":
            shutil.copy(replacement, Path(work, "packages"))
        shutil.rmtree(Path(work, "packages", "bin"), ignore_errors=True)
        try:
            Path(work, "packages").rename(target)
        except OSError:
            if not target.is_dir():  # else another deploy was first, with the same packages
                raise
    return target


def _copy(
    run: Callable[[str, bytes], subprocess.CompletedProcess[bytes]], folder: str, name: str, sources: Mapping[Path, str]
) -> int:
    """Put folders into the board's folder as `name`, replacing it; returns their size."""
    with io.BytesIO() as buffer:
        # GNU's format is the only one that busybox knows for long names.
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for source, target in sources.items():
                archive.add(source, target, filter=_plain)
        data = buffer.getvalue()
    remote = f"cd {folder} && rm -rf new && mkdir new && tar -x -f - -C new && rm -rf {name} && mv new {name}"
    _check(run(remote, data), f"cannot copy {name}")
    return len(data)


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """An entry without this machine's user; none for compiled Python."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return None if "__pycache__" in entry.name else entry


def _tar_texts(texts: Mapping[str, str], mode: int) -> bytes:
    with io.BytesIO() as buffer:
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for name, text in texts.items():
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode = len(text.encode()), mode
                archive.addfile(entry, io.BytesIO(text.encode()))
        return buffer.getvalue()


def _check(done: subprocess.CompletedProcess[bytes], what: str) -> None:
    """Raise InfrastructureError with the last line on stderr if a command failed."""
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise InfrastructureError(f"{what}: {lines[-1] if lines else f'exit {done.returncode}'}")
