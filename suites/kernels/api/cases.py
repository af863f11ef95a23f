"""The cases of the area."""

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area, combine
from .table import TOPICS

_AREA = Area("api")
# Functions that write a list, and the features that they need.
LISTS: dict[str, tuple[str, ...]] = {
    "clGetPlatformIDs": (),
    "clGetDeviceIDs": (),
    "clGetSupportedImageFormats": ("images",),
    "clCreateKernelsInProgram": (),
}
# Functions that write to their arguments, and the features that they need.
OUTPUTS = (
    ("kernel", "clGetKernelSuggestedLocalWorkSizeKHR", "cl_khr_suggested_local_work_size"),
    ("platform", "clGetDeviceAndHostTimer", "opencl3", "execute"),
    ("platform", "clGetHostTimer", "opencl3", "execute"),
)


def cases() -> Iterator[Case]:
    """Each valid call, and each of its mistakes."""
    for topic, calls in TOPICS.items():
        for call in calls:
            needs = ("svm", *call.requires) if topic == "svm" else call.requires
            if call.function == "clGetEventProfilingInfo":
                needs = (*needs, "execute")  # compile mode's devices write no time stamps
            base = {"function": call.function}
            if call.right:
                # Compile mode's devices take no command to its end.
                done = ("execute",) if call.function.startswith("clEnqueue") else ()
                name = f"{topic}/{call.function}.valid"
                yield _AREA.case(name, "valid", *needs, *done, params=base)
            if any(name.startswith("short.") for name in call.mistakes):
                yield _AREA.case(f"{topic}/{call.function}.guard", "guard", *needs, params=base)
            for name, mistake in call.mistakes.items():
                params = {**base, "mistake": name, "errors": list(mistake.errors)}
                yield _AREA.case(f"{topic}/{call.function}.{name}", "mistake", *needs, *mistake.requires, params=params)
    yield from _AREA.each("platform/guard.{of}", "guard_all", combine(of=("device", "platform")))
    for topic, function, *needed in OUTPUTS:
        yield _AREA.case(f"{topic}/{function}.guard", "guard_output", *needed, function=function)
    rows = combine(image=("image2d", "image3d"))
    yield from _AREA.each("image_transfer/clEnqueueMapImage.guard.{image}", "guard_pitches", rows, "images", "execute")
    yield _AREA.case("program/binaries.guard", "guard_binaries")
    yield _AREA.case("program/il.guard", "guard_il", "il", "opencl3")
    for function, more in LISTS.items():
        yield _AREA.case(f"platform/{function}.guard", "guard_list", *more, function=function)
