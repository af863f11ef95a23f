"""A module with an empty kernel and an initialised variable of program scope: it is built, or the build fails."""

import os
import struct
import sys

import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
context = cl.create_some_context(interactive=False)
# %v = OpVariable %to_uint CrossWorkgroup %uint_5
WORDS = """
    7230203 10000 0 9 0 20011 4 20011 6 3000e 2 2 4000f 6 1 66 40015 3 20 0 40020 2 5 3 4002b 3 5 5
    5003b 2 4 5 5 20013 7 30021 6 7 50036 7 1 0 6 200f8 8 100fd 10038
"""
module = struct.pack("=" + "I" * len(WORDS.split()), *(int(word, 16) for word in WORDS.split()))
try:
    cl.Program(context, module).build()
except cl.RuntimeError as error:
    print("right: the build fails")
    sys.exit(error.code != cl.status_code.BUILD_PROGRAM_FAILURE)
print("right: it is built")
