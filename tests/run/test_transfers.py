"""A wrong value's message names the commands that moved the data."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runner import check
from runner.model import Case, DeviceReport

CASE = Case("mock/case")
Opened = tuple[Any, DeviceReport]


def failing(opened: Opened, commands: list[str]) -> str:
    """The message of a case that enqueues these commands, by their names in the message, and compares wrongly."""
    import pyopencl as cl

    device = opened[0]
    bytes_ = np.arange(64, dtype=np.uint8)

    def body(device: Any, _: Case) -> None:
        one, two = device.buffer(bytes_), device.buffer(bytes_)
        image = cl.create_image(device.context, 1, cl.ImageFormat(cl.channel_order.R, cl.channel_type.UNSIGNED_INT8), (8, 8))
        box = {"region": (4, 4, 1), "buffer_pitches": (8, 64), "host_pitches": (8, 64)}
        do: dict[str, Callable[[], Any]] = {
            "read": lambda: device.read(one, np.uint8, 64),
            "clEnqueueWriteBuffer": lambda: device.copy(one, bytes_[:8], dst_offset=3),
            "clEnqueueReadBuffer": lambda: device.copy(bytes_.copy()[:8], one, src_offset=3),
            "clEnqueueCopyBuffer": lambda: device.copy(one, two),
            "clEnqueueReadBufferRect": lambda: device.copy(
                bytes_.copy(), one, buffer_origin=(1, 0, 0), host_origin=(0, 0, 0), **box
            ),
            "clEnqueueCopyBufferToImage": lambda: device.copy(image, one, offset=0, origin=(0, 0), region=(8, 8)),
            "clEnqueueReadImage": lambda: device.copy(np.zeros(64, np.uint8), image, origin=(0, 0), region=(8, 8)),
            "clEnqueueFillBuffer": lambda: cl.enqueue_fill_buffer(device.queue, one, bytes_[:1], 0, 64),
            "clEnqueueMapBuffer": lambda: cl.enqueue_map_buffer(device.queue, one, 1, 0, 64, np.uint8),
        }
        for command in commands:
            do[command]()
        check.equal("sum", 1, 2)

    device.begin(CASE, 1)
    with pytest.raises(check.Mismatch) as error:
        device.perform(body, CASE)
    return str(error.value)


@pytest.mark.parametrize(
    "command",
    [
        *("clEnqueueWriteBuffer", "clEnqueueReadBuffer", "clEnqueueCopyBuffer", "clEnqueueReadBufferRect"),
        *("clEnqueueCopyBufferToImage", "clEnqueueReadImage", "clEnqueueFillBuffer", "clEnqueueMapBuffer"),
    ],
)
def test_a_command_is_named_as_the_specification_does(opened: Opened, command: str) -> None:
    assert failing(opened, [command, "read"]) == f"value: sum: got 1 want 2; transfers: {command}"


def test_what_every_case_does_is_not_named(opened: Opened) -> None:
    assert failing(opened, ["read"]) == "value: sum: got 1 want 2"


def test_many_commands_are_about_none_of_them(opened: Opened) -> None:
    four = ["clEnqueueWriteBuffer", "clEnqueueCopyBuffer", "clEnqueueFillBuffer", "clEnqueueReadImage"]
    assert failing(opened, four[:3]).endswith(f"; transfers: {', '.join(four[:3])}")
    assert failing(opened, four) == "value: sum: got 1 want 2"


@pytest.mark.usefixtures("opened")
def test_a_message_that_names_one_stays() -> None:
    from runner import transfers

    transfers.forget()
    transfers.note("clEnqueueReadImage")
    transfers.note("clEnqueueNDRangeKernel")
    assert transfers.described("api: clEnqueueReadImage: got 1") == "api: clEnqueueReadImage: got 1"
    assert transfers.described("value: x") == "value: x; transfers: clEnqueueReadImage"


@pytest.mark.usefixtures("opened")
def test_a_wrong_value_of_one_command_names_the_others_too() -> None:
    from runner import transfers

    transfers.forget()
    for name in ("clEnqueueWriteImage", "clEnqueueCopyImage"):
        transfers.note(name)
    assert (
        transfers.described("value: of clEnqueueCopyImage") == "value: of clEnqueueCopyImage; transfers: clEnqueueWriteImage"
    )
    assert transfers.described("api: clEnqueueCopyImage: got 1") == "api: clEnqueueCopyImage: got 1"


def test_a_part_of_a_buffer_is_named(opened: Opened) -> None:
    device = opened[0]

    def body(device: Any, _: Case) -> None:
        part = device.buffer(np.zeros(8192, np.uint8)).get_sub_region(4096, 64)
        check.equal("part", device.read(part, np.uint8, 64)[0], 1)

    device.begin(CASE, 1)
    with pytest.raises(check.Mismatch, match=r"; with clCreateSubBuffer$"):
        device.perform(body, CASE)


def test_the_case_after_a_failed_command_has_another_queue(opened: Opened) -> None:
    import pyopencl as cl

    device, bytes_ = opened[0], np.arange(64, dtype=np.uint8)

    def body(device: Any, _: Case) -> None:
        gate, buffer = cl.UserEvent(device.context), device.buffer(64)
        cl.enqueue_barrier(device.queue, wait_for=[gate])
        gate.set_status(-1)
        device.copy(buffer, bytes_)

    with pytest.raises(check.Mismatch, match="enqueue: copy"):
        device.perform(body, CASE)
    assert (device.read(device.buffer(bytes_), np.uint8, 64) == bytes_).all()
