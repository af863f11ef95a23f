"""A source that is not OpenCL C is refused with a log, or right (OpenCL API 3.0, 5.8.4), and must not crash the process."""

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.builds import build, log, source
from ..kit.integers import wrap
from .cases import FAMILIES
from .form import INPUTS

_KERNEL = """{head}
__kernel void f(__global int *out, __global const int *in) {{
    int x = in[get_global_id(0)], y = 0;
    {body}
    out[get_global_id(0)] = y;
}}
"""


def check_form(device: Device, *, family: str, name: str) -> None:
    """The build of a form fails with a log, or its values are those of its model."""
    form = FAMILIES[family][name]
    program = source(device, _KERNEL.format(head=form.head, body=form.body))
    error = build(device, program, form.options or None)
    if error != "CL_SUCCESS" or form.want is None:
        check.equal("clBuildProgram", error, "CL_BUILD_PROGRAM_FAILURE", stage="build")
        check.true("the build log is not empty", bool(log(device, program)), stage="build")
        return
    given = np.array(INPUTS, np.int32)
    out = device.buffer(np.full(len(INPUTS), 0x5A5A5A5A, np.int32))
    device.launch(cl.Kernel(program, "f"), [len(INPUTS)], None, out, device.buffer(given))
    want = np.array([wrap(form.want(x), "int") for x in INPUTS], np.int32)
    check.equal(form.body.replace("\n", " "), device.read(out, np.int32, len(INPUTS)), want, (given,))
