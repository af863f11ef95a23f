"""Shaders that no compiler makes end with a mark or with values: no crash, no hang, no access outside of the buffers."""

import random
import struct

import pytest
from bare_rdna import BareRdna, Grid

# What makes a word the first of a form: the mask of its free bits, and its other bits.
_FORMS = (
    (0x3FFFFFFF, 0x80000000), (0x007FFFFF, 0xBE800000), (0x007FFFFF, 0xBF000000), (0x007FFFFF, 0xBF800000),
    (0x0FFFFFFF, 0xB0000000), (0x7FFFFFFF, 0x00000000), (0x01FFFFFF, 0x7E000000), (0x01FFFFFF, 0x7C000000),
    (0x03FFFFFF, 0xD4000000), (0x00FFFFFF, 0xCC000000), (0x03FFFFFF, 0xC8000000), (0x03FFFFFF, 0xF4000000),
    (0x03FFFFFF, 0xD8000000), (0x03FFFFFF, 0xDC000000), (0x03FFFFFF, 0xE0000000), (0x03FFFFFF, 0xE8000000),
    (0x03FFFFFF, 0xF0000000),
)  # fmt: skip
_GFX12 = (
    (0x03FFFFFF, 0xC4000000),
    (0x03FFFFFF, 0xD0000000),
    (0x03FFFFFF, 0xE4000000),
    (0x03FFFFFF, 0xEC000000),
    (0x3FFFF, 0xBFC00000),
)
_BUDGET = 1 << 14


def _shader(chance: random.Random, gfx12: bool) -> bytes:
    """Words of all forms, some with registers that hold a value; most random code ends early."""
    words = [0x7E0002F2, 0xBE840080]  # v_mov_b32 v0, 1.0; s_mov_b32 s4, 0
    for _ in range(chance.randrange(1, 12)):
        free, fixed = chance.choice(_FORMS + _GFX12 * gfx12)
        words.append(fixed | chance.getrandbits(32) & free)
        words.append(chance.choice((chance.getrandbits(32), chance.getrandbits(8), 0x00040000 | chance.getrandbits(6))))
    return struct.pack(f"<{len(words) + 1}I", *words, 0xBFB00000)


def _run(gpu: BareRdna, seed: int) -> None:
    chance = random.Random(seed)
    grid = Grid(
        (chance.choice((1, 32, 100)), 1, 1),
        wide=chance.random() < 0.5,
        local=chance.randrange(3),
        scratch=256 * chance.randrange(3),
        vectors=chance.choice((8, 64, 256)),
        mode=chance.getrandbits(8),
    )
    out = gpu.launch(_shader(chance, gpu.gpu == "gfx1201"), [chance.randbytes(256), 256], grid, budget=_BUDGET)
    assert out.done or out.marks, seed  # and the bytes around the buffers are as they were: BareGpu.submit


@pytest.mark.root
@pytest.mark.parametrize("gpu", ["rdna", "gfx1201"])
def test_random_words_end(request: pytest.FixtureRequest, gpu: str) -> None:
    for seed in range(300):
        _run(request.getfixturevalue(gpu), seed)


@pytest.mark.nightly("the slice of ci/test shows how it is done")
@pytest.mark.root
@pytest.mark.parametrize("gpu", ["rdna", "gfx1201"])
def test_more_random_words_end(request: pytest.FixtureRequest, gpu: str) -> None:
    for seed in range(300, 50_000):
        _run(request.getfixturevalue(gpu), seed)
