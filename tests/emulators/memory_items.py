"""Shaders of work-items that load from one buffer and store to another."""

import re

from bare_gpu import BareGpu, Outcome, Shape

_PROLOGUE = """
    mov.u32u32 r4.x, c0.x
    mov.u32u32 r4.y, c0.y
    mov.u32u32 r5.x, c0.z
    mov.u32u32 r5.y, c0.w
    shl.b r6.x, r0.w, 2
    mov.u32u32 r6.y, 0
"""
ONE = Shape((1, 1, 1), local_kib=2, private_bytes=512)
BYTES = bytes(range(1, 65))


def run(
    gpu: BareGpu, body: str, buffers: tuple[bytes | int, ...] = (BYTES, 64), shape: Shape = ONE, **more: list[int]
) -> Outcome:
    """A shader with a body that finds the first two buffers in r4 and r5, and the offset of the item's word in r6."""
    return gpu.run(f"{_PROLOGUE}{body}\nend", buffers, more.get("constants", ()), shape)


def done(out: Outcome) -> Outcome:
    assert out.done, out.marks
    assert not out.marks
    return out


def fault(out: Outcome) -> str:
    """The mark of a submission that was stopped, without addresses."""
    assert not out.done
    return re.sub(r"0x[0-9a-f]+", "ADDRESS", out.marks[-1])
