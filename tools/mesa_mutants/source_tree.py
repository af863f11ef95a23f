"""Mesa's source and build folder, kept from run to run: a change is applied, built and reverted."""

import difflib
import filecmp
import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from runner import ROOT
from runner.cache_folder import cache_folder
from runner.model import InfrastructureError, UsageError
from runner.records.folder import held
from tools.mesa_mutants.places import replace
from tools.mesa_mutants.table import Change

_IN_ROOT = (str(ROOT / "ci/in-root"), "--mesa", "+build")
LIBRARY = "libRusticlOpenCL.so.1.0.0"
_TARGET = f"src/gallium/targets/rusticl/{LIBRARY}"
_STEP = "ninja -C build $1 && strip -o $2 build/$1"
_BIND = 'while [ "$1" != -- ]; do mount --bind "$1" "$2" && shift 2 || exit; done; shift && exec "$@"'
_COMPLAINT = re.compile(r"\berror(:|\[)|Error:")  # of gcc and lld, of rustc, of a generator; not -Werror=
_CHANGED = "changed"  # beside source/: the original text of the files that are changed at the moment


@dataclass(frozen=True, slots=True)
class Built:
    """A library, stripped, or the compiler's complaint."""

    library: Path | None
    seconds: float
    complaint: str = ""


@dataclass(frozen=True, slots=True)
class SourceTree:
    """`folder` has source/, a copy that nobody else edits; ci/mesa-build's `build` folder belongs to it."""

    folder: Path
    build: Path
    within: tuple[str, ...] = ()  # the command that starts each build of it

    @property
    def source(self) -> Path:
        """The folder in which a change is applied."""
        return self.folder / "source"

    @property
    def shims(self) -> list[Path]:
        """Mesa's noop drm-shims, as they were before any change."""
        return sorted(self.build.parent.glob("prefix/**/lib*_noop_drm_shim.so"))

    def make(self, change: Change | None, out: Path) -> Built:
        """Build Rusticl with a change, or unchanged, into `out`. Raises MovedError."""
        begun = time.monotonic()
        if change is None:
            done = self._step(out)
        else:
            with applied(self.folder, change):
                done = self._step(out)
        seconds = time.monotonic() - begun
        if done.returncode:
            lines = [line for line in done.stdout.splitlines() if _COMPLAINT.search(line)] or done.stdout.splitlines()
            return Built(None, seconds, " | ".join(lines[:3])[:400])
        return Built(out, seconds)

    def _step(self, out: Path) -> subprocess.CompletedProcess[str]:
        out.parent.mkdir(parents=True, exist_ok=True)
        # Mesa's generators import files beside them.
        step = ("env", "-u", "PYTHONSAFEPATH", "sh", "-c", f'PATH="/usr/lib/llvm-19/bin:$PATH"; {_STEP}', "sh")
        return subprocess.run(
            (*self.within, *_IN_ROOT, *step, _TARGET, str(out.absolute())),
            cwd=self.build.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )


@contextmanager
def side_by_side(tree: SourceTree, count: int) -> Iterator[list[SourceTree]]:
    """Copies of a tree, each built in a mount namespace in which it has the tree's path, because a build folder contains it.

    Only the tree itself if one is enough, or if this machine does not allow such a namespace.
    """
    namespace = ("unshare", "-m" if os.getuid() == 0 else "-rm", "sh", "-c", _BIND, "sh")
    folder = tree.folder / "copies"
    allowed = (
        shutil.which("unshare")
        and not subprocess.run((*namespace, "/dev", "/dev", "--", "true"), stderr=subprocess.DEVNULL).returncode
    )
    if count < 2 or not allowed:
        yield [tree]
        return

    def copy(number: int) -> SourceTree:
        own = folder / str(number)
        own.mkdir()
        # With their dates: otherwise ninja would build everything again.
        subprocess.run(("cp", "-a", "--reflink=auto", tree.source, tree.build, own), check=True)
        binds = (str(own / "source"), str(tree.source), str(own / "build"), str(tree.build), "--")
        return SourceTree(own, tree.build, (*namespace, *binds))

    shutil.rmtree(folder, ignore_errors=True)  # left by a killed run
    folder.mkdir()
    try:
        with ThreadPoolExecutor() as pool:
            yield list(pool.map(copy, range(count)))
    finally:
        shutil.rmtree(folder)


def folder_of(checkout: str) -> Path:
    """The path of a source's copy, even before it exists."""
    name = f"-{hashlib.sha256(checkout.encode()).hexdigest()[:12]}" if checkout else ""
    return cache_folder() / f"mesa-mutants{name}"


@contextmanager
def open_source(checkout: str) -> Iterator[Path]:
    """Lock the folder of a source's copy, and revert every change that a killed run left in it."""
    folder = folder_of(checkout)
    with held(folder):
        restore(folder)
        source = folder / "source"
        if checkout:
            if not Path(checkout, "meson.build").is_file():
                raise UsageError(f"--source {checkout}: no meson.build in it")
            copy_source(Path(checkout), source)
        elif not source.exists():
            script = 'rm -rf "$1.new" && dpkg-source --no-check --extract /usr/src/mesa/*.dsc "$1.new" && mv "$1.new" "$1"'
            _check([*_IN_ROOT, "sh", "-c", script, "sh", str(source)], {})
        yield folder


@contextmanager
def open_tree(checkout: str) -> Iterator[SourceTree]:
    """Configure and build the unchanged source once; afterwards only what is out of date."""
    with open_source(checkout) as folder:
        # Aligned, a C function that grows by a few bytes moves no other, so the delta is small; rustc reuses what it can.
        rust = f"-Drust_args=-Cincremental={folder / 'rust'}"
        aligned = "-Dc_args=-falign-functions=64 -Dcpp_args=-falign-functions=64"
        drivers = "-Dgallium-drivers=llvmpipe,zink,freedreno,radeonsi,panfrost,iris -Dvulkan-drivers="
        options = f"{drivers} -Dtools=drm-shim,intel {aligned} {rust}"
        done = _check(
            [str(ROOT / "ci/mesa-build"), "--source", str(folder / "source")],
            {"MESA_OPTIONS": options, "CC_LD": "lld", "CXX_LD": "lld"},
        )
        yield SourceTree(folder, Path(done.strip()).parent / "build")


def copy_source(source: Path, target: Path) -> None:
    """Copy a tree, without its git data; if there is a copy already, only what differs.

    Files that the tree lacks, perhaps left by a patch, are deleted from the copy, and so is every link: copytree does not
    replace them.
    """
    for path in [*target.rglob("*")]:
        if path.is_symlink() or not (path.is_dir() or os.path.lexists(source / path.relative_to(target))):
            path.unlink()
    without = shutil.ignore_patterns(".git")
    shutil.copytree(source, target, symlinks=True, ignore=without, copy_function=_update, dirs_exist_ok=True)


def _update(source: str, target: str) -> str:
    """Copy a file that differs with a new date: with an old one ninja would ignore it."""
    same = Path(target).exists() and filecmp.cmp(source, target, shallow=False)
    return target if same else str(shutil.copy(source, target))


def _check(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, env=os.environ | environment, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise InfrastructureError(f"{Path(command[0]).name} ended with exit code {done.returncode}")
    return done.stdout


def diff_of(change: Change, source: Path) -> str:
    """A change as a patch of the source. Raises MovedError."""
    text = (source / change.file).read_text(encoding="utf-8")
    changed = replace(text, change.place(text), change.to)
    before, after = text.splitlines(keepends=True), changed.splitlines(keepends=True)
    return "".join(difflib.unified_diff(before, after, f"a/{change.file}", f"b/{change.file}")).rstrip("\n")


@contextmanager
def applied(folder: Path, change: Change) -> Iterator[None]:
    """Apply a change in folder/source. The original is on the disk first, so that a killed run's change can be reverted.

    Raises MovedError.
    """
    path = folder / "source" / change.file
    kept = folder / _CHANGED / change.file
    text = path.read_text(encoding="utf-8")
    changed = replace(text, change.place(text), change.to)
    kept.parent.mkdir(parents=True, exist_ok=True)
    new = kept.with_name(f"{kept.name}.new")
    with new.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.rename(kept)
    path.write_text(changed, encoding="utf-8")
    try:
        yield
    finally:
        restore(folder)


def restore(folder: Path) -> None:
    """Revert the changes in folder/source, with new dates: otherwise ninja would keep the objects built from a change."""
    for kept in (folder / _CHANGED).rglob("*"):
        if kept.is_file() and kept.suffix != ".new":
            path = folder / "source" / kept.relative_to(folder / _CHANGED)
            path.write_bytes(kept.read_bytes())
    shutil.rmtree(folder / _CHANGED, ignore_errors=True)
