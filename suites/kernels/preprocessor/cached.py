"""Builds one after another with a cache: each must be of its own inputs (OpenCL API 3.0, 5.8.4, 5.8.5).

pyopencl's own `build` passes a folder by -I, so that Rusticl does not use its cache; these builds do not use pyopencl's.
"""

import contextlib
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from runner import check
from runner.device import Device

from ..kit.builds import answer, build, compile_, linked, source
from ..kit.cache import cached_bytes, settle
from .pairs import KEYS, PAIRS, Build

_KERNEL = "\n__kernel void f(__global int *r) { *r = A; }\n"
_CHILD = """
import sys, numpy, pyopencl as cl
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
program = cl._cl._Program(context, sys.argv[1])
program._build(options=sys.argv[2].encode(), devices=[device])
out = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=numpy.array([-1], numpy.int32))
cl.Kernel(cl.Program(program), "f")(queue, [1], [1], out)
got = numpy.empty(1, numpy.int32)
cl.enqueue_copy(queue, got, out)
print("answer", got[0])
"""


def value_of(device: Device, unit: Build) -> int | None:
    """The value that the kernel of a build writes; None if the build is refused."""
    before, program = cached_bytes(), source(device, unit.source)
    if unit.headers:
        error, refused = compile_(device, program, unit.options, unit.headers), "CL_COMPILE_PROGRAM_FAILURE"
    else:
        error, refused = build(device, program, unit.options), "CL_BUILD_PROGRAM_FAILURE"
    check.true(f"{error} is CL_SUCCESS or {refused}", error in ("CL_SUCCESS", refused), stage="build")
    if error == refused:
        return None
    value = answer(device, linked(device, [program]) if unit.headers else program)
    settle(before)
    return value


def value_elsewhere(unit: Build) -> int:
    """The value that the kernel of a build in another process writes."""
    command = [sys.executable, "-c", _CHILD, unit.source, unit.options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=25, check=False)
    last = (done.stdout.strip().splitlines() or done.stderr.strip().splitlines() or ["nothing"])[-1]
    check.true(f"the other process answers: {last}", last.startswith("answer "), stage="build")
    return int(last.split()[1])


def check_pair(device: Device, *, name: str, elsewhere: bool) -> None:
    """Two builds whose inputs are the same text if they are joined. `elsewhere`: the second runs in another process."""
    mark = f"// {device.rng.integers(1 << 62)}\n"  # another case's pair may be in the cache
    first, second = (replace(unit, source=mark + unit.source) for unit in PAIRS[name])
    check.equal("the first build's value", value_of(device, first), first.value)
    got = value_elsewhere(second) if elsewhere else value_of(device, second)
    check.equal("the second build's value", got, second.value)


def check_key(device: Device, *, name: str, elsewhere: bool) -> None:
    """Two builds that differ in one input, then both again, which must add nothing to the cache."""
    mark = f"// {device.rng.integers(1 << 62)}\n"  # no other process has built these
    pair = [replace(unit, source=mark + unit.source) for unit in KEYS[name]]
    for place, unit in zip(("first", "second"), pair, strict=True):
        got = value_elsewhere(unit) if elsewhere and place == "second" else value_of(device, unit)
        check.equal(f"the {place} build's value", got, unit.value)
    for _ in range(3):  # on a busy machine, the thread that writes may still be at the first builds
        filled = cached_bytes()
        for place, unit in zip(("first", "second"), pair, strict=True):
            check.equal(f"the {place} build's value, built again", value_of(device, unit), unit.value)
        grown = cached_bytes() - filled
        if not grown:
            break
    check.equal("bytes that the cache grew by when each was built again", grown, 0)


def check_changed(device: Device, *, name: str, elsewhere: bool) -> None:
    """A file changes between two builds. `name`: how it is included; `elsewhere`: the second runs in another process."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        included, outer = Path(folder, "a.h"), Path(folder, "b.h")
        outer.write_text('#include "a.h"\n', encoding="utf-8")
        unit = {
            "absolute": Build(f'#include "{included}"{_KERNEL}', "", 1),
            "working_folder": Build(f'#include "a.h"{_KERNEL}', "", 1),
            "nested": Build(f'#include "{outer}"{_KERNEL}', "", 1),
            "macro": Build(f'#define H "{included}"\n#include H{_KERNEL}', "", 1),
            "embedded": Build(f'#include "c.h"{_KERNEL}', "", 1, {"c.h": f'#include "{included}"\n'}),
            "folder": Build(f'#include "a.h"{_KERNEL}', f"-I {folder}", 1),
            "folder_joined": Build(f'#include "a.h"{_KERNEL}', f"-I{folder}", 1),
            "folder_embedded": Build(f'#include "c.h"{_KERNEL}', f"-I {folder}", 1, {"c.h": '#include "a.h"\n'}),
        }[name]
        for value in (1, 2):
            included.write_text(f"#define A {value}\n", encoding="utf-8")
            here = not elsewhere or value == 1
            check.equal("the value in the file", value_of(device, unit) if here else value_elsewhere(unit), value)
