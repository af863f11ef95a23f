"""The evidence of a case, as the page shows it: programs, launches, inputs, wrong elements, stacks."""

from collections.abc import Sequence
from typing import Any, assert_never

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

_TIMES = " \N{MULTIPLICATION SIGN} "
_MAX_STEPS = 100  # launches and calls
_MAX_INPUTS = 40
_SHOWN_ELEMENTS = 8  # of an input


def view_evidence(events: Sequence[Event], limit: int) -> dict[str, Any]:
    """Plain data: the rows of each table as texts, without empty ones; `limit` characters for sources and logs."""
    returns = {e.step: e for e in events if isinstance(e, Return)}
    limit = max(500, limit // max(1, 2 * sum(isinstance(e, Build) for e in events)))
    tables: dict[str, list[Any]] = {name: [] for name in ("wrong", "programs", "launches", "inputs", "stacks", "notes")}
    for event in events:
        if found := _row(event, returns, limit):
            tables[found[0]].append(found[1])
    for name, most in (("launches", _MAX_STEPS), ("inputs", _MAX_INPUTS)):
        if len(tables[name]) > most:
            tables["notes"].append(f"Of {len(tables[name]):,} {name} the last {most} are shown.")
            tables[name] = tables[name][-most:]
    return {name: rows for name, rows in tables.items() if rows}


def _row(event: Event, returns: dict[int, Return], limit: int) -> tuple[str, Any] | None:
    """The table that an event belongs in, and its row there."""
    match event:
        case Build(step, program, source, language, options):
            log = shorten(returns[step].log, limit) if step in returns else ""
            return "programs", [program, language, options, _answer(returns, step), shorten(source, limit), log]
        case KernelLaunch(step, kernel, program):
            sizes = [_size(event.global_size), _size(event.local_size) or "the driver's choice", _size(event.offset)]
            arguments = ", ".join(map(_argument, event.arguments))
            return "launches", [kernel, program, *sizes, arguments, _answer(returns, step)]
        case ApiCall(step, function, arguments):
            return "launches", [function, "", "", "", "", ", ".join(arguments), _answer(returns, step)]
        case HostData(buffer, size, _, dtype, shape, origin):
            kind = f"{dtype} {_size(shape)}".strip()
            return "inputs", [buffer, f"{size:,} B", kind, origin, _values(event)]
        case WrongElements():
            rows = [
                [", ".join(map(str, e.index)), ", ".join(e.inputs), e.got, e.want, e.difference, e.got_bits, e.want_bits]
                for e in event.elements
            ]
            head = f"{event.check}: {event.wrong:,} of {event.total:,} elements ({event.dtype}) are wrong"
            return "wrong", [head, "; ".join(event.patterns), rows]
        case NativeStack(thread, frames):
            return "stacks", [f"Native stack: {thread}", "\n".join(frames)]
        case KernelMessages(lines):
            return "stacks", ["What the operating system's kernel printed", "\n".join(lines)]
        case LeftOut(number):
            return "notes", f"{number:,} further events found no room."
        case Ending(status, _, how):
            return "notes", f"Recorded by an attempt that was made {how}, and ended with {status}."
        case Return():
            return None
        case _:
            assert_never(event)


def _answer(returns: dict[int, Return], step: int) -> str:
    return (returns[step].error or "CL_SUCCESS") if step in returns else "did not return"


def _size(size: Sequence[int] | None) -> str:
    return _TIMES.join(map(str, size or ()))


def _argument(argument: KernelArgument) -> str:
    size = f"({argument.bytes:,} B)" if argument.bytes and not argument.value else ""
    return " ".join(filter(None, (argument.dtype or argument.kind, argument.name, argument.value, size)))


def _values(data: HostData) -> str:
    """The first elements, or bytes if nothing is known of them."""
    values = head_values(data, data.dtype)
    if not values:
        return data.head[: 8 * _SHOWN_ELEMENTS]
    return ", ".join([*values[:_SHOWN_ELEMENTS], *(["..."] if len(values) > _SHOWN_ELEMENTS else [])])
