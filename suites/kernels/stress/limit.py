"""The device's limits: local memory, constants, arguments (API 3.0, 4.2)."""

from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device, error_name

from ..kit.scalar import np_type, pragmas

ITEMS = 32

LOCAL_SOURCE = """
__kernel void f(__global uint *out, __global const uint *in{argument}) {{
    {array}
    uint i = get_local_id(0), n = get_local_size(0);
    for (uint j = i; j < {words}; j += n) l[j] = in[j % 256] * 3 + j;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint j = i; j < {words}; j += n) sum = sum * 31 + l[{words} - 1 - j];
    out[get_global_id(0)] = sum;
}}
"""


def check_local(device: Device, *, parts: int, static: bool, groups: int) -> None:
    """Each group has this part of the local memory for itself. `parts`: quarters of it."""
    words = int(device.device.local_mem_size) * parts // 16
    array = f"__local uint l[{words}];" if static else ""
    source = LOCAL_SOURCE.format(words=words, array=array, argument="" if static else ", __local uint *l")
    data = device.rng.integers(0, 1 << 32, 256, dtype=np.uint32)
    out = device.buffer(np.zeros(ITEMS * groups, np.uint32))
    extra = () if static else (cl.LocalMemory(4 * words),)
    kernel = device.build(source).f
    device.launch(kernel, [ITEMS * groups], [ITEMS], out, device.buffer(data), *extra)
    check.equal("sums", device.read(out, np.uint32, ITEMS * groups), np.tile(_local_sums(data, words), groups))
    used = kernel.get_work_group_info(cl.kernel_work_group_info.LOCAL_MEM_SIZE, device.device)
    check.true(f"CL_KERNEL_LOCAL_MEM_SIZE of {'an array' if static else 'an argument'} covers it", used >= 4 * words)


def check_local_beyond(device: Device, *, static: bool) -> None:
    """More local memory than CL_DEVICE_LOCAL_MEM_SIZE is refused (API 3.0, 5.10), or the result is right."""
    words, answer = int(device.device.local_mem_size) // 4 + 1024, "CL_SUCCESS"
    array = f"__local uint l[{words}];" if static else ""
    source = LOCAL_SOURCE.format(words=words, array=array, argument="" if static else ", __local uint *l")
    data = device.rng.integers(0, 1 << 32, 256, dtype=np.uint32)
    out, buffer = device.buffer(np.zeros(ITEMS, np.uint32)), device.buffer(data)
    try:  # the compiler may refuse an array
        kernel = cl.Program(device.context, source).build().f
        kernel.set_args(out, buffer, *(() if static else (cl.LocalMemory(4 * words),)))
        cl.enqueue_nd_range_kernel(device.queue, kernel, (ITEMS,), (ITEMS,))
        device.queue.finish()
    except cl.Error as error:
        answer = error_name(error)
    allowed = ["CL_OUT_OF_RESOURCES", "CL_SUCCESS"]
    allowed += ["CL_BUILD_PROGRAM_FAILURE", "CL_INVALID_WORK_GROUP_SIZE"] if static else []
    check.true(f"{answer} is one of {allowed}", answer in allowed, stage="api")
    if answer == "CL_SUCCESS":
        check.equal("sums", device.read(out, np.uint32, ITEMS), _local_sums(data, words))


BOTH_SOURCE = """
__kernel void f(__global uint *out, __global const uint *in, __local uint *a, __local uint *b) {{
    __local uint c[{words}];
    uint i = get_local_id(0), n = get_local_size(0);
    __local uint *parts[3] = {{ a, b, c }};
    for (uint k = 0; k < 3; k++)
        for (uint j = i; j < {words}; j += n) parts[k][j] = in[j % 256] * 3 + j + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 3; k++) {{
        uint sum = 0;
        for (uint j = i; j < {words}; j += n) sum = sum * 31 + parts[k][{words} - 1 - j] - k;
        out[k * n + i] = sum;
    }}
}}
"""


def check_local_both(device: Device, *, more: int) -> None:
    """Two arguments and an array of the kernel, each a third of the local memory and `more` bytes."""
    words = (int(device.device.local_mem_size) // 3 // 16 * 16 + more) // 4
    data, answer = device.rng.integers(0, 1 << 32, 256, dtype=np.uint32), "CL_SUCCESS"
    out, buffer = device.buffer(np.zeros(3 * ITEMS, np.uint32)), device.buffer(data)
    kernel = device.build(BOTH_SOURCE.format(words=words)).f
    kernel.set_args(out, buffer, cl.LocalMemory(4 * words), cl.LocalMemory(4 * words))
    used = kernel.get_work_group_info(cl.kernel_work_group_info.LOCAL_MEM_SIZE, device.device)
    check.true(f"CL_KERNEL_LOCAL_MEM_SIZE of {used} covers the three parts of {4 * words}", used >= 12 * words, stage="api")
    try:
        cl.enqueue_nd_range_kernel(device.queue, kernel, (ITEMS,), (ITEMS,))
        device.queue.finish()
    except cl.Error as error:
        answer = error_name(error)
    allowed = ["CL_SUCCESS", *(["CL_OUT_OF_RESOURCES"] if more > 0 else [])]
    check.true(f"{answer} is one of {allowed}", answer in allowed, stage="api")
    if answer == "CL_SUCCESS":
        check.equal("sums", device.read(out, np.uint32, 3 * ITEMS), np.tile(_local_sums(data, words), 3))


BESIDE_SOURCE = """
__kernel void f(__global uint *out, __global const uint *in, __local uint *a, uint words) {{
    __local uint c[{own}];
    uint i = get_local_id(0), n = get_local_size(0);
    for (uint j = i; j < words; j += n) a[j] = in[j % 256] * 3 + j;
    for (uint j = i; j < {own}; j += n) c[j] = in[j % 256] * 3 + j;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0, other = 0;
    for (uint j = i; j < words; j += n) sum = sum * 31 + a[words - 1 - j];
    for (uint j = i; j < {own}; j += n) other = other * 31 + c[{own} - 1 - j];
    out[i] = sum;
    out[n + i] = other;
}}
"""


def check_local_beside(device: Device, *, kib: int, own: int) -> None:
    """A local argument of `kib` KiB beside an array of the kernel of `own` bytes."""
    words, answer = kib * 256, "CL_SUCCESS"
    data = device.rng.integers(0, 1 << 32, 256, dtype=np.uint32)
    out, buffer = device.buffer(np.zeros(2 * ITEMS, np.uint32)), device.buffer(data)
    kernel = device.build(BESIDE_SOURCE.format(own=own // 4)).f
    kernel.set_args(out, buffer, cl.LocalMemory(4 * words), np.uint32(words))
    try:
        cl.enqueue_nd_range_kernel(device.queue, kernel, (ITEMS,), (ITEMS,))
        device.queue.finish()
    except cl.Error as error:
        answer = error_name(error)
    room = 4 * words + own <= device.device.local_mem_size
    allowed = ["CL_SUCCESS", *([] if room else ["CL_OUT_OF_RESOURCES"])]
    check.true(f"{answer} is one of {allowed}", answer in allowed, stage="api")
    if answer == "CL_SUCCESS":
        sums = np.concatenate([_local_sums(data, words), _local_sums(data, own // 4)])
        check.equal("sums of the argument, then of the array", device.read(out, np.uint32, 2 * ITEMS), sums)


def _local_sums(data: Any, words: int) -> Any:
    """The sums of the work-items in a group of ITEMS, from their reversed local array."""
    held = data[np.arange(words) % 256] * np.uint32(3) + np.arange(words, dtype=np.uint32)
    padded = np.zeros(-(-words // ITEMS) * ITEMS, np.uint32)
    padded[:words] = held[::-1]
    sums = np.zeros(ITEMS, np.uint32)
    for n, row in enumerate(padded.reshape(-1, ITEMS)):
        inside = n * ITEMS + np.arange(ITEMS) < words
        sums = np.where(inside, sums * np.uint32(31) + row, sums)
    return sums


CONSTANT_SOURCE = """
__kernel void f(__global uint *out, {parameters}, uint stride) {{
    size_t i = get_global_id(0);
    out[i] = {sum};
}}
"""


def check_constant(device: Device, *, size: int, args: int) -> None:
    """Constant buffers up to the limits. `size`: in bytes, 0 for the largest, up to 64 MiB; `args`: 0 for all that fit."""
    room = int(device.device.max_parameter_size) - 16  # beside out and stride
    fitting = 8 * room // int(device.device.address_bits)
    args = args or min(int(device.device.max_constant_args), fitting)
    size = size or min(int(device.device.max_constant_buffer_size), 64 << 20)
    words, items = size // args // 4, 256
    parameters = ", ".join(f"__constant uint *c{n}" for n in range(args))
    total = " + ".join(f"c{n}[i * stride] * {2 * n + 1}u" for n in range(args))
    data = device.rng.integers(0, 1 << 32, 1024, dtype=np.uint32)
    full: Any = np.resize(data, words) + np.arange(words, dtype=np.uint32)
    buffers = [device.buffer(full + np.uint32(n)) for n in range(args)]
    out, stride = device.buffer(np.zeros(items, np.uint32)), (words - 1) // (items - 1)
    kernel = device.build(CONSTANT_SOURCE.format(parameters=parameters, sum=total)).f
    device.launch(kernel, [items], None, out, *buffers, np.uint32(stride))
    read, want = full[np.arange(items) * stride], np.zeros(items, np.uint32)
    for n in range(args):
        want += (read + np.uint32(n)) * np.uint32(2 * n + 1)
    check.equal("sums", device.read(out, np.uint32, items), want)


def check_table(device: Device, *, words: int) -> None:
    """A constant table in the source."""
    table = device.rng.integers(0, 1 << 32, words, dtype=np.uint32)
    text = ",".join(map(str, table))
    source = f"__constant uint t[{words}] = {{{text}}};\n__kernel void f(__global uint *a, __global const uint *b)"
    index = device.rng.permutation(words).astype(np.uint32)[:256]
    out = device.buffer(np.zeros(len(index), np.uint32))
    kernel = device.build(source + " { size_t i = get_global_id(0); a[i] = t[b[i]]; }").f
    device.launch(kernel, [len(index)], None, out, device.buffer(index))
    check.equal("entries", device.read(out, np.uint32, len(index)), table[index])


def check_arguments(device: Device, *, type: str, count: int) -> None:
    """Many arguments: every device allows 1024 bytes and 127 arguments (API 3.0, 4.2; C99, 5.2.4.1).

    `count`: 0 for the largest number.
    """
    limit = 1024
    if type == "pointer":
        count = count or limit // 8 - 2
        declared = ", ".join(f"__global const uint *p{n}" for n in range(count))
        values = device.rng.integers(0, 1 << 32, count, dtype=np.uint32)
        shared = device.buffer(values)
        passed: list[Any] = [device.buffer(values[n : n + 1]) if n % 2 else shared for n in range(count)]
        each = [values[n] if n % 2 else values[0] for n in range(count)]
        terms = [f"p{n}[0]" for n in range(count)]
    else:
        base, width = type.rstrip("0123456789"), int(type.lstrip("abcdefghijklmnopqrstuvwxyz") or 1)
        dtype = np_type(base)
        stored = 4 if width == 3 else width  # C 3.0, 6.3.5: a vector of three takes the room of four
        count = count or min((limit - 8) // (dtype.itemsize * stored), 126)
        declared = ", ".join(f"{type} p{n}" for n in range(count))
        raw = device.rng.integers(0, 255, (count, stored * dtype.itemsize), dtype=np.uint8).view(dtype)
        passed = [raw[n] if width > 1 else raw[n, 0] for n in range(count)]
        each = [raw[n, width - 1].astype(np.uint32) for n in range(count)]
        last = f".s{width - 1:x}" if width > 1 else ""
        terms = [f"(uint)p{n}{last}" for n in range(count)]
    body = "".join(f"  sum = sum * 31 + {term};\n" for term in terms)
    source = f"{pragmas(type)}__kernel void f(__global uint *out, {declared}) {{\n  uint sum = 0;\n{body}"
    out = device.buffer(np.zeros(1, np.uint32))
    device.launch(device.build(source + "  out[0] = sum;\n}\n").f, [1], None, out, *passed)
    want = np.uint32(0)
    with np.errstate(over="ignore"):
        for value in each:
            want = want * np.uint32(31) + value
    check.equal("sum of all", device.read(out, np.uint32, 1), [want])
