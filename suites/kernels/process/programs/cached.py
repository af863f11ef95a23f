"""A program whose kernel calls Mesa's built-in library: prints the path of Mesa's library, and the kernel's three values."""

import re
import time
from pathlib import Path

import numpy as np
import pyopencl as cl

_SOURCE = """
__kernel void f(__global float *unused, float4 neither, __global float *r, __local float *nor, float x) {
    r[0] = sinpi(x); r[1] = asinpi(x); r[2] = atan(x);
}
"""
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
program = cl._cl._Program(context, _SOURCE)
program._build(options=b"", devices=[device])
kernel = cl.Kernel(cl.Program(program), "f")
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, 12)
other = cl.Buffer(context, cl.mem_flags.READ_WRITE, 12)
kernel.set_args(other, np.ones(4, np.float32), buffer, cl.LocalMemory(16), np.float32(0.25))
cl.enqueue_nd_range_kernel(queue, kernel, [1], None)
got = np.zeros(3, np.float32)
cl.enqueue_copy(queue, got, buffer)
for _ in range(200):  # entries that Mesa's thread, at nice 19, has not written yet would be lost at the end
    stats = [path.read_text(errors="replace").rsplit(") ", 1) for path in Path("/proc/self/task").glob("*/stat")]
    if not any("disk$" in name and state[0] != "S" for name, state in stats):
        break
    time.sleep(0.05)
found = re.search(r"/\S*RusticlOpenCL\S*", Path("/proc/self/maps").read_text(errors="replace"))
print(found[0] if found else "none", *(float(value) for value in got), flush=True)
