"""Variables with program scope in a module: they are refused with a log, or work (OpenCL API 3.0, 5.8.4)."""

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit import spirv
from ..kit.assembler import assemble
from ..kit.opencl import call, handles
from ..kit.spirv import kernel_text

_STRING = """
%string = OpTypeArray %uchar %uint_4
%to_string = OpTypePointer CrossWorkgroup %string
%letters = OpConstantComposite %string %uchar_97 %uchar_98 %uchar_99 %uchar_0
%v = OpVariable %to_string CrossWorkgroup {initialiser}
"""
_READ = """%j = OpBitwiseAnd %uint %x %uint_3
%at_v = OpInBoundsPtrAccessChain %global_uchar %v %uint_0 %j
%c = OpLoad %uchar %at_v Aligned 1
%y = OpUConvert %uint %c"""
_WORD = "%v = OpVariable %global_uint CrossWorkgroup {initialiser}\n"
_WORD_READ = "%loaded = OpLoad %uint %v Aligned 4\n%y = OpIAdd %uint %x %loaded"
_X = np.arange(16, dtype=np.uint32)
# The declaration, the kernel's body, and its results.
FORMS = {
    "string": (_STRING.format(initialiser="%letters"), _READ, np.array([97, 98, 99, 0] * 4, np.uint32)),
    "string_unused": (_STRING.format(initialiser="%letters"), "%y = OpIAdd %uint %x %uint_7", _X + 7),
    "word": (_WORD.format(initialiser="%uint_5"), _WORD_READ, _X + 5),
    "word_unused": (_WORD.format(initialiser="%uint_5"), "%y = OpIAdd %uint %x %uint_7", _X + 7),
}


def check_program_scope(device: Device, *, form: str) -> None:
    """A module with such a variable works; a device without them must refuse it."""
    declaration, body, want = FORMS[form]
    text = declaration + kernel_text("uint", {"x": "uint"}, body)
    prog, error = spirv.from_words(device, assemble(text, address_bits=device.device.address_bits))
    if prog is None or error != "CL_SUCCESS":
        check.equal("clCreateProgramWithIL", error, "CL_INVALID_VALUE", stage="build")
        return
    error = call("clBuildProgram", prog.int_ptr, 1, handles([device.device]), 0, 0, 0)
    if error != "CL_SUCCESS":
        check.equal("clBuildProgram", error, "CL_BUILD_PROGRAM_FAILURE", stage="build")
        log = prog.get_build_info(device.device, cl.program_build_info.LOG)
        check.true("the build log is not empty", bool(log.strip("\0 \n")), stage="build")
        return
    out = device.buffer(np.zeros(want.size, np.uint32))
    device.launch(cl.Kernel(prog, "f"), [want.size], None, out, device.buffer(_X))
    check.equal(f"{form} of program scope", device.read(out, np.uint32, want.size), want)
