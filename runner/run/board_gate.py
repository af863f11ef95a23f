"""The board's side of `--on`: the runner's state on a board during a run, and the check that every board must pass first.

`python -m runner.run.board_gate` reads a request of runner/boards/fleet.py from stdin, opens the device, and prints its
report, or why there is none, as one line of JSON.
"""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from runner import ROOT
from runner.child.parent import die_with_parent
from runner.lines import tell
from runner.model import InfrastructureError, UsageError
from runner.run.worker import Worker
from runner.run_config import RunConfig

_FOLDER = ROOT.parent  # what `runner deploy` fills: project/, packages/, python, runner, stamp.json
_BUSY_S, _BUSY_POLL_S = 20.0, 0.2


def open_run(request: Mapping[str, Any], name: str) -> tuple[RunConfig, dict[Path, str], Path]:
    """The run as configured on this board, the host's expectation files, and a folder for its caches and output.

    The folder is shared by the workers of one run here, and by nobody else: this process holds a lock from now on.
    """
    scratch = _FOLDER / "scratch" / name
    scratch.mkdir(parents=True, exist_ok=True)
    registry = ""
    if request["registry"]:
        registry = str(scratch / "drivers.yaml")
        Path(registry).write_text(request["registry"], encoding="utf-8")
    config = replace(RunConfig.from_json(request["config"]), suites=str(ROOT / "suites"), registry=registry, expectations="")
    return config, {Path(path): text for path, text in request["expectations"].items()}, scratch


def hold_board(run: str) -> None:
    """Lock this board, together with the run's other workers, as long as this process lives; waits for a check that is
    running.
    """
    fd = os.open(_FOLDER / "lock", os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC)
    fcntl.flock(fd, fcntl.LOCK_SH)
    os.write(fd, f"{run} {os.getpid()}\n".encode())


def _hold_alone(run: str) -> bool:
    """Lock this board for the gate; False if it stays busy.

    A worker of this very run has lost its connection, and may not know it yet: it is killed.
    """
    fd = os.open(_FOLDER / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
    deadline_s = time.monotonic() + _BUSY_S
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(fd, 0)
            return True
        except BlockingIOError:
            if time.monotonic() > deadline_s:
                return False
        for line in (_FOLDER / "lock").read_text(encoding="utf-8").splitlines():
            owner, pid = line.split()
            with contextlib.suppress(OSError):
                command = Path(f"/proc/{pid}/cmdline").read_bytes()
                if owner == run and b"sys.stdin.readline" in command:  # execnet's
                    os.kill(int(pid), signal.SIGKILL)
        time.sleep(_BUSY_POLL_S)


def main() -> int:
    """Check this board; returns 0 if it could answer."""
    die_with_parent()
    request = json.load(sys.stdin)
    try:
        answer = _refuse_stale(request) or _probe(request)
    except (InfrastructureError, UsageError) as error:
        answer = {"refusal": str(error)}
    tell(json.dumps(answer))
    return 0


def _refuse_stale(request: Mapping[str, Any]) -> dict[str, str]:
    """Why this copy of the project cannot serve the host, or ""."""
    stamp = json.loads((_FOLDER / "stamp.json").read_text(encoding="utf-8"))
    again = "run `runner deploy` with it again"
    if stamp["project"] != request["project"]:
        return {"refusal": f"its copy of the runner or of the suites is not the host's; {again}"}
    if stamp["packages"] != request["packages"]:
        return {"refusal": f"its Python packages are not those of the host's list; {again}"}
    if stamp["python"] != (own := "{}.{}".format(*sys.version_info)):
        return {"refusal": f"its Python is {own} now, and its packages are for {stamp['python']}; {again}"}
    return {}


def _probe(request: Mapping[str, Any]) -> dict[str, Any]:
    if not _hold_alone(request["run"]):
        return {"refusal": f"busy: another run is there, or one that lost its host ({_FOLDER}/lock is held)"}
    with _removed(_FOLDER / "scratch"):  # also what killed runs left
        config, files, scratch = open_run(request, "gate")
        worker = Worker(config, scratch, files=files)
        try:
            worker.start()
            worker.ensure_ready()
        finally:
            worker.stop()
    return {"report": asdict(worker.report)}


@contextlib.contextmanager
def _removed(folder: Path) -> Iterator[None]:
    shutil.rmtree(folder, ignore_errors=True)
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
