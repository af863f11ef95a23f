"""The body of a case: `Case.kind` is PLACE.BODY, and the body is the function `check_BODY` of that place in the suite.

PLACE is a module of the suite's folder, or a folder in it, one of whose modules has the function. A body is called with the
device, and with the case's parameters by keyword.
"""

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

Body = Callable[..., None]
_BODY = re.compile(r"^def (check_\w+)\(", re.MULTILINE)


@cache
def places(folder: Path) -> dict[str, str]:
    """The module of each `check_` function in a folder: found in the sources, so that only that module is imported."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.py")):
        found |= dict.fromkeys(_BODY.findall(path.read_text(encoding="utf-8")), path.stem)
    return found


def place_of(folder: Path, kind: str) -> str:
    """The file and line of the body of a kind of the suite in a folder, from the sources only; "" if none is found."""
    place, _, body = kind.rpartition(".")
    inside = folder.joinpath(*place.split("."))
    for path in (*sorted(inside.glob("*.py")), inside.with_suffix(".py"), folder / "run.py"):
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        for number, line in enumerate(lines, 1):
            if line.startswith(f"def check_{body.removeprefix('check_')}("):
                return f"{path}:{number}"
    return ""


def find_body(package: str, kind: str) -> Body:
    """The body of a kind; `package` is the suite's own, as `__package__` of its `run.py`. Raises LookupError."""
    place, _, body = kind.rpartition(".")
    name = body if body.startswith("check_") else f"check_{body}"
    folder = Path(import_module(package).__path__[0], *place.split("."))
    if folder.is_dir():
        if name not in places(folder):
            raise LookupError(f"{folder} has no function {name}")
        place = f"{place}.{places(folder)[name]}"
    function: Body = getattr(import_module(f"{package}.{place}"), name)
    return function
