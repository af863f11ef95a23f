"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from .table import DESTRUCTORS, FROM_TYPE, IMAGE_KINDS, KINDS, PROPERTIES

ROWS = [
    Row("kernels/context/properties.*", "Properties of a context", "OpenCL API 3.0, 4.4", "api"),
    Row("kernels/context/devices.*", "Devices of a context", "OpenCL API 3.0, 4.4", "api"),
    Row("kernels/context/from_type.*", "clCreateContextFromType", "OpenCL API 3.0, 4.4", "api"),
    Row("kernels/context/callback.*", "Callbacks and user data of contexts", "OpenCL API 3.0, 4.4", "api"),
    Row("kernels/context/references.*", "Reference counts", "OpenCL API 3.0, 2", "api"),
    Row("kernels/context/of.*", "The context of each object", "OpenCL API 3.0, 5", "api"),
    Row(
        "kernels/context/released_before.*",
        "Objects outlive the caller's context",
        "OpenCL API 3.0, 4.4",
        "api",
    ),
    Row("kernels/context/queue.*", "Queues that are released", "OpenCL API 3.0, 5.1", "api"),
    Row(
        "kernels/context/destructor.*",
        "Destructor callbacks: order, time, data",
        "OpenCL API 3.0, 4.4, 5.5.1",
        "api",
    ),
]
_AREA = Area("context")


def cases() -> Iterator[Case]:
    """Contexts, and how long things live."""
    for name in PROPERTIES:
        yield _AREA.case(f"properties.{name}", "properties", what=name)
    for name in ("one", "twice", "same_after_retain", "two_contexts"):
        yield _AREA.case(f"devices.{name}", "devices", what=name)
    for name in FROM_TYPE:
        yield _AREA.case(f"from_type.{name}", "from_type", what=name)
    for name in ("quiet", "with_data", "error_pointer_null"):
        yield _AREA.case(f"callback.{name}", "callback", what=name)
    yield _AREA.case("references.context", "context_references")
    yield _AREA.case("references.device", "device_references")
    for kind in KINDS:
        features = ("images",) if kind in IMAGE_KINDS else ()
        yield _AREA.case(f"references.{kind}", "references", *features, kind=kind)
        yield _AREA.case(f"of.{kind}", "of", *features, kind=kind)
        yield _AREA.case(f"released_before.{kind}", "released_before", "execute", *features, kind=kind)
    for name in ("release_flushes", "release_before_event", "two_queues_one_released"):
        yield _AREA.case(f"queue.{name}", "queue", "execute", what=name)
    for name in DESTRUCTORS:
        features = ("images",) if name == "image" else ()
        three = ("opencl3",) if "context" in name else ()
        done = ("execute",) if name == "not_while_in_use" else ()
        yield _AREA.case(f"destructor.{name}", "destructor", *features, *three, *done, what=name)
