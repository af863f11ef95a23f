"""What the comment at the head of a .cl file says of it, in the form that piglit's cl-program-tester reads.

    /*!
    [config]
    name: sums
    dimensions: 1
    global_size: 4 0 0

    [test]
    name: of two buffers
    kernel_name: add
    arg_out: 0 buffer int[4] 11 22 33 44
    arg_in:  1 buffer int[4] 1 2 3 4
    arg_in:  2 int 10  # by value
    !*/

README.md beside this module has every key. Standard library only: the catalogue reads it too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from runner.model import UsageError
from runner.spelling import closest

from ..needs import needs
from .values import Number, Shape, shape_of, value_of

_SHARED_KEYS = ("kernel_name", "dimensions", "global_size", "local_size")
_CONFIG_KEYS = ("name", "build_options", "clc_version_min", "require_device_extensions", "expect_build_fail", *_SHARED_KEYS)
_TEST_KEYS = ("name", "arg_in", "arg_out", *_SHARED_KEYS)
_C3 = 30  # clc_version_min of OpenCL C 3.0; the versions up to 1.2 are what a device takes anyway
_ARGUMENT = re.compile(r"(?P<index>\d+)\s+(?P<buffer>buffer\s+)?(?P<type>[a-z]+\d*)(?:\[(?P<count>\d+)\])?\s*(?P<values>.*)")
_TOLERANCE = re.compile(r"(?P<values>.*?)\s*\btolerance\s+(?P<number>\S+)\s*(?P<ulp>ulp)?")


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a kernel. `given` is its value or its buffer's; None without `wanted` is local memory."""

    shape: Shape
    given: tuple[Number, ...] | None = None
    wanted: tuple[Number, ...] | None = None
    tolerance: float = 0.0
    in_ulp: bool = False


@dataclass(frozen=True, slots=True)
class Test:
    """One launch of a kernel, with what its buffers must hold afterwards."""

    name: str
    kernel: str
    global_size: tuple[int, ...]
    local_size: tuple[int, ...] | None
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A .cl file. One with `fails` must be refused by the compiler, and has no tests."""

    source: str
    options: str
    requires: tuple[str, ...]
    fails: bool
    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    path: Path
    number: int
    key: str
    text: str

    def fail(self, message: str) -> NoReturn:
        raise UsageError(f"{self.path}:{self.number}: {message}")


def read(path: Path) -> Program:
    """Raises UsageError with path:line for whatever does not fit."""
    text = path.read_text(encoding="utf-8")
    sections = list(_sections(path, text))
    config = _keys(sections[0], _CONFIG_KEYS)
    fails = "expect_build_fail" in config and _word(config["expect_build_fail"], ("true", "false")) == "true"
    if fails == (len(sections) > 1):
        sections[0][0].fail("a program with expect_build_fail: true has no [test], and any other has one at least")
    tests = tuple(_test(section, config) for section in sections[1:])
    for n, (section, test) in enumerate(zip(sections[1:], tests, strict=True)):
        if test.name in [t.name for t in tests[:n]]:
            section[0].fail(f"there is a test {test.name!r} already; give this one another name")
    options = config["build_options"].text if "build_options" in config else ""
    requires = _requires(config, tests)
    if "opencl_c_3.0" in requires and "-cl-std" not in options:
        options = f"-cl-std=CL3.0 {options}".strip()
    return Program(text, options, requires, fails, tests)


def _requires(config: Mapping[str, _Line], tests: tuple[Test, ...]) -> tuple[str, ...]:
    found = needs(*(argument.shape.scalar for test in tests for argument in test.arguments))
    if line := config.get("require_device_extensions"):
        names = {"cl_khr_fp16": "fp16", "cl_khr_fp64": "fp64"}
        found += tuple(names.get(word, word) for word in line.text.split())
    if (line := config.get("clc_version_min")) and _count(line) > 12:
        if _count(line) != _C3:
            line.fail(f"clc_version_min: {line.text}: write 10, 11, 12 or {_C3}")
        found += ("opencl_c_3.0",)
    return tuple(dict.fromkeys(found))


def _sections(path: Path, text: str) -> Iterator[list[_Line]]:
    """The lines of [config] and of each [test], each section's heading first."""
    head, opened, rest = text.partition("/*!")
    comment, closed, _ = rest.partition("!*/")
    first = head.count("\n") + 1
    if not opened or not closed:
        raise UsageError(f"{path}:1: no comment /*! ... !*/ with [config] and [test]; see README.md beside it")
    section: list[_Line] = []
    joined, number = "", 0
    for n, raw in enumerate(comment.split("\n"), first):
        line = raw.partition("#")[0].strip()
        number = n if not joined else number  # of lines that end in \, the first
        joined = f"{joined} {line.removesuffix(chr(92))}".strip()
        if line.endswith("\\"):
            continue
        line, joined = joined, ""
        if not line:
            continue
        key, colon, value = (part.strip() for part in line.partition(":"))
        if line in ("[config]", "[test]"):
            if (line == "[config]") == bool(section):
                _Line(path, number, "", "").fail(f"{line}: one [config] comes first, then every [test]")
            if line == "[test]":
                yield section
            section = [_Line(path, number, line, "")]
        elif not section or not colon:
            _Line(path, number, "", "").fail(f"{line!r}: write [config], [test] or `key: value`")
        else:
            section.append(_Line(path, number, key, value))
    if not section:
        raise UsageError(f"{path}:{first}: the comment has no [config]; see README.md beside it")
    yield section


def _keys(section: list[_Line], known: tuple[str, ...]) -> dict[str, _Line]:
    """The lines of a section by their keys, but for its arguments."""
    found: dict[str, _Line] = {}
    for line in section[1:]:
        if line.key not in known:
            line.fail(f"no key {line.key!r} in {section[0].key}{closest(line.key, known)}")
        if line.key in found and line.key not in ("arg_in", "arg_out"):
            line.fail(f"{line.key} stands in line {found[line.key].number} already")
        found[line.key] = line
    return found


def _test(section: list[_Line], config: Mapping[str, _Line]) -> Test:
    own = _keys(section, _TEST_KEYS)
    lines = {**{key: config[key] for key in _SHARED_KEYS if key in config}, **own}
    for key in ("name", "kernel_name"):
        if key not in lines:
            section[0].fail(f"the test has no {key}")
    dimensions = _count(lines["dimensions"]) if "dimensions" in lines else 1
    if dimensions not in (1, 2, 3):
        lines["dimensions"].fail("dimensions: 1, 2 or 3")
    arguments = _arguments([line for line in section if line.key in ("arg_in", "arg_out")])
    if not any(argument.wanted is not None for argument in arguments):
        section[0].fail("nothing is compared: the test needs an arg_out")
    return Test(
        re.sub(r"[^A-Za-z0-9_.+=-]+", "_", lines["name"].text),  # as a part of an id
        lines["kernel_name"].text,
        _sizes(lines["global_size"], dimensions) if "global_size" in lines else (1,) * dimensions,
        _sizes(lines["local_size"], dimensions) if "local_size" in lines else None,
        arguments,
    )


def _arguments(lines: list[_Line]) -> tuple[Argument, ...]:
    found: dict[int, Argument] = {}
    for line in lines:
        index, argument = _argument(line)
        known = found.get(index)
        if known and (known.shape != argument.shape or (known.wanted is None) == (argument.wanted is None)):
            line.fail(f"argument {index} stands here a second time: one arg_in and one arg_out of one type are allowed")
        if known:  # a buffer with a content to begin with
            first, second = (known, argument) if argument.wanted is None else (argument, known)
            argument = replace(first, given=second.given)
        found[index] = argument
    for place, index in enumerate(sorted(found)):
        if place != index:
            lines[0].fail(f"argument {place} is missing: there is one with the number {index}")
    return tuple(found[index] for index in sorted(found))


def _argument(line: _Line) -> tuple[int, Argument]:
    parts = _ARGUMENT.fullmatch(line.text)
    shape = shape_of(parts["type"], parts["count"]) if parts else None
    if not parts or not shape or bool(parts["buffer"]) != (parts["count"] is not None):
        line.fail(f"{line.text!r}: write `0 int 5`, `0 buffer int[4] 1 2 3 4` or `0 buffer int[4] NULL` (local memory)")
    index, values = int(parts["index"]), parts["values"].strip()
    tolerance = _TOLERANCE.fullmatch(values)
    if line.key == "arg_in" and values == "NULL" and shape.count is not None:
        return index, Argument(shape)
    if line.key == "arg_in" and tolerance:
        line.fail("only an arg_out has a tolerance")
    if line.key == "arg_in":
        return index, Argument(shape, given=_values(line, shape, values))
    if shape.count is None:
        line.fail("an arg_out is a buffer: write `0 buffer int[1] 5`")
    if not tolerance:
        return index, Argument(shape, wanted=_values(line, shape, values))
    try:
        allowed = float(tolerance["number"])
    except ValueError:
        line.fail(f"tolerance {tolerance['number']!r} is no number")
    wanted = _values(line, shape, tolerance["values"])
    return index, Argument(shape, wanted=wanted, tolerance=allowed, in_ulp=bool(tolerance["ulp"]))


def _values(line: _Line, shape: Shape, text: str) -> tuple[Number, ...]:
    words = text.split()
    repeat = words[:1] == ["repeat"]
    try:
        values = tuple(value_of(shape.scalar, word) for word in words[repeat:])
    except ValueError as error:
        line.fail(str(error))
    if repeat and values and shape.numbers % len(values) == 0:
        values *= shape.numbers // len(values)
    if len(values) != shape.numbers:
        line.fail(f"{shape.numbers} numbers are needed, and there are {len(values)}")
    return values


def _sizes(line: _Line, dimensions: int) -> tuple[int, ...]:
    words = line.text.split()
    if len(words) < dimensions or not all(word.isdigit() for word in words):
        line.fail(f"{line.key}: {line.text!r}: write {dimensions} sizes at least, as `4 0 0`")
    return tuple(int(word) for word in words[:dimensions])


def _count(line: _Line) -> int:
    if not line.text.isdigit():
        line.fail(f"{line.key}: {line.text!r} is no number")
    return int(line.text)


def _word(line: _Line, allowed: tuple[str, ...]) -> str:
    if line.text not in allowed:
        line.fail(f"{line.key}: {line.text!r}: write {' or '.join(allowed)}")
    return line.text
