"""A recursive function: the build may fail, and does not end the process."""

import os
import sys

import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
context = cl.create_some_context(interactive=False)
SOURCE = """
int g(int n) { return n < 2 ? 1 : n * g(n - 1); }
kernel void f(global int *out) { *out = g(5); }
"""
try:
    cl.Program(context, SOURCE).build()
except cl.RuntimeError as error:
    print("the build fails")
    sys.exit(error.code != cl.status_code.BUILD_PROGRAM_FAILURE)
sys.exit("recursion is taken: is its value right?")
