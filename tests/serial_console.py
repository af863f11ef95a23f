"""ci/on-board's words on a serial console, and ci/serial_verdict.py that hears them."""

import os
import subprocess

from conftest import ROOT

CI = ROOT / "ci"
JOB = "4711"
NONCE = "0123456789abcdef0123456789abcdef"
HOST = {**os.environ, "RUSTICL_NONCE": NONCE}  # as the job on the host has it


def host_hears(console: bytes, *words: str) -> tuple[int, str]:
    done = subprocess.run([CI / "serial_verdict.py", *(words or (JOB,))], input=console, capture_output=True, env=HOST)
    return done.returncode, done.stdout.decode(errors="replace") + done.stderr.decode()
