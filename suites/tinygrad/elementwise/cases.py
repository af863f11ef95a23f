"""The catalogue of elementwise operations, comparisons, where, and the operators."""

from collections.abc import Iterator
from itertools import chain

from runner.model import Case

from ..rows import op_cases
from . import binary, selection, unary

# Methods that others are made of, and the cases that call those.
METHODS = {"alu": "tinygrad/binary/*", "ufix": "tinygrad/operator/*.scalar*"}


def cases() -> Iterator[Case]:
    """The rows of all tables as cases."""
    yield from op_cases("elementwise", chain(unary.rows(), binary.rows(), selection.rows()))
