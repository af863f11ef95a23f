"""cl_khr_spirv_linkonce_odr: several modules that define the same function or variable are linked to one program.

SPV_KHR_linkonce_odr: LinkOnceODR is like Export, but is merged with definitions of the same name in other modules.
"""

from collections.abc import Sequence

import numpy as np
import pyopencl as cl

from runner import check
from runner.check import Mismatch
from runner.device import Device, first_error

from ..kit import spirv
from ..kit.opencl import call, create, handles
from ..kit.spirv import kernel_text

_HEAD = 'OpCapability Linkage\nOpExtension "SPV_KHR_linkonce_odr"\n%type_f = OpTypeFunction %uint %uint\n'
_FUNCTION = """
OpDecorate %{name} LinkageAttributes "{name}" {kind}
%{name} = OpFunction %uint None %type_f
%of_{name} = OpFunctionParameter %uint
{body}
OpFunctionEnd
"""
# shared(x) is 3 * x + 1; the 3 may come from a variable that is shared, too.
_SHARED = """%in_shared = OpLabel
%times = {times}
%product = OpIMul %uint %times %of_shared
%result = OpIAdd %uint %product %uint_1
OpReturnValue %result"""
_VARIABLE = """
OpDecorate %number LinkageAttributes "number" {kind}
%number = OpVariable %constant_uint UniformConstant %uint_3
OpDecorate %number Constant
"""
# part0(x) is shared(x) + 10, part1(x) is shared(x) + 20.
_PART = """%in_{name} = OpLabel
%called = OpFunctionCall %uint %shared %of_{name}
%more = OpIAdd %uint %called %uint_{more}
OpReturnValue %more"""


def _shared(kind: str, variable: bool) -> str:
    """The shared function, which a module defines or imports, and its variable with the same linkage."""
    if kind == "Import":
        return _FUNCTION.format(name="shared", kind=kind, body="")
    times = "OpLoad %uint %number Aligned 4" if variable else "OpCopyObject %uint %uint_3"
    text = _FUNCTION.format(name="shared", kind=kind, body=_SHARED.format(times=times))
    return (_VARIABLE.format(kind=kind) if variable else "") + text


def _user(kind: str, libraries: int, variable: bool) -> str:
    """The module with the kernel, which adds up shared(x) and part(x) of each library."""
    text, body = _HEAD, "%y0 = OpFunctionCall %uint %shared %x\n"
    for n in range(libraries):
        text += _FUNCTION.format(name=f"part{n}", kind="Import", body="")  # declarations come before definitions
        body += f"%c{n} = OpFunctionCall %uint %part{n} %x\n%y{n + 1} = OpIAdd %uint %y{n} %c{n}\n"
    body += f"%y = OpCopyObject %uint %y{libraries}"
    return text + _shared(kind, variable) + kernel_text("uint", {"x": "uint"}, body)


def _library(number: int, kind: str, variable: bool) -> str:
    """A module with the shared function, and a function of its own that calls it."""
    name = f"part{number}"
    own = _FUNCTION.format(name=name, kind="Export", body=_PART.format(name=name, more=10 * number + 10))
    return _HEAD + _shared(kind, variable) + own


def _linked(device: Device, parts: list[cl.Program], options: bytes = b"") -> cl.Program:
    one = handles([device.device])
    handle, error = create("clLinkProgram", device.context.int_ptr, 1, one, options, len(parts), handles(parts), 0, 0)
    linked = cl.Program.from_int_ptr(handle, retain=False) if handle else None
    if linked is None or error != "CL_SUCCESS":
        log = linked.get_build_info(device.device, cl.program_build_info.LOG) if linked else ""
        raise Mismatch(f"build: clLinkProgram: {error}: {first_error(log)}")
    return linked


def check_linkonce(device: Device, *, kinds: Sequence[str], variable: bool, way: str) -> None:
    """The same function in several modules. `kinds`: its linkage in the kernel's module, then in each library.

    `way`: "first" or "last", the place of the kernel's module in the link; "library" if the libraries are first linked to
    one; "binary" if the program is made again from its binary.
    """
    own, *others = kinds
    texts = [_user(own, len(others), variable), *(_library(n, kind, variable) for n, kind in enumerate(others))]
    user, *libraries = parts = [spirv.program(device, text) for text in texts]
    for part in parts:
        error = call("clCompileProgram", part.int_ptr, 1, handles([device.device]), 0, 0, 0, 0, 0, 0)
        check.equal("clCompileProgram", error, "CL_SUCCESS", stage="build")
    if way == "library":
        libraries = [_linked(device, libraries, b"-create-library")]
    linked = _linked(device, [*libraries, user] if way == "last" else [user, *libraries])
    if way == "binary":
        linked = cl.Program(device.context, [device.device], [linked.get_info(cl.program_info.BINARIES)[0]]).build()
    x = device.rng.integers(0, 2**32, 16, dtype=np.uint32)
    target = device.buffer(np.zeros(16, np.uint32))
    device.launch(linked.f, [16], None, target, device.buffer(x))
    count = 1 + len(others)
    want = x * np.uint32(3 * count) + np.uint32(count + sum(10 * n + 10 for n in range(len(others))))
    check.equal("shared(x), and its callers", device.read(target, np.uint32, 16), want)
