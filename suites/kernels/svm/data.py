"""Kernels, copies, fills and mappings on shared virtual memory (API 3.0, 5.6.1)."""

import ctypes
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.gate import gates
from ..kit.opencl import call
from .memory import launch, release, shared, succeed
from .table import MAP_FLAGS

SOURCE = """
__kernel void blend(__global uint *a, __global const uint *b) {
    size_t i = get_global_id(0);
    a[i] = a[i] * 3 + b[i];
}
typedef struct node { __global struct node *next; uint value; uint seen; } node;
__kernel void walk(__global node *first, __global uint *out) {
    uint sum = 0, count = 0;
    for (__global node *n = first; n && count < 1000; n = n->next) {
        n->seen = ++count;
        sum = sum * 31 + n->value;
    }
    out[0] = sum;
    out[1] = count;
}
__kernel void chain(__global node *nodes, uint count, uint step) {
    uint i = get_global_id(0);
    nodes[i * step % count].next = i + 1 < count ? nodes + (i + 1) * step % count : 0;
    nodes[i * step % count].value = i * 7 + 1;
}
__kernel void is_null(__global const uint *p, __global uint *out) { out[0] = p == 0 ? 17 : 18; }
"""
NODE = np.dtype([("next", np.uint64), ("value", np.uint32), ("seen", np.uint32)])


def random_words(device: Device, count: int) -> Any:
    """Words for the host and the device."""
    return device.rng.integers(1, 1 << 32, count, dtype=np.uint32)


def check_kernel(device: Device, *, kind: str, at: Sequence[int], count: int) -> None:
    """A kernel on two allocations. `at`: byte offsets of its pointers, multiples of 4."""
    first, second = at
    with shared(device, kind, first + 4 * count + 12, second + 4 * count) as (a, b):
        one, two = random_words(device, a.size // 4), random_words(device, b.size // 4)
        a.put(one)
        b.put(two)
        launch(device, device.build(SOURCE).blend, count, a.pointer + first, b.pointer + second)
        part = slice(first // 4, first // 4 + count)
        one[part] = one[part] * np.uint32(3) + two[second // 4 :][:count]
        check.equal("written", a.get().view(np.uint32), one)
        check.equal("read only", b.get().view(np.uint32), two)


def chained(order: list[int], pointers: list[int], values: Any) -> Any:
    """Nodes of a list that follow each other in an order; node i is at pointers[i]."""
    nodes = np.zeros(len(order), NODE)
    nodes["value"] = values
    for here, there in itertools.pairwise(order):
        nodes["next"][here] = pointers[there]
    return nodes


def folded(values: Any) -> int:
    """The result of the kernel `walk` for these values."""
    total = 0
    for value in values:
        total = (total * 31 + int(value)) % (1 << 32)
    return total


def check_list(device: Device, *, kind: str, nodes: int, apart: bool) -> None:
    """The device walks a list that the host made. `apart`: each node has an allocation of its own."""
    order = [int(n) for n in device.rng.permutation(nodes)]
    values, out = random_words(device, nodes), device.buffer(np.zeros(2, np.uint32))
    sizes = [16] * nodes if apart else [16 * nodes]
    with shared(device, kind, *sizes) as blocks:
        pointers = [m.pointer for m in blocks] if apart else [blocks[0].pointer + 16 * n for n in range(nodes)]
        content = chained(order, pointers, values)
        if apart:
            for n, each in enumerate(blocks):
                each.put(content[n : n + 1])
        else:
            blocks[0].put(content)
        uses = tuple(m.pointer for m in blocks) if kind != "system" else ()
        launch(device, device.build(SOURCE).walk, 1, pointers[order[0]], out, uses=uses)
        check.equal("sum and count", device.read(out, np.uint32, 2), [folded(values[order]), nodes])
        back = np.concatenate([m.get() for m in blocks]).view(NODE)
    check.equal("the order in which they were seen", back["seen"][order], np.arange(1, nodes + 1))
    check.equal("pointers", back["next"], content["next"])


def check_list_of_device(device: Device, *, kind: str, nodes: int, step: int) -> None:
    """The host walks a list that the device made: the device's pointers are valid on the host, too."""
    with shared(device, kind, 16 * nodes) as (memory,):
        memory.put(np.zeros(nodes, NODE))
        launch(device, device.build(SOURCE).chain, nodes, memory.pointer, np.uint32(nodes), np.uint32(step))
        content, start = memory.get().view(NODE), memory.pointer
    here = start
    values: list[Any] = []
    while here and len(values) <= nodes:
        check.true("a pointer of the device is in the allocation", start <= here < start + 16 * nodes)
        node = content[(here - start) // 16]
        values.append(int(node["value"]))
        here = int(node["next"])
    check.equal("values along the list", np.array(values), np.arange(nodes) * 7 + 1)


def check_copy(device: Device, *, kind: str, source: str, target: str, at: Sequence[int], blocking: bool) -> None:
    """clEnqueueSVMMemcpy. `source`, `target`: "svm" or "host"; `at`: their offsets."""
    (from_, to), size = at, 301
    data, ground = (device.rng.integers(1, 255, 512, dtype=np.uint8) for _ in range(2))
    with shared(device, kind, 512, 512) as (a, b):
        a.put(data)
        b.put(ground)
        here, there = data.copy(), ground.copy()
        from_pointer = a.pointer if source == "svm" else here.ctypes.data
        to_pointer = b.pointer if target == "svm" else there.ctypes.data
        flag = int(blocking)
        where = (flag, to_pointer + to, from_pointer + from_, size)
        succeed("clEnqueueSVMMemcpy", device.queue.int_ptr, *where, 0, 0, 0)
        if not flag:
            device.queue.finish()
        want = ground.copy()
        want[to : to + size] = data[from_ : from_ + size]
        check.equal("target of clEnqueueSVMMemcpy", b.get() if target == "svm" else there, want)
        check.equal("source", a.get() if source == "svm" else here, data)


def check_fill(device: Device, *, kind: str, width: int) -> None:
    """clEnqueueSVMMemFill; the application may change the pattern after the call."""
    want = device.rng.integers(1, 200, 1536, dtype=np.uint8)
    with shared(device, kind, 1536) as (memory,):
        memory.put(want)
        with gates(device) as (gate,):
            for first, count in ((0, 1), (1, 3), (512 // width, 512 // width)):
                pattern = device.rng.integers(1, 200, width, dtype=np.uint8)
                wait = (1, (ctypes.c_void_p * 1)(gate.event.int_ptr), 0)
                where = (memory.pointer + first * width, pattern.ctypes.data, width, width * count)
                succeed("clEnqueueSVMMemFill", device.queue.int_ptr, *where, *wait)
                want[first * width :][: width * count] = np.tile(pattern, count)
                pattern[:] = 255
            gate.open()
        check.equal("memory after clEnqueueSVMMemFill", memory.get(), want)


def check_map(device: Device, *, kind: str, flags: str) -> None:
    """Mappings of parts, between kernels."""
    want = random_words(device, 256)
    zeros, kernel = device.buffer(np.zeros(256, np.uint32)), device.build(SOURCE).blend
    with shared(device, kind, 1024) as (memory,):
        memory.put(want)
        for at, size in ((0, 1024), (1, 1), (63, 300), (1000, 24)):
            launch(device, kernel, 256, memory.pointer, zeros)
            want *= np.uint32(3)
            part = want.view(np.uint8)[at : at + size]
            error = call("clEnqueueSVMMap", device.queue.int_ptr, 1, MAP_FLAGS[flags], memory.pointer + at, size, 0, 0, 0)
            check.equal("clEnqueueSVMMap", error, "CL_SUCCESS", stage="api")
            if flags != "invalidate":
                check.equal(f"mapped {at, size}", memory.bytes[at : at + size].copy(), part)
            if flags != "read":
                part[:] = memory.bytes[at : at + size] = device.rng.integers(0, 255, size, dtype=np.uint8)
            succeed("clEnqueueSVMUnmap", device.queue.int_ptr, memory.pointer + at, 0, 0, 0)
        check.equal("memory", memory.get().view(np.uint32), want)


def check_null(device: Device) -> None:
    """NULL is a valid argument of a kernel, and freeing NULL does nothing."""
    out = device.buffer(np.zeros(1, np.uint32))
    launch(device, device.build(SOURCE).is_null, 1, 0, out)
    check.equal("is it NULL?", device.read(out, np.uint32, 1), [17])
    release(device, 0)
