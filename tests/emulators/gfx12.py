"""gfx12's assembler, and its loads, stores and waits, for the tests of the emulated gfx1201."""

import importlib
import os
from typing import Any
from unittest.mock import patch

from bare_rdna import Line

with patch.dict(os.environ, DEV="CL", CACHELEVEL="0", CCACHE="0", PARALLEL="0"):
    asm: Any = importlib.import_module("tinygrad.runtime.autogen.amd.rdna4.ins")
v, s = asm.v, asm.s
AT = v[1:2]  # the assembler wants two registers even if the second one is not read


def load(to: Any, bits: int = 32, buffer: int = 0, at: int = 0) -> Line:
    """At v1 bytes after a buffer's start."""
    return getattr(asm, f"global_load_b{bits}")(to, AT, saddr=s[2 * buffer : 2 * buffer + 1], ioffset=at)


def store(data: Any, bits: int = 32, buffer: int = 1, at: int = 0) -> Line:
    function = getattr(asm, f"global_store_b{bits}")
    return function(vaddr=AT, vsrc=data, saddr=s[2 * buffer : 2 * buffer + 1], ioffset=at)


def wait() -> list[Line]:
    """Wait for everything that returns a result."""
    return [asm.s_wait_loadcnt_dscnt(simm16=0), asm.s_wait_samplecnt(simm16=0), asm.s_wait_kmcnt(simm16=0)]
