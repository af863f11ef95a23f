"""The cases of the area."""

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area, combine
from ..kit.queries import DEVICE, FUNCTIONS, IDS, PLATFORM, REQUIRED, TIMERS, UNKNOWN_QUERIES

_AREA = Area("query")


def cases() -> Iterator[Case]:
    """Two cases a parameter: the form of the answer, and its value."""
    for target, table in (("device", DEVICE), ("platform", PLATFORM)):
        for name, query in table.items():
            params = {"target": target, "name": name}
            yield _AREA.case(f"{target}/{name}.form", "form", *query.requires, params=params)
            if query.rules:
                yield _AREA.case(f"{target}/{name}.value", "value", *query.requires, params=params)
        if target == "device":
            params = {"target": target, "name": "MAX_CLOCK_FREQUENCY", "rule": "clock_of_the_system"}
            yield _AREA.case("device/MAX_CLOCK_FREQUENCY.system", "fact", "execute", params=params)
        for code in UNKNOWN_QUERIES:
            yield _AREA.case(f"unknown/{target}.{code:x}", "unknown", target=target, code=code)
    yield _AREA.case("unknown/device.absent_extension", "absent")
    for name, required in REQUIRED.items():
        yield _AREA.case(f"device/{name}.required", "required", "opencl3.1", name=name, required=required)
    params = {"target": "device", "name": "MAX_NUM_SUB_GROUPS", "rule": "not_zero"}
    yield _AREA.case("device/MAX_NUM_SUB_GROUPS.required", "fact", "opencl3.1", params=params)
    yield from _AREA.each("ids/{what}", "ids", combine(what=IDS))
    # In compile mode the clock does not run.
    yield from _AREA.each("timer/{what}", "timer", combine(what=TIMERS), "execute", "opencl3")
    yield from _AREA.each("function/{what}", "function", combine(what=FUNCTIONS))
