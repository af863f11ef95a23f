"""The cases of the area."""

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area, combine
from .table import DESTRUCTORS, FROM_TYPE, IMAGE_KINDS, KINDS, PROPERTIES

_AREA = Area("context")


def cases() -> Iterator[Case]:
    """Contexts, and the lifetimes of objects."""
    tables = {
        "properties": PROPERTIES,
        "devices": ("one", "twice", "same_after_retain", "two_contexts"),
        "from_type": FROM_TYPE,
        "callback": ("quiet", "with_data", "error_pointer_null"),
    }
    for body, names in tables.items():
        yield from _AREA.each(f"{body}.{{what}}", body, combine(what=names))
    yield _AREA.case("references.context", "context_references")
    yield _AREA.case("references.device", "device_references")
    for kind in KINDS:
        features = ("images",) if kind in IMAGE_KINDS else ()
        yield _AREA.case("references.{kind}", "references", *features, kind=kind)
        yield _AREA.case("of.{kind}", "of", *features, kind=kind)
        yield _AREA.case("released_before.{kind}", "released_before", "execute", *features, kind=kind)
    rows = combine(what=("release_flushes", "release_before_event", "two_queues_one_released"))
    yield from _AREA.each("queue.{what}", "queue", rows, "execute")
    for name in DESTRUCTORS:
        features = ("images",) if name == "image" else ()
        three = ("opencl3",) if "context" in name else ()
        done = ("execute",) if name == "not_while_in_use" else ()
        yield _AREA.case("destructor.{what}", "destructor", *features, *three, *done, what=name)
