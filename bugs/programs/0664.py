"""The times of a command: it starts after it was submitted."""

import os
import sys

import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "zink")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096)
event = cl.enqueue_fill_buffer(queue, buffer, b"\0\0\0\0", 0, 4096)
event.wait()
print(f"submitted before it starts: {event.profile.submit <= event.profile.start}")
sys.exit(event.profile.submit > event.profile.start)
