"""The bodies of the suite by kind: `integer.compare` is `check_compare`, in a module of the folder `integer`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

_BODY = re.compile(r"^def check_(\w+)\(", re.MULTILINE)


@cache
def places(area: str) -> dict[str, str]:
    """The module of each body of an area, by the body's name: found in the sources, so that no other module is imported."""
    found: dict[str, str] = {}
    for path in sorted(Path(__file__).with_name(area).glob("*.py")):
        found |= dict.fromkeys(_BODY.findall(path.read_text(encoding="utf-8")), path.stem)
    return found


def body_of(kind: str) -> Callable[..., None]:
    """The body of a kind: it takes the device, and a case's parameters by keyword."""
    area, _, body = kind.partition(".")
    function: Callable[..., None] = getattr(import_module(f".{area}.{places(area)[body]}", __package__), f"check_{body}")
    return function
