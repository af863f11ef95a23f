"""Sources with headers that are program objects (OpenCL API 3.0, 5.8.5). Plain Python: the catalogue reads it too."""

_KERNEL = "\n__kernel void f(__global int *r) {{ *r = {0}; }}\n"

# The source, its headers by name, and the value that the kernel writes.
HEADERS: dict[str, tuple[str, dict[str, str], int]] = {
    "macro": ('#include "a.h"' + _KERNEL.format("A"), {"a.h": "#define A 31\n"}, 31),
    "function": ('#include "a.h"' + _KERNEL.format("a(4)"), {"a.h": "int a(int x) { return 3 * x; }"}, 12),
    "two": ('#include "a.h"\n#include "b.h"' + _KERNEL.format("A - B"), {"a.h": "#define A 31", "b.h": "#define B 2"}, 29),
    "in_a_folder": ('#include "x/y/a.h"' + _KERNEL.format("A"), {"x/y/a.h": "#define A 7"}, 7),
    "same_name_in_folders": (
        '#include "x/a.h"\nenum { X = A };\n#undef A\n#include "y/a.h"' + _KERNEL.format("X * 10 + A"),
        {"x/a.h": "#define A 1", "y/a.h": "#define A 2"},
        12,
    ),
    "nested": ('#include "a.h"' + _KERNEL.format("B"), {"a.h": '#include "b.h"\n', "b.h": "#define B 15"}, 15),
    "guarded": (
        '#include "a.h"\n#include "a.h"' + _KERNEL.format("a()"),
        {"a.h": "#ifndef A_H\n#define A_H\nint a(void) { return 6; }\n#endif\n"},
        6,
    ),
    "twice": (
        '#define N one\n#include "a.h"\n#undef N\n#define N two\n#include "a.h"' + _KERNEL.format("one() + two()"),
        {"a.h": "int N(void) { return 4; }\n"},
        8,
    ),
    "macro_names_it": ('#define H "a.h"\n#include H' + _KERNEL.format("A"), {"a.h": "#define A 5"}, 5),
    "knows_the_includer": ('#define A 20\n#include "a.h"' + _KERNEL.format("B"), {"a.h": "#define B (A + 1)"}, 21),
    "data": ('__constant int t[] = {\n#include "t.inc"\n};' + _KERNEL.format("t[0] + t[2]"), {"t.inc": "10, 20,\n30\n"}, 40),
    "empty": ('#include "a.h"' + _KERNEL.format("3"), {"a.h": " "}, 3),
    "unused": (_KERNEL.format("3"), {"a.h": "#error not wanted\n"}, 3),
    "no_newline_at_end": ('#include "a.h"' + _KERNEL.format("A"), {"a.h": "#define A 9"}, 9),
    "line_of_header": ('#include "a.h"' + _KERNEL.format("L"), {"a.h": "\n\nenum { L = __LINE__ };"}, 3),
    "conditional": (
        '#ifdef NEVER\n#include "no.h"\n#else\n#include "a.h"\n#endif' + _KERNEL.format("A"),
        {"a.h": "#define A 2"},
        2,
    ),
    "many": (
        "".join(f'#include "h{k}.h"\n' for k in range(20)) + _KERNEL.format(" + ".join(f"H{k}" for k in range(20))),
        {f"h{k}.h": f"#define H{k} {k}\n" for k in range(20)},
        190,
    ),
    "longer_name": ('#include "a.h.h"' + _KERNEL.format("A"), {"a.h": "#define A 1", "a.h.h": "#define A 2"}, 2),
}
# The source and its headers; clCompileProgram fails with CL_COMPILE_PROGRAM_FAILURE.
HEADERS_REFUSED: dict[str, tuple[str, dict[str, str]]] = {
    "refused.missing": ('#include "a.h"' + _KERNEL.format("1"), {"b.h": "#define A 1"}),
    "refused.missing_nested": ('#include "a.h"' + _KERNEL.format("1"), {"a.h": '#include "b.h"\n'}),
    "refused.error_in_header": ('#include "a.h"' + _KERNEL.format("1"), {"a.h": "#error in header\n"}),
    "refused.syntax_in_header": ('#include "a.h"' + _KERNEL.format("1"), {"a.h": "int a( {\n"}),
    "refused.open_if_in_header": ('#include "a.h"' + _KERNEL.format("1") + "#endif\n", {"a.h": "#if 1\n"}),
}
