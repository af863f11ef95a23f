"""What kernels, copies, fills and mappings make of shared virtual memory (API 3.0, 5.6.1)."""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

import numpy as np

from runner import check
from runner.device import Device
from runner.model import Case

from ..event.gate import gates
from ..opencl import call
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


def check_kernel(device: Device, case: Case) -> None:
    """A kernel on two allocations. Params: kind, at (byte offsets of its pointers, multiples of 4), count."""
    (first, second), count = case.params["at"], case.params["count"]
    with shared(device, case.params["kind"], first + 4 * count + 12, second + 4 * count) as (a, b):
        one, two = random_words(device, a.size // 4), random_words(device, b.size // 4)
        a.put(one)
        b.put(two)
        launch(device, device.build(SOURCE).blend, count, a.pointer + first, b.pointer + second)
        part = slice(first // 4, first // 4 + count)
        one[part] = one[part] * np.uint32(3) + two[second // 4 :][:count]
        check.equal("written", a.get().view(np.uint32), one)
        check.equal("read only", b.get().view(np.uint32), two)


def chained(order: list[int], pointers: list[int], values: Any) -> Any:
    """Nodes that follow each other in an order: element i lies at pointers[i]."""
    nodes = np.zeros(len(order), NODE)
    nodes["value"] = values
    for here, there in itertools.pairwise(order):
        nodes["next"][here] = pointers[there]
    return nodes


def folded(values: Any) -> int:
    """What the kernel `walk` makes of values."""
    total = 0
    for value in values:
        total = (total * 31 + int(value)) % (1 << 32)
    return total


def check_list(device: Device, case: Case) -> None:
    """The device walks a list that the host made. Params: kind, nodes, apart (each in an allocation of its own)."""
    kind, count = case.params["kind"], case.params["nodes"]
    order = [int(n) for n in device.rng.permutation(count)]
    values, out = random_words(device, count), device.buffer(np.zeros(2, np.uint32))
    sizes = [16] * count if case.params["apart"] else [16 * count]
    with shared(device, kind, *sizes) as blocks:
        pointers = (
            [m.pointer for m in blocks] if case.params["apart"] else [blocks[0].pointer + 16 * n for n in range(count)]
        )
        nodes = chained(order, pointers, values)
        if case.params["apart"]:
            for n, each in enumerate(blocks):
                each.put(nodes[n : n + 1])
        else:
            blocks[0].put(nodes)
        uses = tuple(m.pointer for m in blocks) if kind != "system" else ()
        launch(device, device.build(SOURCE).walk, 1, pointers[order[0]], out, uses=uses)
        check.equal("sum and count", device.read(out, np.uint32, 2), [folded(values[order]), count])
        back = np.concatenate([m.get() for m in blocks]).view(NODE)
    check.equal("the order in which they were seen", back["seen"][order], np.arange(1, count + 1))
    check.equal("pointers", back["next"], nodes["next"])


def check_list_of_device(device: Device, case: Case) -> None:
    """The host walks a list that the device made: its pointers are the host's too. Params: kind, nodes, step."""
    count, step = case.params["nodes"], case.params["step"]
    with shared(device, case.params["kind"], 16 * count) as (memory,):
        memory.put(np.zeros(count, NODE))
        launch(device, device.build(SOURCE).chain, count, memory.pointer, np.uint32(count), np.uint32(step))
        nodes, start = memory.get().view(NODE), memory.pointer
    here = start
    values: list[Any] = []
    while here and len(values) <= count:
        check.true("a pointer of the device lies in the allocation", start <= here < start + 16 * count)
        node = nodes[(here - start) // 16]
        values.append(int(node["value"]))
        here = int(node["next"])
    check.equal("values along the list", np.array(values), np.arange(count) * 7 + 1)


def check_copy(device: Device, case: Case) -> None:
    """clEnqueueSVMMemcpy. Params: kind, source, target ("svm" or "host"), at (offsets), blocking."""
    (from_, to), size = case.params["at"], 301
    data, ground = (device.rng.integers(1, 255, 512, dtype=np.uint8) for _ in range(2))
    with shared(device, case.params["kind"], 512, 512) as (a, b):
        a.put(data)
        b.put(ground)
        here, there = data.copy(), ground.copy()
        source = a.pointer if case.params["source"] == "svm" else here.ctypes.data
        target = b.pointer if case.params["target"] == "svm" else there.ctypes.data
        blocking = int(case.params["blocking"])
        where = (blocking, target + to, source + from_, size)
        succeed("clEnqueueSVMMemcpy", device.queue.int_ptr, *where, 0, 0, 0)
        if not blocking:
            device.queue.finish()
        want = ground.copy()
        want[to : to + size] = data[from_ : from_ + size]
        check.equal("target of clEnqueueSVMMemcpy", b.get() if case.params["target"] == "svm" else there, want)
        check.equal("source", a.get() if case.params["source"] == "svm" else here, data)


def check_fill(device: Device, case: Case) -> None:
    """clEnqueueSVMMemFill; the pattern is the application's again after the call. Params: kind, width."""
    width = case.params["width"]
    want = device.rng.integers(1, 200, 1536, dtype=np.uint8)
    with shared(device, case.params["kind"], 1536) as (memory,):
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


def check_map(device: Device, case: Case) -> None:
    """Mappings of parts, between kernels. Params: kind, flags."""
    flags, want = case.params["flags"], random_words(device, 256)
    zeros, kernel = device.buffer(np.zeros(256, np.uint32)), device.build(SOURCE).blend
    with shared(device, case.params["kind"], 1024) as (memory,):
        memory.put(want)
        for at, size in ((0, 1024), (1, 1), (63, 300), (1000, 24)):
            launch(device, kernel, 256, memory.pointer, zeros)
            want *= np.uint32(3)
            part = want.view(np.uint8)[at : at + size]
            error = call(
                "clEnqueueSVMMap",
                device.queue.int_ptr,
                1,
                MAP_FLAGS[flags],
                memory.pointer + at,
                size,
                0,
                0,
                0,
            )
            check.equal("clEnqueueSVMMap", error, "CL_SUCCESS", stage="api")
            if flags != "invalidate":
                check.equal(f"mapped {at, size}", memory.bytes[at : at + size].copy(), part)
            if flags != "read":
                part[:] = memory.bytes[at : at + size] = device.rng.integers(0, 255, size, dtype=np.uint8)
            succeed("clEnqueueSVMUnmap", device.queue.int_ptr, memory.pointer + at, 0, 0, 0)
        check.equal("memory", memory.get().view(np.uint32), want)


def check_null(device: Device, case: Case) -> None:
    """A NULL pointer is an argument too, and NULL is freed without a word."""
    out = device.buffer(np.zeros(1, np.uint32))
    launch(device, device.build(SOURCE).is_null, 1, 0, out)
    check.equal("is it NULL?", device.read(out, np.uint32, 1), [17])
    release(device, 0)
