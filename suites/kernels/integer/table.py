"""Every integer operation of the suite by name. Plain Python, because the catalogue reads it too."""

from .functions import BUILTINS
from .operation import Operation
from .operators import OPERATORS

OPERATIONS: dict[str, Operation] = OPERATORS | BUILTINS
