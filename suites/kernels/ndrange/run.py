"""Index spaces: identifiers with offsets in three dimensions, sizes that no power of two divides."""

from __future__ import annotations

import numpy as np

from runner import check
from runner.device import Device
from runner.model import Case


def check_identifiers(device: Device, case: Case) -> None:
    """Every identifier of a 3D range with an offset, and of dimensions that do not exist (6.15.1)."""
    offset, local, groups = (5, 70000, 3), (4, 2, 2), (3, 2, 4)
    kernel = device.build(
        """
__kernel void f(__global uint *r, uint beyond) {
    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);
    r += ((z * get_global_size(1) + y) * get_global_size(0) + x) * 24;
    for (uint d = 0; d < 3; d++) {
        r[d] = get_global_id(d); r[3 + d] = get_local_id(d); r[6 + d] = get_group_id(d);
        r[9 + d] = get_num_groups(d); r[12 + d] = get_global_offset(d); r[15 + d] = get_local_size(d);
    }
    r[18] = get_work_dim(); r[19] = get_global_id(beyond); r[20] = get_global_size(beyond);
    r[21] = get_local_size(beyond); r[22] = get_num_groups(beyond); r[23] = get_global_offset(beyond);
}
"""
    ).f
    size = tuple(a * b for a, b in zip(local, groups, strict=True))
    out = device.buffer(np.zeros((*reversed(size), 24), np.uint32))
    device.launch(kernel, size, local, out, np.uint32(3), offset=offset)
    got = device.read(out, np.uint32, (*reversed(size), 24))
    z, y, x = np.indices(tuple(reversed(size)))
    want = np.zeros(got.shape, dtype=np.uint32)
    for d, position in enumerate((x, y, z)):
        columns = [
            position + offset[d],
            position % local[d],
            position // local[d],
            groups[d],
            offset[d],
            local[d],
        ]
        for n, column in enumerate(columns):
            want[..., n * 3 + d] = column
    want[..., 18:] = [3, 0, 1, 1, 1, 0]
    check.equal("identifiers", got, want)


def check_odd_sizes(device: Device, case: Case) -> None:
    """Sizes that no power of two divides, and a local size left to the implementation."""
    kernel = device.build(
        """
__kernel void f(__global uint *r) {
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    r[i] += i * 3 + get_local_id(0) + get_group_id(0) * get_local_size(0) - get_global_id(0);
}
"""
    ).f
    for size, local in (((1009, 1), None), ((7, 13), None), ((15, 9), (5, 3)), ((1, 257), (1, 1))):
        count = size[0] * size[1]
        out = device.buffer(np.zeros(count + 64, np.uint32))
        device.launch(kernel, size, local, out)
        want = np.concatenate([np.arange(count) * 3, np.zeros(64, int)])
        check.equal(f"size {size}, local {local}", device.read(out, np.uint32, count + 64), want)


BODIES = {"ndrange.identifiers": check_identifiers, "ndrange.odd_sizes": check_odd_sizes}
