"""Records in every use: their leaves move between the host's bytes, the record, and a list without padding.

One file: the generator, the writer and the reader of a record must agree on its layout.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runner import check, transfers
from runner.device import Device

from ..kit.scalar import np_type, pragmas
from .model import Array, Leaf, Plain, Record, Type, leaves
from .table import record

COUNT = 3
"""Records in a buffer, each of a work-item."""
GAP = 0xEE


@dataclass(frozen=True, slots=True)
class Listed:
    """A leaf and its place in the list: wider elements come first, so that the list needs no padding."""

    leaf: Leaf
    start: int
    size: int


def listed(s: Record) -> tuple[list[Listed], int]:
    """The leaves and the length of their list in bytes."""
    places, start = [], 0
    for leaf in sorted(leaves(s), key=lambda one: -np_type(one.type.scalar).itemsize):
        size = np_type(leaf.type.scalar).itemsize * leaf.type.width
        places.append(Listed(leaf, start, size))
        start += size
    return places, -(-start // 8) * 8


def values(t: Plain, salt: int) -> NDArray[np.uint8]:
    """The bytes of numbers that every type can hold, and that differ from leaf to leaf."""
    return ((np.arange(t.width) + salt) % 120 + 1).astype(np_type(t.scalar)).view(np.uint8)


def contents(s: Record, count: int = COUNT) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.bool_]]:
    """Records as bytes and as lists of their leaves, and a mask of the bytes that belong to a leaf."""
    places, length = listed(s)
    packed = np.full((count, s.size), GAP, np.uint8)
    lists, held = np.zeros((count, length), np.uint8), np.zeros((count, s.size), np.bool_)
    for i in range(count):
        for k, place in enumerate(places):
            data = values(place.leaf.type, i * 37 + k * 5)
            lists[i, place.start :][: place.size] = data
            packed[i, place.leaf.offset :][: place.size] = data
            held[i, place.leaf.offset :][: place.size] = True
    return packed, lists, held


def gather(places: Sequence[Listed], variable: str, length: int, to: str = "r") -> str:
    """Statements that write a record's leaves to a list."""
    lines = []
    for place in places:
        t, value = place.leaf.type, f"{variable}{place.leaf.path}"
        pointer = f"(__global {t.scalar} *)({to} + i * {length} + {place.start})"
        lines.append(f"*{pointer} = {value};" if t.width == 1 else f"vstore{t.width}({value}, 0, {pointer});")
    return "\n    ".join(lines)


def scatter(places: Sequence[Listed], variable: str, length: int, source: str = "a") -> str:
    """Statements that set a record's leaves from a list."""
    lines = []
    for place in places:
        t = place.leaf.type
        pointer = f"(__global const {t.scalar} *)({source} + i * {length} + {place.start})"
        value = f"*{pointer}" if t.width == 1 else f"vload{t.width}(0, {pointer})"
        lines.append(f"{variable}{place.leaf.path} = {value};")
    return "\n    ".join(lines)


def head(s: Record) -> str:
    """The text before a kernel."""
    return f"{pragmas(*_scalars(s))}{s.declaration()}\n"


def _scalars(s: Record) -> list[str]:
    return [name for name in ("half", "double") if name in s.declaration()]


def _compare(what: str, s: Record, got: NDArray[np.uint8], want: NDArray[np.uint8]) -> None:
    """Compare the bytes of each leaf."""
    for place in listed(s)[0]:
        part = slice(place.start, place.start + place.size)
        check.equal(f"{what}: bytes of {place.leaf.type.name} s{place.leaf.path}", got[:, part], want[:, part])


def check_offsets(device: Device, *, kind: str, number: int) -> None:
    """The size and the alignment of a record, and the offsets and sizes of all members."""
    s = record(kind, number)
    expressions = ["sizeof(S)", "offset(after, s)", "sizeof(after)"]
    want = [s.size, s.alignment, s.size + s.alignment]
    for member, offset in zip(s.members, s.offsets, strict=True):
        expressions += [f"offset(S, {member.name})", f"sizeof(((S *)0)->{member.name})"]
        want += [offset, member.type.size]
        for name, text in _inner(member.type, member.name):
            expressions.append(f"offset(S, {text})")
            want.append(offset + name)
    stores = "\n    ".join(f"r[{i}] = {text};" for i, text in enumerate(expressions))
    kernel = device.build(
        f"""{head(s)}
typedef struct {{ char c; S s; }} after;
#define offset(T, member) ((uint)((__global char *)&((__global T *)g)->member - (__global char *)g))
__kernel void f(__global uint *r, __global void *g) {{
    {stores}
}}
"""
    ).f
    out = device.buffer(np.zeros(len(expressions), np.uint32))
    device.launch(kernel, [1], [1], out, device.buffer(2 * s.size + 256))
    got = device.read(out, np.uint32, len(expressions))
    for i, text in enumerate(expressions):
        check.equal(f"{text} of {_one_line(s)}", int(got[i]), want[i])


def _inner(t: Type, text: str) -> list[tuple[int, str]]:
    """The offsets of the parts of a member, and their expressions."""
    if isinstance(t, Array):
        return [(t.element.size * (t.count - 1), f"{text}[{t.count - 1}]")]
    if isinstance(t, Record):
        return [(offset, f"{text}.{m.name}") for m, offset in zip(t.members, t.offsets, strict=True)]
    return []


def _one_line(s: Record) -> str:
    return s.declaration().replace("typedef ", "").replace("\n", " ")


def check_read(device: Device, *, kind: str, number: int) -> None:
    """Members are read from an array of records in a buffer."""
    s = record(kind, number)
    places, length = listed(s)
    packed, lists, _ = contents(s)
    kernel = device.build(
        f"""{head(s)}
__kernel void f(__global const S *s, __global uchar *r) {{
    size_t i = get_global_id(0);
    {gather(places, "s[i]", length)}
}}
"""
    ).f
    out = device.buffer(np.zeros((COUNT, length), np.uint8))
    device.launch(kernel, [COUNT], None, device.buffer(packed), out)
    _compare("read", s, device.read(out, np.uint8, lists.shape), lists)


def check_write(device: Device, *, kind: str, number: int) -> None:
    """Members are written to an array of records; the elements before and after must stay."""
    s = record(kind, number)
    places, length = listed(s)
    packed, lists, _ = contents(s)
    kernel = device.build(
        f"""{head(s)}
__kernel void f(__global const uchar *a, __global S *s) {{
    size_t i = get_global_id(0);
    {scatter(places, "s[i + 1]", length)}
}}
"""
    ).f
    out = device.buffer(np.full((COUNT + 2, s.size), GAP, np.uint8))
    device.launch(kernel, [COUNT], None, device.buffer(lists), out)
    got = device.read(out, np.uint8, (COUNT + 2, s.size))
    for place in places:  # padding may take any value (C99 6.2.6.1)
        part = slice(place.leaf.offset, place.leaf.offset + place.size)
        check.equal(f"write: bytes of {place.leaf.type.name} s{place.leaf.path}", got[1:-1, part], packed[:, part])
    check.equal("elements on both sides", got[[0, -1]], np.full((2, s.size), GAP, np.uint8))


def check_copy(device: Device, *, kind: str, number: int) -> None:
    """Records are assigned through private and local memory, and through pointers."""
    s = record(kind, number)
    places, length = listed(s)
    packed, lists, held = contents(s)
    kernel = device.build(
        f"""{head(s)}
void through(S *to, const S *from) {{ *to = *from; }}
__kernel void f(__global const S *a, __global uchar *r, __global S *whole) {{
    size_t i = get_global_id(0);
    __local S l[{COUNT}];
    S p[2], s;
    p[i & 1] = a[i];
    l[{COUNT - 1} - i] = p[i & 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    through(&s, &p[i & 1]);
    whole[i] = s;
    s = l[{COUNT - 1} - i];
    {gather(places, "s", length)}
}}
"""
    ).f
    out, whole = (device.buffer(np.zeros((COUNT, length), np.uint8)), device.buffer(np.zeros(packed.shape, np.uint8)))
    device.launch(kernel, [COUNT], [COUNT], device.buffer(packed), out, whole)
    _compare("copy through local memory", s, device.read(out, np.uint8, lists.shape), lists)
    got = device.read(whole, np.uint8, packed.shape)
    check.equal("copy through private memory, padding apart", np.where(held, got, GAP), packed)


_CHANGED = """S changed(S s) { s{last} = {new}; return s; }
{type} taken(S s) { {type} x = s{last}; s{last} = {new}; return x; }"""


def check_pass(device: Device, *, kind: str, number: int) -> None:
    """Records are arguments and results of functions, which change their own copies."""
    body = "S other = changed(s), kept = s; {type} x = taken(s); if (i == 7) kept{last} = x;"
    transfers.tell("structures passed by value")
    _compare_changed(device, record(kind, number), _CHANGED, body)


def check_snapshot(device: Device, *, kind: str, number: int) -> None:
    """A copy of a record that was set member by member keeps its value when the original changes."""
    s = record(kind, number)
    places, length = listed(s)
    body = f"S t; {scatter(places, 't', length)} S kept = t; t{{last}} = {{new}}; S other = t;"
    _compare_changed(device, s, "", body)


def _compare_changed(device: Device, s: Record, functions: str, body: str) -> None:
    """Run statements after which `kept` must be the original `s`, and `other` has another value in its last leaf."""
    places, length = listed(s)
    packed, lists, _ = contents(s)
    leaf, start = places[-1].leaf, places[-1].start
    for name, text in (("{last}", leaf.path), ("{type}", leaf.type.name), ("{new}", f"({leaf.type.name})(99)")):
        functions, body = functions.replace(name, text), body.replace(name, text)
    kernel = device.build(
        f"""{head(s)}
{functions}
__kernel void f(__global const S *whole, __global const uchar *a, __global uchar *r, __global uchar *q) {{
    size_t i = get_global_id(0);
    S s = whole[i];
    {body}
    {gather(places, "kept", length)}
    {gather(places, "other", length, "q")}
}}
"""
    ).f
    outs = [device.buffer(np.zeros((COUNT, length), np.uint8)) for _ in range(2)]
    device.launch(kernel, [COUNT], [COUNT], device.buffer(packed), device.buffer(lists), *outs)
    _compare("the one that is kept", s, device.read(outs[0], np.uint8, lists.shape), lists)
    other = lists.copy()
    new = np.full(leaf.type.width, 99, np_type(leaf.type.scalar)).view(np.uint8)
    other[:, start : start + places[-1].size] = new
    _compare("the changed one", s, device.read(outs[1], np.uint8, lists.shape), other)


def check_argument(device: Device, *, kind: str, number: int) -> None:
    """A record is an argument of a kernel, between others."""
    s = record(kind, number)
    places, length = listed(s)
    packed, lists, _ = contents(s, 2)
    kernel = device.build(
        f"""{head(s)}
__kernel void f(char before, S s, short after, S t, __global uchar *r, __global int *n) {{
    size_t i = get_global_id(0);
    if (i == 0) {{
    {gather(places, "s", length)}
    }} else {{
    {gather(places, "t", length)}
    }}
    n[0] = before; n[1] = after;
}}
"""
    ).f
    out, numbers = device.buffer(np.zeros((2, length), np.uint8)), device.buffer(np.zeros(2, np.int32))
    one, other = (np.frombuffer(row.tobytes(), np.dtype((np.void, s.size)))[0] for row in packed)
    device.launch(kernel, [2], [2], np.int8(-5), one, np.int16(1234), other, out, numbers)
    _compare("argument", s, device.read(out, np.uint8, lists.shape), lists)
    check.equal("arguments on both sides", device.read(numbers, np.int32, 2), np.array([-5, 1234], np.int32))


def check_constant(device: Device, *, kind: str, number: int) -> None:
    """Records are read from an initialised variable at program scope, and from a constant buffer."""
    s = record(kind, number)
    places, length = listed(s)
    packed, lists, _ = contents(s)
    order = {place.leaf.path: k for k, place in enumerate(places)}
    rows = ", ".join(_initialiser(s, i, order) for i in range(COUNT))
    kernel = device.build(
        f"""{head(s)}
__constant S table[{COUNT}] = {{{rows}}};
__kernel void f(__constant S *s, __global uchar *r, __global uchar *q) {{
    size_t i = get_global_id(0);
    {gather(places, "table[i]", length)}
    {gather(places, "s[i]", length, "q")}
}}
"""
    ).f
    outs = [device.buffer(np.zeros((COUNT, length), np.uint8)) for _ in range(2)]
    device.launch(kernel, [COUNT], None, device.buffer(packed), *outs)
    for what, out in zip(("table", "constant buffer"), outs, strict=True):
        _compare(what, s, device.read(out, np.uint8, lists.shape), lists)


def _initialiser(t: Type, i: int, order: dict[str, int], path: str = "") -> str:
    """The initialiser of record `i`, with the values of `contents`."""
    if isinstance(t, Plain):
        numbers = values(t, i * 37 + order[path] * 5).view(np_type(t.scalar))
        text = ", ".join(str(int(n)) for n in numbers)
        return text if t.width == 1 else f"({t.name})({text})"
    if isinstance(t, Array):
        parts = [_initialiser(t.element, i, order, f"{path}[{n}]") for n in range(t.count)]
    else:
        members = t.members[:1] if t.union else t.members
        parts = [_initialiser(m.type, i, order, f"{path}.{m.name}") for m in members]
    return f"{{{', '.join(parts)}}}"
