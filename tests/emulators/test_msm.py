"""Which memory a submission reaches: the buffers that it lists, or, on turnip, those that its device has mapped."""

import os
import subprocess
import sys
from pathlib import Path

from emulators.library import find_clang

_HERE = Path(__file__).parent


def test_a_submission_reaches_what_it_lists_or_what_its_device_has_mapped(library: Path, tmp_path: Path) -> None:
    libdrm = tmp_path / "libdrm.so.2"
    subprocess.run(
        [find_clang(), "-shared", "-fPIC", "-Wl,-soname,libdrm.so.2", "-o", str(libdrm), str(_HERE / "shim.c")], check=True
    )
    done = subprocess.run(
        [sys.executable, "-P", str(_HERE / "msm_client.py"), str(library), str(libdrm)],
        env=os.environ | {"LD_LIBRARY_PATH": str(tmp_path), "EMULATOR_GPU": "a630"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["11", "0", "17", "13", "0", "0", "16"]
    faults = [line for line in done.stderr.splitlines() if "fault" in line]
    assert len(faults) == 3
    assert all("is in no buffer of the submission" in line for line in faults), faults
