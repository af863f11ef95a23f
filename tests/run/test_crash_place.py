"""ci/crash_place.c: by which signal a process ends."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

_SIGNAL, _EXIT = "libc.raise_(signal.SIGFPE)", "tracer.leave(); libc.raise_(signal.SIGSEGV)"
_PROGRAM = """
import ctypes, signal, sys
libc = ctypes.CDLL(None)
libc.raise_ = libc["raise"]
handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(lambda number: libc.raise_(signal.SIGSEGV))
libc.signal(signal.SIGFPE, handler)
tracer = ctypes.CDLL(sys.argv[1])
tracer.install()
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("place") / "crash_place.so"
    compiler = shutil.which("cc") or shutil.which("clang") or "cc"
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", path, ROOT / "ci/crash_place.c"], check=True)
    return path


@pytest.mark.parametrize(
    ("body", "number"),
    [
        pytest.param(_SIGNAL, signal.SIGFPE, id="that it died of first, though a later handler dies of another one"),
        pytest.param(_EXIT, signal.SIGSEGV, id="that it dies of after its last words"),
    ],
)
def test_a_process_ends_by_the_signal(library: Path, body: str, number: signal.Signals) -> None:
    ran = subprocess.run([sys.executable, "-c", _PROGRAM + body, library], capture_output=True, text=True, timeout=60)
    assert ran.returncode == -number, ran.stderr
    assert ran.stderr.count("crash place: main thread") == 1
