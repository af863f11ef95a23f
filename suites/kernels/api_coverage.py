"""Which functions, errors and queries of cl.h this suite names, and why not the rest: `runner coverage --api`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_MIPMAPS = "of cl_khr_mipmap_image, which no driver of Mesa has"
#: What no case names, and why.
UNNAMED = {
    "CL_DEVICE_NOT_AVAILABLE": "a device that goes away",
    "CL_COMPILER_NOT_AVAILABLE": "needs a device without a compiler: no full profile may be one",
    "CL_LINKER_NOT_AVAILABLE": "needs a device without a compiler: no full profile may be one",
    "CL_MAP_FAILURE": "for a driver that cannot map an object it has made: nothing makes one fail so",
    "CL_INVALID_PLATFORM": "the ICD loader's: it looks at a platform before a driver does",
    "CL_INVALID_DEVICE_QUEUE": "needs a queue on the device, and no driver of Mesa has one",
    "CL_MAX_SIZE_RESTRICTION_EXCEEDED": "for an argument with SPIR-V's MaxByteOffset, which no driver of Mesa looks at",
    "CL_INVALID_GL_OBJECT": "needs a GL context that shares its objects",
    "CL_INVALID_MIP_LEVEL": _MIPMAPS,
    "CL_SAMPLER_MIP_FILTER_MODE": _MIPMAPS,
    "CL_SAMPLER_LOD_MIN": _MIPMAPS,
    "CL_SAMPLER_LOD_MAX": _MIPMAPS,
    "CL_PIPE_MAX_PACKETS": "needs a pipe, and no driver of Mesa has pipes",
}
_HEADING = re.compile(r"/\*\s*(.*?)\s*\*/")
_DEFINED = re.compile(r"#define\s+(CL_\w+)\s+(-?\w+)$")


@cache
def _words() -> dict[str, set[str]]:
    """The words of each area's sources."""
    folders = sorted(path.parent for path in Path(__file__).parent.glob("*/cases.py"))
    return {
        folder.name: {word for path in folder.glob("*.py") for word in re.findall(r"\w+", path.read_text("utf-8"))}
        for folder in folders
    }


def _areas(*names: str) -> list[str]:
    """The areas in whose sources one of these stands."""
    return [area for area, words in _words().items() if not words.isdisjoint(names)]


def named(header: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Each function, error and query of a cl.h, with its kind and the areas that name it.

    A query is named by its number too, or by what follows CL_ and its object (MAX_COMPUTE_UNITS). Raises OSError.
    """
    text = header.read_text(encoding="utf-8")
    for function in sorted(set(re.findall(r"\b(cl[A-Z]\w+)\(", text))):
        yield "function", function, _areas(function)
    heading = ""
    for line in text.splitlines():
        if found := _HEADING.match(line):
            heading = found[1]
        elif found := _DEFINED.match(line.rstrip()):
            name, value = found.groups()
            if heading.startswith("Error Codes") and name != "CL_SUCCESS":
                yield "error", name, _areas(name, name.removeprefix("CL_"))
            elif re.match(r"cl_\w+_info\b", heading):
                yield "query", name, _areas(name.split("_", 2)[2], value)


def page(header: Path) -> str:
    """A Markdown table of all of them."""
    lines = ["| kind | name | areas |", "|---|---|---|"]
    for kind, name, areas in named(header):
        lines.append(f"| {kind} | {name} | {', '.join(areas) or UNNAMED.get(name, '**none**')} |")
    return "\n".join(lines)
