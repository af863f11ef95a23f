"""ci/on-board's words on a serial console, and ci/serial_verdict.py that hears them."""

from __future__ import annotations

import subprocess

from conftest import ROOT

CI = ROOT / "ci"


JOB = "4711"


def host_hears(console: bytes, *words: str) -> tuple[int, str]:
    done = subprocess.run([CI / "serial_verdict.py", *(words or (JOB,))], input=console, capture_output=True)
    return done.returncode, done.stdout.decode(errors="replace") + done.stderr.decode()
