"""One OpenCL buffer under two libraries. Each loads its own ICD loader; the objects are the driver's."""

import ctypes
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..inputs import draw

COUNT = 1031  # elements of a buffer


def handle(opaque: Any) -> int:
    """The address of a `cl_mem`, `cl_context` or queue as tinygrad holds it."""
    return ctypes.cast(opaque, ctypes.c_void_p).value or 0


def ints(device: Device, count: int = COUNT) -> Any:
    """An array of `count` int32 over their whole range."""
    return draw(device.rng, "int32", (count,), "full")


class Sharing:
    """tinygrad's context and queue, as pyopencl's objects."""

    def __init__(self, tinygrad: Any) -> None:
        self.tinygrad, self.opened = tinygrad, tinygrad.Device["CL"]
        self.context = cl.Context.from_int_ptr(handle(self.opened.context), True)
        self.queue = cl.CommandQueue(self.context)

    def own_queue(self) -> cl.CommandQueue:
        """tinygrad's own queue, in which no wait is needed."""
        return cl.CommandQueue.from_int_ptr(handle(self.opened.queue), True)

    def buffer(self, content: NDArray[Any], flags: int = 0) -> cl.Buffer:
        flags = flags or cl.mem_flags.COPY_HOST_PTR
        return cl.Buffer(self.context, cl.mem_flags.READ_WRITE | flags, hostbuf=content)

    def tensor(self, memory: Any, count: int, dtype: str) -> Any:
        """A tensor over a memory object, without a copy.

        tinygrad releases what it is given, hence the reference; `nolru` keeps it out of the pool of free
        buffers, from which it would come back under another tensor.
        """
        from tinygrad.device import Buffer, BufferSpec
        from tinygrad.dtype import to_dtype
        from tinygrad.runtime.autogen import opencl
        from tinygrad.uop.ops import UOp

        opaque = ctypes.cast(ctypes.c_void_p(memory.int_ptr), opencl.cl_mem)
        opencl.clRetainMemObject(opaque)
        shared = Buffer("CL", count, to_dtype(dtype), opaque=opaque, options=BufferSpec(nolru=True))
        result = self.tinygrad.Tensor(UOp.from_buffer(shared))
        check.equal("the tensor's buffer", handle(result.uop.buffer._buf), memory.int_ptr, stage="api")
        return result

    def memory(self, tensor: Any) -> cl.Buffer:
        """The buffer of a realised tensor as pyopencl's object, which holds a reference of its own."""
        return cl.Buffer.from_int_ptr(handle(tensor.uop.buffer._buf), True)

    def content(self, memory: Any, like: NDArray[Any], offset: int = 0) -> NDArray[Any]:
        """The bytes that pyopencl reads after everything that tinygrad has enqueued."""
        self.opened.synchronize()
        out = np.empty_like(like)
        cl.enqueue_copy(self.queue, out, memory, src_offset=offset)
        self.queue.finish()
        return out

    def triple(self, queue: cl.CommandQueue, memory: Any, count: int) -> None:
        """Run a kernel of pyopencl: every int x becomes 3 x + its index."""
        source = "__kernel void triple(__global int *x) { int i = get_global_id(0); x[i] = 3 * x[i] + i; }"
        kernel = cl.Kernel(cl.Program(self.context, source).build(), "triple")
        kernel.set_args(memory)
        cl.enqueue_nd_range_kernel(queue, kernel, (count,), None)


def tripled(x: NDArray[Any]) -> NDArray[np.int32]:
    """The result of `Sharing.triple` for an array: 3 x + i, modulo 2**32."""
    return np.asarray(x * np.int32(3) + np.arange(x.size, dtype=np.int32), np.int32)
