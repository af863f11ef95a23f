"""Arrays of the host: from any address, in any order of elements, and back."""

from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..bounded import Array, Bounded
from ..inputs import draw
from ..results import compare, read
from .session import Session


def check_unaligned(device: Device, *, dtype: str) -> None:
    """From every address modulo 16, in sizes near a vector's: a copy of the right bytes (tinygrad #1751).

    The bytes around the array differ from it, so that a copy of one of them shows.
    """
    tinygrad, kind = device.tinygrad(), np.dtype(dtype)
    for shift in range(16):
        count = (1, 7, 33, 1031)[shift % 4]
        content = draw(device.rng, kind.name, (count,), "full" if kind.kind != "f" else "normal")
        raw = np.full(content.nbytes + 64, 0x5A, dtype=np.uint8)
        start = (-raw.ctypes.data) % 16 + shift
        raw[start : start + content.nbytes] = content.view(np.uint8)
        array = np.frombuffer(raw.data, dtype=kind, count=count, offset=start)
        check.equal("address modulo 16", array.ctypes.data % 16, shift, stage="api")
        (got,) = read(tinygrad, tinygrad.Tensor(array).realize().flip(0))
        compare(f"{count} elements from an address of 16 n + {shift}", got, Bounded.exact(content[::-1]))


def _from(arrange: Callable[[Array], Array]) -> Callable[[Session], None]:
    """An array that is not contiguous on the host; a kernel after the copy sees its elements in order."""

    def body(s: Session) -> None:
        array = arrange(s.rng.integers(-(2**31), 2**31, (18, 26), dtype=np.int32))
        on = s.tinygrad.Tensor(array).realize()
        s.same("x + 1", s.run((on + 1).realize), np.ascontiguousarray(array) + np.int32(1))

    return body


def _bytes(s: Session) -> None:
    content = s.rng.bytes(1031)
    on = s.tinygrad.Tensor(content).realize()
    s.same("the bytes + 1", s.run((on + 1).realize), np.frombuffer(content, np.uint8) + np.uint8(1))


def _list(s: Session) -> None:
    content = s.rng.integers(-(2**31), 2**31, (5, 7)).tolist()
    on = s.tinygrad.Tensor(content, dtype="int32").realize()
    s.same("the list + 1", s.run((on + 1).realize), np.array(content, dtype=np.int32) + np.int32(1))


def _copied(to_host: Callable[[Any], Any]) -> Callable[[Session], None]:
    """One of the ways to copy a result to the host."""

    def body(s: Session) -> None:
        x, on = s.draws((5, 7))
        result = s.run((on * 3).realize)
        check.equal("x * 3", np.array(to_host(result)), x * np.int32(3))

    return body


def _item(s: Session) -> None:
    x, on = s.draws()
    for i in (0, 3, 6):
        check.equal(f"x[{i}, {36 - i}]", s.run((on[i, 36 - i] + 1).realize).item(), int(x[i, 36 - i] + np.int32(1)))


BODIES: dict[str, Callable[[Session], None]] = {
    "host.data": _copied(lambda t: t.data()),
    "host.tolist": _copied(lambda t: t.tolist()),
    "host.item": _item,
    "host.strided": _from(lambda a: a[::3, 1::2]),
    "host.fortran": _from(np.asfortranarray),
    "host.reversed": _from(lambda a: a[::-1, ::-1]),
    "host.bytes": _bytes,
    "host.list": _list,
}
