"""tinygrad's Keccak against Python's: hundreds of dependent 64-bit rotations and exclusive ors."""

from __future__ import annotations

import hashlib

import numpy as np

from runner import check
from runner.device import Device
from runner.model import Case

from ..inputs import draw
from ..results import read, tensor

_BYTES = {"sha3_256": 32, "shake_128": 16}


def keccak(device: Device, case: Case) -> None:
    """The digests of three messages. Params: function, bytes (of a message: around the ends of a block)."""
    tinygrad, function = device.tinygrad(), case.params["function"]
    messages = draw(device.rng, "uint8", (3, case.params["bytes"]), "full")
    (got,) = read(tinygrad, tensor(tinygrad, messages).keccak(function))
    digests = [hashlib.new(function, row.tobytes()) for row in messages]
    length = (_BYTES[function],) if function.startswith("shake") else ()
    want = np.array([list(d.digest(*length)) for d in digests], np.uint8)
    check.equal(f"{function} of {case.params['bytes']} bytes", got, want)
