"""The runnable examples of Tensor's docstrings, as the documentation's builder finds them."""

import ast
import inspect
import re
from textwrap import dedent
from typing import Any

_BLOCK = re.compile(r'```python exec="true"[^\n]*\n(.*?)```', re.DOTALL)


def preamble(tensor: type[Any]) -> str:
    """What runs before every example: the class's own block, with its imports."""
    return _blocks(tensor)[0]


def examples(tensor: type[Any], method: str) -> list[str]:
    """The sources of a method's examples; each continues the one before it."""
    return _blocks(getattr(tensor, method, None))


def methods(tensor: type[Any]) -> list[str]:
    """The public methods and operators that have examples."""
    public = (n for n in dir(tensor) if not n.startswith("_") or (n.startswith("__") and not hasattr(object, n)))
    return sorted(name for name in public if examples(tensor, name))


def silent(source: str) -> str:
    """The example without its prints, to be run before the next one."""
    tree = ast.parse(source)
    tree.body = [statement for statement in tree.body if not _prints(statement)]
    return ast.unparse(tree)


def _blocks(owner: Any) -> list[str]:
    return [dedent(block) for block in _BLOCK.findall(inspect.getdoc(owner) or "")]


def _prints(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(ast.Call(ast.Name("print"))):
            return True
    return False
