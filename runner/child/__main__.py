"""`python -m runner.child REQUEST_FD REPLY_FD PARENT_PID`: the only process that touches a driver.

One JSON object a line on two pipes of its own; stdout and stderr belong to the driver. The first line in is the set-up
{opencl, seed, gpt2_weights, executes, enqueues, emulator, checks, strict, repro}; the first out {"event": "loading"}, then
{"event": "ready", "report": {...}} or {"event": "refused", "message": ...}. After that a line in is a case
{number, token, suite, case, evidence}. Two lines out are its {"event": "begun", number, token}, which tells a death before
it from one in it, and its {"event": "done", number, token, status, message, duration_s, cpu_s}. A line {number, token} asks
only for the first one. A closed pipe ends it all.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import faulthandler
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner import check
from runner.child import blame
from runner.child.marks import Marks
from runner.child.parent import die_with_parent
from runner.drivers import PLACE_VARIABLE
from runner.importing import import_suite_module
from runner.model import Case, DeviceReport, Status

if TYPE_CHECKING:
    from runner.device import Device

_libc = ctypes.CDLL(None)


def main(argv: list[str]) -> None:
    """Serve cases until the request pipe is closed."""
    request_fd, reply_fd, parent = map(int, argv)
    die_with_parent(parent)
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    if library := os.environ.get(PLACE_VARIABLE):
        tracer = ctypes.CDLL(library)
        tracer.install()
        atexit.register(tracer.leave)
    requests = os.fdopen(request_fd, "r", encoding="utf-8")
    replies = os.fdopen(reply_fd, "w", encoding="utf-8")

    def reply(**message: Any) -> None:
        _flush()
        replies.write(json.dumps(message) + "\n")
        replies.flush()

    setup = json.loads(requests.readline())
    reply(event="loading")
    device, report, refusal = _open(setup)
    if refusal:
        reply(event="refused", message=refusal)
        return
    marks = Marks() if setup["emulator"] or setup["checks"] else None
    reply(event="ready", report=report)
    for line in requests:
        request = json.loads(line)
        own = {name: request[name] for name in ("number", "token")}
        reply(event="begun", **own)
        if "case" not in request:
            continue
        case, suite = Case(**request["case"]), Path(request["suite"])
        begun, used_s = time.monotonic(), _cpu_s()
        with _recorded(request.get("evidence", "")) as explain:
            status, message = _run(device, suite, case, setup["seed"], explain)
        if marks:
            status, message = marks.judge(status, message, strict=setup["strict"])
        duration_s, cpu_s = time.monotonic() - begun, _cpu_s() - used_s
        if status is Status.FAIL and device and not setup["repro"]:
            # The diagnosis gets half of the deadline at most: a failure must not become a timeout.
            limit_s = (case.timeout_s or 0) / 2 - duration_s
            alone = request["number"] == 1 and device.executes
            from runner.trace import wrong_kernel

            wrong_kernel.explain(suite, case, setup["seed"], device.gpt2_weights, limit_s, alone=alone)
            if marks:
                marks.judge(Status.PASS, "", strict=False)  # left by launches of the diagnosis
        reply(event="done", **own, status=status, message=message, duration_s=duration_s, cpu_s=cpu_s)


def _open(setup: dict[str, Any]) -> tuple[Device | None, dict[str, Any], str]:
    """The device and its report, or why it cannot be used."""
    if not setup["opencl"]:
        return None, {}, ""
    from runner.child.probe import ProbeError, open_device

    try:
        weights = Path(setup["gpt2_weights"]) if setup["gpt2_weights"] else None
        device, report = open_device(weights, *(setup[k] for k in ("executes", "enqueues", "emulator", "checks")))
    except ProbeError as error:
        return None, {}, str(error)
    if setup["stats"]:
        from runner.compiler_stats import build_marks

        build_marks.announce()
    if setup["repro"]:
        from runner.trace.recorder import Recorder

        return Recorder(device.device, Path(setup["repro"]), DeviceReport.from_json(report)), report, ""
    return device, report, ""


def _cpu_s() -> float:
    """CPU seconds of this process, all of its threads, and of the programs that it has waited for."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


@contextlib.contextmanager
def _recorded(path: str) -> Iterator[Callable[[check.Mismatch], None]]:
    """Record the steps of the block if there is a path; yields a function for a comparison that failed in it."""
    if not path:
        yield lambda _: None
        return
    from runner.trace.evidence import EvidenceRecorder

    with EvidenceRecorder(Path(path)).recording() as recorder, contextlib.ExitStack() as stack:
        if "pyopencl" in sys.modules:  # else the driver under test is not of OpenCL
            from runner.trace.pyopencl_calls import PyopenclCalls

            stack.enter_context(PyopenclCalls(recorder).recorded())
        yield recorder.explain


def _run(
    device: Device | None, suite: Path, case: Case, seed: int, explain: Callable[[check.Mismatch], None]
) -> tuple[Status, str]:
    """Run one body. What a check or the driver's layer raises is a FAIL; a fault of the suite, or no suite, is an ERROR."""
    try:
        body = import_suite_module(suite, "run").run
    except Exception as error:
        traceback.print_exc()
        return Status.ERROR, f"suite: {suite / 'run.py'}: {type(error).__name__}: {error}"
    before = check.comparison_count()
    try:
        if device:
            device.begin(case, seed)
            device.perform(body, case)
        else:
            body(None, case)
    except check.Mismatch as error:
        explain(error)
        return Status.FAIL, str(error)
    except check.Compiled:
        if check.comparison_count() == before:
            return Status.SKIP, "unsupported: execute (nothing to compile before the first result)"
    except check.Unsupported as reason:
        return Status.SKIP, f"unsupported: {reason}"
    except check.NothingTested as error:
        return Status.ERROR, f"tested nothing: {error}"
    except Exception as error:
        traceback.print_exc()
        return Status.FAIL if blame.is_answer(error) else Status.ERROR, f"body: {blame.describe(error)}"
    if check.comparison_count() == before:
        return Status.ERROR, f"tested nothing: the body of {case.id} made no check"
    return Status.PASS, ""


def _flush() -> None:
    # What the case printed, also through C, must lie in the file before the reply says that it is over.
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    _libc.fflush(None)


if __name__ == "__main__":
    main(sys.argv[1:])
