"""printf cuts the components of a vector of long to 32 bits."""

import ctypes
import os
import sys
import tempfile

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global const long *in) { printf("%v2ld\\n", (long2)(in[0], in[1])); }
"""
program = cl.Program(context, SOURCE).build()
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([-42, 1 << 40]))
sys.stdout.flush()
with tempfile.TemporaryFile() as file:  # the kernel prints to the process's standard output
    before = os.dup(1)
    os.dup2(file.fileno(), 1)
    program.f(queue, (1,), None, source)
    queue.finish()
    ctypes.CDLL(None).fflush(None)
    os.dup2(before, 1)
    file.seek(0)
    text = file.read().decode().strip()
print(f"%v2ld of -42 and 1 << 40: {text}")
sys.exit(text != "-42,1099511627776")
