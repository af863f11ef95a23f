"""Pairs of builds that differ only in a boundary: if their inputs are joined, they are the same text. Plain Python.

A cache whose key joins source, options and headers without boundaries takes the second build for the first.
"""

from dataclasses import dataclass, field
from itertools import chain


@dataclass(frozen=True, slots=True)
class Build:
    """The inputs of a build, and the value that its kernel writes; None if it is refused, as an included file is missing."""

    source: str
    options: str
    value: int | None
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def together(self) -> str:
        """All inputs without boundaries; a space separates options, and is in none of them."""
        return "".join((self.source, self.options.replace(" ", ""), *chain(*self.headers.items())))


_IS_B = "#ifdef B\n#define V 2\n#else\n#define V 7\n#endif\n__kernel void f(__global int *r) { *r = V; }"
_IS_X = "#ifdef X\n#define V 3\n#else\n#define V 5\n#endif\n__kernel void f(__global int *r) { *r = V; }\n//"
_NAMED = "enum { one = 1, onea = 11 };\n__kernel void f(__global int *r) { *r = X; }\n"
_INCLUDES = '__kernel void f(__global int *r) { *r =\n#include "a.h"\n; }\n//'
PAIRS: dict[str, tuple[Build, Build]] = {
    "option_option": (Build(_IS_B, "-DA=1 -DB=2", 2), Build(_IS_B, "-DA=1-DB=2", 7)),
    "source_option": (Build(_IS_X, "-DX", 3), Build(f"{_IS_X}-DX", "", 5)),
    "option_name": (Build(_NAMED, "-DX=one", 1, {"a.h": " "}), Build(_NAMED, "-DX=onea", 11, {".h": " "})),
    "source_name": (Build(_INCLUDES, "", 6, {"a.h": "6"}), Build(f"{_INCLUDES}a", "", None, {".h": "6"})),
    "name_text": (Build(_INCLUDES, "", 8, {"a.h": "8"}), Build(_INCLUDES, "", None, {"a.": "h8"})),
    "text_name": (Build(_INCLUDES, "", 1, {"a.h": "1", "2x": " "}), Build(_INCLUDES, "", 12, {"a.h": "12", "x": " "})),
}


_VERSION = "__kernel void f(__global int *r) { *r = __OPENCL_C_VERSION__; }"
_WRITES_A = "__kernel void f(__global int *r) { *r = A; }"
# Builds that differ in only one input.
KEYS: dict[str, tuple[Build, Build]] = {
    "source": (Build(_WRITES_A.replace("A", "1"), "", 1), Build(_WRITES_A.replace("A", "2"), "", 2)),
    "option": (Build(_WRITES_A, "-DA=1", 1), Build(_WRITES_A, "-DA=2", 2)),
    "order_of_options": (Build(_WRITES_A, "-DA=1 -DA=2", 2), Build(_WRITES_A, "-DA=2 -DA=1", 1)),
    "standard": (Build(_VERSION, "-cl-std=CL1.1", 110), Build(_VERSION, "-cl-std=CL1.2", 120)),
    "header_text": (Build(_INCLUDES, "", 3, {"a.h": "3"}), Build(_INCLUDES, "", 4, {"a.h": "4"})),
    "second_header_text": (
        Build(f'#include "b.h"\n{_INCLUDES}', "", 3, {"a.h": "C", "b.h": "#define C 3\n"}),
        Build(f'#include "b.h"\n{_INCLUDES}', "", 4, {"a.h": "C", "b.h": "#define C 4\n"}),
    ),
    "header_name": (Build(_INCLUDES, "", 5, {"a.h": "5"}), Build(_INCLUDES, "", None, {"b.h": "5"})),
    "header_missing": (Build(_INCLUDES, "", 5, {"a.h": "5", "b.h": " "}), Build(_INCLUDES, "", None, {"b.h": " "})),
}
