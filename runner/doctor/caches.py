"""What serves compiled code: Mesa's built-in library, and its shader cache."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

from runner.child.libraries import find_libclc, is_patched, libclc_hash
from runner.doctor.finding import Finding, Level, Section

_LONGEST_S = 0.2


def examine_libclc() -> Section:
    """The built-in library by its hash, patched or not."""
    path = find_libclc()
    if not path:
        finding = Finding(
            Level.NOTE,
            "no spirv64-mesa3d-.spv in /usr/lib/clc or /usr/share/clc: Mesa, into which its path is compiled, has it "
            "elsewhere or within itself",
            "Debian has it in libclc-N, N being the LLVM of Mesa",
        )
    elif is_patched(path):
        finding = Finding(Level.OK, f"{path}, hash {libclc_hash(path)}: Mesa's patched one")
    else:
        finding = Finding(
            Level.NOTE,
            f"{path}, hash {libclc_hash(path)}: not Mesa's patched one; builtins may be wrong or not link",
            "ci/run --libclc N exchanges it; the patched: gitlab.freedesktop.org/karolherbst/mesa-libclc",
        )
    return Section("libclc", (finding,))


def examine_shader_cache(environment: Mapping[str, str]) -> Section:
    """Where Mesa keeps compiled shaders and how much it has; it can hide a compiler bug by serving an old binary."""
    if environment.get("MESA_SHADER_CACHE_DISABLE", "").lower() in ("1", "true", "yes", "y"):
        return Section("shader cache", (Finding(Level.NOTE, "disabled by MESA_SHADER_CACHE_DISABLE"),))
    home = environment.get("XDG_CACHE_HOME") or Path(environment.get("HOME", "/"), ".cache")
    base = Path(environment.get("MESA_SHADER_CACHE_DIR") or home)
    found = [p for p in (base / "mesa_shader_cache", base / "mesa_shader_cache_db") if p.is_dir()]
    findings = [Finding(Level.NOTE, f"{p}: {_size(p)}", f"empty it after a change of Mesa: rm -r {p}") for p in found]
    if not found:
        findings.append(Finding(Level.NOTE, f"{base}: nothing of Mesa's there yet"))
    place = next((p for p in (base, *base.parents) if p.exists()), base)
    if not os.access(place, os.W_OK):
        findings.append(
            Finding(
                Level.PROBLEM,
                f"{place} cannot be written: every start compiles all anew",
                "set MESA_SHADER_CACHE_DIR to a folder that can",
            )
        )
    findings.append(Finding(Level.NOTE, "runs of the runner have caches of their own, and none of an older Mesa"))
    return Section("shader cache", tuple(findings))


def _size(folder: Path) -> str:
    """The bytes of all files; a cache may hold very many, so only as many as can be counted in time."""
    total, begun = 0, time.monotonic()
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(Path(path, name)).st_size
            except OSError:
                continue
        if time.monotonic() - begun > _LONGEST_S:
            return f"more than {total / 2**20:.1f} MiB"
    return f"{total / 2**20:.1f} MiB"
