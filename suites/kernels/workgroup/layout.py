"""The layout of local memory: several arrays, structures, unions, pointers, sizes (OpenCL C 3.0, 6.7.2, 6.3.5)."""

from collections.abc import Sequence

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from .local import GROUPS

# Each reverses 64 uints of a group through local memory: r[l] = a[63 - l]. l is set.
TURNS = {
    "several_arrays": """
    __local uchar b0[64]; __local ushort s[64]; __local uchar b3[64];
    uint x = a[l];
    b0[l] = x; s[l] = x >> 8; b3[l] = x >> 24;
    barrier(CLK_LOCAL_MEM_FENCE);
    r[l] = b0[63 - l] | (uint)s[63 - l] << 8 | (uint)b3[63 - l] << 24;""",
    "odd_arrays": """
    __local uchar before[3]; __local uint m[64]; __local uchar between[5]; __local ushort h[64]; __local uchar after[1];
    m[l] = a[l]; h[l] = l * 3;
    if (l < 3) before[l] = 250 + l;
    if (l < 5) between[l] = 240 + l;
    if (l == 9) after[0] = 77;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint k = 63 - l;
    r[l] = m[k] + h[k] - k * 3 + before[l % 3] - 250 - l % 3 + between[l % 5] - 240 - l % 5 + after[0] - 77;""",
    "array_of_structs": """
    typedef struct { uchar tag; uint value; ushort half_word; } record;
    __local record m[64];
    m[l].tag = l; m[l].value = a[l]; m[l].half_word = 1000 + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    record x = m[63 - l];
    r[l] = x.value + (x.tag - (63 - l)) + (x.half_word - 1063 + l);""",
    "struct_of_arrays": """
    typedef struct { uint value[64]; uchar tag[64]; struct { ushort x[2]; } inner[32]; } records;
    __local records m;
    m.value[l] = a[l]; m.tag[l] = l; m.inner[l / 2].x[l & 1] = 7 * l;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint k = 63 - l;
    r[l] = m.value[k] + m.tag[k] - k + m.inner[k / 2].x[k & 1] - 7 * k;""",
    "packed_structs": """
    typedef struct __attribute__((packed)) { uchar tag; uint value; } record;
    __local record m[64];
    m[l].tag = l; m[l].value = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    r[l] = m[63 - l].value + m[63 - l].tag - (63 - l);""",
    "struct_copies": """
    typedef struct { uint4 v; uint x; } record;
    __local record m[64], n[64];
    record own; own.v = (uint4)(a[l], l, l + 1, l + 2); own.x = l;
    m[l] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    n[63 - l] = m[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    r[l] = n[l].v.x + n[l].v.y - n[l].x + n[l].v.z - n[l].v.w + 1;""",
    "union": """
    typedef union { uint whole; ushort halves[2]; uchar bytes[4]; } word;
    __local word m[64];
    m[l].halves[0] = a[l]; m[l].halves[1] = a[l] >> 16;
    barrier(CLK_LOCAL_MEM_FENCE);
    word x = m[63 - l];
    r[l] = l & 1 ? x.whole : x.bytes[0] | x.bytes[1] << 8 | x.bytes[2] << 16 | (uint)x.bytes[3] << 24;""",
    "three_dimensions": """
    __local uint m[4][2][8];
    m[l / 16][l / 8 % 2][l % 8] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    r[l] = m[3 - l / 16][1 - l / 8 % 2][7 - l % 8];""",
    "one_scalar": """
    __local uint sum, first;
    if (l == 17) { sum = 1; first = a[63]; }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) sum += first;
    barrier(CLK_LOCAL_MEM_FENCE);
    r[l] = a[63 - l] + sum - first - 1;""",
    "bytes_of_words": """
    __local uint m[64];
    __local uchar *b = (__local uchar *)m;
    for (uint k = 0; k < 4; k++) b[64 * k + l] = a[(64 * k + l) / 4] >> 8 * (l % 4);
    barrier(CLK_LOCAL_MEM_FENCE);
    r[l] = m[63 - l];""",
    "words_of_vectors": """
    __local uint4 m[16];
    ((__local uint *)m)[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint4 v = m[(63 - l) / 4];
    r[l] = (uint[]){v.x, v.y, v.z, v.w}[(63 - l) % 4];""",
    "pointers": """
    __local uint one[64], two[64];
    __local uint *both[2] = {one, two};
    both[l & 1][l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint k = 63 - l;
    __local uint *end = both[k & 1] + 64;
    r[l] = *(end - 64 + k) + (uint)(end - both[k & 1]) - 64;""",
    "passed_on": """
    __local uint m[64];
    put(m + 32, a[l], (int)l - 32);
    barrier(CLK_LOCAL_MEM_FENCE);
    r[l] = take(&m[63], l);""",
    "member_pointer": """
    typedef struct { uint pad[3]; uint m[64]; } record;
    __local record x;
    put(x.m, a[l], l);
    barrier(CLK_LOCAL_MEM_FENCE);
    r[l] = take(x.m + 63, l);""",
    "volatile": """
    volatile __local uint m[64];
    m[l] = a[l] - 5; m[l] += 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    r[l] = m[63 - l];""",
}


def check_turn(device: Device, *, form: str) -> None:
    """Arrays, structures, unions and pointers in local memory. `form`: a name of TURNS."""
    kernel = device.build(
        f"""
void put(__local uint *p, uint x, int at) {{ p[at] = x; }}
uint take(__local const uint *end, uint back) {{ return *(end - back); }}
__kernel void f(__global const uint *a, __global uint *r) {{
    uint l = get_local_id(0);
    a += get_group_id(0) * 64; r += get_group_id(0) * 64;
    {TURNS[form]}
}}
"""
    ).f
    data = device.rng.integers(0, 2**32, (GROUPS, 64)).astype(np.uint32)
    out = device.buffer(np.zeros_like(data))
    device.launch(kernel, [GROUPS * 64], [64], device.buffer(data), out)
    check.equal("reversed in each group", device.read(out, np.uint32, data.shape), data[:, ::-1])


def check_aligned(device: Device) -> None:
    """Local arguments of odd sizes do not overlap, and each is aligned to its type (6.3.5, clSetKernelArg)."""
    kernel = device.build(
        """
__kernel void f(__global uint *r, __local uchar *a, __local ulong *b, __local uchar *c, __local float4 *d,
                __local ushort *e, __local long8 *g) {
    uint l = get_local_id(0), group = get_group_id(0);
    if (l < 5) a[l] = 50 + l;
    if (l < 3) { b[l] = 0x1111111111111111UL * (l + 1); c[l] = 60 + l; e[l] = 7000 + l; }
    if (l < 2) { d[l] = (float4)(l + 1.5f); g[l] = (long8)(-9 - (long)l); }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l) return;
    r += group * 16;
    r[0] = (size_t)b % sizeof(*b); r[1] = (size_t)d % sizeof(*d);
    r[2] = (size_t)e % sizeof(*e); r[3] = (size_t)g % sizeof(*g);
    for (uint k = 0; k < 5; k++) r[4] += a[k];
    for (uint k = 0; k < 3; k++) { r[5] += b[k] == 0x1111111111111111UL * (k + 1); r[6] += c[k]; r[7] += e[k]; }
    for (uint k = 0; k < 2; k++) { r[8] += all(d[k] == (float4)(k + 1.5f)); r[9] += all(g[k] == (long8)(-9 - (long)k)); }
}
"""
    ).f
    out = device.buffer(np.zeros((GROUPS, 16), np.uint32))
    sizes = (5, 24, 3, 32, 6, 128)
    device.launch(kernel, [GROUPS * 8], [8], out, *(cl.LocalMemory(n) for n in sizes))
    want = np.zeros((GROUPS, 16), np.uint32)
    want[:, 4:10] = [sum(range(50, 55)), 3, sum(range(60, 63)), sum(range(7000, 7003)), 2, 2]
    check.equal("addresses of __local arguments modulo sizes, then contents", device.read(out, np.uint32, want.shape), want)


# Each case has its own factor, and so its own kernel: a driver that keeps the first size would disturb the next (bug 60).
_FILL = """
__kernel void f(__global uint *r, __local uchar *part, uint bytes) {
    uint l = get_local_id(0), n = get_local_size(0), group = get_group_id(0), sum = 0;
    for (uint k = l; k < bytes; k += n) part[k] = k * FACTOR + k / 256 + group;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = n - 1 - l; k < bytes; k += n) sum += part[k] * (k % 1021 + 1);
    r[get_global_id(0)] = sum;
}
"""


def _sums(groups: int, items: int, size: int, factor: int) -> np.ndarray:
    k = np.arange(size, dtype=np.int64)
    rows = []
    for group in range(groups):
        values = (k * factor + k // 256 + group) % 256 * (k % 1021 + 1)
        rows.append([values[items - 1 - l :: items].sum() for l in range(items)])  # noqa: E741
    return (np.array(rows) % 2**32).astype(np.uint32)


def check_sizes(device: Device, *, sizes: Sequence[int], attribute: str, factor: int) -> None:
    """A local argument with another size at each launch of one kernel, down to one byte."""
    kernel = device.build(f"{attribute}{_FILL}", f"-DFACTOR={factor}").f
    for size in sizes:
        out = device.buffer(np.zeros((GROUPS, 32), np.uint32))
        device.launch(kernel, [GROUPS * 32], [32], out, cl.LocalMemory(size), np.uint32(size))
        check.equal(f"sums over {size} bytes", device.read(out, np.uint32, (GROUPS, 32)), _sums(GROUPS, 32, size, factor))


_BESIDE_SOURCE = """
__kernel void f(__global uint *r, PARTS) {{
    __local uchar own[{static}];
    uint l = get_local_id(0), n = get_local_size(0), group = get_group_id(0), items = get_global_size(0);{fill}
    barrier(CLK_LOCAL_MEM_FENCE);{add}
}}
"""


def check_beside(device: Device, *, static: int, sizes: Sequence[int]) -> None:
    """Local arguments beside an array of the kernel, with sizes in bytes: each has its own memory."""
    names = ["own", *(f"p{n}" for n in range(len(sizes)))]
    parts = list(zip(names, (static, *sizes), strict=True))
    fill = "".join(
        f"\n    for (uint k = l; k < {size}; k += n) {name}[k] = k * {7 + 2 * n} + k / 256 + group;"
        for n, (name, size) in enumerate(parts)
    )
    add = "".join(
        f"\n    uint sum{n} = 0; for (uint k = n - 1 - l; k < {size}; k += n) sum{n} += {name}[k] * (k % 1021 + 1);"
        f"\n    r[{n} * items + get_global_id(0)] = sum{n};"
        for n, (name, size) in enumerate(parts)
    )
    arguments = ", ".join(f"__local uchar *{name}" for name in names[1:])
    kernel = device.build(_BESIDE_SOURCE.replace("PARTS", arguments).format(static=static, fill=fill, add=add)).f
    out = device.buffer(np.zeros((len(parts), GROUPS, 32), np.uint32))
    device.launch(kernel, [GROUPS * 32], [32], out, *map(cl.LocalMemory, sizes))
    want = np.stack([_sums(GROUPS, 32, size, 7 + 2 * n) for n, (_, size) in enumerate(parts)])
    check.equal(f"sums over parts of {static}, {sizes} bytes", device.read(out, np.uint32, want.shape), want)


def check_whole(device: Device) -> None:
    """A local argument that takes all of CL_DEVICE_LOCAL_MEM_SIZE, up to 256 KiB."""
    kernel = device.build(_FILL, "-DFACTOR=11").f
    used = int(kernel.get_work_group_info(cl.kernel_work_group_info.LOCAL_MEM_SIZE, device.device))
    size = min(int(device.device.local_mem_size) - used, 1 << 18)
    out = device.buffer(np.zeros((GROUPS, 32), np.uint32))
    device.launch(kernel, [GROUPS * 32], [32], out, cl.LocalMemory(size), np.uint32(size))
    check.equal("sums over all local memory", device.read(out, np.uint32, (GROUPS, 32)), _sums(GROUPS, 32, size, 11))


def check_declared(device: Device, *, size: int) -> None:
    """Arrays in two kernels of a program that fill much of the full profile's minimum of local memory."""
    if (most := int(device.device.local_mem_size)) < size:
        raise check.Unsupported(f"local memory has {most} bytes")
    program = device.build(
        f"""
#define BODY(first) \\
    uint l = get_local_id(0), n = get_local_size(0), sum = 0; \\
    for (uint k = l; k < {size}; k += n) part[k] = k * 5 + k / 256 + first; \\
    barrier(CLK_LOCAL_MEM_FENCE); \\
    for (uint k = n - 1 - l; k < {size}; k += n) sum += part[k] * (k % 509 + 1); \\
    r[get_global_id(0)] = sum;
__kernel void f(__global uint *r) {{ __local uchar part[{size}]; BODY(3) }}
__kernel void g(__global uint *r) {{ __local uchar part[{size}]; BODY(11) }}
"""
    )
    k = np.arange(size, dtype=np.int64)
    for name, first in (("f", 3), ("g", 11)):
        kernel = getattr(program, name)
        reported = int(kernel.get_work_group_info(cl.kernel_work_group_info.LOCAL_MEM_SIZE, device.device))
        check.true(
            f"CL_KERNEL_LOCAL_MEM_SIZE counts the {size} bytes",
            size <= reported <= int(device.device.local_mem_size),
            stage="api",
        )
        out = device.buffer(np.zeros(2 * 32, np.uint32))
        device.launch(kernel, [64], [32], out)
        values = (k * 5 + k // 256 + first) % 256 * (k % 509 + 1)
        want = np.array([values[31 - l :: 32].sum() for l in range(32)] * 2)  # noqa: E741
        check.equal(f"sums over {size} bytes", device.read(out, np.uint32, 64), want)
