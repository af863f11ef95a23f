"""Boxes whose numbers coincide: a driver that confuses two of them is wrong for one of these boxes (API 3.0, 5.2.2)."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from runner import check
from runner.device import Device

from .transfer import Triple, places, random_bytes

Pitches = tuple[int, int]
_NUMBERS, _ROWS = (2, 4), (2, 4, 8)  # extents, and row pitches in bytes: the same numbers and a product
_ORIGINS: tuple[Triple, Triple] = ((2, 1, 1), (1, 2, 0))
_ALIKE = {"pitch": 2, "one": 1, "other": 0}
_SIZE = 256  # bytes: the largest box ends before byte 200


def boxes(rows: str) -> Iterator[tuple[Triple, Pitches, Pitches]]:
    """Regions (x, y, z) and the pitches (row, slice) of both sides, all from a few numbers and their products.

    With `rows` "pitch", the number of rows equals the row pitch of both sides, with "one" that of one side, with "other"
    that of neither.
    """
    for width, height, depth, source, target in product(_NUMBERS, _NUMBERS, _NUMBERS, _ROWS, _ROWS):
        if width <= min(source, target) and (height == source) + (height == target) == _ALIKE[rows]:
            # There is a gap between slices on only one side, so that an exchange of the two sides shows.
            more = (width + depth) // 2 % 2
            yield (width, height, depth), (source, source * (height + more)), (target, target * (height + 1 - more))
            if rows == "pitch":
                yield (width, height, depth), (source, source * height), (target, target * height)


def check_small_boxes(device: Device, *, path: str, rows: str) -> None:
    """Each small box, with different origins on the two sides. `path`: read, write, copy."""
    here, there = _ORIGINS
    data, ground = random_bytes(device, _SIZE), random_bytes(device, _SIZE)
    source, target = device.buffer(data), device.buffer(ground)
    for region, pitches_s, pitches_t in boxes(rows):
        want = ground.copy()
        want[places(there, region, pitches_t)] = data[places(here, region, pitches_s)]
        if path == "read":
            got = ground.copy()
            where = {"buffer_origin": here, "host_origin": there, "buffer_pitches": pitches_s}
            device.copy(got, source, region=region, host_pitches=pitches_t, **where)
        else:
            device.copy(target, ground)
            if path == "write":
                where = {"host_origin": here, "buffer_origin": there, "host_pitches": pitches_s}
                device.copy(target, data, region=region, buffer_pitches=pitches_t, **where)
            else:
                where = {"src_origin": here, "dst_origin": there, "src_pitches": pitches_s, "dst_pitches": pitches_t}
                device.copy(target, source, region=region, **where)
            got = device.read(target, np.uint8, _SIZE)
        check.equal(f"{path} of {region}, pitches {pitches_s} to {pitches_t}", got, want)
