"""When a child's time is over, on a machine whose other processes may keep it from working."""

_POLL_S, _MIN_WORK = 0.5, 0.05  # a child that uses a smaller part of a processor is idle
STARVED = 4  # deadlines that a busy child may take if other processes keep it from its work


class Deadline:
    """A child's own time: if it works and has not had that much CPU time, it may go on, up to STARVED deadlines.

    All times are in seconds, `now_s` by one clock; `used_s` is the processor time of the child so far.
    """

    def __init__(self, timeout_s: float, now_s: float, used_s: float) -> None:
        self._timeout_s, self._begun_s, self._used_s = timeout_s, now_s, used_s
        self._due_s, self._seen_s = now_s + timeout_s, used_s

    def left_s(self, now_s: float) -> float:
        """How long until the next look; 0 or less if it is due."""
        return self._due_s - now_s

    def is_over(self, now_s: float, used_s: float) -> bool:
        """Whether a child that is due has had its time; else there is another look."""
        works = used_s - self._seen_s > _MIN_WORK * _POLL_S
        if works and used_s - self._used_s < self._timeout_s and now_s - self._begun_s < STARVED * self._timeout_s:
            self._due_s, self._seen_s = now_s + _POLL_S, used_s
            return False
        return True
