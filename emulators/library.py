"""Builds a family's shared library: engine and family, compiled together by clang into a cache folder.

    python -m emulators.library adreno

The name has a hash of all sources and of the CPU, for which the code is made (`-march=native`), or of the root of ARM, whose
programs run under qemu. A family's generate.py makes generated.c of its tables; `inputs()` names what it reads beside the
family's own files.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

_HERE = Path(__file__).parent
#: For -march=native: on a CPU with AVX10.1 clang 19 warns of its own choice of features.
QUIET = ("-Wno-unknown-warning-option", "-Wno-invalid-feature-combination")
_FLAGS = [
    "-std=gnu11",
    "-O2",
    "-fwrapv",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fPIC",
    "-shared",
    "-fvisibility=hidden",
    "-Wall",
    "-Wextra",
    "-Werror",
    *QUIET,
    "-g1",
    "-lm",
    "-ldl",
    "-pthread",
]


# As ci/in-root builds what it preloads there: the root has no crt*.o of gcc.
_FOR_ARM = ["--target=aarch64-linux-gnu", "-nostdlib", "-fuse-ld=lld", "-l:libgcc_s.so.1", "-lc"]


class NotBuilt(Exception):
    """The library cannot be built here; the message says what to install."""


def build(family: str, cache: Path, checks: tuple[str, ...] = (), arm_root: str = "") -> Path:
    """The library of a family, built if the cache has none; with clang's `checks`, which trap; or for a root of ARM.

    Raises NotBuilt.
    """
    flags = [*_FLAGS, f"--sysroot={arm_root}", *_FOR_ARM] if arm_root else [*_FLAGS, "-march=native"]
    flags += [f"-fsanitize={','.join(checks)}", "-fsanitize-trap=all"] if checks else []
    sources = sorted([*(_HERE / "engine").glob("*.[ch]"), *(_HERE / family).glob("*.[ch]")])
    generator = importlib.import_module(f"emulators.{family}.generate")
    inputs: str = getattr(generator, "inputs", str)()  # of a family that reads more than its own files
    digest = hashlib.sha256(repr(flags).encode() + _cpu() + inputs.encode())
    for path in [*sources, *sorted((_HERE / family).glob("*.py"))]:
        digest.update(path.name.encode() + path.read_bytes())
    library = cache / f"emulator-{family}-{digest.hexdigest()[:16]}.so"
    if library.is_file():
        return library
    clang = find_clang()
    try:
        generated = {"generated.c": generator.generate()}
        if hasattr(generator, "header"):  # the names in its table that the family's own files use
            generated["generated.h"] = generator.header()
    except ImportError as error:
        raise NotBuilt(f"the emulator {family} is made of tables that are not here: {error}") from error
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        for name, text in generated.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        out = Path(folder, "library.so")
        units = [str(path) for path in sources if path.suffix == ".c"]
        command = [clang, *flags, f"-I{_HERE / family}", f"-I{_HERE / 'engine'}", f"-I{folder}", "-o", str(out), *units]
        command.append(str(Path(folder, "generated.c")))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NotBuilt(f"{clang} cannot compile the emulator {family}:\n{done.stderr}")
        with contextlib.suppress(FileExistsError):  # another process was first, and a run may have loaded its file
            os.link(out, library)
    return library


def find_clang() -> str:
    """The compiler: EMULATOR_CC, clang, or one with a version in its name. Raises NotBuilt."""
    named = os.environ.get("EMULATOR_CC", "")
    versions = [] if named else sorted(map(str, Path("/usr/bin").glob("clang-[0-9]*")))
    if found := shutil.which(named or "clang") or next(iter(versions), ""):
        return found
    what = f"EMULATOR_CC={named}" if named else "clang"
    raise NotBuilt(f"{what}, to compile the emulator, is not here: install it (Debian: clang), or name it in EMULATOR_CC")


def _cpu() -> bytes:
    """The properties of the CPU that `-march=native` depends on."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return b""
    keys = ("model name", "flags", "Features")  # x86, x86, ARM
    return "\n".join(next((line for line in lines if line.startswith(key)), "") for key in keys).encode()


if __name__ == "__main__":
    own = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"), "rusticl-runner")
    try:
        print(build(sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else own))
    except NotBuilt as error:
        sys.exit(f"emulators.library: {error}")
