"""An OR with a number whose lower half is all ones leaves the other operand's lower half as it is."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "radeonsi")
os.environ.setdefault("AMD_DEBUG", "usellvm")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global const ulong *a, global const ulong *b, global ulong *r) {
    size_t i = get_global_id(0);
    r[i] = a[i] | (b[i] | 0x7fffffffffffffffUL);
}
"""
program = cl.Program(context, SOURCE).build()
flags = cl.mem_flags.COPY_HOST_PTR
a, b = (cl.Buffer(context, flags, hostbuf=np.array([n], "u8")) for n in (5, 7))
result = np.zeros(1, "u8")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), None, a, b, out)
cl.enqueue_copy(queue, result, out)
print("5 | 7 | LONG_MAX =", f"{result[0]:#x}")
sys.exit(bool(result[0] != 0x7FFFFFFFFFFFFFFF))
