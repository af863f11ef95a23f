"""Pointers, private arrays and constants that are off by a little."""

from mutation import compiler, compiler_of

source = compiler_of("address")

MUTANTS = [
    source("pointer.off_by_one", "passed/*.global", r"return p\[-k\]", "return p[k ? 1 - k : 0]"),
    source("constant.other_group", "passed/int.constant", r"c \+ get_group_id\(0\) \* 64", "c"),
    source("private.write_lost", "private/written_by_index", r"p\[l & 7\] = ", "p[l & 3] = "),
    compiler(  # the first of two writes, which an index of the run reads
        "address/private.write_is_dead",
        "kernels/address/private/read_between_writes",
        r"p\[1\] = a\[63 - l\]; uint x",
        "uint x",
    ),
    source(
        "private.copied_too_late",
        "private/copied_inside_of_an_array",
        r"(p\[run\] = p\[run \+ 1\];) (p\[1\]\.v\[0\] = 9;)",
        r"\2 \1",
    ),
    source("private.rows_swapped", "private/two_dimensions", r"15 - l % 16", "l % 16"),
    source("private.not_zeroed", "private/initialised", r"p\[7\] = \{3, 1, 4\}", "p[7] = {3, 1, 4, 1, 5, 9, 2}"),
    source("struct.by_reference", "private/by_value", r"x\.t \+= 1; return x;", "x.v[1] = 0; return x;"),
    source("struct.unpadded", "struct", r"typedef struct \{ char c;", "typedef struct __attribute__((packed)) { char c;"),
    source("single.first_component", "single/int4.local", r"\n    v = a\[0\];", "\n    v.s0 = a[0].s0;"),
    source("single.component_lost", "single/half4.global", r"v\.s0 = a\[1\]\.s1", "v.s1 = a[1].s1"),
    source("single.half_a_vector", "single/char16.local", r"\(k \+ turn\) % 16", "(k + turn) % 8"),
    source("aligned.word", "aligned/local", r"aligned\(128\)", "aligned(4)"),
    source("aligned.one_place", "aligned/constant", r"r\[7\] = \*\(&p8", "r[7] = *(&q8"),
    source("single.read_in_part", "single/float3.local", r"T whole = v;", "T whole = v.xxz;"),
    source("table.first_rows", "table/*", r"table\[k\[", "table[1 & k["),
    source("table.sign_lost", "table/char", r"(r\[get_global_id\(0\)\] = )(table\S*);", r"\1(\2) & 127;"),
    source("constant.tail_of_string", "constant/string", r"\\x41", "\\\\x42"),
    source("constant.partial", "constant/partly_initialised", r"\[60\] = 9", "[59] = 9"),
    source("vector.components", "private/vector_array", r"\? v\.w", "? v.x"),
]
