"""Directives and macro replacement (C99, 6.10), and sources that a preprocessor must refuse."""

from .table import Macro


def _chosen(condition: str, head: str = "", options: str = "") -> Macro:
    """A macro that is 1 if an #if takes its group, and 0 if it takes the #else."""
    return Macro(
        "CHOSEN", (1,), head=f"{head}\n#if {condition}\n#define CHOSEN 1\n#else\n#define CHOSEN 0\n#endif", options=options
    )


# 6.10.1; each condition holds
CONDITIONS: dict[str, Macro] = {
    name: _chosen(condition, head)
    for name, (condition, head) in {
        "precedence": ("1 + 2 * 3 == 7 && (1 + 2) * 3 == 9", ""),
        "division": ("-7 / 2 == -3 && -7 % 2 == -1", ""),
        "bits": ("(6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5 && (~0 & 15) == 15", ""),
        "shifts": ("1 << 10 == 1024 && -8 >> 1 < 0", ""),
        "wide": ("(1 << 40) / (1 << 20) == 1 << 20", ""),  # intmax_t has 64 bits
        "unsigned": ("-1 > 0u && -1 < 0", ""),
        "unsigned_wide": ("18446744073709551615u == 0xffffffffffffffffu && 18446744073709551615u > 1", ""),
        "ternary": ("(1 ? 2 : 3) == 2 && (0 ? 2 : 3) == 3", ""),
        "not_evaluated": ("1 || 1 / 0", ""),
        "not_evaluated_and": ("!(0 && 1 / 0)", ""),
        "bases": ("0x10 == 16 && 010 == 8", ""),
        "characters": ("'a' == 97 && '\\n' == 10 && '\\x41' == 65 && '\\101' == 65", ""),
        "identifiers_are_0": ("no_such_name == 0", ""),
        "keywords_are_0": ("int == 0 && float4 == 0", ""),
        "defined": ("defined A && defined(A) && !defined B", "#define A"),
        "undefined_again": ("!defined A", "#define A 1\n#undef A"),
        "undef_of_nothing": ("1", "#undef NEVER_DEFINED"),
        "macro": ("A == 7 && B(2) == 9", "#define A 7\n#define B(x) (A + x)"),
        "logical_not": ("!0 && !!5 && !-0", ""),
        "comparison_gives_1": ("(3 < 5) + (5 <= 5) + (6 > 5) + (5 >= 5) + (1 != 2) == 5", ""),
        "limits": ("CHAR_BIT == 8 && SCHAR_MIN == -128 && INT_MAX == 2147483647 && UINT_MAX == 4294967295u", ""),
        "limits_of_long": ("LONG_MAX == 9223372036854775807 && ULONG_MAX == 18446744073709551615u", ""),
        "limits_of_float": ("FLT_DIG == 6 && FLT_MANT_DIG == 24 && FLT_MAX_EXP == 128 && FLT_RADIX == 2", ""),
        "version": ("__OPENCL_VERSION__ >= 120 && __OPENCL_C_VERSION__ >= CL_VERSION_1_0", ""),
        "version_names": ("CL_VERSION_1_0 < CL_VERSION_1_1 && CL_VERSION_1_1 < CL_VERSION_1_2", ""),
    }.items()
}
REPLACEMENT: dict[str, Macro] = {
    "elif": Macro(
        "N", (3,), head="#if 0\n#define N 1\n#elif 0\n#define N 2\n#elif 1\n#define N 3\n#elif 1\n#define N 4\n#endif"
    ),
    "elif_not_evaluated": Macro("N", (1,), head="#if 1\n#define N 1\n#elif 1 / 0\n#define N 2\n#endif"),
    "nested": Macro(
        "N",
        (4,),
        head="#if 1\n#if 0\n#define N 3\n#else\n#ifndef Z\n#define N 4\n#endif\n#endif\n#else\n#define N 5\n#endif",
    ),
    "skipped_group": Macro(
        "N", (6,), head='#if 0\n#error no\n#if 1\n#endif\n\'unbalanced\n#include "no/such.h"\n#else\n#define N 6\n#endif'
    ),
    "ifdef_else": Macro("N", (2,), head="#ifdef NOPE\n#define N 1\n#else\n#define N 2\n#endif"),
    "object": Macro("A + 1", (43,), head="#define A 42"),
    "in_order": Macro("A", (2,), head="#define A 1\n#undef A\n#define A 2"),
    "same_twice": Macro("A", (5,), head="#define A 5\n#define A 5"),
    "function": Macro("ADD(2, 3) * 2", (10,), head="#define ADD(x, y) ((x) + (y))"),
    "no_parentheses": Macro("SUM * 2", (7,), head="#define SUM 1 + 3"),
    "name_without_call": Macro("F + F(1)", (12,), head="__constant int F_ = 10;\n#define F(x) ((x) + 1)\nenum { F = 10 };"),
    "nested_calls": Macro("MAX(MAX(3, 9), MAX(4, 1))", (9,), head="#define MAX(a, b) ((a) > (b) ? (a) : (b))"),
    "parenthesised_commas": Macro("FIRST((1, 2), 3)", (2,), head="#define FIRST(a, b) (a)"),
    "empty_argument": Macro("NEG() 5", (-5,), head="#define NEG(x) x -"),
    "no_parameter": Macro("FIVE()", (5,), head="#define FIVE() 5"),
    "over_lines": Macro("ADD(1,\n 2)", (3,), head="#define ADD(x, \\\n  y) \\\n  ((x) + (y))"),
    "paste": Macro("PASTE(fo, o)", (8,), head="#define PASTE(a, b) a##b\n__constant int foo = 8;"),
    "paste_numbers": Macro("PASTE(1, 2) + PASTE(0x, ff)", (267,), head="#define PASTE(a, b) a ## b"),
    "paste_operators": Macro("1 PASTE(<, <) 4", (16,), head="#define PASTE(a, b) a ## b"),
    "paste_empty": Macro("PASTE(, 7) + PASTE(8, )", (15,), head="#define PASTE(a, b) a ## b"),
    "paste_before_expansion": Macro(
        "PASTE(A, B) + DEEP(A, B)",
        (30,),
        head="#define A 1\n#define B 2\n#define AB 18\n#define PASTE(a, b) a##b\n#define DEEP(a, b) PASTE(a, b)",
    ),
    "paste_suffix": Macro("CAT(7, u) - CAT(8, u) > 0", (1,), head="#define CAT(a, b) a##b"),
    "paste_makes_type": Macro("VEC(int, 4)(1, 2, 3, 4).w", (4,), head="#define VEC(t, n) (t##n)"),
    "paste_makes_call": Macro("OP(a, dd)(3)", (5,), head="#define OP(x, y) x##y\nint add(int x) { return x + 2; }"),
    "string": Macro("sizeof(S(abc)) + sizeof(S()) * 10", (14,), head="#define S(x) #x"),
    "string_text": Macro(
        "text[0] * 65536 + text[1] * 256 + text[2]",
        (0x61202B,),
        head="#define S(x) #x\n__constant char text[] = S(a   +  b);",
    ),
    "string_escapes": Macro("sizeof(text)", (6,), head='#define S(x) #x\n__constant char text[] = S("a\\n");'),
    "string_before_expansion": Macro(
        "sizeof(S(A)) * 10 + sizeof(T(A))", (24,), head="#define A 123\n#define S(x) #x\n#define T(x) S(x)"
    ),
    "variadic": Macro(
        "SUM(1, 2, 3)", (6,), head="int sum(int a, int b, int c) { return a + b + c; }\n#define SUM(...) sum(__VA_ARGS__)"
    ),
    "variadic_rest": Macro(
        "CALL(sub, 9, 4)", (5,), head="int sub(int a, int b) { return a - b; }\n#define CALL(f, ...) f(__VA_ARGS__)"
    ),
    "variadic_string": Macro("sizeof(S(1, 2,3))", (7,), head="#define S(...) #__VA_ARGS__"),
    "variadic_count": Macro(
        "COUNT(a, b, c) * 10 + COUNT(a)",
        (31,),
        head="#define COUNT(...) PICK(__VA_ARGS__, 4, 3, 2, 1, 0)\n#define PICK(a, b, c, d, n, ...) n",
    ),
    "self_reference": Macro("g(1)", (7,), head="int g(int x) { return x + 4; }\n#define g(x) g((x) + 2)"),
    "mutual_reference": Macro("a + b", (30,), head="enum { a = 10, b = 20 };\n#define a b\n#define b a"),
    "rescanning": Macro("TWICE(ONE)(5)", (6,), head="#define ONE PLUS\n#define PLUS(x) ((x) + 1)\n#define TWICE(f) f"),
    "deferred": Macro("LATER(5)", (25,), head="#define LATER SQUARE\n#define SQUARE(x) ((x) * (x))"),
    "keyword": Macro("sizeof(int)", (8,), head="#define int long", requires=("int64",)),
    "builtin": Macro("max(3, 4)", (3,), head="#define max(a, b) min(a, b)"),
    "comments": Macro("A/**/+/* 1 + */A // + 5\n", (14,), head="#define A /* nothing */ 7 // seven"),
    "comment_splits": Macro(
        "S1 * 10 + S2", (25,), head='enum { ab = 9 };\n#define S1 sizeof("a")\n#define S2 sizeof("a/**/") - 1 + 0/**/'
    ),
    "continuation": Macro("12\\\n34", (1234,)),
    "digraphs": Macro("a<:1:>", (6,), head="%:define A 6\n__constant int a<:2:> = <% 5, A %>;"),
    "null_directive": Macro("1", (1,), head="#\n  #  \n"),
    "spaced_directive": Macro("A", (3,), head="  #   define   A   3"),
    "unknown_pragma": Macro("1", (1,), head="#pragma no_such_pragma with words"),
    "pragma_operator": Macro("1", (1,), head='_Pragma("OPENCL FP_CONTRACT OFF")'),
    "pragma_extension_all": Macro("1", (1,), head="#pragma OPENCL EXTENSION all : disable"),
    "pragma_contract": Macro("1", (1,), head="#pragma OPENCL FP_CONTRACT ON"),
    "pragma_not_expanded_name": Macro("OPENCL", (2,), head="#define OPENCL 2"),
    "defined_on_command_line": Macro("A * 10 + B + C", (74,), options="-DA=7 -D B=3 -DC"),
    "string_on_command_line": Macro(
        "sizeof(STR(A))", (6,), options="-DA=hello", head="#define STR_(x) #x\n#define STR(x) STR_(x)"
    ),
    "undefined_in_source": Macro("A", (2,), options="-DA=1", head="#undef A\n#define A 2"),
    "last_definition": Macro("A", (2,), options="-DA=1 -DA=2 -w"),
}
# API 3.0, 5.8.6.1: `-D name` has the definition 1. A parser of options may fail for names and words of one letter.
OPTIONS: dict[str, Macro] = {
    "one_letter": Macro("A", (1,), options="-D A"),
    "name": Macro("ABC", (1,), options="-D ABC"),
    "no_space": Macro("A", (1,), options="-DA"),
    "two_of_one_letter": Macro("A * 10 + B", (11,), options="-D A -D B"),
    "one_letter_last": Macro("A * 10 + B", (71,), options="-D A=7 -D B"),
    "one_letter_after_another_option": Macro("A", (1,), options="-cl-opt-disable -D A"),
    "spaces_around": Macro("A", (1,), options="  -D   A  "),
    "underscore": Macro("_", (1,), options="-D _"),
    "nothing": Macro("1 + A 4", (5,), options="-D A="),
    "names_another": Macro("A", (7,), options="-D A=B -D B=7"),
    "negative": Macro("A", (-7,), options="-D A=-7"),
    "equals_sign": Macro("3 A 3", (1,), options="-D A==="),
    "in_order": Macro("A", (3,), options="-D A=2 -D A=3 -w"),
}
# Beginnings of sources that break a constraint of C99, 6.10, or have an #error.
REFUSED: dict[str, str] = {
    "if_without_end": "#if 1\n",
    "ifdef_without_end": "#ifdef A\n",
    "endif_alone": "#endif\n",
    "else_alone": "#else\n",
    "elif_alone": "#elif 1\n",
    "else_twice": "#if 1\n#else\n#else\n#endif\n",
    "elif_after_else": "#if 0\n#else\n#elif 1\n#endif\n",
    "if_of_nothing": "#if\n#endif\n",
    "if_unbalanced": "#if (1\n#endif\n",
    "if_of_string": '#if "a"\n#endif\n',
    "if_of_float": "#if 1.0\n#endif\n",
    "if_divides_by_0": "#if 1 / 0\n#endif\n",
    "if_of_two_numbers": "#if 1 2\n#endif\n",
    "error": "#error told so\n",
    "error_after_if": "#if __OPENCL_VERSION__ >= 100\n#error told so\n#endif\n",
    "include_missing": '#include "no/such/header.h"\n',
    "include_of_nothing": "#include\n",
    "define_nothing": "#define\n",
    "define_number": "#define 1 2\n",
    "define_defined": "#define defined 1\n",
    "paste_first": "#define A(x) ##x\n",
    "paste_last": "#define A(x) x##\n",
    "string_of_no_parameter": "#define A(x) #y\n",
    "parameter_twice": "#define A(x, x) x\n",
    "too_few_arguments": "#define A(x, y) x + y\n__constant int a = A(1);\n",
    "too_many_arguments": "#define A(x) x\n__constant int a = A(1, 2);\n",
    "arguments_without_end": "#define A(x) x\n__constant int a = A(1;\n",
    "comment_without_end": "/* and so on\n",
    "unknown_directive": "#no_such_directive\n",
    "line_of_words": "#line abc\n",
    "undef_of_number": "#undef 1\n",
    "VA_ARGS_elsewhere": "#define A(x) #x __VA_ARGS__\n#if A(1)\n#endif\n",
}
