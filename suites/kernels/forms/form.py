"""A form: a construct or a builtin that a compiler may take, and its model. Plain Python: the catalogue reads it too."""

from collections.abc import Callable
from dataclasses import dataclass

# No sum or small multiple of these overflows, which would be undefined.
INPUTS = (0, 1, 2, 3, 5, 7, 8, 31, 100, 255, 256, 1000, 65535, 65536, 305419896, -1, -2, -7, -256, -65537, -305419896)
Model = Callable[[int], int] | None  # of an input; only the low 32 bits of its result count. None: it must be refused


@dataclass(frozen=True, slots=True)
class Form:
    """Statements that compute `y` from `x`, both int, and their model; `head` is before the kernel."""

    body: str
    want: Model
    head: str = ""
    options: str = ""
    requires: tuple[str, ...] = ()


def value(expression: str, want: Model, head: str = "", *requires: str) -> Form:
    """A form that is one expression."""
    return Form(f"y = {expression};", want, head, requires=requires)


def more(x: int) -> int:
    """The model of a form without a value of its own: x + 1."""
    return x + 1
