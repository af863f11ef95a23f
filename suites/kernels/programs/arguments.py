"""An argument of an annotated kernel, from a line `arg_in` or `arg_out`. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .values import Number, Shape, shape_of, value_of

if TYPE_CHECKING:
    from .annotation import Line

_ARGUMENT = re.compile(r"([0-9]{1,9})\s+(?:(buffer|image)\s+)?([a-z]+[0-9]*)(?:\[([0-9]{1,12})\])?\s*(.*)")
_TOLERANCE = re.compile(r"(?P<values>.*?)\s*\btolerance\s+(?P<number>\S+)\s*(?P<ulp>ulp)?")
_IMAGE = re.compile(
    r"(?P<values>.*?)\s*image_type\s+(?P<type>2d|2D)\s+image_width\s+(?P<width>[0-9]{1,9})\s+image_height\s+(?P<height>[0-9]{1,9})"
    r"\s+image_channel_order\s+(?P<order>\w+)\s+image_channel_data_type\s+(?P<kind>\w+)(?P<rest>.*)"
)
_SAMPLER = re.compile(r"([0-9]{1,9})\s+sampler\s+normalized_coords\s+(\w+)\s+addressing_mode\s+(\w+)\s+filter_mode\s+(\w+)")
_MAX_NUMBERS = 1 << 24  # of one argument
_FORMS = "write `0 int 5`, `0 buffer int[4] 1 2 3 4` or `0 buffer int[4] NULL` (local memory)"


@dataclass(frozen=True, slots=True)
class Image:
    """A 2D image; `order` and `kind` are OpenCL's names without CL_, such as RGBA and UNSIGNED_INT8."""

    width: int
    height: int
    order: str
    kind: str


@dataclass(frozen=True, slots=True)
class Sampler:
    """A sampler; `addressing` and `filter` are OpenCL's names without CL_ADDRESS_ and CL_FILTER_."""

    normalized: bool
    addressing: str
    filter: str


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a kernel. `initial`: its value, or its buffer's content before the launch; `wanted`: that after it.

    A buffer that has neither and is not `random` is local memory. `initial_shape` is the shape of `initial`, if it differs.
    """

    shape: Shape
    initial: tuple[Number, ...] | None = None
    wanted: tuple[Number, ...] | None = None
    tolerance: float = 0.0
    in_ulp: bool = False
    random: bool = False
    image: Image | None = None
    sampler: Sampler | None = None
    initial_shape: Shape | None = None


def read_arguments(lines: Sequence[Line], loose: bool) -> tuple[Argument, ...]:
    """The arguments in their order; `loose` as in `annotation.read`. Raises UsageError."""
    found: dict[int, Argument] = {}
    for line in lines:
        index, argument = _argument(line, loose)
        known = found.get(index)
        if known and ((known.wanted is None) == (argument.wanted is None) or not _alike(known.shape, argument.shape, loose)):
            line.fail(f"argument {index} is here a second time: one arg_in and one arg_out of one type are allowed")
        if known:  # a buffer that has an initial content, too
            first, second = (known, argument) if argument.wanted is None else (argument, known)
            argument = replace(first, initial=second.initial, random=second.random, initial_shape=second.shape)
        found[index] = argument
    for place, index in enumerate(sorted(found)):
        if place != index and not loose:
            lines[0].fail(f"argument {place} is missing: there is one with the number {index}")
    return tuple(found[index] for index in sorted(found))


def _alike(one: Shape, other: Shape, loose: bool) -> bool:
    return one == other or (loose and one.size_bytes == other.size_bytes)


def _argument(line: Line, loose: bool) -> tuple[int, Argument]:
    if sampler := _SAMPLER.fullmatch(line.text):
        if line.key == "arg_out":
            line.fail("a sampler is an arg_in")
        index, normalized, addressing, filtering = sampler.groups()
        mode = Sampler(normalized in ("1", "true"), addressing.upper(), filtering.upper())
        return int(index), Argument(Shape("int", 1, None), sampler=mode)
    parts = _ARGUMENT.fullmatch(line.text)
    if not parts:
        line.fail(f"{line.text!r}: {_FORMS}")
    index, kind, type_name, count, values = parts.groups()
    image = None
    if kind == "image":
        found = _IMAGE.fullmatch(values)
        if not found or count is not None:
            line.fail(f"{line.text[:60]!r}: write `0 image float4 0 0 0 1 image_type 2d image_width 1 ...`, see README.md")
        image = Image(int(found["width"]), int(found["height"]), found["order"].upper(), found["kind"].upper())
        count, values = str(image.width * image.height), f"{found['values']}{found['rest']}"
    shape = shape_of(type_name, count)
    if not shape or (kind is not None) != (count is not None):
        line.fail(f"{line.text!r}: {_FORMS}")
    return int(index), replace(_content(line, shape, values.strip(), loose), image=image)


def _content(line: Line, shape: Shape, values: str, loose: bool) -> Argument:
    tolerance = _TOLERANCE.fullmatch(values)
    if line.key == "arg_in" and values.upper() == "NULL" and shape.count is not None:
        return Argument(shape)
    if line.key == "arg_in" and values.lower() == "random" and shape.count is not None:
        return Argument(shape, random=True)
    if line.key == "arg_in" and tolerance:
        line.fail("only an arg_out has a tolerance")
    if line.key == "arg_in":
        return Argument(shape, initial=_values(line, shape, values, loose))
    if shape.count is None:
        line.fail("an arg_out is a buffer: write `0 buffer int[1] 5`")
    if not tolerance:
        return Argument(shape, wanted=_values(line, shape, values, loose))
    try:
        allowed = float(tolerance["number"])
    except ValueError:
        line.fail(f"tolerance {tolerance['number']!r} is not a number")
    wanted = _values(line, shape, tolerance["values"], loose)
    return Argument(shape, wanted=wanted, tolerance=allowed, in_ulp=bool(tolerance["ulp"]))


def _values(line: Line, shape: Shape, text: str, loose: bool) -> tuple[Number, ...]:
    words = text.split()
    repeat = words[:1] in (["repeat"], ["REPEAT"])
    try:
        values = tuple(value_of(shape.scalar, word, loose) for word in words[repeat:])
    except ValueError as error:
        line.fail(str(error))
    if shape.numbers > _MAX_NUMBERS:
        line.fail(f"{shape.numbers} numbers are more than a program is given, {_MAX_NUMBERS}")
    if repeat and values and (shape.numbers % len(values) == 0 or loose):
        values = (values * (shape.numbers // len(values) + 1))[: shape.numbers]
    if len(values) != shape.numbers:
        line.fail(f"{shape.numbers} numbers are needed, and there are {len(values)}")
    return values
