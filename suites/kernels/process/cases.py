"""The cases of the area."""

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area, combine
from .table import DAMAGES, DEVICES, ENDS, FEATURES, FORKS, KINDS, REQUESTS, SCARCE, TYPES, UNUSUAL

_AREA = Area("process", ("execute",), timeout_s=30)


def cases() -> Iterator[Case]:
    """Every case of the area; each runs in one or several processes of its own."""
    for state, way in ENDS:
        yield _AREA.case(f"end/{state}.{way}", "end", state=state, way=way)
    yield from _AREA.each("fork/{what}", "fork", combine(what=FORKS))
    yield _AREA.case("closed", "closed")
    yield _AREA.case("start/{count}", "start", timeout_s=120, count=8)
    yield _AREA.case("start/{count}", "start", timeout_s=1200, count=200)
    for name in DEVICES:
        yield _AREA.case(f"devices/{name}", "devices", *("images",) * (name == "image"), what=name)
    yield from _AREA.each("type/{word}.{request}", "type", combine(word=TYPES, request=REQUESTS))
    yield _AREA.case("absent/vulkan", "absent", timeout_s=10)
    for name in FEATURES:
        yield _AREA.case(f"features/without_{name}", "features", without=[name])
    yield _AREA.case("features/without_any", "features", without=[*FEATURES])
    yield from cache_cases()
    yield from surrounded_cases()


def surrounded_cases() -> Iterator[Case]:
    """Processes in surroundings that begin before the first call, the build or the launch."""
    for group, table in (("scarce", SCARCE), ("unusual", UNUSUAL)):
        for name, moments in table.items():
            for moment in moments:
                yield _AREA.case(f"{group}/{name}.{moment}", group, timeout_s=60, name=name, moment=moment)


def cache_cases() -> Iterator[Case]:
    """Mesa's cache on disk: each case runs two or three processes, one or two of them with an empty cache."""
    for kind in KINDS:
        first, damages = ("", ["half"]) if kind == "default" else (f"{kind}.", list(DAMAGES))
        for what in ("taken", "other_build", "other_library"):
            yield _AREA.case(f"cache/{first}{what}", f"cache_{what}", timeout_s=120, kind=kind)
        for how in damages:
            yield _AREA.case(f"cache/{first}damaged.{how}", "cache_damaged", timeout_s=120, kind=kind, how=how)
