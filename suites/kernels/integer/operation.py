"""An integer operation: its forms in OpenCL C, and their models. Plain Python, because the catalogue reads it too."""

from collections.abc import Callable
from dataclasses import dataclass

from ..kit.integers import SIGNED, TYPES, UNSIGNED, WIDER, IntegerType
from ..kit.turns import TURNS

WIDTHS = (2, 3, 4, 8, 16)
Model = Callable[..., int | None]
"""(type, operands of one component) -> the result, or None if the specification leaves it open."""


@dataclass(frozen=True, slots=True)
class Operation:
    """Expressions of `a`, `b`, `c` of one type and of scalars `s`, `u`, each with its model.

    `result` is the type of the result: "" for that of the operands, "unsigned", "wider", "truth" (of a comparison) or
    "promoted". An operation that `assigns` consists of statements that change `x` and `y`, both of which are `a` at first.
    In an expression, {low} stands for the unsigned type.
    """

    forms: dict[str, Model]
    operands: int = 2
    scalars: int = 0
    result: str = ""
    assigns: bool = False
    types: tuple[str, ...] = TYPES
    widths: tuple[int, ...] = (1, *WIDTHS)
    spread: int = 0  # how many of WIDTHS each type has, in turn from type to type; 0 for all
    turn: int = 0  # the one with which the first type begins
    scalar_type: str = ""  # of `s` and `u`; "" is the type of a component
    domain: str = "edges"  # the operands: a name in operands.py
    requires: tuple[str, ...] = ()
    options: str = ""

    def widths_of(self, scalar: str) -> list[int]:
        """The widths that the suite tests for a type."""
        chosen = [w for w in self.widths if w > 1]
        if self.spread:
            first = TURNS[scalar] + self.turn
            chosen = [chosen[(first + 2 * n) % len(chosen)] for n in range(self.spread)]
        return [w for w in self.widths if w == 1] + sorted(chosen)

    def unsigned(self, t: IntegerType) -> str:
        """The unsigned type with the width of a component."""
        return UNSIGNED.get(t.scalar, t.scalar)

    def result_scalar(self, t: IntegerType) -> str:
        """The type of a component of the result."""
        match self.result:
            case "unsigned":
                return self.unsigned(t)
            case "wider":
                return WIDER[t.scalar]
            case "promoted":
                return t.promoted
            case "truth":
                return "int" if t.width == 1 else SIGNED.get(t.scalar, t.scalar)
            case "signed":
                return SIGNED.get(t.scalar, t.scalar)
            case _:
                return t.scalar
