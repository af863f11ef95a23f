"""Which kernel was wrong: `python -m runner.trace.wrong_kernel`, started by a child whose tinygrad case has failed.

A process of its own, after the verdict is known: running the case again can crash, hang or raise, and none of that may
reach the verdict. The driver starts again here, so what depends on earlier cases of the child does not show.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from runner import launches
from runner.importing import import_suite_module
from runner.launches import Observed
from runner.model import Case

_LEAST_S = 1.0


class _Found(BaseException):
    """Ends the body: the wrong kernel is known. No body catches it, as one might an Exception."""


def explain(suite: Path, case: Case, seed: int, weights: Path | None, limit_s: float, *, alone: bool) -> None:
    """Print what a failed case launched and, if the case was the child's first, the first wrong kernel.

    An unexpected failure is repeated in a fresh child, and is the first one there; an expected one is not, and does not pay
    for this. It takes `limit_s` at most, which the caller subtracts from the case's own deadline.
    """
    try:
        _explain(suite, case, seed, weights, limit_s, alone)
    except Exception as error:  # our own mistake; the case has failed all the same
        print(f"which kernel was wrong: {type(error).__name__}: {error}")


def _explain(suite: Path, case: Case, seed: int, weights: Path | None, limit_s: float, alone: bool) -> None:
    if not launches.count() and not launches.refused():
        return  # not of tinygrad
    print(launches.describe())
    if launches.refused():
        return
    if not alone or limit_s < _LEAST_S:
        print("which kernel was wrong: run-case finds it, repro writes it as a program of its own")
        return
    sys.stdout.flush()
    request = {
        "suite": str(suite),
        "case": case.to_json(),
        "seed": seed,
        "weights": str(weights) if weights else "",
        "of": launches.count(),
    }
    command = [sys.executable, "-m", "runner.trace.wrong_kernel"]
    try:
        done = subprocess.run(command, input=json.dumps(request), text=True, timeout=limit_s)
    except subprocess.TimeoutExpired:
        print(f"which kernel was wrong: not found in {limit_s:.0f} s; runner repro has no such limit")
        return
    if done.returncode:
        print(f"which kernel was wrong: not found, the search ended with {done.returncode}")


class Search:
    """Compares launch after launch with the CPU's; `of` is how many there are, 0 if that is not known."""

    def __init__(self, of: int) -> None:
        from runner.trace.cpu_reference import Oracle

        self._of, self._number, self._oracle = of, 0, Oracle()
        self.unanswered = 0

    def see(self, observed: Observed) -> None:
        """Raise _Found if this launch is the first wrong one."""
        self._number += 1
        deviations = self._oracle.try_compare(self._number, observed)
        self.unanswered += deviations is None
        for comparison in deviations or ():
            if comparison.wrong.any():
                place = f"{ordinal(self._number)} of {max(self._of, self._number)}"
                print(f"first wrong kernel: {observed.launch.name} ({place}), {comparison.message} ({self._oracle.name})")
                print(f"{observed.launch.sizes}\n{observed.launch.source}")
                raise _Found

    @property
    def verdict(self) -> str:
        """The conclusion if no launch was wrong."""
        unknown = f", {self.unanswered} of them without an answer" if self.unanswered else ""
        return (
            f"no wrong kernel: {self._number} launches agree with tinygrad's {self._oracle.name}{unknown}. Then the fault "
            "is in what lies between them (copies, order, an earlier case of the child), or in tinygrad itself"
        )


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def search(device: Any, suite: Path, case: Case, seed: int, of: int) -> None:
    """Run a case again, compare every launch with the CPU's, up to the first wrong one, and print which that is."""
    body = import_suite_module(suite, "run").run
    device.begin(case, seed)
    device.tinygrad()
    begun_s = time.monotonic()
    found = Search(of)
    try:
        with launches.observe(found.see):
            device.perform(body, case)
    except _Found:
        return
    except LookupError as error:
        print(f"which kernel was wrong: {error}")
        return
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
    print(f"{found.verdict} ({time.monotonic() - begun_s:.1f} s)")


def main() -> None:
    """Answer the one request on standard input."""
    request = json.load(sys.stdin)
    import pyopencl as cl

    from runner.device import Device

    weights = Path(request["weights"]) if request["weights"] else None
    device = Device(cl.get_platforms()[0].get_devices()[0], weights)
    search(device, Path(request["suite"]), Case(**request["case"]), request["seed"], request["of"])
    sys.stdout.flush()
    os._exit(0)  # a driver that dies in its own exit must not matter here


if __name__ == "__main__":
    main()
