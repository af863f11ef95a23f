"""The comment at the head of a .cl file, in the form that piglit's cl-program-tester reads.

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

README.md beside this module describes every key. Standard library only, because the catalogue reads this module too.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from runner.lines import read_given
from runner.model import UsageError
from runner.spelling import closest

from ..kit.needs import needs
from .arguments import Argument, read_arguments

_SHARED_KEYS = ("kernel_name", "dimensions", "global_size", "local_size", "global_offset", "expect_test_fail")
_CONFIG_KEYS = ("name", "build_options", "clc_version_min", "require_device_extensions", "expect_build_fail", *_SHARED_KEYS)
_LOOSE_KEYS = (  # further keys, which only cl-program-tester has
    *("clc_version_max", "platform_regex", "device_regex", "require_platform_extensions", "need_image_support"),
    "program_source_file",
)
_TEST_KEYS = ("name", "arg_in", "arg_out", *_SHARED_KEYS)
_DEVICE_KEYS = ("clc_version_min", "require_device_extensions", *_LOOSE_KEYS[:-1])
NAMELESS = "(null)"  # cl-program-tester's name for such a test
_C3 = 30  # clc_version_min of OpenCL C 3.0; every device takes the versions up to 1.2

_NUMBER = re.compile(r"[0-9]{1,9}")  # longer numbers are refused, and so are other digits of Unicode


@dataclass(frozen=True, slots=True)
class Test:
    """One launch of a kernel, and what its buffers must hold afterwards (or, if it `fails`, must not hold)."""

    name: str
    kernel: str
    global_size: tuple[int, ...]
    local_size: tuple[int, ...] | None
    offset: tuple[int, ...] | None
    fails: bool
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A .cl file. If it `fails`, the compiler must refuse it, and it has no tests.

    If it was read loosely, `devices` are the keys that say on which devices it runs, and `kernel` is the kernel that it must
    have; else `requires` has all that it needs.
    """

    source: str
    options: str
    requires: tuple[str, ...]
    fails: bool
    tests: tuple[Test, ...]
    devices: Mapping[str, str] = field(default_factory=dict)
    kernel: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line `key: text` of an annotation."""

    path: Path
    number: int
    key: str
    text: str

    def fail(self, message: str) -> NoReturn:
        """Raise UsageError with the line's path and number."""
        raise UsageError(f"{self.path}:{self.number}: {message}")


def read(path: Path, loose: bool = False) -> Program:
    """Read an annotated file. Raises UsageError with path:line for anything that does not fit.

    With `loose`, as cl-program-tester reads it: the file may be a .program_test, or have no annotation and only has to
    build; the local size is 1 by default; numbers are truncated to their type.
    """
    text = read_given(path, "surrogateescape" if loose else "strict")
    sections = list(_sections(path, text, loose))
    config = _keys(sections[0], (*_CONFIG_KEYS, *_LOOSE_KEYS) if loose else _CONFIG_KEYS)
    fails = _flag(config.get("expect_build_fail"))
    if (fails and len(sections) > 1) or not (fails or loose or len(sections) > 1):
        sections[0][0].fail("a program with expect_build_fail: true has no [test], and any other has at least one")
    tests = tuple(_test(section, config, loose) for section in sections[1:])
    options = config["build_options"].text if "build_options" in config else ""
    if loose:
        devices = {key: config[key].text for key in _DEVICE_KEYS if key in config}
        if "program_source_file" in config:
            text = read_given(path.parent / config["program_source_file"].text)
        kernel = config["kernel_name"].text if "kernel_name" in config else ""
        return Program(text, options, (), fails, tests, devices, "" if kernel.upper() == "NULL" else kernel)
    for n, (section, test) in enumerate(zip(sections[1:], tests, strict=True)):
        if test.name in [t.name for t in tests[:n]]:
            section[0].fail(f"there is a test {test.name!r} already; give this one another name")
    requires = _requires(config, tests)
    if "opencl_c_3.0" in requires and "-cl-std" not in options:
        options = f"-cl-std=CL3.0 {options}".strip()
    return Program(text, options, requires, fails, tests)


def names(path: Path) -> list[str]:
    """Only the names of the tests of a file, read loosely. Raises UsageError."""
    text = read_given(path, "surrogateescape")
    sections = list(_sections(path, text, loose=True))[1:]
    return [next((line.text for line in section if line.key == "name"), NAMELESS) for section in sections]


def _requires(config: Mapping[str, Line], tests: tuple[Test, ...]) -> tuple[str, ...]:
    arguments = [argument for test in tests for argument in test.arguments if not argument.sampler]
    found = needs(*(argument.shape.scalar for argument in arguments if not argument.image))
    found += tuple("images" if a.wanted is None else "images_write" for a in arguments if a.image)
    if line := config.get("require_device_extensions"):
        names = {"cl_khr_fp16": "fp16", "cl_khr_fp64": "fp64"}
        found += tuple(names.get(word, word) for word in line.text.split())
    if (line := config.get("clc_version_min")) and _count(line) > 12:
        if _count(line) != _C3:
            line.fail(f"clc_version_min: {line.text}: write 10, 11, 12 or {_C3}")
        found += ("opencl_c_3.0",)
    return tuple(dict.fromkeys(found))


def _sections(path: Path, text: str, loose: bool = False) -> Iterator[list[Line]]:
    """The lines of [config] and of each [test]; the first line of each section is its heading."""
    head, opened, rest = text.partition("/*!")
    comment, closed, _ = rest.rpartition("!*/") if loose else rest.partition("!*/")
    if loose and path.suffix != ".cl":
        head, opened, comment, closed = "", "/*!", text, "!*/"
    first = head.count("\n") + 1
    if loose and not (opened and closed):
        yield [Line(path, 1, "[config]", "")]
        return
    if not opened or not closed:
        raise UsageError(f"{path}:1: no comment /*! ... !*/ with [config] and [test]; see README.md beside it")
    section: list[Line] = []
    joined, number = "", 0
    for n, raw in enumerate(comment.split("\n"), first):
        line = raw.partition("#")[0].strip()
        number = n if not joined else number  # lines joined by \ count as the first of them
        joined = f"{joined} {line.removesuffix(chr(92))}".strip()
        if line.endswith("\\"):
            continue
        line, joined = joined, ""
        if not line:
            continue
        key, colon, value = (part.strip() for part in line.partition(":"))
        if line in ("[config]", "[test]"):
            if (line == "[config]") == bool(section):
                Line(path, number, "", "").fail(f"{line}: one [config] comes first, then every [test]")
            if line == "[test]":
                yield section
            section = [Line(path, number, line, "")]
        elif not section or not colon:
            Line(path, number, "", "").fail(f"{line!r}: write [config], [test] or `key: value`")
        else:
            section.append(Line(path, number, key, value))
    if not section:
        raise UsageError(f"{path}:{first}: the comment has no [config]; see README.md beside it")
    yield section


def _keys(section: list[Line], known: tuple[str, ...]) -> dict[str, Line]:
    """The lines of a section by their keys, without its arguments."""
    found: dict[str, Line] = {}
    for line in section[1:]:
        if line.key not in known:
            line.fail(f"no key {line.key!r} in {section[0].key}{closest(line.key, known)}")
        if line.key in found and line.key not in ("arg_in", "arg_out"):
            line.fail(f"{line.key} is in line {found[line.key].number} already")
        found[line.key] = line
    return found


def _test(section: list[Line], config: Mapping[str, Line], loose: bool) -> Test:
    own = _keys(section, _TEST_KEYS)
    lines = {**{key: config[key] for key in _SHARED_KEYS if key in config}, **own}
    if "name" not in lines and loose:
        lines["name"] = Line(section[0].path, section[0].number, "name", NAMELESS)
    for key in ("name", "kernel_name"):
        if key not in lines:
            section[0].fail(f"the test has no {key}")
    dimensions = _count(lines["dimensions"]) if "dimensions" in lines else 1
    if dimensions not in (1, 2, 3):
        lines["dimensions"].fail("dimensions: 1, 2 or 3")
    arguments = read_arguments([line for line in section if line.key in ("arg_in", "arg_out")], loose)
    if not loose and not any(argument.wanted is not None for argument in arguments):
        section[0].fail("nothing is compared: the test needs an arg_out")
    name = lines["name"].text
    return Test(
        name if loose else re.sub(r"[^A-Za-z0-9_.+=-]+", "_", name),  # as a part of an id
        lines["kernel_name"].text,
        _sizes(lines.get("global_size"), dimensions) or (1,) * dimensions,
        _sizes(lines.get("local_size"), dimensions) or ((1,) * dimensions if loose and "local_size" not in lines else None),
        _sizes(lines.get("global_offset"), dimensions),
        _flag(lines.get("expect_test_fail")),
        arguments,
    )


def _sizes(line: Line | None, dimensions: int) -> tuple[int, ...] | None:
    if line is None or line.text.upper() == "NULL":
        return None
    words = line.text.split()
    if len(words) < dimensions or not all(map(_NUMBER.fullmatch, words)):
        line.fail(f"{line.key}: {line.text!r}: write at least {dimensions} sizes, such as `4 0 0`")
    return tuple(int(word) for word in words[:dimensions])


def _count(line: Line) -> int:
    if not _NUMBER.fullmatch(line.text):
        line.fail(f"{line.key}: {line.text!r} is not a number")
    return int(line.text)


def _flag(line: Line | None) -> bool:
    if line and line.text not in ("true", "false"):
        line.fail(f"{line.key}: {line.text!r}: write true or false")
    return line is not None and line.text == "true"
