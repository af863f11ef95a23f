"""Mesa's cache on disk, as this process fills it."""

import contextlib
import os
import time
from pathlib import Path


def cached_bytes() -> int:
    """The bytes that this process' Mesa cache has on disk; the runner gives each process one of its own."""
    folder, total = os.environ.get("MESA_SHADER_CACHE_DIR"), 0
    for path in Path(folder).rglob("*") if folder else ():
        with contextlib.suppress(FileNotFoundError):  # Mesa's thread renames each file when it is complete
            total += path.stat().st_size if path.is_file() else 0
    return total


def settle(before: int) -> None:
    """Wait for another thread to write a build to the cache: at most 0.15 s, because it may write none."""
    sizes = [before, cached_bytes()]
    for _ in range(15):
        if sizes[-1] != before and len(set(sizes[-5:])) == 1:
            return
        time.sleep(0.01)
        sizes.append(cached_bytes())
