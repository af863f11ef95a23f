"""A case for each thing that an emulator can report, and each way in which it can end."""

from collections.abc import Iterator

from runner.model import Case

_MARKS = {
    "fault": "fault: stg.u32 [r0.x], r1.x: address 0x40 is in no buffer of the submission",
    "hazard": "hazard: (sy) missing before add.u r2.z",
    "race": "race: word 4 of local memory, work-items 1 and 2",
    "undefined": "undefined: r3.y was never written",
    "unknown": "unknown: dp4acc",
    "odd": "whatever: this emulator is newer",
}


def cases() -> Iterator[Case]:
    yield Case("emulated/mark/none", "mark")
    for name, line in _MARKS.items():
        yield Case(f"emulated/mark/{name}", "mark", {"lines": [line]})
        yield Case(f"emulated/wrong/{name}", "mark", {"lines": [line], "wrong": True})
    yield Case("emulated/mark/several", "mark", {"lines": [_MARKS["hazard"], _MARKS["fault"], _MARKS["fault"]]})
    yield Case("emulated/mark/unknown_too", "mark", {"lines": [_MARKS["fault"], _MARKS["unknown"]]})
    yield Case(
        "emulated/process/fault", "count", {"pid": 5000001, "json": '{"launches": 7, "lane_instructions": 70, "fault": 1}'}
    )
    yield Case(
        "emulated/process/good",
        "count",
        {"pid": 5000002, "json": '{"launches": 2, "lane_instructions": 20, "seconds": 0.5}'},
    )
    yield Case("emulated/end/broken", "broken")
    yield Case("emulated/slow/launch", "slow", timeout_s=1)
    yield Case("emulated/exchange/library", "exchange")
    yield Case("emulated/exchange/then", "mark")
    yield Case("emulated/end/segfault", "segfault")
    yield Case("emulated/end/own_97", "exit")
