"""Pointers, private arrays and constants that are off by a little."""

from __future__ import annotations

from mutation import compiler

MUTANTS = [
    compiler(
        "address/pointer.off_by_one",
        "kernels/address/passed/*.global",
        r"return p\[-k\]",
        "return p[k ? 1 - k : 0]",
    ),
    compiler(
        "address/constant.other_group",
        "kernels/address/passed/int.constant",
        r"c \+ get_group_id\(0\) \* 64",
        "c",
    ),
    compiler(
        "address/private.write_lost",
        "kernels/address/private/written_by_index",
        r"p\[l & 7\] = ",
        "p[l & 3] = ",
    ),
    compiler(  # the first of two writes, which an index of the run reads
        "address/private.write_is_dead",
        "kernels/address/private/read_between_writes",
        r"p\[1\] = a\[63 - l\]; uint x",
        "uint x",
    ),
    compiler(
        "address/private.copied_too_late",
        "kernels/address/private/copied_inside_of_an_array",
        r"(p\[run\] = p\[run \+ 1\];) (p\[1\]\.v\[0\] = 9;)",
        r"\2 \1",
    ),
    compiler("address/private.rows_swapped", "kernels/address/private/two_dimensions", r"15 - l % 16", "l % 16"),
    compiler(
        "address/private.not_zeroed",
        "kernels/address/private/initialised",
        r"p\[7\] = \{3, 1, 4\}",
        "p[7] = {3, 1, 4, 1, 5, 9, 2}",
    ),
    compiler(
        "address/struct.by_reference",
        "kernels/address/private/by_value",
        r"x\.t \+= 1; return x;",
        "x.v[1] = 0; return x;",
    ),
    compiler(
        "address/struct.unpadded",
        "kernels/address/struct",
        r"typedef struct \{ char c;",
        "typedef struct __attribute__((packed)) { char c;",
    ),
    compiler(
        "address/single.first_component", "kernels/address/single/int4.local", r"\n    v = a\[0\];", "\n    v.s0 = a[0].s0;"
    ),
    compiler(
        "address/single.component_lost", "kernels/address/single/half4.global", r"v\.s0 = a\[1\]\.s1", "v.s1 = a[1].s1"
    ),
    compiler("address/single.half_a_vector", "kernels/address/single/char16.local", r"\(k \+ turn\) % 16", "(k + turn) % 8"),
    compiler("address/aligned.word", "kernels/address/aligned/local", r"aligned\(128\)", "aligned(4)"),
    compiler("address/aligned.one_place", "kernels/address/aligned/constant", r"r\[7\] = \*\(&p8", "r[7] = *(&q8"),
    compiler("address/single.read_in_part", "kernels/address/single/float3.local", r"T whole = v;", "T whole = v.xxz;"),
    compiler("address/table.first_rows", "kernels/address/table/*", r"table\[k\[", "table[1 & k["),
    compiler(
        "address/table.sign_lost",
        "kernels/address/table/char",
        r"(r\[get_global_id\(0\)\] = )(table\S*);",
        r"\1(\2) & 127;",
    ),
    compiler("address/constant.tail_of_string", "kernels/address/constant/string", r"\\x41", "\\\\x42"),
    compiler("address/constant.partial", "kernels/address/constant/partly_initialised", r"\[60\] = 9", "[59] = 9"),
    compiler("address/vector.components", "kernels/address/private/vector_array", r"\? v\.w", "? v.x"),
]
