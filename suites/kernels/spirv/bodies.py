"""Runs the snippets of snippets.py."""

import numpy as np

from runner import check
from runner.device import Device

from ..kit import spirv
from ..kit.spirv import kernel_text
from .snippets import FAMILIES, ITEMS, text_of


def check_snippet(device: Device, *, family: str, name: str) -> None:
    """Run a snippet on 64 words: 0 to 15, edges, and random ones."""
    snippet = FAMILIES[family][name]
    x = device.rng.integers(0, 2**32, ITEMS, dtype=np.uint32)
    x[:16] = range(16)
    x[16:24] = [2**32 - 1, 2**31, 2**31 - 1, 1000, 1001, 200, 40000, 7]
    text = kernel_text("uint", {"x": "uint"}, *text_of(family, name))
    program_of = spirv.build(device, text, version=snippet.version)
    target = device.buffer(np.full(ITEMS, 0x5A5A5A5A, np.uint32))
    device.launch(program_of.f, [ITEMS], None, target, device.buffer(x))
    got = device.read(target, np.uint32, ITEMS)
    want = np.array([snippet.want(int(v), i) % 2**32 for i, v in enumerate(x)], np.uint32)
    check.equal(name, got, want, [x])
