"""One case under gdb: this machine's, or, inside a root without it, that of the machine outside, which attaches. Or
under any other command, such as valgrind.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from runner.cases.catalogue import Suite
from runner.lines import tell
from runner.model import Case, ExitCode, Status, UsageError
from runner.run.launcher import ChildCommand, LaunchPlan, plan_launch
from runner.run_config import RunConfig

_WAIT_S = 600.0  # for a debugger that is started by hand
_POLL_S = 0.2


def debug_case(config: RunConfig, suite: Suite, case: Case) -> ExitCode:
    """Run one case without a deadline under gdb; without a terminal it runs through, and prints the stacks when it stops.

    Raises UsageError if there is no gdb here, and none could be attached.
    """
    gdb = shutil.which("gdb")
    in_root = bool(os.environ.get("RUNNER_ROOT_PACKAGES"))
    if not gdb and not (in_root and sys.stdin.isatty()):
        hint = "; on a terminal this waits for the gdb of the machine outside the root" if in_root else ""
        raise UsageError(f"--gdb: there is no gdb here; install the package gdb{hint}")
    if gdb:
        through = [] if sys.stdin.isatty() else ["-batch"]
        stacks = ["-ex", "backtrace", "-ex", "thread apply all backtrace"] if through else []
        words = [gdb, "-q", *through, "-ex", "set startup-with-shell off", "-ex", "run", *stacks, "--args"]
        return _run(words, config, suite, case)[1]
    plan = plan_launch(config)
    lines = _requests(plan, suite, case)
    with _child(plan) as (command, request_fd, reply_fd, inherited):
        process = subprocess.Popen(command.argv, env=dict(command.environment), pass_fds=inherited)
        os.write(request_fd, lines[0].encode())
        tell(f"no gdb in this root; on the machine: gdb -p {process.pid} -ex 'set sysroot /proc/{process.pid}/root'")
        tell("then `continue`: the case begins when gdb has attached")
        await_tracer(process.pid, _WAIT_S)
        os.write(request_fd, lines[1].encode())
        os.close(request_fd)
        process.wait()
        for fd in inherited:
            os.close(fd)
        return _outcome(case, os.fdopen(reply_fd).read())


def run_behind(prefix: Sequence[str], config: RunConfig, suite: Suite, case: Case) -> ExitCode:
    """Run one case without a deadline under a command that starts another; REGRESSION too if it ends with a failure.

    Raises UsageError if there is no such command.
    """
    if not shutil.which(prefix[0]):
        raise UsageError(f"--prefix {prefix[0]}: there is no such command here")
    code, outcome = _run(prefix, config, suite, case)
    if code:
        tell(f"{case.id}: under {prefix[0]} the process ended with {code}")
    return ExitCode.REGRESSION if code else outcome


def _run(prefix: Sequence[str], config: RunConfig, suite: Suite, case: Case) -> tuple[int, ExitCode]:
    """The exit code of the prefix under which the child runs the case, and how the case ended."""
    plan = plan_launch(config)
    with _child(plan) as (command, request_fd, reply_fd, inherited):
        os.write(request_fd, "".join(_requests(plan, suite, case)).encode())
        os.close(request_fd)
        done = subprocess.run([*prefix, *command.argv], env=dict(command.environment), pass_fds=inherited)
        for fd in inherited:
            os.close(fd)
        return done.returncode, _outcome(case, os.fdopen(reply_fd).read())


def await_tracer(pid: int, limit_s: float) -> None:
    """Wait until a debugger has attached to a process. Raises UsageError if none does in time."""
    deadline_s = time.monotonic() + limit_s
    while "TracerPid:\t0\n" in Path(f"/proc/{pid}/status").read_text(encoding="utf-8"):
        if time.monotonic() > deadline_s:
            os.kill(pid, 9)
            raise UsageError(f"--gdb: no debugger came to process {pid} in {limit_s:.0f} s")
        time.sleep(_POLL_S)


@contextmanager
def _child(plan: LaunchPlan) -> Iterator[tuple[ChildCommand, int, int, tuple[int, int]]]:
    """The command of a child, the ends of its pipes that this process keeps, and those that it inherits."""
    request_r, request_w = os.pipe()
    reply_r, reply_w = os.pipe()
    with tempfile.TemporaryDirectory(prefix="runner-gdb-") as cache:
        planned = plan.command(Path(cache), request_r, reply_w)
        # Its parent is gdb, which takes it along when it ends.
        yield ChildCommand((*planned.argv[:-1], "0"), planned.environment), request_w, reply_r, (request_r, reply_w)


def _requests(plan: LaunchPlan, suite: Suite, case: Case) -> tuple[str, str]:
    """The input of runner.child: the set-up, and the one case."""
    request = {"number": 1, "token": "", "suite": str(suite.folder), "case": case.to_json()}
    return json.dumps(plan.setup) + "\n", json.dumps(request) + "\n"


def _outcome(case: Case, replies: str) -> ExitCode:
    for line in replies.splitlines():
        reply = json.loads(line)
        if reply["event"] == "done":
            tell(f"{reply['status']} after {reply['duration_s']:.3f} s: {reply['message']}".rstrip(": "))
            return ExitCode.GREEN if reply["status"] == Status.PASS else ExitCode.REGRESSION
        if reply["event"] == "refused":
            tell(reply["message"])
    tell(f"{case.id}: the process ended before its answer")
    return ExitCode.REGRESSION
