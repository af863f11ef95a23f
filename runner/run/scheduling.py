"""How xdist hands out cases: a group goes whole to one worker."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from xdist.scheduler.loadscope import LoadScopeScheduling
from xdist.workermanage import WorkerController


class GroupScheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist is not typed
    """xdist's load scheduling over groups; a case without one is its own."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.split("@", 1)[1] if "@" in nodeid else nodeid

    def add_node_collection(self, node: WorkerController, collection: Sequence[str]) -> None:
        super().add_node_collection(node, collection)
        self.registered_collections[node] = _IndexedList(collection)

    def _assign_work_unit(self, node: WorkerController) -> None:
        # To a board that has just gone away: xdist hears of that next, and gives the unit to another one.
        with contextlib.suppress(OSError):
            super()._assign_work_unit(node)

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        # Finished groups are forgotten: xdist counts all that a worker ever had, after every test.
        scope = self._split_scope(self.registered_collections[node][item_index])
        super().mark_test_complete(node, item_index, duration)
        if all(self.assigned_work[node][scope].values()):
            del self.assigned_work[node][scope]


class _IndexedList(list[str]):
    """A list whose `index` takes constant time."""

    def __init__(self, items: Sequence[str]) -> None:
        super().__init__(items)
        self._places = {item: place for place, item in enumerate(items)}

    def index(self, item: str, *_: Any) -> int:
        return self._places[item]
