"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case, Tier

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


def cases() -> Iterator[Case]:
    """Contexts, and how long things live."""
    for name in PROPERTIES:
        yield _case(f"properties.{name}", "properties", {"what": name})
    for name in ("one", "twice", "same_after_retain", "two_contexts"):
        yield _case(f"devices.{name}", "devices", {"what": name})
    for name in FROM_TYPE:
        yield _case(f"from_type.{name}", "from_type", {"what": name})
    for name in ("quiet", "with_data", "error_pointer_null"):
        yield _case(f"callback.{name}", "callback", {"what": name})
    yield _case("references.context", "context_references", {})
    yield _case("references.device", "device_references", {})
    for kind in KINDS:
        features = ("images",) if kind in IMAGE_KINDS else ()
        yield _case(f"references.{kind}", "references", {"kind": kind}, features)
        yield _case(f"of.{kind}", "of", {"kind": kind}, features, Tier.FULL)
        yield _case(f"released_before.{kind}", "released_before", {"kind": kind}, ("execute", *features))
    for name in ("release_flushes", "release_before_event", "two_queues_one_released"):
        yield _case(f"queue.{name}", "queue", {"what": name}, ("execute",))
    for name in DESTRUCTORS:
        features = ("images",) if name == "image" else ()
        three = ("opencl3",) if "context" in name else ()
        done = ("execute",) if name == "not_while_in_use" else ()
        yield _case(f"destructor.{name}", "destructor", {"what": name}, (*features, *three, *done))


def _case(name: str, kind: str, params: dict[str, str], requires: tuple[str, ...] = (), tier: Tier = Tier.PREMERGE) -> Case:
    return Case(f"kernels/context/{name}", f"context.{kind}", params, requires, tier)
