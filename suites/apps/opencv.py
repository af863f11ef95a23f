"""OpenCV: an operation on a UMat, on the device, compared with the same operation on a Mat, on the CPU."""

import json
import re
import sys
from pathlib import Path
from typing import Any

from runner import check
from runner.check import Mismatch, NothingTested
from runner.device import Device, first_error
from runner.program import Ended, run_program

from .home import open_home

_SCRIPT = Path(__file__).parent / "opencv_operations.py"
_REFUSED = re.compile(r"OpenCL error (\w+) \(-?\d+\) during call: (\w+\([^)]*\))")
# By default OpenCV takes only GPUs, and continues on the CPU if a kernel does not build or cannot be launched.
_ENVIRONMENT = {"OPENCV_OPENCL_DEVICE": ":CPU|GPU|ACCELERATOR:", "OPENCV_OPENCL_RAISE_ERROR": "1"}


def check_compare(device: Device, *, operation: str, error: float, far: float) -> None:
    """`error`, `far`: the tolerances of `judge`."""
    folder, environment = open_home("opencv")
    kernels = folder / operation  # the kernels that OpenCV has built: if it is empty, OpenCV fell back to the CPU
    kernels.mkdir(exist_ok=True)
    environment |= {**_ENVIRONMENT, "OPENCV_OPENCL_CACHE_DIR": str(kernels)}
    ended = run_program([sys.executable, "-P", str(_SCRIPT), operation], folder, environment)
    answer = read_answer(ended, device.device.name)
    check.true("its kernel is built for the device", any(kernels.rglob("*.bin")), stage="build")
    judge(answer, error, far)


def read_answer(ended: Ended, name: str) -> dict[str, Any]:
    """The script's values for the device of that name; raises the reason as a Mismatch if OpenCV used the CPU."""
    if ended.code:
        raise Mismatch(f"enqueue: exit {ended.code}: {ended.reasons[-1][:200]}")
    answer: dict[str, Any] = json.loads(ended.output.splitlines()[-1])
    if answer["device"] != name:
        raise NothingTested(f"OpenCV took {answer['device'] or 'no device'}, not {name}")
    said = ended.output + ended.errors
    if "CL_BUILD_PROGRAM_FAILURE" in said:
        raise Mismatch(f"build: {first_error(said)}")
    if refused := _REFUSED.search(said):
        raise Mismatch(f"enqueue: {refused[1]}: {refused[2]}")
    return answer


def judge(answer: dict[str, float], error: float, far: float) -> None:
    """The largest distance is at most `error`, or the share of elements more than 2 away at most `far`.

    `error` is in the units of the result. If the CPU decides at a threshold, one step of an intermediate value may move
    an element by any distance, so a share of them may be `far`.
    """
    check.true("both have one shape", bool(answer["alike"]))
    if answer["far"] > far or not far:
        check.close("largest distance from the CPU's", answer["error"], 0.0, atol=error)
    check.true("the CPU's result is not all zero", answer["spread"] > 0)
