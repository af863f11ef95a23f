"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from .table import (
    DAMAGES,
    DEVICES,
    ENDS,
    FEATURES,
    FORKS,
    KINDS,
    REQUESTS,
    SCARCE,
    TYPES,
    UNUSUAL,
)

ROWS = [
    Row("kernels/process/end/*", "The end of a process: what lives and runs, and the way out", "POSIX, exit", ""),
    Row("kernels/process/fork/*", "A process that forks", "POSIX, fork", ""),
    Row("kernels/process/closed", "The loader closed and opened again", "POSIX, dlclose", ""),
    Row("kernels/process/start/*", "Many processes that start at once, without a cache", "OpenCL API 3.0, 4.1, 4.2", ""),
    Row("kernels/process/type/*", "Devices of each type, by RUSTICL_DEVICE_TYPE", "OpenCL API 3.0, 4.2", ""),
    Row("kernels/process/absent/*", "zink where Vulkan has no driver", "OpenCL API 3.0, 4.2", ""),
    Row("kernels/process/features/*", "Devices that lack a feature, by RUSTICL_FEATURES", "OpenCL API 3.0, 4.2", ""),
    Row(
        "kernels/process/scarce/*",
        "A process that lacks something: an error code, or it works",
        "OpenCL API 3.0, 4 to 5.8",
        "",
    ),
    Row("kernels/process/unusual/*", "A process in unusual surroundings: it works", "OpenCL API 3.0, 4 to 5.8", ""),
    Row("kernels/process/cache/*", "What a cache on disk holds of another build, and damaged", "OpenCL API 3.0, 5.8.2", ""),
    Row(
        "kernels/process/devices/*",
        "Two devices of one platform in one context",
        "OpenCL API 3.0, 4.4, 5",
        "multiple_device_context",
    ),
]
_AREA = Area("process", ("execute",), timeout_s=30)


def cases() -> Iterator[Case]:
    """Each is a process of its own, or several."""
    for state, way in ENDS:
        yield _AREA.case(f"end/{state}.{way}", "end", state=state, way=way)
    for name in FORKS:
        yield _AREA.case(f"fork/{name}", "fork", what=name)
    yield _AREA.case("closed", "closed")
    yield _AREA.case("start/8", "start", timeout_s=120, count=8)
    yield _AREA.case("start/200", "start", timeout_s=1200, count=200)
    for name in DEVICES:
        yield _AREA.case(f"devices/{name}", "devices", *("images",) * (name == "image"), what=name)
    for word in TYPES:
        for request in REQUESTS:
            yield _AREA.case(f"type/{word}.{request}", "type", word=word, request=request)
    yield _AREA.case("absent/vulkan", "absent", timeout_s=10)
    for name in FEATURES:
        yield _AREA.case(f"features/without_{name}", "features", without=[name])
    yield _AREA.case("features/without_any", "features", without=[*FEATURES])
    yield from cache_cases()
    yield from surrounded_cases()


def surrounded_cases() -> Iterator[Case]:
    """What surrounds a process, from its first call on, or from the build or the launch on."""
    for group, table in (("scarce", SCARCE), ("unusual", UNUSUAL)):
        for name, moments in table.items():
            for moment in moments:
                yield _AREA.case(f"{group}/{name}.{moment}", group, timeout_s=60, name=name, moment=moment)


def cache_cases() -> Iterator[Case]:
    """Mesa's cache on disk: each case starts two or three processes, one or two of them with an empty cache."""
    for kind in KINDS:
        first, damages = ("", ["half"]) if kind == "default" else (f"{kind}.", list(DAMAGES))
        for what in ("taken", "other_build", "other_library"):
            yield _AREA.case(f"cache/{first}{what}", f"cache_{what}", timeout_s=120, kind=kind)
        for how in damages:
            yield _AREA.case(f"cache/{first}damaged.{how}", "cache_damaged", timeout_s=120, kind=kind, how=how)
