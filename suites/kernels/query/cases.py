"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case, Tier

from ..coverage import Row
from .table import DEVICE, FUNCTIONS, IDS, PLATFORM, TIMERS, UNKNOWN

ROWS = [
    Row(
        "kernels/query/device/*.form",
        "clGetDeviceInfo: type and size, short buffers",
        "OpenCL API 3.0, 4.2",
        "computeinfo",
    ),
    Row(
        "kernels/query/device/*.value",
        "clGetDeviceInfo: values against the minima",
        "OpenCL API 3.0, 4.2",
        "computeinfo",
    ),
    Row("kernels/query/platform/*", "clGetPlatformInfo", "OpenCL API 3.0, 4.1", "computeinfo"),
    Row("kernels/query/unknown/*", "Parameters that name nothing", "OpenCL API 3.0, 4.1, 4.2", "api"),
    Row("kernels/query/ids/*", "clGetDeviceIDs", "OpenCL API 3.0, 4.2", "api"),
    Row(
        "kernels/query/timer/*",
        "clGetDeviceAndHostTimer, clGetHostTimer",
        "OpenCL API 3.0, 4.2",
        "device_timer",
    ),
    Row("kernels/query/function/*", "Addresses of extension functions", "OpenCL Extension 3.0, 1.3", "api"),
]


def cases() -> Iterator[Case]:
    """Two cases a parameter: the form of the answer, and its value."""
    for target, table in (("device", DEVICE), ("platform", PLATFORM)):
        for name, query in table.items():
            params = {"target": target, "name": name}
            tier = Tier.PREMERGE if target == "platform" or query.rules else Tier.FULL
            yield Case(f"kernels/query/{target}/{name}.form", "query.form", params, query.requires, Tier.FULL)
            if query.rules:
                yield Case(f"kernels/query/{target}/{name}.value", "query.value", params, query.requires, tier)
        for code in UNKNOWN:
            yield Case(f"kernels/query/unknown/{target}.{code:x}", "query.unknown", {"target": target, "code": code})
    for name in IDS:
        yield Case(f"kernels/query/ids/{name}", "query.ids", {"what": name})
    for name in TIMERS:  # in compile mode the clock stands still
        yield Case(f"kernels/query/timer/{name}", "query.timer", {"what": name}, ("execute", "opencl3"))
    for name in FUNCTIONS:
        yield Case(f"kernels/query/function/{name}", "query.function", {"what": name})
