"""Statements that a compiler must refuse (OpenCL C 3.0, 6.4), because they break a constraint."""

from runner import check
from runner.device import Device

from .table import REFUSED

_SOURCE = """
typedef struct {{ char c; char4 c4; int i; int4 i4; float f; float2 f2; float4 f4; }} operands;
float4 same(float4 x) {{ return x; }}
__kernel void f(__global const operands *p, __global uchar *r) {{
    operands a = *p;
    a.f4 = same(a.f4);
    {statement}
    for (size_t i = 0; i < sizeof(x); i++)
        r[i] = ((uchar *)&x)[i];
}}
"""


def check_refused(device: Device, *, name: str) -> None:
    """The statement does not build, but the corrected one does, so that nothing else is at fault."""
    wrong, right = REFUSED[name]
    device.build(_SOURCE.format(statement=right))
    try:
        device.build(_SOURCE.format(statement=wrong))
        refused = False
    except check.Mismatch:
        refused = True
    check.true(f"`{wrong}` does not build", refused, stage="build")
