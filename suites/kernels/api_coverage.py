"""The errors and queries of each function of cl.h that the suite tests, and why not the rest (`list coverage --api`)."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from .cases import cases

_MIPMAPS = "of cl_khr_mipmap_image, which no driver of Mesa has"
#: Names that no case has, and why.
UNNAMED = {
    "CL_LINKER_NOT_AVAILABLE": "needs a device without a compiler: no full profile may be one",
    "CL_MAP_FAILURE": "for a driver that cannot map an object that it has made: nothing makes one fail like that",
    "CL_INVALID_PLATFORM": "the ICD loader's: it checks a platform before a driver does",
    "CL_INVALID_DEVICE_QUEUE": "needs a queue on the device, and no driver of Mesa has one",
    "CL_MAX_SIZE_RESTRICTION_EXCEEDED": "for an argument with SPIR-V's MaxByteOffset, which no driver of Mesa checks",
    "CL_SAMPLER_MIP_FILTER_MODE": _MIPMAPS,
    "CL_SAMPLER_LOD_MIN": _MIPMAPS,
    "CL_SAMPLER_LOD_MAX": _MIPMAPS,
    "CL_PIPE_MAX_PACKETS": "needs a pipe, and no driver of Mesa has pipes",
}
#: The function of a body whose cases state only the error.
_FUNCTIONS = {
    "argument.refuse": "clSetKernelArg",
    "program.binary_error": "clCreateProgramWithBinary",
    "program.build_info_error": "clGetProgramBuildInfo",
    "program.create_error": "clCreateProgramWithSource",
    "program.info_error": "clGetProgramInfo",
    "program.kernel_error": "clCreateKernel",
    "program.refusal": "clBuildProgram",
    "queues.refused": "clCreateCommandQueueWithProperties",
    "spirv.create_error": "clCreateProgramWithIL",
    "spirv.spec_error": "clSetProgramSpecializationConstant",
}
#: The functions that answer queries, if the heading in the header does not give their names.
_ASKED = {"mem": "clGetMemObjectInfo", "profiling": "clGetEventProfilingInfo", "kernel_exec": "clSetKernelExecInfo"}
_FUNCTION, _ERROR = re.compile(r"cl[A-Z]\w+"), re.compile(r"CL_(?!SUCCESS$)[A-Z_]+")
_NO_ERROR = "has no error to give"
#: The functions for which no case and no place expects an error by its name, and why.
SILENT = {
    "clCreateUserEvent": "its only error is of a wrong context, which the ICD loader checks",
    "clEnqueueNativeKernel": "CL_INVALID_OPERATION, by a name that coherence/calls.py has for it",
    "clGetExtensionFunctionAddress": _NO_ERROR,
    "clGetExtensionFunctionAddressForPlatform": _NO_ERROR,
    "clGetPlatformIDs": "the ICD loader's own",
    "clSVMAlloc": _NO_ERROR,
    "clSVMFree": _NO_ERROR,
    "clSetDefaultDeviceCommandQueue": "CL_INVALID_OPERATION, by a variable of extension/optional.py",
    "clUnloadCompiler": _NO_ERROR,
    "clUnloadPlatformCompiler": "its only error is of a wrong platform, which the ICD loader checks",
}
_HEADING = re.compile(r"/\*\s*(.*?)\s*\*/")
_DEFINED = re.compile(r"#define\s+(CL_\w+)\s+(-?\w+)$")


@cache
def _words() -> dict[str, set[str]]:
    """The words of each area's sources."""
    here = Path(__file__).parent
    folders = [*sorted(path.parent for path in here.glob("*/cases.py")), here / "kit"]
    own = here / "kit/opencl.py"  # names every error, whether a case asks for it or not
    return {
        folder.name: {word for p in folder.rglob("*.py") if p != own for word in re.findall(r"\w+", p.read_text("utf-8"))}
        for folder in folders
    }


def _areas(*names: str) -> list[str]:
    """The areas whose sources have one of these words."""
    return [area for area, words in _words().items() if not words.isdisjoint(names)]


def named(header: Path) -> Iterator[tuple[str, str, list[str], str]]:
    """Each function, error and query of a cl.h: its kind, its name, the areas that name it, and a query's function.

    Areas name a query also by its number, or by what follows CL_ and the object (MAX_COMPUTE_UNITS). Raises OSError.
    """
    text = header.read_text(encoding="utf-8")
    for function in sorted(set(re.findall(r"\b(cl[A-Z]\w+)\(", text))):
        yield "function", function, _areas(function), ""
    heading = ""
    for line in text.splitlines():
        if found := _HEADING.match(line):
            heading = found[1]
        elif found := _DEFINED.match(line.rstrip()):
            name, value = found.groups()
            if heading.startswith("Error Codes") and name != "CL_SUCCESS":
                yield "error", name, _areas(name, name.removeprefix("CL_")), ""
            elif about := re.match(r"cl_(\w+)_info\b", heading):
                words = "".join(word.capitalize() for word in about[1].split("_"))
                yield "query", name, _areas(name.split("_", 2)[2], value), _ASKED.get(about[1], f"clGet{words}Info")


def provoked() -> dict[str, Counter[str]]:
    """For each function its errors, each with the number of cases and of places in the sources that ask for it.

    A case has both in its parameters; a place is one call or one row of a table that names both.
    """
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for case in cases():
        if function := case.params.get("function") or _FUNCTIONS.get(case.kind):
            for key in ("error", "errors", "allowed"):
                found[function].update(_matching(_ERROR, case.params.get(key, ())))
    for path in Path(__file__).parent.glob("*/*.py"):
        places: set[tuple[Any, ...]] = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call | ast.Tuple):
                words = [(n.value, n.lineno, n.col_offset) for n in ast.walk(node) if isinstance(n, ast.Constant)]
                functions = {*_matching(_FUNCTION, [word for word, *_ in words])}
                if len(functions) == 1:  # else it is a table, and its rows are visited, too
                    places.update((*functions, *place) for place in words if _matching(_ERROR, [place[0]]))
        for function, error, *_ in places:
            found[function][error] += 1
    return found


def _matching(pattern: re.Pattern[str], words: Any) -> list[str]:
    """The words that are names of a kind; one word counts as a list of it."""
    return [w for w in ([words] if isinstance(words, str) else words) if isinstance(w, str) and pattern.fullmatch(w)]


def page(header: Path) -> str:
    """Two Markdown tables: each function with its errors and queries, and each name with the areas that have it."""
    names, errors = list(named(header)), provoked()
    queries: defaultdict[str, list[str]] = defaultdict(list)
    for kind, name, areas, function in names:
        if kind == "query":
            queries[function].append(name if areas else f"{name} (none)")
    lines = ["| function | errors that it is made to give, and how often | queries that it answers |", "|---|---|---|"]
    for kind, name, *_ in names:
        if kind == "function":
            given = ", ".join(f"{error} {count}" for error, count in sorted(errors[name].items()))
            lines.append(f"| {name} | {given or SILENT.get(name, '**none**')} | {', '.join(queries[name])} |")
    lines += ["", "| kind | name | areas |", "|---|---|---|"]
    for kind, name, areas, _ in names:
        lines.append(f"| {kind} | {name} | {', '.join(areas) or UNNAMED.get(name, '**none**')} |")
    return "\n".join(lines)
