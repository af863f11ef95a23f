"""The boards of `--on`, seen from the host: how ssh reaches them, and which of them may take part in a run."""

import hashlib
import json
import shutil
import subprocess
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner import ROOT
from runner.boards.address import Board
from runner.cases import catalogue
from runner.drivers.registry import driver_of
from runner.expectations.folder import read_files
from runner.lines import one_line, plain
from runner.model import DeviceReport, InfrastructureError, UsageError
from runner.run_config import RunConfig
from runner.shapes import MALFORMED

LOCK = ROOT / "ci/requirements.lock"  # what a board has, to the version
_POLL_S = 2.0  # between two looks for a board that starts again
_MAX_LINES = 5
_LAST_WORDS = (
    f"cat /sys/fs/pstore/*ramoops* 2>/dev/null | tail -n {_MAX_LINES}; "
    f"dmesg --level=emerg,alert,crit,err 2>/dev/null | tail -n {_MAX_LINES}"
)
_MAX_LOSSES = 3  # how often in a row a board may go away without bringing a result


def parse_boards(words: Sequence[str]) -> list[Board]:
    """The boards of a command line. Raises UsageError, also for a host that is named twice."""
    if not shutil.which("ssh"):
        raise InfrastructureError("no ssh on this machine; install it (Debian: openssh-client)")
    boards = [Board.parse(word) for word in words]
    for host, count in Counter(board.host for board in boards).items():
        if count > 1:
            raise UsageError(f"{host} is given twice; -j N puts N workers on each board")
    return boards


def digest_project(suites: Path) -> str:
    """A short hash of what a board's copy of the project must equal: the runner, what it imports, and the suites."""
    return "-".join(map(catalogue.digest, (ROOT / "runner", ROOT / "emulators", suites)))


def digest_lock() -> str:
    """A short hash of the list of Python packages. Raises UsageError if there is none."""
    if not LOCK.is_file():
        raise UsageError(f"{LOCK}: no such file; boards are served from a checkout of the project")
    return hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """A board's answer to the check: its device, or why it has none for this run."""

    board: Board
    device: DeviceReport | None = None
    refusal: str = ""
    is_away: bool = False  # ssh could not reach it


def choose(answers: Sequence[GateAnswer], reference: DeviceReport | None) -> tuple[list[GateAnswer], list[str]]:
    """The answers of the boards with one device and Mesa, and a message for every other board.

    The device is that of `reference`; without one, that of most boards, in a tie that of the first.
    """
    devices = [a.device for a in answers if a.device]
    if reference is None and devices:
        reference = max(devices, key=lambda d: sum(d.identity == other.identity for other in devices))
    chosen, lines = [], []
    for answer in answers:
        if answer.device is None or reference is None:
            lines.append(f"{answer.board.host} is left out: {answer.refusal}")
            continue
        differences = [
            f"{name} {own or 'none'} instead of {reference.identity[name] or 'none'}"
            for name, own in answer.device.identity.items()
            if own != reference.identity[name]
        ]
        if differences:
            lines.append(f"{answer.board.host} is left out: it has {', '.join(differences)}")
        else:
            chosen.append(answer)
    return chosen, lines


class Boards:
    """The boards of one run: checked before each part of it, and left out if they do not qualify."""

    def __init__(self, config: RunConfig) -> None:
        """Raises UsageError for a board's name or an expectation file."""
        self._config = config
        self._boards = parse_boards(config.on)
        self._losses: Counter[str] = Counter()
        self._met: set[str] = set()  # the hosts that have taken part
        files = read_files(Path(config.expectations), driver_of(config).name)
        self._request: dict[str, Any] = {
            "run": uuid.uuid4().hex,
            "config": config.to_json(),
            "project": digest_project(Path(config.suites)),
            "packages": digest_lock(),
            "expectations": {str(path): text for path, text in files.items()},
            "registry": Path(config.registry).read_text(encoding="utf-8") if config.registry else "",
        }

    def request(self, ids: Sequence[str]) -> str:
        """What a worker on a board needs: the run without the host's paths."""
        return json.dumps({**self._request, "ids": ids})

    def lose(self, host: str) -> None:
        """Note that a board went away."""
        self._losses[host] += 1

    def trust(self, host: str) -> None:
        """Note that a board brought a result, or that a case is to blame for its absence."""
        self._losses[host] = 0

    def gather(
        self, reference: DeviceReport | None, note: Callable[[str], None], stopped: Callable[[], bool] = lambda: False
    ) -> tuple[list[str], DeviceReport | None, str]:
        """xdist's specifications of the workers on all boards that qualify, and their device; or why there is none.

        Each other board is reported to `note`. Every board is opened again: it may have come back with another kernel. If
        none is left, one that has taken part is waited for: it may be starting again.
        """
        asked = []
        for board in self._boards:
            if self._losses[board.host] < _MAX_LOSSES:
                asked.append(board)
            elif self._losses[board.host] == _MAX_LOSSES:
                self._losses[board.host] += 1
                note(f"{board.host} is left out: it went away {_MAX_LOSSES} times without a result")
        begun_s, waits = time.monotonic(), False
        while True:
            with ThreadPoolExecutor(max(1, len(asked))) as pool:
                answers = list(pool.map(self._ask, asked))
            chosen, lines = choose(answers, reference)
            away = [a.board.host for a in answers if a.is_away and a.board.host in self._met]
            if chosen or not away or stopped() or time.monotonic() - begun_s >= self._config.board_wait_s:
                break
            if not waits:
                waits = True
                note(f"waiting for {' and '.join(away)}, {self._config.board_wait_s} s at most (--board-wait)")
            time.sleep(_POLL_S)
        for line in lines:
            note(line)
        for answer in chosen if waits else ():
            note(f"{answer.board.host} is back after {time.monotonic() - begun_s:.0f} s")
            for line in self._last_words(answer.board):
                note(f"  {answer.board.host}: {line}")
        self._met |= {answer.board.host for answer in chosen}
        if not chosen:
            refusals = [answer.refusal for answer in answers]
            broken = bool(refusals) and all(text.startswith("probe: ") for text in refusals)
            return [], None, refusals[0] if broken else "; ".join(["device lost: no board is left", *lines])
        numbers = range(1, self._config.jobs + 1)
        config = self._config.ssh_config
        return [a.board.specification(n, config) for a in chosen for n in numbers], chosen[0].device, ""

    def _last_words(self, board: Board) -> list[str]:
        """What a board's kernel saved at its death (pstore), and the errors of its new start."""
        command = board.command(_LAST_WORDS, self._config.ssh_config)
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        return [one_line(line) for line in done.stdout.splitlines() if line.strip()][-2 * _MAX_LINES :]

    def _ask(self, board: Board) -> GateAnswer:
        command = board.command(f"{board.folder}/python -m runner.run.board_gate", self._config.ssh_config)
        return read_answer(board, subprocess.run(command, input=self.request([]).encode(), capture_output=True))


def read_answer(board: Board, done: subprocess.CompletedProcess[bytes]) -> GateAnswer:
    """The output of the gate on a board, as a device or as one line that says why there is none."""
    last = one_line((done.stderr.decode(errors="replace").strip().splitlines() or [f"exit {done.returncode}"])[-1])
    printed = [line for line in done.stdout.decode(errors="replace").splitlines() if line.strip()]
    answers = [line for line in printed if line.startswith('{"')]
    if answers and len(printed) > 1:  # xdist's workers use the same pipe, so every byte counts
        greeting = next((line for line in printed if line != answers[-1]), answers[-1])
        return GateAnswer(
            board, refusal=f"its login shell prints {one_line(greeting, 80)!r}; have it say nothing to a command"
        )
    try:
        data = plain(json.loads(answers[-1]))
        if isinstance(refusal := data.get("refusal", ""), str) and refusal:
            return GateAnswer(board, refusal=one_line(refusal))
        return GateAnswer(board, DeviceReport.from_json(data["report"]))
    except MALFORMED:
        name = f"{board.host}:{board.folder}"
        away = done.returncode == 255  # ssh's own code
        return GateAnswer(board, refusal=last + ("" if away else f"; run `runner deploy {name}`"), is_away=away)
