"""Two devices of one platform in one context: devices.py WHAT. Prints `done`; exit code 77 if the devices lack something."""

import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

Words = NDArray[np.uint32]
_UNSUPPORTED_EXIT, _CL_BUILD_SUCCESS = 77, 0
_INDEX: Words = np.arange(256, dtype=np.uint32)
_SOURCE = "__kernel void f(__global uint *r, uint c) { size_t i = get_global_id(0); r[i] = r[i] * 3u + c + (uint)i; }"
_DEFINITIONS = """
#ifdef TWO
__kernel void f(__global uint *r, uint a, uint b) { *r = a + b; }
#else
__kernel void f(__global uint *r, uint a) { *r = a; }
#endif
"""


def exit_unsupported(what: str) -> NoReturn:
    print(what, file=sys.stderr)
    sys.exit(_UNSUPPORTED_EXIT)


devices = cl.get_platforms()[0].get_devices()[:2]
if len(devices) < 2:
    exit_unsupported("the platform has only one device, even with llvmpipe enabled")
context = cl.Context(devices)
a, b = (cl.CommandQueue(context, device) for device in devices)
flags = cl.mem_flags
start: Words = np.random.default_rng(7).integers(0, 1 << 32, 256, dtype=np.uint32)
buffer = cl.Buffer(context, flags.COPY_HOST_PTR, hostbuf=start)
program = cl.Program(context, _SOURCE).build()
kernel = cl.Kernel(program, "f")


def step(words: Words, c: int) -> Words:
    """The results of a launch for these words."""
    made: Words = words * np.uint32(3) + np.uint32(c) + _INDEX[: len(words)]
    return made


def launch(queue: Any, target: Any, c: int, wait: Sequence[Any] | None = None, of: Any = kernel) -> Any:
    """Enqueue a launch on 256 words; returns its event."""
    of.set_args(target, np.uint32(c))
    return cl.enqueue_nd_range_kernel(queue, of, [256], None, wait_for=wait)


def equal(what: str, queue: Any, target: Any, want: Words) -> None:
    got = np.zeros_like(want)
    cl.enqueue_copy(queue, got, target)
    wrong = np.flatnonzero(got != want)
    if wrong.size:
        sys.exit(f"value: {what}: got {got.flat[wrong[0]]} want {want.flat[wrong[0]]} ({wrong.size} of {want.size} wrong)")


def refused(what: str, call: Callable[[], Any], name: str) -> None:
    """Require that the call fails with this error."""
    got = "SUCCESS"
    try:
        call()
    except cl.Error as error:
        got = cl.status_code.to_string(error.code)
    if got != name:
        sys.exit(f"api: {what}: got CL_{got} want CL_{name}")


def taken_in_turn() -> None:
    words = start
    for c in range(12):
        queue, other = (a, b) if c % 2 else (b, a)
        launch(queue, buffer, c)
        queue.finish()
        words = step(words, c)
        equal(f"after step {c}, of the other device", other, buffer, words)


def events_across() -> None:
    words, event = start, None
    for c in range(40):
        queue = (a, b)[c % 2]
        event = [launch(queue, buffer, c, event)]
        queue.flush()
        words = step(words, c)
    b.finish()
    a.finish()
    equal("at the end", a, buffer, words)


def migrated() -> None:
    words = start
    for c, (queue, other) in enumerate([(a, b), (b, a), (a, b)]):
        moved = cl.enqueue_migrate_mem_objects(queue, [buffer])
        launch(other, buffer, c, [launch(queue, buffer, c, [moved])]).wait()
        words = step(step(words, c), c)
    cl.enqueue_migrate_mem_objects(a, [buffer], cl.mem_migration_flags.HOST).wait()
    equal("of the first", a, buffer, words)
    equal("of the second", b, buffer, words)


def migrated_undefined() -> None:
    moved = cl.enqueue_migrate_mem_objects(b, [buffer], cl.mem_migration_flags.CONTENT_UNDEFINED)
    written = cl.enqueue_copy(b, buffer, start, is_blocking=False, wait_for=[moved])
    launch(b, buffer, 5, [written]).wait()
    equal("of the first", a, buffer, step(start, 5))


def sub_buffers() -> None:
    whole = cl.Buffer(context, flags.READ_WRITE, 2048)
    cl.enqueue_copy(a, whole, np.concatenate([start, start[::-1]]))
    halves = [whole.get_sub_region(0, 1024), whole.get_sub_region(1024, 1024)]
    events = [launch(a, halves[0], 1), launch(b, halves[1], 2)]
    a.finish()
    b.finish()
    del events
    want = np.concatenate([step(start, 1), step(start[::-1], 2)])
    for name, queue in (("first", a), ("second", b)):
        equal(f"of the {name}", queue, whole, want)


def copied() -> None:
    other = cl.Buffer(context, flags.READ_WRITE, 1024)
    launch(a, buffer, 3)
    a.finish()
    cl.enqueue_copy(b, other, buffer).wait()
    want = step(start, 3)
    equal("copied on the second", a, other, want)
    cl.enqueue_fill_buffer(a, other, np.uint32(9), 0, 512).wait()
    want[:128] = 9
    equal("filled on the first", b, other, want)


def mapped() -> None:
    words, _ = cl.enqueue_map_buffer(a, buffer, cl.map_flags.READ | cl.map_flags.WRITE, 0, 256, np.uint32)
    words[:] += np.uint32(1)
    words.base.release(a).wait()
    launch(b, buffer, 4)
    b.finish()
    words, _ = cl.enqueue_map_buffer(a, buffer, cl.map_flags.READ, 0, 256, np.uint32)
    got, want = words.copy(), step(start + np.uint32(1), 4)
    words.base.release(a).wait()
    if not np.array_equal(got, want):
        sys.exit(f"value: mapped on the first: got {got[0]} want {want[0]}")


def host_pointer() -> None:
    host = start.copy()
    shared = cl.Buffer(context, flags.USE_HOST_PTR, hostbuf=host)
    launch(a, shared, 1).wait()
    launch(b, shared, 2).wait()
    words, _ = cl.enqueue_map_buffer(b, shared, cl.map_flags.READ, 0, 256, np.uint32)
    want = step(step(start, 1), 2)
    wrong = not np.array_equal(words, want) or not np.array_equal(host, want)
    words.base.release(b).wait()
    if wrong:
        sys.exit("value: the host's own memory, mapped on the second, has not what both have done")


def image() -> None:
    form = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT32)
    image = cl.create_image(context, flags.READ_WRITE, form, shape=(8, 8))
    cl.enqueue_copy(a, image, start, origin=(0, 0), region=(8, 8))
    got = np.zeros_like(start)
    cl.enqueue_copy(b, got, image, origin=(0, 0), region=(8, 8))
    if not np.array_equal(got, start):
        sys.exit(f"value: written on the first, read on the second: got {got[0]} want {start[0]}")
    cl.enqueue_fill_image(b, image, np.array([1, 2, 3, 4], np.uint32), (0, 0), (4, 8)).wait()
    cl.enqueue_copy(a, got, image, origin=(0, 0), region=(8, 8))
    want = start.reshape(8, 8, 4).copy()
    want[:, :4] = 1, 2, 3, 4
    if not np.array_equal(got.reshape(8, 8, 4), want):
        sys.exit("value: filled on the second, read on the first")


def svm() -> None:
    if not all(device.svm_capabilities & cl.device_svm_capabilities.COARSE_GRAIN_BUFFER for device in devices):
        exit_unsupported("a device without shared virtual memory")
    memory = cl.SVMAllocation(context, 1024, 0, flags.READ_WRITE)
    cl.enqueue_copy(a, memory, start).wait()
    words = start
    for c, queue in enumerate((a, b, a, b)):
        launch(queue, memory, c).wait()
        words = step(words, c)
    equal("of the first", a, memory, words)
    equal("of the second", b, memory, words)


def built_for_one() -> None:
    one = cl.Program(context, _SOURCE)
    one.build(devices=[devices[0]])
    own = cl.Kernel(one, "f")
    launch(a, buffer, 6, of=own).wait()
    what = "a launch on a device for which it was not built"
    refused(what, lambda: launch(b, buffer, 6, of=own), "INVALID_PROGRAM_EXECUTABLE")
    equal("of the second", b, buffer, step(start, 6))


def definitions_differ() -> None:
    other = cl._cl._Program(context, _DEFINITIONS)
    for device, options in zip(devices, (b"", b"-DTWO"), strict=True):
        other._build(options=options, devices=[device])
    refused("a kernel of two definitions", lambda: cl.Kernel(cl.Program(other), "f"), "INVALID_KERNEL_DEFINITION")


def binaries() -> None:
    again = cl.Program(context, devices, program.get_info(cl.program_info.BINARIES)).build()
    own = cl.Kernel(again, "f")
    launch(a, buffer, 7, of=own).wait()
    launch(b, buffer, 8, of=own).wait()
    equal("of the first", a, buffer, step(step(start, 7), 8))


def binaries_exchanged() -> None:
    exchanged = program.get_info(cl.program_info.BINARIES)[::-1]
    refused("each device with the other's binary", lambda: cl.Program(context, devices, exchanged), "INVALID_BINARY")


def queries() -> None:
    for what, got, want in (
        ("devices of the context", context.devices, devices),
        ("devices of the program", program.get_info(cl.program_info.DEVICES), devices),
        ("their number", program.get_info(cl.program_info.NUM_DEVICES), 2),
        ("binaries", len(program.get_info(cl.program_info.BINARIES)), 2),
        ("queue a's", a.device, devices[0]),
        ("queue b's", b.device, devices[1]),
    ):
        if got != want:
            sys.exit(f"api: {what}: got {got} want {want}")
    for device in devices:
        status = program.get_build_info(device, cl.program_build_info.STATUS)
        if status != _CL_BUILD_SUCCESS:
            sys.exit(f"api: the build's status for {device} is {status}")


globals()[sys.argv[1]]()
print("done")
