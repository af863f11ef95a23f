"""A launch by a process that may have no more memory ends the process; it should return CL_OUT_OF_HOST_MEMORY."""

import os
import resource
import signal
import sys
from pathlib import Path

import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "iris")
child = os.fork()
if child == 0:
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    kernel = cl.Program(context, "kernel void f(global int *out, int x) { out[get_global_id(0)] = x; }").build().f
    out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096)
    kernel.set_args(out, cl.cltypes.int(7))
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize(), resource.RLIM_INFINITY))
    try:
        cl.enqueue_nd_range_kernel(queue, kernel, (1024,), None)
        queue.finish()
    except (cl.Error, MemoryError):
        pass
    os._exit(0)
status = os.waitpid(child, 0)[1]
died = os.WIFSIGNALED(status)
print("the launch ended", f"the process: {signal.Signals(os.WTERMSIG(status)).name}" if died else "as it should")
sys.exit(died)
