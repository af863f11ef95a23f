"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine
from .table import COMMANDS, KINDS, MAP_FLAGS, PATTERNS

_AREA = Area("svm", ("execute",), group="svm", timeout_s=20)


def kind_cases(kind: str, need: str) -> Iterator[Case]:
    """The cases of one kind of SVM (`kind`), which needs the feature `need`."""
    for at, count in (((0, 0), 64), ((12, 4), 33), ((1024, 60), 257)):
        yield _AREA.case(f"{{kind}}/kernel.{at[0]}.{at[1]}", "kernel", need, kind=kind, at=list(at), count=count)
    for nodes, apart in ((16, True), (64, False)):
        yield _AREA.case("{kind}/list.{nodes}{apart:.apart}", "list", need, kind=kind, nodes=nodes, apart=apart)
    yield _AREA.case("{kind}/list_of_device", "list_of_device", need, kind=kind, nodes=32, step=7)
    for (source, target), blocking in product((("svm", "svm"), ("host", "svm"), ("svm", "host")), (True, False)):
        params = {"kind": kind, "source": source, "target": target, "blocking": blocking}
        name = "{kind}/copy.{source}_to_{target}.{blocking:blocking|later}"
        yield _AREA.case(name, "copy", need, params=params, at=[3, 1] if blocking else [0, 63])
    yield from _AREA.each("{kind}/fill.{width:d}", "fill", combine(kind=[kind], width=PATTERNS), need)
    yield from _AREA.each("{kind}/map.{flags}", "map", combine(kind=[kind], flags=MAP_FLAGS), need)
    if kind != "system":
        yield from _AREA.each("{kind}/buffer.{at}", "buffer", combine(kind=[kind], at=(0, 256)), need)


def cases() -> Iterator[Case]:
    """Shared virtual memory, by the kinds that a device may have."""
    for kind, (need, _) in KINDS.items():
        yield from kind_cases(kind, need)
    for count, callback, gated in ((1, False, False), (5, False, True), (1, True, True), (5, True, False), (0, True, False)):
        name = "command/free.{count}{callback:.callback}{gated:.gated}"
        yield _AREA.case(name, "free", "svm", count=count, callback=callback, gated=gated)
    rows = combine(by=("clSVMFree", "clEnqueueSVMFree", "clEnqueueSVMFree.callback"))
    yield from _AREA.each("command/freed.{by}", "freed", rows, "svm", count=3)
    for flags, sized in ((0, True), (1, False), (2, False), (3, True)):
        yield _AREA.case("command/migrate.{flags}{sized:.sized}", "migrate", "svm", flags=flags, sized=sized)
    rows = combine(command=[command for command in COMMANDS if command != "free"], fails=(False, True))
    yield from _AREA.each("command/{command}{fails:.fails}", "command", rows, "svm")
    yield _AREA.case("command/null", "null", "svm")
    rows = combine(alignment=(0, 1, 4, 64, 128))
    yield from _AREA.each("alloc/alignment.{alignment}", "alignment", rows, "svm", flags=1)
    for name, flags in (("read_only", 4), ("write_only", 2), ("no_flags", 0)):
        yield _AREA.case(f"alloc/{name}", "alignment", "svm", alignment=0, flags=flags)
    refusals: dict[str, tuple[int, int | None, int, int | None]] = {
        "size_zero": (1, 0, 0, None),
        "size_beyond": (1, None, 0, None),
        "alignment_of_three": (1, 64, 3, None),
        "flags_exclude_each_other": (1 | 4, 64, 0, None),
        "atomics_without_fine": (1 | 1 << 11, 64, 0, None),
        "fine": (1 | 1 << 10, 64, 0, 1),
        "fine_atomics": (1 | 1 << 10 | 1 << 11, 64, 0, 3),
    }
    for name, (flags, size, alignment, needs) in refusals.items():
        params = {"flags": flags, "size": size, "alignment": alignment, "needs": needs}
        yield _AREA.case(f"alloc/refused.{name}", "refused", params=params)
    rows = combine(call=("clEnqueueSVMMemcpy", "clEnqueueSVMMemFill", "clEnqueueSVMMap", "clEnqueueSVMMigrateMem"))
    yield from _AREA.each("alloc/support.{call}", "unsupported", rows)
    yield _AREA.case("alloc/plain_buffer", "plain_buffer")
