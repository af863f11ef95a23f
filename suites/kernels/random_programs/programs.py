"""Random programs, compared with their interpreter; a failing one is cut down as long as it still fails."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.check import Compiled, Mismatch
from runner.device import Device

from ..kit.spirv import build as build_spirv
from .families import FAMILIES, program_of
from .generator import Draw
from .language import SHARED, Program, Shared, outputs
from .opencl_c import source
from .sharing import Pixels, interpret_group
from .shrinking import shrink
from .spirv_text import spirv_text

_TRIALS = 60
Words = list[dict[str, int]]


def check_program(
    device: Device,
    *,
    flavour: str,
    number: int,
    without: Sequence[str] = (),
    cuts: Sequence[Any] = (),
    numbers: Sequence[int] = (),
) -> None:
    """Compare every variable and array of every work-item at the end. `numbers`: run these programs, one after another."""
    if numbers:
        return _check_several(device, flavour, numbers, without)
    program, words = program_of(flavour, number, without, cuts)
    spirv = FAMILIES[flavour].spirv
    try:
        compare(device, program, words, spirv=spirv)
    except Mismatch as error:
        least, _ = shrink(program, lambda candidate, _: message(device, candidate, words, spirv=spirv) != "", _TRIALS)
        text = source(least)
        print(f"{source(program)}\ncut down to:\n{text}")
        one_line = re.sub(r"\s+", " ", text)
        raise Mismatch(f"{error}; cut down to: {one_line}") from error


def _check_several(device: Device, flavour: str, numbers: Sequence[int], without: Sequence[str]) -> None:
    """Print each program's number before it runs, and its failure at once: it or the next one may crash the process."""
    wrong, spirv = 0, FAMILIES[flavour].spirv
    for number in numbers:
        print(f"program {number}", flush=True)
        try:
            compare(device, *program_of(flavour, number, without), spirv=spirv)
        except Mismatch as error:
            wrong += 1
            print(f"wrong {number}: {error}", flush=True)
        except Compiled:
            pass  # continue with the next one
    if wrong:
        raise Mismatch(f"{wrong} of {len(numbers)} programs")


def compare(device: Device, program: Program, words: Words, *, spirv: bool = False) -> None:
    """Run a program by one work-group and compare; raises `check.Mismatch`. `spirv`: the driver gets it as SPIR-V."""
    items = len(words)
    found = outputs(program.kernel)
    options = "-cl-std=CL3.0" if "places" in program.kernel.shared else ""
    kernel = (build_spirv(device, spirv_text(program)) if spirv else device.build(source(program), options)).f
    columns = [[row[name] for name, _ in program.kernel.parameters] or [0] for row in words]
    read = device.buffer(np.array(columns, np.uint64))
    wrote = device.buffer(np.full((items, len(found)), 0xA5, np.uint64))
    images, arguments = _shared(device, program)
    device.launch(kernel, [items], [items], read, wrote, *arguments.values())
    got = device.read(wrote, np.uint64, (items, len(found)))
    want, pixels = interpret_group(program, words, _sub_groups(device, arguments, items), images)
    wanted = np.array(want, np.uint64).reshape(got.shape)
    for i, (name, kind, _) in enumerate(found):
        check.equal(f"{kind} {name} of each item", got[:, i], wanted[:, i])
    if "om" in arguments:
        image = device.read_image(arguments["om"], np.uint32, (8, items, 4), (0, 0), (items, 8))
        pixel = np.array([[pixels[x, y] for x in range(items)] for y in range(8)], np.uint32)
        check.equal("the image of each item", image, pixel)


def _shared(device: Device, program: Program) -> tuple[dict[str, Pixels], dict[str, Any]]:
    """What the host passes besides `in` and `out`: the pixels of the images that are read, and the arguments by name."""
    images: dict[str, Pixels] = {}
    arguments: dict[str, Any] = {}
    for name in program.kernel.shared:
        shared = SHARED[name]
        if name in ("im", "js"):
            images[name] = _pixels(name)
            content = np.array([[images[name][x, y] for x in range(8)] for y in range(8)])
            arguments[name] = _image(device, content.astype(np.uint8 if name == "im" else np.int16), readable=True)
        elif name == "om":
            arguments[name] = _image(device, np.zeros((8, 16, 4), np.uint32), readable=False)
        elif shared.argument:
            arguments[name] = device.buffer(_counters(shared))
    return images, arguments


def _counters(shared: Shared) -> NDArray[Any]:
    return (np.arange(shared.size) * 3 + 1).astype(np.uint32)


def _pixels(name: str) -> Pixels:
    """The content of an image that is read: bytes, or signed 16-bit numbers."""
    draw = Draw(f"image {name}")
    low, count = (0, 256) if name == "im" else (-32768, 65536)
    return {(x, y): tuple(low + draw.below(count) for _ in range(4)) for y in range(8) for x in range(8)}


def _image(device: Device, content: NDArray[Any], *, readable: bool) -> cl.Image:
    kinds = {"uint8": "UNSIGNED_INT8", "int16": "SIGNED_INT16", "uint32": "UNSIGNED_INT32"}
    channel = getattr(cl.channel_type, kinds[content.dtype.name])
    flags = (cl.mem_flags.READ_ONLY if readable else cl.mem_flags.WRITE_ONLY) | cl.mem_flags.COPY_HOST_PTR
    image_format = cl.ImageFormat(cl.channel_order.RGBA, channel)
    return cl.create_image(device.context, flags, image_format, shape=content.shape[1::-1], hostbuf=content)


def _sub_groups(device: Device, arguments: dict[str, Any], items: int) -> list[list[int]]:
    """The items of each sub-group in the order of their lanes, which the items report: the implementation chooses them."""
    if "places" not in arguments:
        return []
    places = device.read(arguments["places"], np.uint32, items)
    return [
        [int(i) for i in np.argsort(places, kind="stable") if places[i] >> 16 == group] for group in np.unique(places >> 16)
    ]


def message(device: Device, program: Program, words: Words, *, spirv: bool = False) -> str:
    """What is wrong with a program's values; "" if nothing is, or if the program has no outputs."""
    if not outputs(program.kernel):
        return ""
    try:
        compare(device, program, words, spirv=spirv)
    except Mismatch as error:
        return str(error)
    except (cl.Error, Compiled):
        return ""
    return ""
