"""Graphs of commands behind user events: after each step, the statuses and the memory must be those of the model."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.gate import Gate, callback, own_device, reached, settles, status_of, stays, wait_for
from ..kit.gate import gates as make_gates
from . import model

SOURCE = """
__kernel void f(__global uint *a, uint index, uint before) {
    uint sum = 1000 * (index + 1);
    for (uint i = 0; i < 6; i++)
        if (before >> i & 1) sum += a[i];
    a[index] = sum;
}
"""


def enqueue(
    device: Device,
    queues: list[cl.CommandQueue],
    words: cl.Buffer,
    nodes: list[model.Node],
    in_order: tuple[bool, ...],
    held: list[Gate],
) -> list[cl.Event]:
    """Enqueue all nodes of a graph. Word i of the buffer belongs to node i; word 63 holds 77."""
    events: list[cl.Event] = []
    for index, (operation, queue, waits) in enumerate(nodes):
        where, wait = queues[queue], [events[w] if w >= 0 else held[-1 - w].event for w in waits]
        before = model.data_before(nodes, in_order, index)
        if operation == "fill":
            event = cl.enqueue_fill_buffer(where, words, np.uint32(100 + index), 4 * index, 4, wait_for=wait)
        elif operation == "copy":
            source = 4 * before[0] if before else 4 * 63
            places = {"src_offset": source, "dst_offset": 4 * index, "byte_count": 4}
            event = cl.enqueue_copy(where, words, words, **places, wait_for=wait)
        elif operation == "kernel":
            kernel = device.build(SOURCE).f
            kernel.set_args(words, np.uint32(index), np.uint32(sum(1 << b for b in before)))
            event = cl.enqueue_nd_range_kernel(where, kernel, (1,), (1,), wait_for=wait)
        elif operation == "marker":
            event = cl.enqueue_marker(where, wait)
        else:
            event = cl.enqueue_barrier(where, wait)
        events.append(event)
    for each in queues:
        each.flush()
    return events


def check_graph(
    device: Device, *, shape: str, operations: str, queues: str, gates: int, order: Sequence[int], fails: int | None
) -> None:
    """Commands that wait for each other and for gates.

    `gates`: their number; `order`: in which they open; `fails`: the gate that fails, or None.

    After each gate opens, the right commands are complete and the right ones wait, and the word of each command tells what
    it found of those before it. Each node has one callback.
    """
    in_order = model.QUEUES[queues]
    nodes = model.build_nodes(shape, operations, queues, gates)
    own = own_device(device) if fails is not None else device
    out_of_order = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    made = [cl.CommandQueue(own.context, properties=0 if each else out_of_order) for each in in_order]
    initial = np.zeros(64, np.uint32)
    initial[63] = 77
    words = own.buffer(initial)
    own.build(SOURCE)
    received: list[tuple[int, int]] = []

    def note(index: int, status: int) -> None:
        received.append((index, status))

    with make_gates(own, gates) as held:
        events = enqueue(own, made, words, nodes, in_order, held)
        for index, event in enumerate(events):
            callback(event, 0, partial(note, index))
        for step in (None, *order):
            if step is not None:
                held[step].open(0 if step != fails else -1234)
            fates = model.fate(nodes, in_order, [gate.status for gate in held])
            _check_fates(events, fates, f"with gates {[g for g in range(len(held)) if held[g].status is not None]} open")
    fates = model.fate(nodes, in_order, [gate.status for gate in held])
    check.true("every callback comes", reached(lambda: len(received) >= len(events)))
    check.equal("nodes whose callback came", sorted(index for index, _ in received), list(range(len(events))))
    _check_statuses(events, fates, dict(received))
    ran = {i for i, event in enumerate(events) if status_of(event) == 0}
    got = own.read(words, np.uint32, 64)
    check.equal("words", got[: len(nodes)], np.array(model.contents(nodes, in_order, ran), np.uint32))
    check.equal("words without a node", got[len(nodes) :], initial[len(nodes) :])


def _check_fates(events: list[cl.Event], fates: list[str], when: str) -> None:
    waiting = [event for event, what in zip(events, fates, strict=True) if what == "waiting"]
    for index, (event, what) in enumerate(zip(events, fates, strict=True)):
        if what not in ("waiting", "open"):
            check.true(f"node {index} ends {when}", settles(event))
        if what == "done":
            check.equal(f"status of node {index} {when}", status_of(event), 0)
    if waiting:
        check.true(f"nodes {[i for i, f in enumerate(fates) if f == 'waiting']} wait {when}", stays(waiting))


def _check_statuses(events: list[cl.Event], fates: list[str], received: dict[int, int]) -> None:
    for index, (event, what) in enumerate(zip(events, fates, strict=True)):
        status = status_of(event)
        check.equal(f"status passed to the callback of node {index}", received[index], status)
        if what == "failed":
            check.true(f"CL_EVENT_COMMAND_EXECUTION_STATUS of node {index} is an error", status < 0)
    failed = [i for i, what in enumerate(fates) if what == "failed"]
    answer = wait_for([event.int_ptr for event in events])
    if failed:
        check.equal("clWaitForEvents", answer, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", stage="api")
    elif all(what == "done" for what in fates):
        check.equal("clWaitForEvents", answer, "CL_SUCCESS", stage="api")
