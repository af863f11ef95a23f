"""C's layout of members: sizes, alignments and offsets. Plain Python, because the catalogue reads it too.

Vectors are aligned to their size, and three components count as four (OpenCL C 3.0, 6.3.5); structures, unions and arrays
follow C99 6.7.2.1 and the attributes packed and aligned (6.13.1, 6.13.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

SIZES = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8}
SIZES |= {"half": 2, "float": 4, "double": 8}


@dataclass(frozen=True, slots=True)
class Plain:
    """A scalar or a vector."""

    scalar: str
    width: int = 1

    @property
    def name(self) -> str:
        """In OpenCL C."""
        return self.scalar if self.width == 1 else f"{self.scalar}{self.width}"

    @property
    def size(self) -> int:
        """In bytes."""
        return SIZES[self.scalar] * (4 if self.width == 3 else self.width)

    @property
    def alignment(self) -> int:
        """In bytes."""
        return self.size


@dataclass(frozen=True, slots=True)
class Array:
    """An array of `count` elements."""

    element: Type
    count: int

    @property
    def name(self) -> str:
        """The name of the element's type; a declarator has the rest."""
        return self.element.name

    @property
    def size(self) -> int:
        """In bytes."""
        return self.element.size * self.count

    @property
    def alignment(self) -> int:
        """In bytes."""
        return self.element.alignment


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a record. `aligned` is the attribute's argument, 0 without the attribute."""

    name: str
    type: Type
    aligned: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """A structure or a union. `aligned` is the attribute's argument, 0 without the attribute."""

    name: str
    members: tuple[Member, ...]
    union: bool = False
    packed: bool = False
    aligned: int = 0

    def alignment_of(self, member: Member) -> int:
        """A member's alignment in bytes: packed drops that of its type, but not that of its attribute."""
        return max(1 if self.packed else member.type.alignment, member.aligned)

    @property
    def alignment(self) -> int:
        """In bytes."""
        return max(self.aligned, *map(self.alignment_of, self.members))

    @property
    def size(self) -> int:
        """The size in bytes, with the padding behind the last member."""
        end = max(offset + m.type.size for m, offset in zip(self.members, self.offsets, strict=True))
        return _align_up(end, self.alignment)

    @property
    def offsets(self) -> list[int]:
        """The offsets of the members in bytes."""
        offsets, end = [], 0
        for member in self.members:
            end = 0 if self.union else _align_up(end, self.alignment_of(member))
            offsets.append(end)
            end += member.type.size
        return offsets

    def declaration(self) -> str:
        """The declaration in OpenCL C, after those of the records inside."""
        lines = [r.declaration() for r in records_in(self)]
        body = " ".join(_declared(m) for m in self.members)
        attributes = [*(["packed"] if self.packed else []), *([f"aligned({self.aligned})"] if self.aligned else [])]
        attribute = f" __attribute__(({', '.join(attributes)}))" if attributes else ""
        lines.append(f"typedef {'union' if self.union else 'struct'} {{ {body} }}{attribute} {self.name};")
        return "\n".join(lines)


Type = Plain | Array | Record


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar or vector inside a record: its path, and its offset in bytes."""

    path: str
    type: Plain
    offset: int


def records_in(record: Record) -> Iterator[Record]:
    """The records among the members, and among the elements of arrays."""
    for member in record.members:
        inner = member.type.element if isinstance(member.type, Array) else member.type
        if isinstance(inner, Record):
            yield inner


def leaves(t: Type, path: str = "", offset: int = 0) -> Iterator[Leaf]:
    """All scalars and vectors that hold a value; of a union only those of its first member."""
    if isinstance(t, Plain):
        yield Leaf(path, t, offset)
    elif isinstance(t, Array):
        for i in range(t.count):
            yield from leaves(t.element, f"{path}[{i}]", offset + i * t.element.size)
    else:
        for member, at in zip(t.members, t.offsets, strict=True):
            yield from leaves(member.type, f"{path}.{member.name}", offset + at)
            if t.union:
                break


def _declared(member: Member) -> str:
    count = f"[{member.type.count}]" if isinstance(member.type, Array) else ""
    attribute = f" __attribute__((aligned({member.aligned})))" if member.aligned else ""
    return f"{member.type.name} {member.name}{count}{attribute};"


def _align_up(value: int, alignment: int) -> int:
    return -(-value // alignment) * alignment
