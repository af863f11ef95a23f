"""Compilers that give other code to programs with an annotation."""

from mutation import compiler_of

source = compiler_of("programs")

MUTANTS = [
    source("local.last_item", "local_reverse/*", r"- 1 - i", "- 1"),
    source("sum.saturates", "wrapping_sum/signed", r"as_int\(as_uint.*\);", "add_sat(a[i], b[i]);"),
    source("quotient.rounded_down", "rounded_quotient/divide", r"/ b\[i\]", "/ b[i] * 0.999999f"),
    source("chosen.other", "chosen_char/*", r"(\? )(\S+)( : )(\S+);", r"\1\4\3\2;"),
    source("comma.left", "comma/*", r"\((a\[0\]|x--|a \+= 10), (.*)\);", r"(\1);"),
    source("logic.bitwise", "float_logic/*", r"a\[i\] && b\[i\]", "a[i] == a[i] && b[i]"),
    source("logic.nan_is_false", "float_logic/*", r"a\[i\] \|\|", "a[i] == a[i] && a[i] ||"),
    source("logic.sign_counts", "float_logic/*", r"!a\[i\]", "!(a[i] || copysign((T)1, a[i]) < 0)"),
    source("names.and_is_an_operator", "operator_names/variables", r"int not\)", "int given)"),
    source("struct.member_lost", "struct_in_a_loop/at_run_time", r"same\(S s\) \{", "same(S s) { s.b = s.a;"),
    source("long.index_in_16_bits", "long_array/*", r"own\[places\[(.*?)\]\]", r"own[(ushort)places[\1]]"),
    source("long.clamped_index", "long_array/*", r"places\[i\]", "min(places[i], 65535u)"),
    source("long.one_for_the_group", "long_array/*", "uchar own.*;", "local uchar own[32768];"),
    source("parameters.later_lost", "many_parameters/*", r"n \* p##n", "(n < 32 ? n * p##n : 0)"),
    source("overload.not_atomic", "own_overload/*", r"atom_add\(n, 1u\)", "*n += 1u"),
    source("chosen.sign_kept", "chosen_byte/short", r"\(ushort\)c", "c"),
    source("constants.of_a_sum_first", "constant_after_constant/sum.*", r"in\[i\] \+ large - large", "in[i]"),
    source(
        "constants.of_a_product_first",
        "constant_after_constant/product.float",
        r"in\[i\] (\* factor.*);",
        r"in[i] * (1 \1);",
    ),
    source("constant.writable", "assigned_constant/build", "constant int", "global int"),
]
