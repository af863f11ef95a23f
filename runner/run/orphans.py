"""Ends processes with everything that they have started."""

import contextlib
import os
import signal
from pathlib import Path


def kill_group(pid: int) -> None:
    """Kill a process group, if there still is one."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def kill_orphans() -> None:
    """End what a dead child left behind: it is this process's child now, because it is a subreaper."""
    me = os.getpid()
    for _ in range(100):  # a tree of orphans comes level by level
        strays = [int(p) for task in _list(Path(f"/proc/{me}/task")) for p in _children(task)]
        if not strays:
            return
        for pid in strays:
            kill_group(pid)
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass


def _list(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # a thread that ends while its folder is read
        return []


def _children(task: Path) -> list[str]:
    try:
        return (task / "children").read_text().split()
    except OSError:
        return []
