"""Answers of a device that are allowed but unlikely to be true: placeholders that were never filled in.

The numbers are those of CL/cl.h. Minimum values (OpenCL API 3.0, 4.2) that real GPUs have, such as 2,048 layers of an image,
are not among them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_TYPE, _GPU = 0x1000, 4


@dataclass(frozen=True, slots=True)
class Rule:
    """A query and its unlikely values; `gpu`: only for a GPU."""

    name: str
    code: int
    values: tuple[int, ...]
    means: str
    gpu: bool = False


RULES: Sequence[Rule] = (
    Rule("CL_DEVICE_LOCAL_MEM_TYPE", 0x1022, (2,), "CL_GLOBAL: a GPU without local memory of its own", gpu=True),
    Rule("CL_DEVICE_GLOBAL_MEM_CACHE_TYPE", 0x101C, (0,), "CL_NONE: a GPU without a cache", gpu=True),
    Rule("CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE", 0x101D, (0,), "no cache line", gpu=True),
    Rule("CL_DEVICE_MAX_COMPUTE_UNITS", 0x1002, (1,), "one compute unit", gpu=True),
    Rule("CL_DEVICE_MAX_CLOCK_FREQUENCY", 0x100C, (0,), "a clock of 0 MHz"),
    Rule("CL_DEVICE_MAX_WORK_GROUP_SIZE", 0x1004, (1,), "work-groups of one work-item"),
    Rule("CL_DEVICE_IMAGE_MAX_BUFFER_SIZE", 0x1040, (1 << 16,), "the minimum, which an image of a buffer outgrows"),
)


def find_unlikely(query: Callable[[int], int]) -> Iterator[str]:
    """A line for each such value; `query` answers clGetDeviceInfo of a number, -1 if the device has no answer."""
    gpu = bool(query(_TYPE) & _GPU)
    for rule in RULES:
        if (gpu or not rule.gpu) and (value := query(rule.code)) in rule.values:
            yield f"{rule.name} is {value}, {rule.means}"
