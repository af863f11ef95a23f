"""Data from a stranger's file as a dataclass: the types are checked here, so that no other code needs to."""

import errno
import json
import types
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
# Exceptions on parsed data that does not have the expected shape.
MALFORMED = (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError)


def read_text(path: Path) -> str:
    """The text of a regular file; a pipe or a device in its place has no end. Raises OSError and UnicodeDecodeError."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return path.read_text(encoding="utf-8")


def parse_json(text: str | bytes) -> Any:
    """The value of a text. Raises ValueError, also for an object that has one name twice: of two values
    Python would take the last.
    """
    return json.loads(text, object_pairs_hook=_unique)


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("a name stands there twice in one object")
    return values


def make(kind: type[T], values: Mapping[str, Any]) -> T:
    """An instance with these fields. Raises TypeError, which names the field, if one is unknown or has the wrong type."""
    own = _fields(kind)  # type: ignore[arg-type]  # a class is hashable
    for name, value in values.items():
        if name not in own:
            raise TypeError(f"{kind.__name__} has no {name!r}")
        hint, default, whole = own[name]
        # Most of a journal's are texts, or are of the field's type.
        if value is not default and type(value) is not whole and not fits(value, hint):
            raise TypeError(f"{name}: {str(value)[:60]!r} is of the wrong type")
    return kind(**values)


def fits(value: object, hint: Any) -> bool:
    """Whether a value has a type, given as in annotations; an integer is also a float, a truth value is not an integer."""
    if hint is float:
        return isinstance(value, float | int) and not isinstance(value, bool) and abs(value) < 1e18
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63
    if hint is Any or type(value) is hint:
        return True
    origin, inner = _parts(hint)
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in inner)
    if origin is tuple and inner[-1] is not Ellipsis:
        return isinstance(value, tuple) and len(value) == len(inner) and all(map(fits, value, inner))
    if origin is tuple:
        return isinstance(value, tuple) and all(fits(one, inner[0]) for one in value)
    if origin is not None:
        return isinstance(value, Mapping) and all(fits(k, inner[0]) and fits(v, inner[1]) for k, v in value.items())
    return isinstance(value, hint)


def as_tuple(value: object) -> tuple[Any, ...]:
    """A list of JSON or YAML; TypeError for a text, which would be a list of characters."""
    if not isinstance(value, list | tuple):
        raise TypeError(f"{str(value)[:60]!r} is not a list")
    return tuple(value)


@lru_cache
def _fields(kind: type) -> dict[str, tuple[Any, Any, Any]]:
    """The type and the default of each field; the type again, if all values of it fit, else None."""
    hints = get_type_hints(kind)
    whole = {name: None if hint in (int, float) else hint for name, hint in hints.items()}
    return {field.name: (hints[field.name], field.default, whole[field.name]) for field in fields(kind)}


@lru_cache
def _parts(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(hint), get_args(hint)
