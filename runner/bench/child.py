"""`python -m runner.bench.child REQUEST ANSWER`: opens one option's device, proves it, measures, writes the answer.

Both are JSON files. The request has {bench, config, opencl, emulator}: the fields of a BenchConfig and of a RunConfig,
whether there is a driver, and the stand-in for its GPU, or ""; the answer {identity, measures, ...} (see table.py),
{absent: why this option is not on this machine} or {failed: what went wrong}.
"""

import json
import os
import platform
import sys
import time
import traceback
from importlib import metadata
from pathlib import Path
from typing import Any

from runner.cpu import read_cpu
from runner.importing import import_suite_module
from runner.model import DeviceReport
from runner.run_config import RunConfig

_SUITES = {"gpt2": "models", "ops": "tinygrad"}  # whose bench.py is the workload


def main(argv: list[str]) -> None:
    """Answer the one request."""
    request = json.loads(Path(argv[0]).read_text(encoding="utf-8"))
    try:
        answer = _answer(request)
    except Exception as error:
        traceback.print_exc()
        answer = {"failed": f"{type(error).__name__}: {str(error).strip()[:300]}"}
    Path(argv[1]).write_text(json.dumps(answer), encoding="utf-8")
    sys.stdout.flush()
    os._exit(0)  # a driver's own exit is not measured


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    identity = _open_opencl(request) if request["opencl"] else _open_cpu()
    if "absent" in identity:
        return identity
    measure = import_suite_module(Path(request["config"]["suites"]) / _SUITES[request["bench"]["what"]], "bench").measure
    before = _busy_s() - time.process_time()
    begun_s = time.monotonic()
    found = measure({**request["config"], **request["bench"], "opencl": request["opencl"]})
    others = (_busy_s() - time.process_time() - before) / (time.monotonic() - begun_s)
    return {"identity": {**identity, **_machine()}, "others_cores": max(0.0, others), **found}


def _open_opencl(request: dict[str, Any]) -> dict[str, str]:
    """The device that the request's driver must have, tinygrad's too; `check.NothingTested` if they differ."""
    from runner.child.probe import ProbeError, open_device
    from runner.drivers.presence import check_identity
    from runner.drivers.registry import driver_of

    config = RunConfig.from_json(request["config"])
    try:
        device, found = open_device(None, emulator=request["emulator"])
    except ProbeError as error:
        return {"absent": str(error)}
    report = DeviceReport.from_json(found)
    if wrong := check_identity(driver_of(config), config, report):
        return {"absent": wrong}
    device.tinygrad()
    names = ("device", "platform", "driver_version", "llvm", "libclc_version", "libclc", "build_id", "emulator")
    return {name: str(getattr(report, name)) for name in names}


def _open_cpu() -> dict[str, str]:
    """tinygrad's own CPU device with the back end that DEV names."""
    try:
        from tinygrad.device import Device

        backend: Any = Device[Device.DEFAULT]
        renderer = type(backend.renderer).__name__
    except Exception as error:
        return {"absent": f"{type(error).__name__}: {str(error).strip().splitlines()[0][:200]}"}
    if Device.DEFAULT != "CPU":
        return {"absent": f"tinygrad drives {Device.DEFAULT}, not its CPU device"}
    return {"device": f"{read_cpu().model or platform.machine()} ({renderer})"}


def _machine() -> dict[str, str]:
    return {
        "processor": read_cpu().model or platform.machine(),
        "cores": str(len(os.sched_getaffinity(0))),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "tinygrad": metadata.version("tinygrad"),
    }


def _busy_s() -> float:
    """The time that all processors have worked since the machine started: all of /proc/stat except idle and waits."""
    fields = Path("/proc/stat").read_text(encoding="utf-8").split("\n", 1)[0].split()[1:9]
    return sum(int(v) for i, v in enumerate(fields) if i not in (3, 4)) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main(sys.argv[1:])
