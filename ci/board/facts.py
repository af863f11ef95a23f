"""What `runner deploy` must know about a board, as JSON: run by its own python3, of any version, with its folder."""

import fcntl
import json
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path


def libc() -> str:
    """Such as `glibc 2.36` or `musl 1.2.5`, or ""."""
    try:
        if name := os.confstr("CS_GNU_LIBC_VERSION"):
            return name
    except (ValueError, OSError):
        pass
    for loader in Path("/lib").glob("ld-musl-*.so.1"):
        printed = subprocess.run([str(loader)], stderr=subprocess.PIPE).stderr.decode()
        return "musl " + re.findall(r"Version (\S+)", printed)[0]
    return ""


folder = Path(sys.argv[1])
stamp, busy = {}, False
try:
    stamp = json.loads((folder / "stamp.json").read_text())
    lock = (folder / "lock").open()
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    busy = True
except (OSError, ValueError):
    pass
print(
    json.dumps(
        {
            "python": sys.version_info[:3],
            "machine": platform.machine(),
            "bits": 8 * struct.calcsize("P"),
            "libc": libc(),
            "tar": bool(shutil.which("tar")),
            "stamp": stamp,
            "busy": busy,
        }
    )
)
