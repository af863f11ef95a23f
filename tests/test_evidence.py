"""The evidence of a case that is not as expected: recorded by its repeat, shown in the log and in JUnit."""

from __future__ import annotations

from pathlib import Path

from runner.records.evidence import (
    Build,
    Ending,
    Event,
    HostData,
    KernelArgument,
    KernelLaunch,
    Return,
    WrongElement,
    WrongElements,
    evidence_path,
    format_event,
    load_evidence,
    parse_events,
)

_EVENTS: tuple[Event, ...] = (
    Build(1, "program1", "kernel void f() {}\n", options="-cl-std=CL3.0"),
    Return(1, "CL_BUILD_PROGRAM_FAILURE", "1:1: error: no\n"),
    HostData("buffer1", 8, "0100000002000000", "int32", (2,)),
    KernelLaunch(2, "f", "program1", (2,), None, None, (KernelArgument("buffer", "buffer1", 8), KernelArgument("local"))),
    WrongElements("r", "int32", (2,), 1, 2, ("element 1 alone",), (WrongElement((1,), "3", "2", ("1",)),)),
    Ending("Fail", "value: r[1]: got 3 want 2", "alone"),
)


def test_events_come_back_from_their_file_and_what_is_none_is_left_out(tmp_path: Path) -> None:
    text = "".join(map(format_event, _EVENTS))
    assert parse_events(text) == _EVENTS
    strange = ["[]", '{"event":"build"}', '{"event":"end","status":1,"message":"","how":""}', "{", '{"event":"launch"}']
    assert parse_events("\n".join([*strange, text])) == _EVENTS
    assert parse_events(format_event(Ending("Fail", "\x1b[31m\n", "")))[0] == Ending("Fail", "\\x1b[31m\n", "")
    path = tmp_path / evidence_path("kernels/integer/add.uint")
    path.parent.mkdir(parents=True)
    path.write_text(text)
    (tmp_path / "evidence/note.jsonl").write_text("not of a case")
    assert load_evidence(tmp_path) == {"kernels/integer/add.uint": text}
