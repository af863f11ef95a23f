"""Arguments of every class reach the kernel (OpenCL API 3.0, 5.9.2; OpenCL C 3.0, 6.3.5 for the layouts).

One file: every class of argument is passed, read back and compared in the same way.
"""

import ctypes
import math
import re
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.opencl import SUCCESS, call
from ..kit.scalar import np_type, pragmas
from .table import SCALARS, STRUCTS, WIDTHS

POINTER = """
__kernel void is_null(__global int *r, __global int *p) { *r = p == 0 ? 7 : 9; }
__kernel void is_null_constant(__global int *r, __constant int *p) { *r = p == 0 ? 7 : 9; }
__kernel void add(__global int *r, __global const int *p) { int i = get_global_id(0); r[i] = p[i] + 100; }
__kernel void add_constant(__global int *r, __constant int *p) { int i = get_global_id(0); r[i] = p[i] + 100; }
__kernel void rotate_local(__global int *r, __local int *l) {
    int i = get_local_id(0), n = get_local_size(0);
    l[i] = i * i; barrier(CLK_LOCAL_MEM_FENCE); r[i] = l[(i + 1) % n];
}
__kernel void two_locals(__global int *r, __local int *l, __local int *m) {
    int i = get_local_id(0), n = get_local_size(0);
    l[i] = i; m[2 * i] = 100 + i; m[2 * i + 1] = 200 + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    r[3 * i] = l[n - 1 - i]; r[3 * i + 1] = m[2 * i]; r[3 * i + 2] = m[2 * i + 1];
}
__kernel void alias(__global int *a, __global int *b) { a[0] = 5; b[0] += 1; a[1] = b[0] + a[0]; }
"""


def c_size(name: str) -> tuple[int, int]:
    """Size and alignment of a built-in type; vectors of three count as four."""
    scalar, width = re.fullmatch(r"([a-z]+)(\d*)", name).groups()  # type: ignore[union-attr]
    lanes = int(width or 1)
    size = SCALARS[scalar] * (4 if lanes == 3 else lanes)
    return size, size


def layout(members: tuple[tuple[str, tuple[int, ...]], ...]) -> tuple[list[tuple[int, int]], int]:
    """The offset of each member and the bytes of its value, and the size of the structure."""
    places, at, widest = [], 0, 1
    for name, extents in members:
        size, alignment = c_size(name)
        at += -at % alignment
        whole = size * math.prod(extents)
        places.append((at, size * 3 // 4 if name.endswith("3") and not extents else whole))
        at += whole
        widest = max(widest, alignment)
    return places, at + -at % widest


def random(device: Device, scalar: str, count: int) -> np.ndarray[Any, Any]:
    """Values from the whole range of an integer type, or finite ones of a floating-point type."""
    size = SCALARS[scalar]
    if scalar in ("half", "float", "double"):
        return device.rng.uniform(-100, 100, count).astype(f"f{size}")
    return np.frombuffer(device.rng.bytes(count * size), dtype=np_type(scalar)).copy()


def check_value(device: Device, *, type: str, width: int) -> None:
    """Two values, each behind a single byte, so that a wrong offset or alignment shows."""
    source = pragmas(type)
    for n in WIDTHS:
        name = type + (str(n) if n > 1 else "")
        put = f"vstore{n}(v, 0, r); vstore{n}(w, 1, r);" if n > 1 else "r[0] = v; r[1] = w;"
        source += (
            f"__kernel void pass{n}(char a, {name} v, char b, {name} w, __global {type} *r, __global char *s)"
            f" {{ {put} s[0] = a; s[1] = b; }}\n"
        )
    lanes = 4 if width == 3 else width
    values = random(device, type, 2 * lanes).reshape(2, lanes)
    result, bytes_ = device.buffer(np.zeros((2, width), values.dtype)), device.buffer(np.zeros(2, np.int8))
    kernel = getattr(device.build(source), f"pass{width}")
    single = [values[i, 0] if width == 1 else values[i] for i in (0, 1)]
    device.launch(kernel, (1,), (1,), np.int8(-5), single[0], np.int8(77), single[1], result, bytes_)
    got = device.read(result, values.dtype, (2, width))
    check.equal(f"{type}{width if width > 1 else ''} argument", got, values[:, :width])
    check.equal("bytes beside it", device.read(bytes_, np.int8, 2), np.array([-5, 77], np.int8))


def check_struct(device: Device, *, struct: str) -> None:
    """Every member of a structure by value, and the argument behind it."""
    members = STRUCTS[struct]
    places, size = layout(members)
    fields = " ".join(f"{t} m{i}{''.join(f'[{n}]' for n in extents)};" for i, (t, extents) in enumerate(members))
    copies = "".join(
        f"{{ const __private uchar *p = (const __private uchar *)&s.m{i};"
        f" for (int i = 0; i < {used}; i++) r[k++] = p[i]; }}\n"
        for i, (_, used) in enumerate(places)
    )
    source = (
        f"typedef struct {{ {fields} }} given;\n"
        f"__kernel void take(given s, int after, __global uchar *r) {{ int k = 0;\n{copies}"
        " r[k] = after; r[k + 1] = sizeof(given); r[k + 2] = sizeof(given) >> 8; }\n"
    )
    content = np.frombuffer(device.rng.bytes(size), np.uint8)
    want = [content[at : at + used] for at, used in places]
    result = device.buffer(np.zeros(sum(map(len, want)) + 3, np.uint8))
    device.launch(device.build(source).take, (1,), (1,), content, np.int32(93), result)
    got = device.read(result, np.uint8, sum(map(len, want)) + 3)
    check.equal("sizeof", int(got[-2]) + 256 * int(got[-1]), size)
    at = 0
    for i, part in enumerate(want):
        check.equal(f"bytes of m{i} ({members[i][0]})", got[at : at + len(part)], part)
        at += len(part)
    check.equal("argument behind", got[-3], np.uint8(93))


def _raw(kernel: cl.Kernel, index: int, size: int, value: object) -> None:
    check.equal("clSetKernelArg", call("clSetKernelArg", kernel.int_ptr, index, size, value), SUCCESS, stage="api")


def _svm(device: Device, count: int) -> tuple[cl.SVMAllocation, int]:
    memory = cl.SVMAllocation(device.context, 4 * count, 0, cl.svm_mem_flags.READ_WRITE)
    return memory, memory.svm_ptr


def check_pointer(device: Device, *, way: str) -> None:
    """A buffer, a sub-buffer or NULL as a pointer argument, and one that is set again."""
    program = device.build(POINTER)
    values = device.rng.integers(-1000, 1000, 8).astype(np.int32)
    result, buffer = device.buffer(np.zeros(24, np.int32)), device.buffer(values)
    if way in ("null", "null_object", "constant_null", "buffer_then_null"):
        kernel = program.is_null_constant if way == "constant_null" else program.is_null
        kernel.set_args(result, buffer)
        null = 0 if way != "null_object" else ctypes.byref(ctypes.c_void_p(None))
        _raw(kernel, 1, 8, null)
        cl.enqueue_nd_range_kernel(device.queue, kernel, (1,), (1,))
        check.equal("a NULL pointer is 0 (7: yes)", device.read(result, np.int32, 1)[0], np.int32(7))
    elif way == "sub_buffer":
        align = max(device.device.mem_base_addr_align // 8, 32)
        whole = device.buffer(np.concatenate([np.zeros(align // 4, np.int32), values]))
        device.launch(program.add, (8,), None, result, whole.get_sub_region(align, 32))
        check.equal("through a sub-buffer", device.read(result, np.int32, 8), values + 100)
        part = whole.get_sub_region(align, 32)
        device.launch(program.add, (8,), None, part, buffer)
        check.equal("into a sub-buffer", device.read(whole, np.int32, align // 4 + 8)[-8:], values + 100)
    elif way == "constant":
        device.launch(program.add_constant, (8,), None, result, buffer)
        check.equal("through a constant pointer", device.read(result, np.int32, 8), values + 100)
    elif way == "local":
        for n in (4, 16):
            device.launch(program.rotate_local, (n,), (n,), result, cl.LocalMemory(4 * n))
            want = np.array([((i + 1) % n) ** 2 for i in range(n)], np.int32)
            check.equal(f"local memory of {n} ints", device.read(result, np.int32, n), want)
    elif way == "local_two":
        device.launch(program.two_locals, (8,), (8,), result, cl.LocalMemory(32), cl.LocalMemory(64))
        want = np.array([[7 - i, 100 + i, 200 + i] for i in range(8)], np.int32)
        check.equal("two local arguments", device.read(result, np.int32, (8, 3)), want)
    elif way == "alias":
        device.launch(program.alias, (1,), (1,), result, result)
        check.equal("a buffer as two arguments", device.read(result, np.int32, 2), np.array([6, 12], np.int32))
    else:
        kernel = program.add_constant if way == "svm_constant" else program.add
        _pass_svm(device, way, kernel, values, result, buffer)


def _pass_svm(
    device: Device, way: str, kernel: cl.Kernel, values: np.ndarray[Any, Any], result: cl.Buffer, buffer: cl.Buffer
) -> None:
    memory, address = _svm(device, 16)
    for i, value in enumerate([*values + 1, *values + 2]):
        _fill(device, address + 4 * i, int(value))
    device.queue.finish()
    kernel.set_arg(0, result)
    at = address + (32 if way == "svm_offset" else 0)
    check.equal("clSetKernelArgSVMPointer", call("clSetKernelArgSVMPointer", kernel.int_ptr, 1, at), SUCCESS, stage="api")
    want = values + (102 if way == "svm_offset" else 101)
    if way == "svm_then_buffer":
        kernel.set_arg(1, buffer)
        want = values + 100
    cl.enqueue_nd_range_kernel(device.queue, kernel, (8,), None)
    check.equal("through an SVM pointer", device.read(result, np.int32, 8), want)
    del memory


def _fill(device: Device, address: int, value: int) -> None:
    pattern = ctypes.byref(ctypes.c_int32(value))
    error = call("clEnqueueSVMMemFill", device.queue.int_ptr, address, pattern, 4, 4, 0, 0, 0)
    check.equal("clEnqueueSVMMemFill", error, SUCCESS, stage="api")


MANY = {
    "uint": 252,
    "ulong": 126,
    "float16": 15,
    "buffer": 126,
    "constant": 8,
    "mixed": 40,
    "float16_limit": 0,
    "uchar_few_used": 300,
}


def check_many(device: Device, *, kind: str) -> None:
    """As many arguments as CL_DEVICE_MAX_PARAMETER_SIZE allows, but no more than every full device has to."""
    room = device.device.max_parameter_size - 8  # in bytes, without the pointer to the result
    unit = {
        "uint": 4,
        "ulong": 8,
        "float16": 64,
        "buffer": 8,
        "constant": 8,
        "mixed": 16,
        "float16_limit": 64,
        "uchar_few_used": 1,
    }[kind]
    count = min(MANY[kind] or 1 << 16, room // unit - (1 if unit > 8 else 0))
    # 1024 bytes may mean at most 128 arguments (the table of 4.2), and constant arguments are counted separately.
    count = min(count, device.device.max_parameter_size // 8 - 1)
    if kind == "constant":
        count = min(count, device.device.max_constant_args)
    types = {
        "float16_limit": "float16",
        "uchar_few_used": "uchar",
        "buffer": "__global const int *",
        "constant": "__constant int *",
    }
    cycle = ("uchar", "ulong" if "FULL" in device.device.profile else "uint", "ushort", "float4")
    declared = [cycle[i % 4] if kind == "mixed" else types.get(kind, kind) for i in range(count)]
    last = {"float4": "a{0}.w", "float16": "a{0}.sf"}
    used = range(0, count, 43 if kind.endswith("_few_used") else 1)
    reads = [
        ("*a{0}" if kind in ("buffer", "constant") else last.get(name, "a{0}")).format(i) for i, name in enumerate(declared)
    ]
    source = "__kernel void take({}, __global int *r) {{ {} }}".format(
        ", ".join(f"{name} a{i}" for i, name in enumerate(declared)), " ".join(f"r[{i}] = (int){reads[i]};" for i in used)
    )
    values = device.rng.integers(1, 200, count).astype(np.int32)
    result = device.buffer(np.zeros(count, np.int32))
    arguments = [_argument(device, name, value) for name, value in zip(declared, values, strict=True)]
    device.launch(device.build(source).take, (1,), (1,), *arguments, result)
    check.equal(f"{len(used)} of {count} arguments", device.read(result, np.int32, count)[used], values[used])


def _argument(device: Device, name: str, value: np.int32) -> Any:
    if "*" in name:
        return device.buffer(np.array([value], np.int32))
    if name.startswith("float"):
        lanes = int(name.removeprefix("float"))
        return np.array([-1.0] * (lanes - 1) + [float(value)], np.float32)
    return np_type(name).type(value)


IMAGE = """
__constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
"""
READ = "__kernel void get(__read_only {} i, __global uint4 *r) {{ r[0] = read_imageui(i, {}{}); }}"
#: Image type, shape, is_array, coordinates in the kernel, and the same place in numpy's order.
SHAPES: dict[str, tuple[str, tuple[int, ...], bool, str, tuple[int, ...]]] = {
    "read_1d": ("image1d_t", (8,), False, "5", (5,)),
    "read_2d": ("image2d_t", (8, 4), False, "(int2)(5, 2)", (2, 5)),
    "read_3d": ("image3d_t", (8, 4, 3), False, "(int4)(5, 2, 1, 0)", (1, 2, 5)),
    "read_2d_array": ("image2d_array_t", (8, 4, 3), True, "(int4)(5, 2, 1, 0)", (1, 2, 5)),
    "read_1d_array": ("image1d_array_t", (8, 3), True, "(int2)(5, 2)", (2, 5)),
    "read_1d_buffer": ("image1d_buffer_t", (8,), False, "5", (5,)),
}
UINT = (cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT32)
FLOAT = (cl.channel_order.RGBA, cl.channel_type.FLOAT)


def image_of(device: Device, pixels: np.ndarray[Any, Any], *, is_array: bool = False) -> cl.Image:
    """A read-write image with these pixels, whose last axis is the four channels."""
    form = cl.ImageFormat(*(FLOAT if pixels.dtype.kind == "f" else UINT))
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    shape = pixels.shape[-2::-1]
    return cl.create_image(device.context, flags, form, shape=shape, is_array=is_array, hostbuf=np.ascontiguousarray(pixels))


def _array1d(device: Device, pixels: np.ndarray[Any, Any], *, height: int) -> cl.Image:
    """A 1D array of three rows of eight pixels."""
    descriptor = cl.ImageDescriptor()
    descriptor.image_type = cl.mem_object_type.IMAGE1D_ARRAY
    descriptor.shape, descriptor.array_size = (8, height, 0), 3
    descriptor.pitches, descriptor.buffer = (0, 0), None
    descriptor.num_mip_levels = descriptor.num_samples = 0
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    return cl.Image(device.context, flags, cl.ImageFormat(*UINT), desc=descriptor, hostbuf=pixels)


def check_image(device: Device, *, way: str) -> None:
    """Images and samplers as arguments."""
    if way in SHAPES:
        kind, shape, is_array, coordinates, place = SHAPES[way]
        pixels = device.rng.integers(0, 1 << 32, (*shape[::-1], 4), dtype=np.uint32)
        if way == "read_1d_array":
            # The height of a 1D array is not used (5.3.1.2), but pyopencl sets it to the count.
            image = _array1d(device, pixels, height=0)
        elif way == "read_1d_buffer":
            form = cl.ImageFormat(*UINT)
            memory = device.buffer(pixels)
            image = cl.create_image(device.context, cl.mem_flags.READ_WRITE, form, shape=shape, buffer=memory)
        else:
            image = image_of(device, pixels, is_array=is_array)
        sampler = "" if "buffer" in kind else "plain, "
        source = IMAGE * bool(sampler) + READ.format(kind, sampler, coordinates)
        result = device.buffer(np.zeros(4, np.uint32))
        device.launch(device.build(source).get, (1,), (1,), image, result)
        check.equal(f"pixel of {kind}", device.read(result, np.uint32, 4), pixels[place])
        return
    first, second = (device.rng.integers(0, 1 << 32, (4, 8, 4), dtype=np.uint32) for _ in range(2))
    result = device.buffer(np.zeros(8, np.uint32))
    if way == "unused_height_1d_array":
        # A driver that uses the height reads behind the image, where there is more memory.
        pixels = device.rng.integers(0, 1 << 32, (32, 8, 4), dtype=np.uint32)
        image = _array1d(device, pixels, height=3)
        source = IMAGE + READ.format("image1d_array_t", "plain, ", "(int2)(5, 2)")
        device.launch(device.build(source).get, (1,), (1,), image, result)
        check.equal("pixel of image1d_array_t", device.read(result, np.uint32, 4), pixels[2, 5])
    elif way == "write_2d":
        source = "__kernel void put(__write_only image2d_t i, uint4 v) { write_imageui(i, (int2)(3, 1), v); }"
        image = image_of(device, first)
        device.launch(device.build(source).put, (1,), (1,), image, second[0, 0])
        got = device.read_image(image, np.uint32, (4, 8, 4), (0, 0, 0), (8, 4, 1))
        first[1, 3] = second[0, 0]
        check.equal("image after one pixel was written", got, first)
    elif way in ("two_images", "reset"):
        source = IMAGE + (
            "__kernel void get(__read_only image2d_t a, __read_only image2d_t b, __global uint4 *r) {"
            " r[0] = read_imageui(a, plain, (int2)(2, 3)); r[1] = read_imageui(b, plain, (int2)(2, 3)); }"
        )
        images = [image_of(device, first), image_of(device, second)]
        kernel = device.build(source).get
        device.launch(kernel, (1,), (1,), *images, result)
        want = np.stack([first[3, 2], second[3, 2]])
        if way == "reset":
            kernel.set_arg(0, images[1])
            cl.enqueue_nd_range_kernel(device.queue, kernel, (1,), (1,))
            want = np.stack([second[3, 2], second[3, 2]])
        check.equal("pixels of two images", device.read(result, np.uint32, (2, 4)), want)
    else:
        _samplers(device, way)


def _samplers(device: Device, way: str) -> None:
    """A row of 0, 1, 2, ... is read beyond its end and between two pixels."""
    source = (
        "__kernel void get(__read_only image2d_t i, sampler_t s, sampler_t t, __global float *r) {"
        " r[0] = read_imagef(i, s, (float2)(9.5f, 0.5f)).x; r[1] = read_imagef(i, t, (float2)(9.5f, 0.5f)).x;"
        " r[2] = read_imagef(i, s, (float2)(3.75f, 0.5f)).x; r[3] = read_imagef(i, t, (float2)(3.75f, 0.5f)).x; }"
    )
    pixels = np.repeat(np.arange(1, 9, dtype=np.float32).reshape(1, 8, 1), 4, axis=2)
    mode, filtering = cl.addressing_mode, cl.filter_mode
    to_edge = cl.Sampler(device.context, False, mode.CLAMP_TO_EDGE, filtering.NEAREST)
    clamp = cl.Sampler(device.context, False, mode.CLAMP, filtering.NEAREST)
    samplers = (to_edge, clamp) if way == "two_samplers" else (clamp, to_edge)
    result = device.buffer(np.zeros(4, np.float32))
    device.launch(device.build(source).get, (1,), (1,), image_of(device, pixels), *samplers, result)
    beyond = [8, 0] if way == "two_samplers" else [0, 8]
    check.equal("samplers by argument", device.read(result, np.float32, 4), np.array([*beyond, 4, 4], np.float32))
