"""cl_khr_spirv_queries: the device takes what it lists."""

import re

import numpy as np

from runner import check
from runner.check import Mismatch
from runner.device import Device

from ..kit.answers import answer
from ..kit.spirv import build, kernel_text

_BODY = "%y = OpIAdd %uint %x %uint_7"


def _refused(device: Device, heads: dict[str, str]) -> list[str]:
    """The heads with which a kernel does not build, or is wrong."""
    refused = []
    version = max((int(major), int(minor)) for major, minor in re.findall(r"SPIR-V_(\d+)\.(\d+)", device.device.il_version))
    for name, head in heads.items():
        try:
            kernel = build(device, head + kernel_text("uint", {"x": "uint"}, _BODY), version=version).f
        except Mismatch:
            refused.append(name)
            continue
        out = device.buffer(np.zeros(4, np.uint32))
        device.launch(kernel, [4], None, out, device.buffer(np.arange(4, dtype=np.uint32)))
        if device.read(out, np.uint32, 4).tolist() != [7, 8, 9, 10]:
            refused.append(name)
    return refused


def check_spirv_queries(device: Device, *, what: str) -> None:
    """A module with each capability, extension or instruction set that is listed builds and is right."""
    match what:
        case "capabilities":
            extensions = "".join(f'OpExtension "{name}"\n' for name in answer(device, "SPIRV_EXTENSIONS"))
            heads = {str(number): f"OpCapability {number}\n{extensions}" for number in answer(device, "SPIRV_CAPABILITIES")}
        case "extensions":
            heads = {name: f'OpExtension "{name}"\n' for name in answer(device, "SPIRV_EXTENSIONS")}
        case _:
            heads = {
                name: f'%set = OpExtInstImport "{name}"\n' for name in answer(device, "SPIRV_EXTENDED_INSTRUCTION_SETS")
            }
    check.true("some are listed", bool(heads), stage="api")
    check.equal("those with which no module builds", " ".join(_refused(device, heads)), "", stage="build")
