"""The kernels of the integer operations."""

from ..kit.integers import IntegerType
from .operation import Operation


def source(operation: Operation, t: IntegerType) -> str:
    """A kernel f(a, b, c, s, u, r), with the operands that the operation has; the results of the forms follow each other."""
    element, result = t.scalar, operation.result_scalar(t)
    vectors, scalars = "abc"[: operation.operands], "su"[: operation.scalars]
    scalar_type = operation.scalar_type or element
    parameters = [f"__global const {element} *{n}_" for n in vectors]
    parameters += [f"__global const {scalar_type} *{n}_" for n in scalars]
    loads = [f"{t} {n} = {load(t, f'{n}_')};" for n in vectors]
    loads += [f"{scalar_type} {n} = {n}_[i];" for n in scalars]
    stores = [statement(operation, t, text, f"{n} * get_global_size(0) + i") for n, text in enumerate(operation.forms)]
    body = "\n    ".join(loads + stores)
    return f"""
__kernel void f({", ".join(parameters)}, __global {result} *r) {{
    size_t i = get_global_id(0);
    {body}
}}
"""


def load(t: IntegerType, pointer: str) -> str:
    """The expression that loads the work-item's operand."""
    return f"{pointer}[i]" if t.width == 1 else f"vload{t.width}(i, {pointer})"


def statement(operation: Operation, t: IntegerType, text: str, at: str) -> str:
    """One form, and the store of its result."""
    code = text.format(low=t.of(operation.unsigned(t)))
    value = "x" if operation.assigns else code
    store = f"r[{at}] = {value};" if t.width == 1 else f"vstore{t.width}({value}, {at}, r);"
    return f"{{ {t} x = a, y = a; {code}; {store} }}" if operation.assigns else store


def linked(operation: Operation, scalar: str) -> str:
    """A kernel that calls a builtin on a type in every width. It is built, but never launched."""
    lines = []
    for width in operation.widths:
        t = IntegerType(scalar, width)
        names = "abc"[: operation.operands]
        scalars = [f"{operation.scalar_type or scalar} {n} = n;" for n in "su"[: operation.scalars]]
        loads = [f"{t} {n} = ({t})(p[{k}]);" for k, n in enumerate(names)]
        calls = [
            f"*(__global {t.of(operation.result_scalar(t))} *)r = {text.format(low=t.of(operation.unsigned(t)))};"
            for text in operation.forms
        ]
        lines.append(f"if (n == {width}) {{ {' '.join(loads + scalars + calls)} }}")
    body = "\n    ".join(lines)
    return f"__kernel void f(__global const {scalar} *p, __global void *r, int n) {{\n    {body}\n}}\n"
