"""The evidence of a case as text, for its log, for JUnit and for `runner run-case`."""

from collections.abc import Iterable, Iterator, Sequence

from runner.lines import shorten
from runner.records.evidence import (
    ApiCall,
    Build,
    Ending,
    Event,
    HostData,
    KernelArgument,
    KernelLaunch,
    KernelMessages,
    LeftOut,
    NativeStack,
    Return,
    WrongElements,
    head_values,
)

_MIN_CHARS = 1000


def show_evidence(events: Sequence[Event], most_chars: int = 1 << 20) -> str:
    """First what was wrong, then how the process died, then each step in order; cut in the middle if it is too long."""
    found = shorten("\n".join(_findings(events)), most_chars)
    steps = shorten("\n".join(_steps(events)), max(_MIN_CHARS, most_chars - len(found)))
    return "\n".join(filter(None, (found, steps)))


def _findings(events: Sequence[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, Ending):
            yield f"{event.status} of the attempt {event.how}: {event.message}"
    for event in events:
        match event:
            case WrongElements():
                yield from _table(event)
            case NativeStack():
                yield f"died in the {event.thread}:" if "thread" in event.thread else f"died in thread {event.thread}:"
                yield from (f"  #{number} {frame}" for number, frame in enumerate(event.frames))
            case KernelMessages():
                yield "the kernel meanwhile:"
                yield from (f"  {line}" for line in event.lines)
            case _:
                pass


def _table(found: WrongElements) -> Iterator[str]:
    shape = " x ".join(map(str, found.shape)) or "one value"
    yield f"wrong: {found.check}: {found.wrong:,} of {found.total:,} elements ({found.dtype}, {shape})"
    yield from (f"  {pattern}" for pattern in found.patterns)
    operands = max((len(e.inputs) for e in found.elements), default=0)
    head = ["index", *(f"operand {n}" for n in range(operands)), "got", "want", "bits", "difference"]
    rows = [
        [
            "[" + ", ".join(map(str, e.index)) + "]",
            *(e.inputs[n] if n < len(e.inputs) else "" for n in range(operands)),
            e.got,
            e.want,
            f"{e.got_bits} {e.want_bits}".strip(),
            e.difference,
        ]
        for e in found.elements
    ]
    widths = [max(len(row[n]) for row in [head, *rows]) for n in range(len(head))]
    for row in (head, *rows):
        yield "  " + "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()
    if found.wrong > len(found.elements):
        yield f"  and {found.wrong - len(found.elements):,} more"


def _steps(events: Sequence[Event]) -> Iterator[str]:
    ends = {event.step: event for event in events if isinstance(event, Return)}
    launches = [event for event in events if isinstance(event, KernelLaunch)]
    types = {a.name: a.dtype for launch in launches for a in launch.arguments if a.name and a.dtype}  # tinygrad's
    for event in events:
        match event:
            case Build():
                yield from _build(event, ends.get(event.step))
            case HostData():
                dtype = event.dtype or types.get(event.buffer, "")
                shape = f" [{', '.join(map(str, event.shape))}]" if event.shape else ""
                what = f"is filled with {dtype}" if event.origin == "fill" else f"gets {event.bytes} bytes, {dtype}{shape}"
                yield f"{event.buffer} {what.rstrip(', ')}: {_head(event, dtype)}"
            case KernelLaunch():
                sizes = f"global {_size(event.global_size)}, local {_size(event.local_size)}, offset {_size(event.offset)}"
                yield f"launch of {event.kernel} in {event.program}: {sizes}{_end(ends.get(event.step))}"
                yield from (f"  {number}: {_argument(a)}" for number, a in enumerate(event.arguments))
            case ApiCall():
                yield f"{event.function}({', '.join(event.arguments)}){_end(ends.get(event.step))}"
            case LeftOut():
                yield f"[{event.events} events are left out here]"
            case _:
                pass


def _build(event: Build, end: Return | None) -> Iterator[str]:
    options = f", options {event.options}" if event.options else ""
    earlier = ", built before by an earlier case" if event.earlier else ""
    yield f"{event.program}: {event.language}{options}{earlier}{_end(end)}"
    yield from _indent(event.source)
    if end and end.log:
        yield f"build log of {event.program}:"
        yield from _indent(end.log)


def _end(end: Return | None) -> str:
    """How a step ended; one without an end is where the process died, or hung."""
    if end is None:
        return " -> DID NOT COME BACK"
    return f" -> {end.error}" if end.error not in ("", "CL_SUCCESS") else ""


def _indent(text: str) -> Iterable[str]:
    return (f"  | {line}" for line in text.rstrip().splitlines())


def _size(values: Sequence[int] | None) -> str:
    return "-" if values is None else " x ".join(map(str, values))


def _argument(argument: KernelArgument) -> str:
    size = f"{argument.bytes} bytes" if argument.bytes and argument.kind != "value" else ""
    name = argument.name or argument.kind
    return " ".join(filter(None, (name, argument.dtype, argument.value, size and f"({size})")))


def _head(data: HostData, dtype: str) -> str:
    """The first elements as numbers, and as bytes in memory."""
    if not (values := head_values(data, dtype)):
        return data.head
    more = " ..." if data.bytes > len(data.head) // 2 else ""
    return f"{' '.join(values)}{more} ({data.head}{more})"
