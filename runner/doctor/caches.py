"""The sources of compiled code: Mesa's built-in library, and its shader cache."""

import os
import time
from collections.abc import Mapping
from pathlib import Path

from runner.child.libraries import find_libclc, is_patched, libclc_hash
from runner.doctor.finding import Section, find

_LONGEST_S = 0.2


def examine_libclc() -> Section:
    """The built-in library by its hash, patched or not."""
    path = find_libclc()
    name = "no-libclc" if not path else "libclc" if is_patched(path) else "libclc-unpatched"
    return Section("libclc", (find(name, path=path, hash=libclc_hash(path)),))


def examine_shader_cache(environment: Mapping[str, str]) -> Section:
    """Where Mesa keeps compiled shaders and how much it has; it can hide a compiler bug by serving an old binary."""
    if environment.get("MESA_SHADER_CACHE_DISABLE", "").lower() in ("1", "true", "yes", "y"):
        return Section("shader cache", (find("cache-disabled"),))
    home = environment.get("XDG_CACHE_HOME") or Path(environment.get("HOME", "/"), ".cache")
    base = Path(environment.get("MESA_SHADER_CACHE_DIR") or home)
    folders = [p for p in (base / "mesa_shader_cache", base / "mesa_shader_cache_db") if p.is_dir()]
    findings = [find("cache", path=p, size=_size(p)) for p in folders] or [find("no-cache", base=base)]
    place = next((p for p in (base, *base.parents) if p.exists()), base)
    if not os.access(place, os.W_OK):
        findings.append(find("cache-not-writable", path=place))
    return Section("shader cache", (*findings, find("cache-of-runs")))


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
