#!/usr/bin/env python3
"""Read a serial console on standard input until ci/on-board's verdict:
RUSTICL_NONCE=N ci/serial_verdict.py JOB [MINUTES] < /dev/ttyUSB0

The console goes to standard output as it comes. A verdict counts if it stands at the start of a line, is JOB's
(CI_JOB_ID), its word is that of its exit code, and it is signed with RUSTICL_NONCE; then its exit code is this
program's. Everything else (no verdict in MINUTES (60), a kernel panic, the end of the input) is infrastructure, exit code
3, so a missing verdict is never green.

Because of the nonce, a test cannot print a verdict. This side draws a new one for each start of the board
(`ci/serial_verdict.py --nonce` prints one) and puts it into a file there, /rusticl-nonce. ci/on-board reads that file and
removes it, with whatever a farm has kept of it, before the first process of a test is started; from then on it lies in the
memory of its shell only, in no file, no environment and no command line. A process that reads the memory of others, as root
can, is beyond this.

Only Python's standard library: it runs in the container of a farm, which has nothing of this project.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import select
import sys
import time
from collections.abc import Iterator

INFRASTRUCTURE = 3
WORDS = {
    0: "green",
    1: "regressions",
    2: "usage",
    3: "infrastructure",
    4: "nothing-executed",
    5: "stale-expectations",
    130: "interrupted",
}
# LAVA's logs begin each line with its time, and colours.
_LINE = re.compile(
    rb"\n(?:\x1b\[[0-9;]*m)*(?:\d{4}-\d\d-\d\dT[\d:.+Z-]+ )?(?:\x1b\[[0-9;]*m)*"
    rb"(rusticl: job (\S+) exit_code: (\d{1,3}) ([a-z-]+)) check: ([0-9a-f]{16})"
)
_MIN_NONCE_CHARS = 16
_PANIC = b"end Kernel panic"
_LONGEST = 300  # bytes of an incomplete line that are kept for the next read


def find_verdict(console: bytes, job: str, nonce: str) -> int | None:
    """The exit code that the first whole verdict of a job says, or None. A line begins after a line's end, nowhere else."""
    for line, own, code, word, check in _LINE.findall(console):
        known = WORDS.get(int(code), "").encode() == word
        if known and own == job.encode() and secrets.compare_digest(_sign(line, nonce), check):
            return int(code)
    return None


def _sign(line: bytes, nonce: str) -> bytes:
    return hashlib.sha256(nonce.encode() + b" " + line).hexdigest()[:16].encode()


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
    if sys.argv[1:] == ["--nonce"]:
        print(secrets.token_hex(16))
        return 0
    nonce = os.environ.get("RUSTICL_NONCE", "")
    if len(sys.argv) not in (2, 3) or not sys.argv[-1].isdecimal() or len(nonce) < _MIN_NONCE_CHARS:
        print("usage: RUSTICL_NONCE=N ci/serial_verdict.py JOB [MINUTES] < CONSOLE", file=sys.stderr)
        print("N is what ci/serial_verdict.py --nonce has printed, and the board was given in a file", file=sys.stderr)
        return 2
    job, minutes = sys.argv[1], float(sys.argv[2]) if len(sys.argv) == 3 else 60.0
    deadline_s = time.monotonic() + 60 * minutes
    seen = b"\n"
    why = "the console ended"
    for chunk in _chunks(deadline_s):
        sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
        seen = seen[-_LONGEST:] + chunk
        if (code := find_verdict(seen, job, nonce)) is not None:
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
