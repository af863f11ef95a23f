"""Every builtin builds and links: a kernel of a program that calls it can be created."""

from collections.abc import Sequence
from typing import Any

from runner import check
from runner.device import Device

from ..kit.scalar import pragmas
from .overload import Overload, source, vector

_WRITES_3D = "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"


def check_link(device: Device, *, overloads: Sequence[Any]) -> None:
    """All overloads of one name exist.

    Linkers name only the first missing symbol, so if they do not build together, each is built by itself.
    """
    rows = [Overload(**{**o, "arguments": tuple(o["arguments"]), "requires": tuple(o["requires"])}) for o in overloads]
    if len(rows) == 1:
        _build(device, rows)
        return
    try:
        _build(device, rows)
    except check.Mismatch:
        missing = []
        for overload in rows:
            try:
                _build(device, [overload])
            except check.Mismatch as error:
                missing.append((vector(overload.type, overload.width), str(error).removeprefix("build: ")))
        if not missing:
            raise
        names = ", ".join(name for name, _ in missing)
        text = f"{names}: {missing[0][1]} ({len(missing)} of {len(rows)} do not build)"
        raise check.Mismatch(f"build: {text}") from None


def _build(device: Device, overloads: list[Overload]) -> None:
    """Build a program with a kernel for each overload, and create the kernels. Raises Mismatch."""
    first = overloads[0]
    head = pragmas("half" if "fp16" in first.requires else "", "double" if "fp64" in first.requires else "")
    head += _WRITES_3D if "images3d_write" in first.requires else ""
    kernels = [source(o, f"f{n}") for n, o in enumerate(overloads)]
    program = device.build(head + "".join(text for text, _ in kernels), first.options)
    for n, (overload, (_, parameters)) in enumerate(zip(overloads, kernels, strict=True)):
        kernel = getattr(program, f"f{n}")
        check.equal(f"parameters of the kernel that calls {overload.name}", kernel.num_args, parameters)
