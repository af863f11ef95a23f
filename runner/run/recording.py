"""The evidence of a case's attempts: which of them are recorded, and which record is kept."""

from pathlib import Path

from runner.model import Attempt, How, Status
from runner.records.evidence import Ending, Event, KernelMessages, NativeStack, format_event, join_lines
from runner.run.kernel_log import read_lines
from runner.verdict.place import read_frames


class Recording:
    """The file that a child writes while an attempt is recorded, and the lines that are kept of it.

    A first attempt is recorded only on request: in a run as expected there are no others.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._first = path, False
        self._kept, self._bad = "", False

    def begin(self, *, first: bool) -> None:
        """Make ready for a case; `first`: its first attempt is to be recorded, too."""
        self._first, self._kept, self._bad = first, "", False

    def path_for(self, how: How) -> str:
        """The file for an attempt, "" if it is not recorded."""
        self._path.unlink(missing_ok=True)
        return str(self._path) if self._first or how is not How.WARM else ""

    def add(self, attempt: Attempt) -> Attempt:
        """Keep what an attempt left, unless an earlier one went wrong and this one did not; the attempt itself."""
        bad = attempt.status not in (Status.PASS, Status.SKIP)
        if self._path.is_file() and (bad or not self._bad):
            recorded = self._path.read_text(encoding="utf-8", errors="replace")
            self._kept = join_lines((recorded, "".join(map(format_event, _facts(attempt)))))
        self._bad |= bad
        return attempt

    def take(self) -> str:
        """The lines about the case, "" if nothing went wrong with it."""
        kept, self._kept = self._kept if self._bad else "", ""
        return kept


def _facts(attempt: Attempt) -> list[Event]:
    """The supervisor's data on an attempt."""
    found: list[Event] = []
    thread, frames = read_frames(attempt.output)
    if frames:
        found.append(NativeStack(thread, frames))
    if lines := read_lines(attempt.output):
        found.append(KernelMessages(lines))
    return [*found, Ending(str(attempt.status), attempt.message, str(attempt.how))]
