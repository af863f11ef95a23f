"""pyclesperanto: each of its operations on the device, compared with numpy's and scipy's."""

import json
import sys
from pathlib import Path

from runner.check import Mismatch, NothingTested
from runner.device import Device
from runner.program import run_program

from .home import gather_implementations, open_home
from .opencv import judge

_SCRIPT = Path(__file__).parent / "pyclesperanto_operations.py"


def check_compare(device: Device, *, operation: str, error: float) -> None:
    """`error`: the tolerance of `judge`.

    A separate process: the wheel ships its own loader, which only takes a folder of .icd files.
    """
    folder, environment = open_home("pyclesperanto")
    environment |= gather_implementations(folder, others=False)
    ended = run_program([sys.executable, "-P", str(_SCRIPT), operation], folder, environment)
    if ended.code:
        raise Mismatch(f"enqueue: exit {ended.code}: {ended.reasons[-1][:200]}")
    answer = json.loads(ended.output.splitlines()[-1])
    if answer["device"] != device.device.name:
        raise NothingTested(f"pyclesperanto took {answer['device']}, not {device.device.name}")
    judge(answer, error, 0)
