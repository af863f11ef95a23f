"""Programs and their driver as processes: how they end, fork, start together, and use two devices."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from runner import check
from runner.check import Mismatch, NothingTested, Unsupported
from runner.device import Device
from runner.program import Ended, run_program

from .table import FEATURES, REQUESTS, TYPES

_PROGRAMS = Path(__file__).parent / "programs"
PROGRAM_ERRORS = (
    *("AttributeError", "IndexError", "KeyError", "NameError", "SyntaxError", "TypeError", "UnboundLocalError"),
    "ValueError",
)
UNSUPPORTED_EXIT = 77  # the exit code of a program whose devices lack what it needs
_AT_ONCE = 8
_NOT_FOUND = -1  # CL_DEVICE_NOT_FOUND


def program(name: str, *words: str) -> list[str]:
    """The command line of a program of this area."""
    return [sys.executable, "-P", str(_PROGRAMS / f"{name}.py"), *words]


def _judge(ended: Ended) -> None:
    """Require the exit code 0, and that the program has done everything."""
    last = ended.reasons[-1]
    if ended.code and last.partition(":")[0] in PROGRAM_ERRORS:
        raise NothingTested(f"the program is wrong: {last}")
    if ended.code:
        raise Mismatch(last if last.startswith(("value: ", "api: ")) else f"enqueue: exit {ended.code}: {last}")
    check.equal("what it prints", ended.output.strip(), "done", stage="enqueue")


def check_end(device: Device, *, state: str, way: str) -> None:
    """A process ends with 0 in any state of its objects and commands. `state`: of STATES; `way`: of WAYS."""
    _judge(run_program(program("ends", state, way)))


def check_fork(device: Device, *, what: str) -> None:
    """A forked child that does not use OpenCL ends by itself, and the parent continues. `what`: of FORKS."""
    _judge(run_program(program("ends", "fork", what)))


def check_closed(device: Device) -> None:
    """The ICD loader is closed by dlclose and opened again, and the driver still works."""
    _judge(run_program(program("reopened")))


def check_start(device: Device, *, count: int) -> None:
    """Processes that start at the same time with an empty cache all find the device, build, and have the right result."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder, "MESA_SHADER_CACHE_DIR": str(Path(folder, "mesa"))}

        def start(_: int) -> str:
            done = subprocess.run(program("ends"), env=environment, capture_output=True, text=True, check=False)
            last = (done.stderr.strip().splitlines() or [""])[-1]
            return "done" if (done.returncode, done.stdout.strip()) == (0, "done") else f"{done.returncode} {last}"

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            failed = [word for word in pool.map(start, range(count)) if word != "done"]
    check.equal(f"of {count} processes that start, those that fail", failed, [], stage="enqueue")


def check_devices(device: Device, *, what: str) -> None:
    """The driver's device and llvmpipe, in one context. `what`: of DEVICES."""
    enabled = {"RUSTICL_ENABLE": f"{os.environ.get('RUSTICL_ENABLE', '')},llvmpipe"}
    ended = run_program(program("devices", what), environment=enabled)
    if ended.code == UNSUPPORTED_EXIT:
        raise Unsupported(ended.reasons[-1])
    _judge(ended)


def check_type(device: Device, *, word: str, request: str) -> None:
    """RUSTICL_DEVICE_TYPE sets a device's type. ALL and DEFAULT find no custom one. `word`, `request`: of the tables."""
    if "rusticl" not in device.device.platform.name.lower():
        raise Unsupported("the implementation is not Rusticl")
    found = [name for name in REQUESTS[request] if name == word or (name not in TYPES and word != "custom")]
    _check_found(request, {"RUSTICL_DEVICE_TYPE": word}, dict.fromkeys(found, TYPES[word]))


def check_absent(device: Device) -> None:
    """If there is no Vulkan driver, zink finds no device, and the call returns (API 3.0, 4.2)."""
    if not device.device.name.startswith("zink "):
        raise Unsupported("the driver is not zink")
    _check_found("all", {"VK_DRIVER_FILES": "/nonexistent.json"}, {})


def _check_found(request: str, environment: dict[str, str], found: dict[str, int]) -> None:
    """Require a program in this environment to find exactly these devices: the type of each, by the name of the request."""
    asked = REQUESTS[request]
    ended = run_program(program("typed", *map(str, asked.values())), environment=environment)
    check.equal("exit code of the program that asks", ended.code, 0, stage="api")
    for name, got in zip(asked, ended.output.splitlines(), strict=True):
        want = [0, found[name]] if name in found else [_NOT_FOUND, 0]
        what = f"clGetDeviceIDs of CL_DEVICE_TYPE_{name.upper()}: error, type"
        check.equal(what, [*map(int, got.split())], want, stage="api")


def check_features(device: Device, *, without: Sequence[str]) -> None:
    """Queries about features that the device lacks have the specified answers. `without`: names of FEATURES."""
    kept = [name for name in FEATURES if name not in without]
    asked = program("featured", json.dumps([*FEATURES.values()]))
    ended = run_program(asked, environment={"RUSTICL_FEATURES": ",".join(kept)})
    check.equal("exit code of the program that asks", ended.code, 0, stage="api")
    found = {
        name: [int(word) for word in line.split()] for name, line in zip(FEATURES, ended.output.splitlines(), strict=True)
    }
    if all(found[name][0] for name in without):
        raise Unsupported(f"the device has {' and '.join(without)} whatever RUSTICL_FEATURES says")
    for name, (there, code, config, *widths, build) in found.items():
        what, feature = f"with{'' if there else 'out'} {name}", FEATURES[name]
        check.equal(f"{feature['name']} {what}: error", code, 0 if there else feature["error"], stage="api")
        check.equal(f"{feature['name']} {what}: not 0", config != 0, bool(there), stage="api")
        check.equal(f"widths of vectors {what}: not 0", [w != 0 for w in widths], [bool(there)] * 2, stage="api")
        check.equal(f"a build that needs {', '.join(feature['macros'])} {what}: error", build, 0, stage="build")
