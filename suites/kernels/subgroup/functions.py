"""Sub-groups: each item reports which lane of which sub-group it is, and the model computes from that.

The division of a work-group into sub-groups is the implementation's choice (OpenCL API 3.0, 3.2.1); `check_ids` tests the
rules for this choice.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas
from .model import MODELS, Lanes
from .table import CORE, FUNCTIONS, SMALL, Function

GROUPS = 2
OPTIONS = "-cl-std=CL3.0"
# All sub-groups but the last are full (3.2.1), so `size` does not need get_sub_group_size(), which only check_size tests.
PLACE = """
    size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
    size_t l = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    size_t i = get_group_id(0) * n + l;
    uint most = get_max_sub_group_size(), first = get_sub_group_id() * most, size = min(most, (uint)n - first);
"""
UNTOUCHED = 0xA5


_PREDICATES = ("all_of", "any_of", "all_equal", "elect", "inverse_ballot", "ballot_bit_extract")


def returns_bool(f: Function) -> bool:
    """True if the builtin returns a truth value: any value but zero means true, and the kernel stores 1 for it."""
    return f.operation.startswith("logical") or f.model in _PREDICATES


def can_invert(f: Function) -> bool:
    """True if the value is an integer, so that a kernel can invert its bits."""
    return f.type in (*SMALL, *CORE) and layout(f.type)[0].kind != "f"


def source(f: Function) -> str:
    """The kernel of a function; if it may be divergent, only the active items call it."""
    t, extension = f.type.split(".")[0], f.extension or "cl_khr_subgroups"
    return f"""{pragmas(t.rstrip("0123456789"))}
#ifdef {extension}
#pragma OPENCL EXTENSION {extension} : enable
#endif
__kernel void f(__global const {t} *a, __global const int *b, __global const uint *active, uint4 u, int flip,
                __global {f.result} *r, __global uint4 *ids) {{{PLACE}
    {t} x = a[i]{" ^ (T)flip".replace("T", t) if can_invert(f) else ""};
    int y = b[i] ^ flip;
    ids[i] = (uint4)(get_sub_group_id(), get_sub_group_local_id(), size, most);
    {"if (active[i]) " if f.divergent else ""}r[i] = {f.expression}{" != 0" if returns_bool(f) else ""};
}}
"""


def layout(type_name: str) -> tuple[np.dtype[Any], int]:
    """numpy's type of a component, and the number of components in memory: three take the room of four."""
    scalar = type_name.split(".")[0].rstrip("0123456789")
    width = int(type_name.split(".")[0][len(scalar) :] or 1)
    return np_type(scalar), 4 if width == 3 else width


def extreme_operands(device: Device, f: Function, shape: tuple[int, int]) -> NDArray[Any]:
    """Operands near the type's largest value for min, and near its smallest for max: beyond the range of narrower types."""
    kind, _ = layout(f.type)
    largest = f.operation == "min"
    if kind.kind == "f":
        end = float(np.finfo(kind).max) * (1 if largest else -1)
        return (end * device.rng.choice([1, 0.5, 0.25], shape)).astype(kind)
    low, high = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    eighth = (high - low) // 8
    return device.rng.integers(*((high - eighth, high) if largest else (low, low + eighth)), shape, dtype=kind)


def values(device: Device, f: Function, count: int, *, ends: bool) -> NDArray[Any]:
    """Operands whose reductions do not depend on the order: exact in a float, without signed overflow.

    `ends`: those of min and max are close to the initial values of these reductions.
    """
    kind, width = layout(f.type)
    rng, shape = device.rng, (count, width)
    if f.operation in ("min", "max") and ends:
        return extreme_operands(device, f, shape)
    if f.model == "all_equal":
        return np.repeat(rng.integers(1, 100, ((count + 15) // 16, width)).astype(kind), 16, 0)[:count]
    if f.operation == "mul":
        factors = rng.choice([1, -1] if kind.kind != "u" else [3, 5], shape)
        factors[rng.integers(0, count, 5)] *= 2
        return factors.astype(kind)
    if kind.kind == "f":
        return rng.integers(-60, 61, shape).astype(kind) / kind.type(2)
    info = np.iinfo(kind)
    if f.operation == "add" and kind.kind == "i":
        return rng.integers(int(info.min) // 128, int(info.max) // 128 + 1, shape).astype(kind)
    return rng.integers(info.min, info.max, shape, dtype=kind, endpoint=True)


def votes(device: Device, f: Function, count: int) -> NDArray[np.int32]:
    """The int operand of each item, zero or not."""
    y = device.rng.choice([0, 0, 2, 5, 256, 77, 1 << 30], count).astype(np.int32)
    if f.model in ("all_of", "any_of"):  # with random votes, the results would hardly ever differ
        y = np.where(np.arange(count) // 16 % 2 == (f.model == "all_of"), np.maximum(y, 4), 0).astype(np.int32)
        y[5::24] ^= 4
    return y


def sub_groups(ids: NDArray[np.uint32]) -> Iterator[list[int]]:
    """The items of each sub-group, in the order of their lanes."""
    for group in range(GROUPS):
        rows = np.arange(len(ids)).reshape(GROUPS, -1)[group]
        for number in np.unique(ids[rows, 0]):
            members = rows[ids[rows, 0] == number]
            yield [int(m) for m in members[np.argsort(ids[members, 1], kind="stable")]]


def patterns(device: Device, count: int) -> Iterator[NDArray[np.uint32]]:
    """The active items: all, a random half, one in three, and only the last of many."""
    items = np.arange(count)
    yield np.ones(count, np.uint32)
    yield device.rng.integers(0, 2, count).astype(np.uint32)
    yield (items % 3 == 1).astype(np.uint32)
    yield (items % 16 >= 13).astype(np.uint32)


def check_function(device: Device, *, function: str) -> None:
    """One builtin, in work-groups of several shapes; the last sub-group of most of them is not full."""
    f = FUNCTIONS[function]
    kernel = device.build(source(f), OPTIONS).f
    for number, local in enumerate(((64,), (13, 3))):
        count = GROUPS * math.prod(local)
        masks = list(patterns(device, count))
        for active in [masks[2 * number], masks[2 * number + 1]] if f.divergent else masks[:1]:
            compare_launch(device, f, kernel, local, active, ends=number == 1)
    if not f.divergent:
        for flip in (-1, 0) if f.model in ("all_of", "any_of") else (-1,):
            compare_launch(device, f, kernel, (13, 3), np.ones(GROUPS * 39, np.uint32), ends=False, flip=flip)


def lanes_of(ids: NDArray[Any], x: NDArray[Any], y: NDArray[Any], active: NDArray[Any], number: int) -> Lanes:
    """The active items of a sub-group, from the lanes that its items report and from their operands."""
    there = [(int(ids[m, 1]), m) for m in range(len(ids)) if active[m]]
    return Lanes(
        {lane: x[m, 0].item() if x.shape[1] == 1 else tuple(x[m].tolist()) for lane, m in there},
        {lane: int(y[m]) for lane, m in there},
        number,
        int(ids[0, 2]),
        int(ids[0, 3]),
    )


def compare_launch(
    device: Device,
    f: Function,
    kernel: cl.Kernel,
    local: Sequence[int],
    active: NDArray[np.uint32],
    *,
    ends: bool,
    flip: int | None = None,
) -> None:
    """Launch groups of the size `local`, and compare what the active items got with the model. `ends` as of `values`.

    With `flip`, all items vote alike, but a lane that does not belong to the sub-group would vote otherwise: such a lane
    loads 0, if anything, and the kernel inverts the operand by `flip`.
    """
    count = len(active)
    x = values(device, f, count, ends=ends)
    y = votes(device, f, count) if flip is None else np.full(count, ~flip, np.int32)
    u = device.rng.integers(0, 2**32, 4).astype(np.uint32)
    kind, width = layout(f.result)
    result = device.buffer(np.full(count * width * kind.itemsize, UNTOUCHED, np.uint8))
    ids_buffer = device.buffer(np.zeros((count, 4), np.uint32))
    mask = np.int32(flip or 0)
    stored = [x ^ x.dtype.type(mask) if can_invert(f) else x, y ^ mask, active]
    shape = [GROUPS * local[0], *local[1:]]
    device.launch(kernel, shape, local, *map(device.buffer, stored), u, mask, result, ids_buffer)
    ids = device.read(ids_buffer, np.uint32, (count, 4))
    got = device.read(result, kind, (count, width))
    what = f"{f.name} of {f.type}, work-groups of {'x'.join(map(str, local))}"
    untouched = np.full((count, width * kind.itemsize), UNTOUCHED, np.uint8).view(kind)
    wants, spoken = untouched.copy(), np.ones(count, np.bool_)
    others = wants.copy()
    number = int.from_bytes(u.tobytes(), "little")
    for members in sub_groups(ids):
        own = len({*ids[members, 1].tolist()})
        check.equal(f"{what}: lanes of a sub-group of {len(members)} items", own, len(members))
        lanes = lanes_of(ids[members], x[members], y[members], active[members], number)
        if not lanes.x:
            continue
        # If a sub-group is not full, the bits of the missing lanes may be in its masks or not.
        narrow = replace(lanes, largest=lanes.size) if f.model.endswith("_mask") else lanes
        answers = zip((m for m in members if active[m]), MODELS[f.model](f, lanes), MODELS[f.model](f, narrow), strict=True)
        for m, answer, other in answers:
            spoken[m] = answer is not None
            if answer is not None:
                wants[m], others[m] = answer, other
    if returns_bool(f):
        truth = active.astype(np.bool_)
        wants[truth], others[truth] = wants[truth] != 0, others[truth] != 0
    used = width if not f.result.endswith("3") else 3
    check.exact(what, got[spoken, :used], [wants[spoken, :used], others[spoken, :used]])
    check.true(f"{what}: lanes below the size", bool((ids[:, 1] < ids[:, 2]).all()))


IDENTIFIERS = f"""
__kernel void f(__global uint *r) {{{PLACE}
    r += i * 8;
    r[0] = get_sub_group_id(); r[1] = get_sub_group_local_id(); r[2] = get_sub_group_size();
    r[3] = get_max_sub_group_size(); r[4] = get_num_sub_groups(); r[5] = get_enqueued_num_sub_groups();
    __local uint m[64];
    m[l] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    r[6] = m[n - 1 - l];
}}
"""


def identifiers(device: Device, local: Sequence[int], required: bool = False) -> tuple[cl.Kernel, NDArray[np.uint32]]:
    """The kernel, and what its items report about themselves, in the shape (groups, items, 8)."""
    attribute = f"__attribute__((reqd_work_group_size({', '.join(map(str, [*local, 1, 1][:3]))})))" if required else ""
    kernel = device.build(IDENTIFIERS.replace("__kernel", f"__kernel {attribute}"), OPTIONS).f
    items = math.prod(local)
    out = device.buffer(np.zeros((GROUPS * items, 8), np.uint32))
    device.launch(kernel, [GROUPS * local[0], *local[1:]], local, out)
    return kernel, device.read(out, np.uint32, (GROUPS, items, 8))


def check_size(device: Device, *, local: Sequence[int]) -> None:
    """get_sub_group_size() is the number of items in the sub-group; the last one may have fewer (6.15.1)."""
    _, got = identifiers(device, local)
    for group in got:
        _, place, members = np.unique(group[:, 0], return_inverse=True, return_counts=True)
        check.equal("get_sub_group_size()", group[:, 2].astype(np.int64), members[place])


def check_ids(device: Device, *, local: list[int], required: bool = False) -> None:
    """Every lane occurs once, all sub-groups but the last are full, a barrier works, and the queries agree.

    OpenCL C 3.0, 6.15.1; OpenCL API 3.0, 3.2.1 and clGetKernelSubGroupInfo.
    """
    kernel, got = identifiers(device, local, required)
    items = math.prod(local)
    same = np.broadcast_to(got[0, 0, 3:6], (GROUPS, items, 3))
    check.equal("largest size, count and count enqueued are the same for all", got[..., 3:6], same)
    largest, count = int(got[0, 0, 3]), int(got[0, 0, 4])
    check.equal("get_num_sub_groups()", count, -(-items // largest) if largest else -1)
    check.equal("get_enqueued_num_sub_groups()", int(got[0, 0, 5]), count)
    lanes = [[s, k] for s in range(count) for k in range(min(largest, items - s * largest))]
    for group in got:
        check.equal("sub-group and lane of each item, sorted", np.array(sorted(group[:, :2].tolist())), np.array(lanes))
    check.equal("what the group's items stored", got[:, ::-1, 6].ravel(), np.arange(GROUPS * items))
    infos = cl.kernel_sub_group_info
    for name, info, want in (
        ("MAX_SUB_GROUP_SIZE", infos.MAX_SUB_GROUP_SIZE_FOR_NDRANGE, largest),
        ("SUB_GROUP_COUNT", infos.SUB_GROUP_COUNT_FOR_NDRANGE, count),
    ):
        reported = kernel.get_sub_group_info(device.device, info, list(local))
        check.equal(f"CL_KERNEL_{name}_FOR_NDRANGE", int(reported), want, stage="api")
    one = kernel.get_sub_group_info(device.device, infos.LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 1)
    fits = 1 <= math.prod(one) <= largest
    check.true("CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT of 1 fits the largest size", fits, stage="api")
    most = int(kernel.get_sub_group_info(device.device, infos.MAX_NUM_SUB_GROUPS))
    check.true("CL_KERNEL_MAX_NUM_SUB_GROUPS allows this launch", most >= count, stage="api")


def check_lane(device: Device, *, lane: int) -> None:
    """sub_group_broadcast from a constant lane, in each sub-group that has it (6.15.20)."""
    kernel = device.build(
        f"""#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel void f(__global const uint *a, __global uint4 *r) {{{PLACE}
    uint x = 0;
    if ({lane} < size) x = sub_group_broadcast(a[i], {lane});
    r[i] = (uint4)(get_sub_group_local_id(), size, x, 0);
}}
""",
        OPTIONS,
    ).f
    items = GROUPS * 64
    data = device.rng.permutation(items).astype(np.uint32)
    out = device.buffer(np.zeros((items, 4), np.uint32))
    device.launch(kernel, [items], [64], device.buffer(data), out)
    own, size, got, _ = device.read(out, np.uint32, (items, 4)).astype(np.int64).T
    sender = np.clip(np.arange(items) - own + lane, 0, items - 1)
    check.equal(f"sub_group_broadcast(x, {lane})", got, np.where(lane < size, data[sender], 0))
