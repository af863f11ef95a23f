"""The loop of intel_hostile.py and mali_hostile.py over their cases, in a child process (test_bare_hostile.py)."""

import signal
import sys
from typing import Protocol

from bare_gpu import Outcome

BUDGET, MOST_SECONDS = 1 << 16, 60
# Besides the pages around buffers: all checks of clang that need no runtime library.
CHECKS = ("bounds", "float-cast-overflow", "integer-divide-by-zero", "null", "shift-exponent", "unreachable")


class Hostile(Protocol):
    """A GPU that gets other input for each number."""

    def case(self, number: int) -> Outcome:
        """Run it."""


def go_through(hostile: Hostile, first: str, count: str) -> None:
    """Run cases; print how many were stopped."""
    stopped = 0
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # the end of a process that hangs
    for number in range(int(first), int(first) + int(count)):
        if number % 100 == 0:
            signal.alarm(MOST_SECONDS)
        print(number, file=sys.stderr)
        out = hostile.case(number)
        assert out.done or out.marks, f"case {number} was stopped without a mark"
        stopped += not out.done
    print("ended", stopped)
