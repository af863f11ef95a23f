"""Shaders of a wave, in which each work-item stores a word."""

from collections.abc import Sequence

from bare_gpu import BareGpu, Outcome, Shape

PROLOGUE = """
    mov.u32u32 r4.x, c0.x
    mov.u32u32 r4.y, c0.y
    (rpt3)mov.u32u32 r8.x, 0
    and.b r6.x, r0.w, 3
    and.b r6.y, r0.w, 63
"""
EPILOGUE = """
    (jp)stg.a type=u32 data=r8.x address=r4.x index=r0.w size=1
    end
"""


def run_items(
    gpu: BareGpu, body: str, items: int = 64, lanes: int = 64, words: int = 0, constants: Sequence[int] = (), groups: int = 1
) -> Outcome:
    """A shader with a body that finds the item's number in its four and in its 64 in r6.x and r6.y, and leaves r8.x."""
    shape = Shape((items, 1, 1), (groups, 1, 1), lanes, 4, 512)
    return gpu.run(f"{PROLOGUE}{body}{EPILOGUE}", [4 * (words or items)], constants, shape)


def read_items(gpu: BareGpu, body: str, items: int = 64, lanes: int = 64) -> list[int]:
    """r8.x of each work-item at the end."""
    out = run_items(gpu, body, items, lanes)
    assert out.done, out.marks
    assert not out.marks
    return out.words(0)
