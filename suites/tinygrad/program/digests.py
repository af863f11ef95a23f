"""tinygrad's Keccak against Python's: hundreds of dependent 64-bit rotations and exclusive ors."""

import hashlib

import numpy as np

from runner import check
from runner.device import Device

from ..inputs import draw
from ..results import read, tensor

_BYTES = {"sha3_256": 32, "shake_128": 16}


def check_keccak(device: Device, *, function: str, bytes: int) -> None:
    """The digests of three messages. `bytes`: the length of a message, near the end of a block."""
    tinygrad = device.tinygrad()
    messages = draw(device.rng, "uint8", (3, bytes), "full")
    (got,) = read(tinygrad, tensor(tinygrad, messages).keccak(function))
    digests = [hashlib.new(function, row.tobytes()) for row in messages]
    length = (_BYTES[function],) if function.startswith("shake") else ()
    want = np.array([list(d.digest(*length)) for d in digests], np.uint8)
    check.equal(f"{function} of {bytes} bytes", got, want)
