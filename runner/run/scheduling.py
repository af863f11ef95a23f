"""How xdist hands out cases: a group goes whole to one worker."""

import contextlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

from xdist.scheduler.loadscope import LoadScopeScheduling
from xdist.workermanage import WorkerController

from runner.model import Case
from runner.records.journal import DEATHS


def in_order(cases: Sequence[Case]) -> list[Case]:
    """Area by area, as they stand in the catalogue, and in each the largest groups first.

    Basic areas come before those that build on them, so that the first red line names the cause.
    """
    sizes = Counter(case.group or case.id for case in cases)
    places: dict[str, int] = {}
    for case in cases:
        places.setdefault(_area(case), len(places))
    return sorted(cases, key=lambda case: (places[_area(case)], -sizes[case.group or case.id]))


def _area(case: Case) -> str:
    return "/".join(case.id.split("/", 2)[:2])


class GroupScheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist is not typed
    """xdist's load scheduling over groups, in the order of their first cases; a case without one is its own."""

    def __init__(self, config: Any, log: Any) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # else the largest groups of all first
        self._deaths: Counter[str] = Counter()  # of workers, by the case that they ran

    def _reschedule(self, node: WorkerController) -> None:
        # A worker begins a case once it knows the next one, or that there is none. xdist gives one unit a call,
        # and calls again when a case has ended: the worker that replaces a dead one would wait for ever. With a third
        # it need not wait until it is given one more; xdist gives none to a worker that has three.
        if node not in self.registered_collections:
            return  # it still collects
        super()._reschedule(node)
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) < 3:
            super()._reschedule(node)

    def remove_node(self, node: WorkerController) -> str | None:
        """The case that a dead worker ran. A case that killed two of them is not run again."""
        units = self.assigned_work[node].values()
        place: tuple[dict[str, bool], str] | None
        place = next(((unit, nodeid) for unit in units for nodeid, done in unit.items() if not done), None)
        if not place:
            super().remove_node(node)
            return None
        unit, nodeid = place
        self._deaths[nodeid] += 1
        unit[nodeid] = self._deaths[nodeid] >= DEATHS
        super().remove_node(node)
        return nodeid

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
