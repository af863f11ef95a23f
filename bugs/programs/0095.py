"""Two objects of one device do not link: the translator gave them different versions of SPIR-V."""

import os
import sys

import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
texts = ("int f(int x); int f(int x) { return x + 1; }", "int f(int x); kernel void g(global int *p) { *p = f(*p); }")
objects = []
for text in texts:
    objects.append(cl.Program(context, text))
    objects[-1].compile()
try:
    linked = cl.link_program(context, objects)
    got = "CL_SUCCESS"
except cl.RuntimeError as error:
    got = "CL_" + cl.status_code.to_string(error.code)
print(f"clLinkProgram: {got}")
sys.exit(got != "CL_SUCCESS")
