"""printf with a flag, a width or an argument lost."""

from collections.abc import Callable
from typing import Any

from mutation import api_of, compiler_of

call = api_of("printf")

source = compiler_of("printf")

_CAPTURED = "suites.kernels.printf.output.captured"


def printed(change: Callable[[str], str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Another text comes out."""
    return lambda inner: lambda action: change(inner(action))


MUTANTS = [
    source("integer.no_plus", "integer.i", r"%\+", "%"),
    source("integer.no_zeros", "integer.x", r"%0", "%"),
    source("integer.no_precision", "integer.d", r"\.5", ""),
    source("integer.char_not_converted", "program.converted_on_printing", "%hhd", "%d"),
    source("integer.long_is_int", "integer.lu", r"printf\(\"\[%lu\]\\n\", \(ulong\)", 'printf("[%lu]\\\\n", (uint)'),
    source("float.exponent_case", "float.E", r"E\]", "e]"),
    source("float.no_alternative_form", "float.g", "#", ""),
    source("float.left_lost", "float.f", "%-", "%"),
    source("hex.case", "hex.float.A", "%A", "%a"),
    source("vector.order", "vector.v4hlf", r"(vload4\(0, p \+ \d+\))", r"\1.yxzw"),
    source("string.no_precision", "string", r"\.1s", "s"),
    source("three_components.fourth", "program.three_components_then_scalar", r"v3hld %d", "v2hld %d"),
    call("lines.lost", "order", _CAPTURED, printed(lambda text: text.partition("\n")[2])),
    call(
        "lines.swapped",
        "flush.two_kernels",
        _CAPTURED,
        printed(lambda text: "".join(f"{line}\n" for line in reversed(text.splitlines()))),
    ),
    call("full.last_lost", "fill.output", _CAPTURED, printed(lambda text: text[: text.rfind("line")])),
    call("range.twice", "range.2d", _CAPTURED, printed(lambda text: text + text.splitlines()[0] + "\n")),
]
