#!/usr/bin/env python3
"""Read a serial console on standard input until ci/on-board's verdict: ci/serial_verdict.py JOB [MINUTES] < /dev/ttyUSB0

The console goes to standard output as it comes. A verdict counts where its checksum agrees and it is JOB's
(CI_JOB_ID); then its exit code is ours. Whatever else happens, MINUTES (60) without one, a kernel that panics, the end
of the input, is infrastructure, exit code 3: no verdict is never a green one.

Python's standard library alone: it runs in the container of a farm, which has nothing of this project.
"""

from __future__ import annotations

import hashlib
import os
import re
import select
import sys
import time
from collections.abc import Iterator

INFRASTRUCTURE = 3
_LINE = re.compile(rb"(rusticl: job (\S+) exit_code: (\d{1,3}) [a-z-]+) check: ([0-9a-f]{16})")
_PANIC = b"end Kernel panic"
_LONGEST = 200  # bytes of a line that may lie before what is read next


def find_verdict(console: bytes, job: str) -> int | None:
    """The exit code that the first whole verdict of a job says, or None."""
    for line, own, code, check in _LINE.findall(console):
        if own == job.encode() and hashlib.sha256(line).hexdigest()[:16].encode() == check:
            return int(code)
    return None


def _chunks(deadline_s: float) -> Iterator[bytes]:
    """What comes on standard input, until its end or the deadline."""
    while select.select([0], [], [], max(0.0, deadline_s - time.monotonic()))[0]:
        try:
            chunk = os.read(0, 4096)
        except OSError:  # a terminal whose other side is closed
            return
        if not chunk:
            return
        yield chunk


def main() -> int:
    """Read, pass on, and return the exit code."""
    if len(sys.argv) not in (2, 3) or not sys.argv[-1].isdecimal():
        print("usage: ci/serial_verdict.py JOB [MINUTES] < CONSOLE", file=sys.stderr)
        return 2
    job, minutes = sys.argv[1], float(sys.argv[2]) if len(sys.argv) == 3 else 60.0
    deadline_s = time.monotonic() + 60 * minutes
    seen = b""
    why = "the console ended"
    for chunk in _chunks(deadline_s):
        sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
        seen = seen[-_LONGEST:] + chunk
        if (code := find_verdict(seen, job)) is not None:
            print(f"\nci/serial_verdict.py: job {job} ended with exit code {code}")
            return code
        if _PANIC in seen:
            why = "the kernel panicked"
            break
    else:
        if time.monotonic() >= deadline_s:
            why = f"{minutes:g} minutes passed"
    print(f"\nci/serial_verdict.py: {why} without a verdict of job {job}: infrastructure (exit code 3)")
    return INFRASTRUCTURE


if __name__ == "__main__":
    sys.exit(main())
