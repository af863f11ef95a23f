"""Compilers that give other code to programs with an annotation."""

from __future__ import annotations

from mutation import compiler

MUTANTS = [
    compiler("programs/local.last_item", "kernels/programs/local_reverse/*", r"- 1 - i", "- 1"),
    compiler(
        "programs/sum.saturates", "kernels/programs/wrapping_sum/signed", r"as_int\(as_uint.*\);", "add_sat(a[i], b[i]);"
    ),
    compiler(
        "programs/quotient.rounded_down", "kernels/programs/rounded_quotient/divide", r"/ b\[i\]", "/ b[i] * 0.999999f"
    ),
    compiler("programs/chosen.other", "kernels/programs/chosen_char/*", r"(\? )(\S+)( : )(\S+);", r"\1\4\3\2;"),
    compiler("programs/comma.left", "kernels/programs/comma/*", r"\((a\[0\]|x--|a \+= 10), (.*)\);", r"(\1);"),
    compiler("programs/logic.bitwise", "kernels/programs/float_logic/*", r"a\[i\] && b\[i\]", "a[i] == a[i] && b[i]"),
    compiler("programs/logic.nan_is_false", "kernels/programs/float_logic/*", r"a\[i\] \|\|", "a[i] == a[i] && a[i] ||"),
    compiler(
        "programs/logic.sign_counts", "kernels/programs/float_logic/*", r"!a\[i\]", "!(a[i] || copysign((T)1, a[i]) < 0)"
    ),
    compiler("programs/names.and_is_an_operator", "kernels/programs/operator_names/variables", r"int not\)", "int given)"),
    compiler(
        "programs/struct.member_lost",
        "kernels/programs/struct_in_a_loop/at_run_time",
        r"same\(S s\) \{",
        "same(S s) { s.b = s.a;",
    ),
    compiler(
        "programs/long.index_in_16_bits",
        "kernels/programs/long_array/*",
        r"own\[places\[(.*?)\]\]",
        r"own[(ushort)places[\1]]",
    ),
    compiler("programs/long.clamped_index", "kernels/programs/long_array/*", r"places\[i\]", "min(places[i], 65535u)"),
    compiler("programs/long.one_for_the_group", "kernels/programs/long_array/*", "uchar own.*;", "local uchar own[32768];"),
    compiler(
        "programs/parameters.later_lost", "kernels/programs/many_parameters/*", r"n \* p##n", "(n < 32 ? n * p##n : 0)"
    ),
    compiler("programs/overload.not_atomic", "kernels/programs/own_overload/*", r"atom_add\(n, 1u\)", "*n += 1u"),
    compiler("programs/chosen.sign_kept", "kernels/programs/chosen_byte/short", r"\(ushort\)c", "c"),
    compiler(
        "programs/constants.of_a_sum_first",
        "kernels/programs/constant_after_constant/sum.*",
        r"in\[i\] \+ large - large",
        "in[i]",
    ),
    compiler(
        "programs/constants.of_a_product_first",
        "kernels/programs/constant_after_constant/product.float",
        r"in\[i\] (\* factor.*);",
        r"in[i] * (1 \1);",
    ),
    compiler("programs/constant.writable", "kernels/programs/assigned_constant/build", "constant int", "global int"),
]
