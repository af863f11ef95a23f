"""Graphs of commands and events, and what must have happened to each of them. Plain Python.

A node is (operation, queue, waits): `waits` are earlier nodes, or gate g as -1 - g. Rules: API 3.0, 3.2
(in order, out of order), 5.11 (user events), 5.12 (markers, barriers).
"""

from collections.abc import Collection, Sequence
from typing import Any

Node = tuple[str, int, list[int]]
DATA = ("kernel", "fill", "copy")

# Waits of up to six nodes; -1 is the first gate, -2 the second if the case has one (else it is left out).
SHAPES: dict[str, list[list[int]]] = {
    "chain": [[-1], [0], [1], [2, -2], [3], [4]],
    "fan_out": [[-1], [0], [0], [0, -2], [0], [0]],
    "fan_in": [[-1], [-1], [-1], [-2, -1], [-1], [0, 1, 2, 3, 4]],
    "diamond": [[-1], [0], [0], [0, -2], [1, 2, 3], [4]],
    "ladder": [[-1], [-1], [0, 1], [0, 1, -2], [2, 3], [2, 3]],
    "bypass": [[-1], [0], [], [-2, 1], [2], [0, 4]],
}
OPERATIONS: dict[str, tuple[str, ...]] = {
    "data": ("fill", "kernel", "copy", "kernel", "copy", "kernel"),
    "mixed": ("kernel", "marker", "fill", "barrier", "copy", "kernel"),
}
QUEUES: dict[str, tuple[bool, ...]] = {  # of each queue: whether it is in order
    "in_order": (True,),
    "out_of_order": (False,),
    "two": (True, True),
    "in_and_out": (True, False),
}


def build_nodes(shape: str, operations: str, queues: str, gates: int) -> list[Node]:
    """The nodes of a graph; several queues get them in turn."""
    nodes: list[Node] = []
    for i, waits in enumerate(SHAPES[shape]):
        kept = [w for w in waits if -w <= gates or w >= 0]
        if gates == 1 and -2 in waits and not kept:
            kept = [-1]
        nodes.append((OPERATIONS[operations][i], i % len(QUEUES[queues]), kept))
    return nodes


def predecessors(nodes: Sequence[Node], index: int, in_order: Sequence[bool]) -> set[int]:
    """The earlier nodes that the queue itself puts before a node."""
    operation, queue, waits = nodes[index]
    mine = [i for i in range(index) if nodes[i][1] == queue]
    if in_order[queue]:
        return set(mine[-1:])
    barriers = [i for i in mine if nodes[i][0] == "barrier"]
    everything = set(mine) if operation in ("marker", "barrier") and not waits else set()
    return everything | set(barriers[-1:])


def fate(nodes: Sequence[Node], in_order: Sequence[bool], gates: Sequence[int | None]) -> list[str]:
    """The state of each node: "done", "waiting", "failed", "settled" (done or failed) or "open" (any of these).

    `gates` are the statuses of the user events, None while closed. A node fails if an event of its wait list
    failed. A node that follows a failed one only by its queue may run or not; and a queue that is out of order
    may work in order anyway.
    """
    fates: list[str] = []
    gate_fates = ["waiting" if g is None else "done" if g == 0 else "failed" for g in gates]
    for index, (_, queue, waits) in enumerate(nodes):
        events = {gate_fates[-1 - w] if w < 0 else fates[w] for w in waits}
        before = {fates[i] for i in predecessors(nodes, index, in_order)}
        beside = {fates[i] for i in range(index) if nodes[i][1] == queue} - before
        pending, ended_badly = {"waiting", "open"}, {"failed", "settled"}
        if "waiting" in events | before:
            early = (events | before | beside) & {"failed", "settled", "open"}  # it may fail before all have ended
            fates.append("open" if early else "waiting")
        elif pending & (events | before | beside):
            fates.append("open")
        elif "failed" in events:
            fates.append("failed")
        else:
            fates.append("settled" if ended_badly & (events | before | beside) else "done")
    return fates


def contents(nodes: Sequence[Node], in_order: Sequence[bool], ran: Collection[int]) -> list[int]:
    """The word of each node after the nodes `ran` have run (see graph.py): 0 if it has not run, or has no data."""
    words = [0] * len(nodes)
    for index, (operation, _, _) in enumerate(nodes):
        if index not in ran or operation not in DATA:
            continue
        before = data_before(nodes, in_order, index)
        if operation == "fill":
            words[index] = 100 + index
        elif operation == "copy":
            words[index] = words[before[0]] if before else 77
        else:
            words[index] = 1000 * (index + 1) + sum(words[b] for b in before)
    return words


def data_before(nodes: Sequence[Node], in_order: Sequence[bool], index: int) -> list[int]:
    """The nodes with data that a node directly follows, by its wait list or by its queue."""
    direct = {w for w in nodes[index][2] if w >= 0} | predecessors(nodes, index, in_order)
    return sorted(i for i in direct if nodes[i][0] in DATA)


def parameters(shape: str, operations: str, queues: str, gates: int, **more: Any) -> dict[str, Any]:
    """The parameters of a case."""
    return {"shape": shape, "operations": operations, "queues": queues, "gates": gates, **more}
