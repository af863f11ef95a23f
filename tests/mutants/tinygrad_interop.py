"""Sharing that errs: another buffer, another place in it, an old content, a reference too many."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from mutation import Function, Mutant, MutantGroup, api, of

from mutants.tinygrad_program import launched, one_group_fewer

_SHARING = "suites.tinygrad.interop.run.Sharing"


def _at(name: str, case: str, place: str, wrap: Callable[[Function], Function]) -> Mutant:
    return api(f"tinygrad/interop/{name}", f"tinygrad/interop/{case}", place, wrap)


def _shared(name: str, case: str, method: str, wrap: Callable[[Function], Function]) -> Mutant:
    """A method of `Sharing` that does something else."""
    return _at(name, case, _SHARING, lambda own: type("Erring", (cast(type, own),), {method: wrap(getattr(own, method))}))


@of
def _twin(inner: Function, self: Any, memory: Any, count: int, dtype: str) -> Any:
    """A tensor over a copy of the buffer."""
    import pyopencl as cl

    copy = cl.Buffer(self.context, cl.mem_flags.READ_WRITE, memory.size)
    cl.enqueue_copy(self.queue, copy, memory)
    self.queue.finish()
    return inner(self, copy, count, dtype)


@of
def _copied_memory(inner: Function, self: Any, tensor: Any) -> Any:
    return inner(self, tensor.contiguous().clone().realize())


def _from_start(inner: Function) -> Function:
    return lambda self, origin, size, *rest: inner(self, 0, size, *rest)


def _moved(**changed: int) -> Callable[[Function], Function]:
    def copy(inner: Function, queue: Any, target: Any, source: Any, **kwargs: Any) -> Any:
        moves = {k: kwargs[k] + v for k, v in changed.items() if k in kwargs}
        return inner(queue, target, source, **{**kwargs, **moves})

    return of(copy)


@of
def _lost_write(inner: Function, queue: Any, target: Any, source: Any, **kwargs: Any) -> Any:
    """Data that the host writes do not arrive."""
    return None if isinstance(source, np.ndarray) else inner(queue, target, source, **kwargs)


def _value(name: str, case: str, at: int) -> Mutant:
    """One wrong element in what pyopencl reads."""

    def content(inner: Function, self: Any, memory: Any, like: Any, offset: int = 0) -> Any:
        out = inner(self, memory, like, offset)
        out[at] = out[at] + 1
        return out

    return _shared(name, case, "content", of(content))


_code = MutantGroup("tinygrad/interop").code


@of
def _retained(inner: Function, opaque: Any) -> Any:
    inner(opaque)
    return inner(opaque)


MUTANTS = [
    _shared("twin.read", "to_tensor.float32", "tensor", _twin),
    _shared("twin.sub_buffer", "sub_buffer", "tensor", _twin),
    _shared("twin.result", "result", "tensor", _twin),
    _shared("twin.two_tensors", "two_tensors", "tensor", _twin),
    _shared("copy.written", "from_tensor.int32", "memory", _copied_memory),
    _shared("copy.filled", "filled", "memory", _copied_memory),
    _shared("copy.mapped", "mapped", "memory", _copied_memory),
    _shared("copy.view", "view_of_tensor", "memory", _copied_memory),
    _at("region.from_start", "sub_buffer", "pyopencl.Buffer.get_sub_region", _from_start),
    _at("region.from_start.of_tensor", "view_of_tensor", "pyopencl.Buffer.get_sub_region", _from_start),
    _at("copied.source_offset", "copied", "pyopencl.enqueue_copy", _moved(src_offset=4)),
    _at("copied.target_offset", "copied", "pyopencl.enqueue_copy", _moved(dst_offset=-4)),
    _at("host.write_lost", "to_tensor.int32", "pyopencl.enqueue_copy", _lost_write),
    _at("host.write_lost.to_tensor", "from_tensor.float32", "pyopencl.enqueue_copy", _lost_write),
    _at("context.not_checked", "refused.context_write", "pyopencl.enqueue_copy", lambda inner: lambda *a, **k: None),
    _at(
        "fill.offset",
        "filled",
        "pyopencl.enqueue_fill_buffer",
        lambda inner: lambda queue, memory, pattern, offset, size: inner(queue, memory, pattern, offset + 4, size),
    ),
    _shared("kernel.lost", "ping_pong", "triple", lambda inner: lambda *a: None),
    _shared("kernel.lost.one_queue", "one_queue", "triple", lambda inner: lambda *a: None),
    _at("reference.kept", "tensor_dies", "tinygrad.runtime.autogen.opencl.clRetainMemObject", _retained),
    _value("neighbour.touched", "shorter", 77),
    _value("end.touched", "sub_buffers", -1),
    _value("host.last_wrong", "to_tensor.uint64", 1030),
    _code("wrong_step", "ping_pong", r"\b7\b", "6"),
    _code("odd_groups_twice", "replayed", r"get_group_id\(0\)", "(get_group_id(0) & ~1)"),
    launched("tinygrad/interop/one_group_fewer", "tinygrad/interop/buffer_dies", one_group_fewer),
]
