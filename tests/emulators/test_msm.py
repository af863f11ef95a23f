"""What the kernel says of a GPU, and which memory a submission reaches: what it lists or, on turnip, what is mapped."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from emulators.library import find_clang

_HERE = Path(__file__).parent


# Highest bank bit, levels of the banks' swizzle, macrotile mode (whether memory has 8 channels).
@pytest.mark.parametrize(("gpu", "tiling"), [("a630", "15 6 0"), ("a702", "13 7 0"), ("a750", "16 6 1")])
def test_a_submission_reaches_what_it_lists_or_what_its_device_has_mapped(
    library: Path, tmp_path: Path, gpu: str, tiling: str
) -> None:
    libdrm = tmp_path / "libdrm.so.2"
    subprocess.run(
        [find_clang(), "-shared", "-fPIC", "-Wl,-soname,libdrm.so.2", "-o", str(libdrm), str(_HERE / "shim.c")], check=True
    )
    done = subprocess.run(
        [sys.executable, "-P", str(_HERE / "msm_client.py"), str(library), str(libdrm)],
        env=os.environ | {"LD_LIBRARY_PATH": str(tmp_path), "EMULATOR_GPU": gpu},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [*tiling.split(), "11", "0", "17", "13", "0", "0", "16"]
    faults = [line for line in done.stderr.splitlines() if "fault" in line]
    assert len(faults) == 3
    assert all("is in no buffer of the submission" in line for line in faults), faults
