"""Kernels that use only one identifier of an index space (OpenCL C 3.0, 6.15.1)."""

import numpy as np

from runner import check
from runner.device import Device


def check_only(device: Device, *, function: str, dimension: int) -> None:
    """A kernel that reads one identifier of one dimension: a driver need not provide the others.

    `function`: such as get_global_id; `dimension`: 0 to 2.
    """
    size, local = (8, 15, 24), (4, 3, 2)
    kernel = device.build(f"__kernel void f(__global uint *r) {{ atomic_inc(&r[{function}({dimension})]); }}").f
    out = device.buffer(np.zeros(64, np.uint32))
    device.launch(kernel, size, local, out)
    index = np.indices(size)[dimension].ravel()
    groups = size[dimension] // local[dimension]
    values = {
        "get_global_id": index,
        "get_local_id": index % local[dimension],
        "get_group_id": index // local[dimension],
        "get_global_size": np.full(index.size, size[dimension]),
        "get_local_size": np.full(index.size, local[dimension]),
        "get_num_groups": np.full(index.size, groups),
    }[function]
    want = np.bincount(values, minlength=64).astype(np.uint32)
    check.equal(f"work-items with each {function}({dimension})", device.read(out, np.uint32, 64), want)
