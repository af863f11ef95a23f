"""Suggests known names for a misspelt one."""

from collections.abc import Collection, Iterable

_MAX_SEARCHES = 100  # for the closest id: each takes some ten milliseconds


def closest(word: str, candidates: Iterable[str]) -> str:
    """'; closest: "a", "b"', or nothing."""
    found = _matches(word, candidates)
    return f"; closest: {', '.join(repr(f) for f in found)}" if found else ""


class ClosestIds:
    """The closest of the existing ids, without a comparison with each: there are tens of thousands."""

    def __init__(self, candidates: Collection[str]) -> None:
        self._candidates = candidates
        self._parents: dict[str, list[str]] = {}
        self._asked = 0

    def text(self, test_id: str) -> str:
        """As `closest`, among the ids of the same folder or of one with a similar name; "" once many were looked up."""
        self._asked += 1
        if self._asked > _MAX_SEARCHES:
            return ""
        if not self._parents:
            for other in self._candidates:
                self._parents.setdefault(other.rpartition("/")[0], []).append(other)
        parent, _, name = test_id.rpartition("/")
        if found := closest(test_id, self._parents.get(parent, ())):
            return found
        same_name = [f"{folder}/{name}" for folder in self._parents if f"{folder}/{name}" in self._candidates]
        similar = [i for folder in _matches(parent, self._parents) for i in self._parents[folder]]
        return closest(test_id, [*similar, *same_name])


def _matches(word: str, candidates: Iterable[str]) -> list[str]:
    import difflib

    return difflib.get_close_matches(word, list(candidates), n=3, cutoff=0.65)
