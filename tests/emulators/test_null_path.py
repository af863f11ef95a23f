"""Where Mesa's noop shims do not answer as the C library does."""

import errno
import os
import subprocess
import sys

import pytest
from bare_rdna import BareRdna

_ASK = """
import ctypes
libc, status = ctypes.CDLL(None, use_errno=True), ctypes.create_string_buffer(256)
for ask in (libc.stat, libc.stat64):
    print(ask(None, status), ctypes.get_errno(), ask(b"/", status), ask(b"/there/is/none", status))
"""


@pytest.mark.root
def test_a_path_that_is_null_is_a_fault_of_the_program(rdna: BareRdna) -> None:
    preload = f"{rdna._library._name}:libamdgpu_noop_drm_shim.so"
    environment = {**os.environ, "LD_PRELOAD": preload, "AMDGPU_GPU_ID": "navi31", "EMULATOR_GPU": "navi31"}
    done = subprocess.run([sys.executable, "-c", _ASK], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == [f"-1 {errno.EFAULT} 0 -1"] * 2, done.stderr
