"""printf with a flag, a width or an argument lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mutation import api, compiler

_CAPTURED = "suites.kernels.printf.output.captured"


def printed(change: Callable[[str], str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Another text comes out."""
    return lambda inner: lambda action: change(inner(action))


MUTANTS = [
    compiler("printf/integer.no_plus", "kernels/printf/integer.i", r"%\+", "%"),
    compiler("printf/integer.no_zeros", "kernels/printf/integer.x", r"%0", "%"),
    compiler("printf/integer.no_precision", "kernels/printf/integer.d", r"\.5", ""),
    compiler("printf/integer.char_not_converted", "kernels/printf/program.converted_on_printing", "%hhd", "%d"),
    compiler(
        "printf/integer.long_is_int",
        "kernels/printf/integer.lu",
        r"printf\(\"\[%lu\]\\n\", \(ulong\)",
        'printf("[%lu]\\\\n", (uint)',
    ),
    compiler("printf/float.exponent_case", "kernels/printf/float.E", r"E\]", "e]"),
    compiler("printf/float.no_alternative_form", "kernels/printf/float.g", "#", ""),
    compiler("printf/float.left_lost", "kernels/printf/float.f", "%-", "%"),
    compiler("printf/hex.case", "kernels/printf/hex.float.A", "%A", "%a"),
    compiler("printf/vector.order", "kernels/printf/vector.v4hlf", r"(vload4\(0, p \+ \d+\))", r"\1.yxzw"),
    compiler("printf/string.no_precision", "kernels/printf/string", r"\.1s", "s"),
    compiler(
        "printf/three_components.fourth",
        "kernels/printf/program.three_components_then_scalar",
        r"v3hld %d",
        "v2hld %d",
    ),
    api("printf/lines.lost", "kernels/printf/order", _CAPTURED, printed(lambda text: text.partition("\n")[2])),
    api(
        "printf/lines.swapped",
        "kernels/printf/flush.two_kernels",
        _CAPTURED,
        printed(lambda text: "".join(f"{line}\n" for line in reversed(text.splitlines()))),
    ),
    api(
        "printf/full.last_lost",
        "kernels/printf/fill.output",
        _CAPTURED,
        printed(lambda text: text[: text.rfind("line")]),
    ),
    api(
        "printf/range.twice",
        "kernels/printf/range.2d",
        _CAPTURED,
        printed(lambda text: text + text.splitlines()[0] + "\n"),
    ),
]
