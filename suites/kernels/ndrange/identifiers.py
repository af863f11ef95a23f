"""Index spaces: the ids and sizes that each work-item sees (OpenCL C 3.0, 6.15.1), compared with numpy's indices."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device, error_name

from .cases import FUNCTIONS

# An item writes to the row of its place in the range, without the offset; the host knows what each row must hold.
IDENTIFIERS = """
__kernel void f(__global ulong *r, ulong x0, ulong y0, ulong z0, uint width, uint height, uint depth) {
    size_t x = get_global_id(0) - x0, y = get_global_id(1) - y0, z = get_global_id(2) - z0;
    if (x >= width || y >= height || z >= depth) return;
    r += ((z * height + y) * width + x) * 24;
    for (uint d = 0; d < 3; d++) {
        r[d] = get_global_id(d); r[3 + d] = get_local_id(d); r[6 + d] = get_group_id(d);
        r[9 + d] = get_num_groups(d); r[12 + d] = get_global_offset(d); r[15 + d] = get_local_size(d);
        r[18 + d] = get_global_size(d);
    }
    r[21] = get_work_dim();
    r[22] += 1;
}
"""
NAMES = ("global_id", "local_id", "group_id", "num_groups", "global_offset", "local_size", "global_size")


def three(sizes: Sequence[int] | None, missing: int) -> tuple[int, int, int]:
    """The sizes of all three dimensions; `missing` stands for those that are not given."""
    known = [*(sizes or ())]
    x, y, z = known + [missing] * (3 - len(known))
    return x, y, z


def check_identifiers(
    device: Device, *, size: Sequence[int], local: Sequence[int] | None, offset: Sequence[int] | None
) -> None:
    """All identifiers of every item, each of which runs once."""
    extents, start = three(size, 1), three(offset, 0)
    shape = extents[::-1]
    room = math.prod(extents)
    out = device.buffer(np.zeros((room + 16, 24), np.uint64))
    kernel = device.build(IDENTIFIERS).f
    origin = [np.uint64(o) for o in start]
    device.launch(kernel, size, local, out, *origin, *map(np.uint32, extents), offset=offset)
    rows = device.read(out, np.uint64, (room + 16, 24))
    check.equal("rows beyond the range", rows[room:], np.zeros((16, 24), np.uint64))
    got = rows[:room].reshape(*shape, 24)
    if local:
        group = three(local, 1)
    else:  # the implementation's choice has to divide the size, as the kernel is built for uniform groups
        a, b, c = (int(n) for n in got[0, 0, 0, 15:18])
        group = (a, b, c)
        for n, k in zip(extents, group, strict=True):
            check.true(f"the local size chosen, {group}, divides {extents}", k > 0 and n % k == 0)
    place = np.indices(shape)[::-1].astype(np.uint64)
    for d, position in enumerate(place):
        extent = np.uint64(group[d])
        columns = (
            position + np.uint64(start[d]),
            position % extent,
            position // extent,
            extents[d] // group[d],
            start[d],
            group[d],
            extents[d],
        )
        for n, column in enumerate(columns):
            want = np.broadcast_to(np.asarray(column, np.uint64), shape)
            check.equal(f"get_{NAMES[n]}({d})", got[..., 3 * n + d], want, [*place])
    check.equal("get_work_dim()", got[..., 21], np.full(shape, len(size), np.uint64))
    check.equal("runs of each item", got[..., 22], np.ones(shape, np.uint64))


def check_linear(device: Device, *, size: Sequence[int], local: Sequence[int] | None, offset: Sequence[int] | None) -> None:
    """get_global_linear_id, get_local_linear_id and get_enqueued_local_size of every item."""
    extents, start = three(size, 1), three(offset, 0)
    kernel = device.build(
        """
__kernel void f(__global uint *r, uint x0, uint y0, uint z0) {
    size_t x = get_global_id(0) - x0, y = get_global_id(1) - y0, z = get_global_id(2) - z0;
    if (x >= get_global_size(0) || y >= get_global_size(1) || z >= get_global_size(2)) return;
    r += ((z * get_global_size(1) + y) * get_global_size(0) + x) * 8;
    r[0] = get_global_linear_id(); r[1] = get_local_linear_id();
    for (uint d = 0; d < 3; d++) { r[2 + d] = get_enqueued_local_size(d); r[5 + d] = get_local_size(d); }
}
""",
        "-cl-std=CL3.0",
    ).f
    shape = extents[::-1]
    out = device.buffer(np.zeros((*shape, 8), np.uint32))
    device.launch(kernel, size, local, out, *map(np.uint32, start), offset=offset)
    got = device.read(out, np.uint32, (*shape, 8))
    z, y, x = np.indices(shape)
    group = three(local, 1) if local else [int(n) for n in got[0, 0, 0, 5:8]]
    check.equal("get_global_linear_id()", got[..., 0], (z * extents[1] + y) * extents[0] + x)
    linear = (z % group[2] * group[1] + y % group[1]) * group[0] + x % group[0]
    check.equal("get_local_linear_id()", got[..., 1], linear)
    check.equal("get_enqueued_local_size()", got[..., 2:5], np.broadcast_to(np.array(group), (*shape, 3)))


def check_beyond(device: Device, *, function: str, dimensions: int) -> None:
    """In a dimension that does not exist sizes are 1 and ids 0, for constant indices and others (6.15.1).

    The dimensions of the range have their usual values.
    """
    enqueued = "enqueued" in function
    names = [function] if enqueued else [f"get_{n}" for n in FUNCTIONS if n != "enqueued_local_size"]
    source = "".join(
        f"""
__kernel void ask_{n}(__global const uint *dimension, __global uint *r, uint count) {{
    uint i = get_global_id(0) - get_global_offset(0);
    if (get_local_id(1) == 0 && get_local_id(2) == 0 && get_group_id(1) == 0 && get_group_id(2) == 0) {{
        if (i < count) r[i] = {n}(dimension[i]);
        if (i == 0) {{ r[count] = {n}(3); r[count + 1] = {n}(0xFFFFFFFFu); r[count + 2] = {n}({dimensions}); }}
    }}
}}
"""
        for n in names
    )
    # The source has the number of dimensions, so that the constant indices are known to be absent ones.
    kernel = getattr(device.build(source, "-cl-std=CL3.0" if enqueued else ""), f"ask_{function}")
    dimindx = np.array([0, 1, 2, 3, 4, 5, 7, 8, 255, 256, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1], np.uint32)
    size, local, offset = (32, 6, 4)[:dimensions], (16, 3, 2)[:dimensions], (9, 4, 11)[:dimensions]
    count = len(dimindx)
    out = device.buffer(np.full(count + 3, 0xABCD, np.uint32))
    device.launch(kernel, size, local, device.buffer(dimindx), out, np.uint32(count), offset=offset)
    got = device.read(out, np.uint32, count + 3)
    missing = 1 if function.endswith("size") or function == "get_num_groups" else 0

    def answer(item: int, dimension: int) -> int:
        if dimension >= dimensions:
            return missing
        whole, group = size[dimension], local[dimension]
        place = item if dimension == 0 else 0
        return {
            "get_global_id": place + offset[dimension],
            "get_local_id": place % group,
            "get_group_id": place // group,
            "get_global_size": whole,
            "get_local_size": group,
            "get_enqueued_local_size": group,
            "get_num_groups": whole // group,
            "get_global_offset": offset[dimension],
        }[function]

    want = np.array([answer(item, int(d)) for item, d in enumerate(dimindx)], np.uint32)
    check.equal(f"{function} of a dimension from a buffer", got[:count], want, [dimindx])
    constants = [answer(0, d) for d in (3, 2**32 - 1, dimensions)]
    check.equal(f"{function} of 3, of -1 and of the first that is missing", got[count:], np.array(constants, np.uint32))


_REFUSED = "CL_INVALID_WORK_GROUP_SIZE"


_PLACES = """
__kernel {attributes}
void f(__global uint *r, uint width, uint height, uint depth, __global uint *outside) {{
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), i = (z * height + y) * width + x;
    if (x >= width || y >= height || z >= depth) {{ atomic_inc(outside); return; }}
    for (uint d = 0; d < 3; d++) {{ r[i * 6 + d] = get_local_size(d); r[i * 6 + 3 + d] = get_local_id(d); }}
}}
"""


def _launch_places(device: Device, kernel: cl.Kernel, size: Sequence[int], local: Sequence[int] | None) -> tuple[str, Any]:
    """Launch a kernel of `_PLACES`; returns the error's name, and sizes and ids of each item (depth, height, width, 6)."""
    shape = tuple(reversed(size))
    out, outside = device.buffer(np.zeros((*shape, 6), np.uint32)), device.buffer(np.zeros(1, np.uint32))
    kernel.set_args(out, *map(np.uint32, size), outside)
    try:
        cl.enqueue_nd_range_kernel(device.queue, kernel, size, local)
    except cl.Error as error:
        return error_name(error), None
    check.equal("items outside of the range", int(device.read(outside, np.uint32, 1)[0]), 0)
    return "CL_SUCCESS", device.read(out, np.uint32, (*shape, 6))


def _check_places(got: Any, local: Sequence[int], what: str = "") -> None:
    shape = got.shape[:3]
    check.equal(f"{what}get_local_size()", got[..., :3], np.broadcast_to(np.array(local, np.uint32), (*shape, 3)))
    for d, position in enumerate(np.indices(shape)[::-1]):
        check.equal(f"{what}get_local_id({d})", got[..., 3 + d], position % local[d])


def check_required(device: Device, *, required: list[int], form: str) -> None:
    """reqd_work_group_size (6.9.2) is used if it is given, or if the size is left open; another size is refused.

    A form that is refused differs in only one dimension, and would fit the range.
    """
    kernel = device.build(
        _PLACES.format(attributes=f"__attribute__((reqd_work_group_size({', '.join(map(str, required))})))")
    ).f
    info = kernel.get_work_group_info(cl.kernel_work_group_info.COMPILE_WORK_GROUP_SIZE, device.device)
    check.equal("CL_KERNEL_COMPILE_WORK_GROUP_SIZE", [int(n) for n in info], required, stage="api")
    size = [2 * required[0], required[1], 3 * required[2]]
    local: list[int] | None = None if form == "free" else list(required)
    if local and form.startswith("refused"):
        dimension = "xyz".index(form.removeprefix("refused_").removeprefix("refused") or "x")
        local[dimension] *= 2
        size[dimension] = 2 * local[dimension]
    outcome, got = _launch_places(device, kernel, size, local)
    # If the local size is NULL, OpenCL 1.x requires the error; later versions may use the required size.
    allowed = {"given": ["CL_SUCCESS"], "free": ["CL_SUCCESS", _REFUSED]}.get(form, [_REFUSED])
    check.true(f"{outcome} for the local size {local} is one of {allowed}", outcome in allowed, stage="api")
    if got is not None:
        _check_places(got, required)


def check_hint(device: Device, *, attributes: Sequence[str]) -> None:
    """A hint is not binding: launches with the hinted size, and with another size in one dimension or several."""
    kernel = device.build(_PLACES.format(attributes=f"__attribute__(({', '.join(attributes)}))")).f
    info = kernel.get_work_group_info(cl.kernel_work_group_info.COMPILE_WORK_GROUP_SIZE, device.device)
    check.equal("CL_KERNEL_COMPILE_WORK_GROUP_SIZE", [int(n) for n in info], [0, 0, 0], stage="api")
    for local in ([8, 2, 3], [4, 2, 3], [16, 2, 3], [8, 1, 3], [8, 4, 3], [8, 2, 1], [8, 2, 6], [1, 1, 1], [3, 5, 2]):
        outcome, got = _launch_places(device, kernel, [2 * n for n in local], local)
        check.equal(f"clEnqueueNDRangeKernel with the local size {local}", outcome, "CL_SUCCESS", stage="api")
        _check_places(got, local, f"local size {local}: ")


def check_large(device: Device, *, size: list[int], local: Sequence[int] | None) -> None:
    """Each item of a large range runs once and has the right ids, and no other item runs."""
    kernel = device.build(
        """
__kernel void f(__global uint *r, uint count) {
    uint i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
    if (i < count) r[i] += i * 2654435761u + 1;
    else r[count + i % 256]++;
}
"""
    ).f
    count = math.prod(size)
    out = device.buffer(np.zeros(count + 256, np.uint32))
    device.launch(kernel, size, local, out, np.uint32(count))
    want = np.concatenate(
        [np.arange(count, dtype=np.uint32) * np.uint32(2654435761) + np.uint32(1), np.zeros(256, np.uint32)]
    )
    check.equal("get_global_id: each item once", device.read(out, np.uint32, count + 256), want)


def check_largest(device: Device, *, dimension: int) -> None:
    """A group that is as long in one dimension as the kernel allows, with all items at one barrier."""
    kernel = device.build(
        """
__kernel void f(__global uint *r, __local uint *part, uint d) {
    uint l = get_local_id(d), n = get_local_size(d);
    part[l] = l * 7 + get_group_id(d);
    barrier(CLK_LOCAL_MEM_FENCE);
    r[get_global_id(d)] = part[n - 1 - l];
}
"""
    ).f
    most = kernel.get_work_group_info(cl.kernel_work_group_info.WORK_GROUP_SIZE, device.device)
    items = min(int(most), int(device.device.max_work_item_sizes[dimension]))
    local = [items if d == dimension else 1 for d in range(3)]
    size = [2 * n if d == dimension else 1 for d, n in enumerate(local)]
    out = device.buffer(np.zeros(2 * items, np.uint32))
    device.launch(kernel, size, local, out, cl.LocalMemory(4 * items), np.uint32(dimension))
    l = np.arange(items)[::-1]  # noqa: E741
    check.equal("reversed in each group", device.read(out, np.uint32, 2 * items), np.concatenate([l * 7, l * 7 + 1]))


def check_empty(device: Device, *, size: Sequence[int]) -> None:
    """A range with a size of zero can be enqueued, runs nothing, and completes (since OpenCL 2.1)."""
    kernel = device.build("__kernel void f(__global uint *r) { r[get_global_id(0)] = 1; }").f
    out = device.buffer(np.full(64, 5, np.uint32))
    event: Any = device.launch(kernel, size, None, out)
    event.wait()
    status: Any = event.command_execution_status
    check.equal("the event's status", int(status), int(cl.command_execution_status.COMPLETE), stage="api")
    untouched: NDArray[np.uint32] = device.read(out, np.uint32, 64)
    check.equal("untouched", untouched, np.full(64, 5, np.uint32))
