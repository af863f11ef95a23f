"""The output of printf: format, arguments, text. `v` is -42 or 1.5f, and known only at run time.

Plain Python, because the catalogue reads it too. OpenCL C 3.0, 6.15.14.2.
"""

from dataclasses import dataclass

Row = tuple[str, str, str]

FORMATS: dict[str, tuple[str, tuple[Row, ...]]] = {
    "integers": (
        "int",
        (
            ("%d %i", "v, v", "-42 -42"),
            ("%u", "v", "4294967254"),
            ("[%5d] [%-5d] [%05d] [%+d]", "v, v, v, -v", "[  -42] [-42  ] [-0042] [+42]"),
            ("%x %X %#x %o %#o", "v, v, -v, -v, -v", "ffffffd6 FFFFFFD6 0x2a 52 052"),
            ("%hhd %hd", "(char)v, (short)v", "-42 -42"),
            ("%ld %lu", "(long)v << 32, (ulong)(long)v", "-180388626432 18446744073709551574"),
            ("[%.5d] [%8.3d]", "v, v", "[-00042] [    -042]"),
            ("%c%c%c", "'a', 66, -v", "aB*"),
            ("100%%", "", "100%"),
        ),
    ),
    "floats": (
        "float",
        (
            ("%f %.2f %.0f", "v, -v, v", "1.500000 -1.50 2"),
            ("[%8.3f] [%-8.3f] [%08.3f] [%+f]", "v, v, v, v", "[   1.500] [1.500   ] [0001.500] [+1.500000]"),
            ("%e %.3E", "v * 1000, v", "1.500000e+03 1.500E+00"),
            ("%g %g %G", "v, v * 1e10f, v * 1e-10f", "1.5 1.5e+10 1.5E-10"),
            ("%a", "v", "0x1.8p+0"),
            ("%f %f %f", "INFINITY * v, -INFINITY * v, -0.0f", "inf -inf -0.000000"),
        ),
    ),
    "vectors": (
        "int",
        (
            ("%v2hld", "(int2)(v, 7)", "-42,7"),
            ("%v4hlu", "(uint4)(1, 2, 3, 4000000000u)", "1,2,3,4000000000"),
            ("%v4hlf", "(float4)(v, 0.5f, 1e3f, -0.25f)", "-42.000000,0.500000,1000.000000,-0.250000"),
            ("[%v2hlx] [%5v2hld]", "(int2)(255, 16), (int2)(1, v)", "[ff,10] [    1,  -42]"),
            ("%v16hhu", "(uchar16)(9)", ",".join("9" * 16)),
        ),
    ),
    "small_vectors": ("int", (("%v2hd", "(short2)(1, v)", "1,-42"), ("%v3hhd", "(char3)(1, v, 3)", "1,-42,3"))),
    "strings": (
        "int",
        (
            ("%s and %s", '"one", "two"', "one and two"),
            ("[%6s] [%-6s] [%.2s]", '"abc", "abc", "abc"', "[   abc] [abc   ] [ab]"),
            ("%d%s%d", 'v, "", -v', "-4242"),
            ('tab\\tquote\\"', "", 'tab\tquote"'),
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Program:
    """A kernel's body, which one item runs, and its output. `p` points to the ints 0 to 63; `head` is before the kernel."""

    body: str
    text: str
    head: str = ""
    requires: tuple[str, ...] = ()


PROGRAMS: dict[str, Program] = {
    "no_conversion": Program('printf("plain\\n");', "plain\n"),
    "no_newline": Program('printf("a"); printf("b"); printf("");', "ab"),
    "empty": Program('printf("");', ""),
    "loop": Program('for (int k = 0; k < p[50]; ++k) printf("%d;", k);', "".join(f"{k};" for k in range(50))),
    "nested_loops": Program(
        'for (int a = 0; a < p[3]; ++a) for (int b = 0; b < a; ++b) printf("%d%d ", a, b);', "10 20 21 "
    ),
    "while_break": Program('int k = p[9]; while (1) { printf("%d ", k); if (k-- == p[5]) break; }', "9 8 7 6 5 "),
    "branches": Program('if (p[1]) printf("yes %d", p[2]); else printf("no %d", p[3]);', "yes 2"),
    "not_taken": Program('if (p[0]) printf("no"); printf("end");', "end"),
    "switch": Program(
        'for (int k = 0; k < 4; ++k) switch (p[k]) { case 1: printf("one "); break; case 3: printf("three "); '
        'default: printf("%d ", k); }',
        "0 one 2 three 3 ",
    ),
    "function": Program("say(p[4], 1); say(p[5], 0);", "4:1\n5:0\n", 'void say(int a, int b) { printf("%d:%d\\n", a, b); }'),
    "function_result": Program(
        'printf("%d %d\\n", twice(p[21]), twice(p[4]));', "42 8\n", "int twice(int a) { return 2 * a; }"
    ),
    "prints_inside_arguments": Program(
        'printf("outer %d\\n", said(p[7]));',
        "inner 7\nouter 14\n",
        'int said(int a) { printf("inner %d\\n", a); return 2 * a; }',
    ),
    "returns_zero": Program('int a = printf("%d,", p[1]); int b = printf("x\\n"); printf("%d %d", a, b);', "1,x\n0 0"),
    "evaluated_once": Program('int n = p[5]; printf("%d ", n++); printf("%d ", ++n); printf("%d", n);', "5 7 7"),
    "many_arguments": Program(
        'printf("' + "%d " * 24 + '\\n", ' + ", ".join(f"p[{k}]" for k in range(24)) + ");",
        " ".join(map(str, range(24))) + " \n",
    ),
    "mixed_arguments": Program(
        'printf("%d %f %s %c %x %v2hld %g|\\n", p[1], p[3] * 0.5f, "str", p[60] + 5, p[30], (int2)(p[8], p[9]), '
        "p[1] * 0.25f);",
        "1 1.500000 str A 1e 8,9 0.25|\n",
    ),
    "narrow_between_wide": Program(
        'printf("%hhd %ld %hhd %hd %ld %hhd\\n", (char)p[1], (long)p[2] << 40, (char)p[3], (short)p[4], '
        "-(long)p[5], (char)-p[6]);",
        f"1 {2 << 40} 3 4 -5 -6\n",
        requires=("int64",),
    ),
    "vectors_between_scalars": Program(
        'printf("%hhd %v4hld %hhd %v2hhu %d\\n", (char)p[1], (int4)(p[2], p[3], p[4], -p[5]), (char)p[6], '
        "(uchar2)(250, 5), p[7]);",
        "1 2,3,4,-5 6 250,5 7\n",
    ),
    "three_components_then_scalar": Program(
        'printf("%v3hld %d %v3hlf %d\\n", (int3)(p[1], p[2], p[3]), p[4], (float3)(p[5], p[6], p[7]), p[8]);',
        "1,2,3 4 5.000000,6.000000,7.000000 8\n",
    ),
    "string_between_numbers": Program('printf("%d%s%d%s%d\\n", p[1], " and ", p[2], "", p[3]);', "1 and 23\n"),
    "percent": Program('printf("%%%d%%%%d%%\\n", p[7]);', "%7%%d%\n"),
    "percent_in_string": Program('printf("%s|\\n", "100%d%%");', "100%d%%|\n"),
    "escapes": Program('printf("\\a\\b\\f\\t\\v\\\\\\"\\\'\\?\\101\\x42|\\n");', "\a\b\f\t\v\\\"'?AB|\n"),
    "concatenated": Program('printf("a" "b%d" "\\n", p[1]);', "ab1\n"),
    "macro": Program('printf(FORM("%d"), p[3]);', "<3>", '#define FORM(x) "<" x ">"'),
    "format_variable": Program("printf(form, p[3]);", "value 3\n", '__constant char form[] = "value %d\\n";'),
    "long_format": Program('printf("' + "0123456789" * 60 + '%d\\n", p[4]);', "0123456789" * 60 + "4\n"),
    "long_string": Program('printf("%s|%d\\n", "' + "abcdefghij" * 60 + '", p[4]);', "abcdefghij" * 60 + "|4\n"),
    "many_prints": Program(
        "".join(f'printf("{k}:%d ", p[{k % 64}]);' for k in range(100)), "".join(f"{k}:{k % 64} " for k in range(100))
    ),
    "same_format": Program('printf("%d ", p[1]); printf("%d ", p[2]); printf("%d ", p[1]);', "1 2 1 "),
    "private_array": Program(
        'int a[8]; for (int k = 0; k < 8; ++k) a[k] = p[k] * p[k]; printf("%d %d %d", a[p[2]], a[p[7]], a[3]);', "4 49 9"
    ),
    "local_memory": Program('l[p[2]] = p[9]; printf("%d", l[2]);', "9", "#define LOCAL __local int l[4];"),
    "constant_memory": Program(
        'printf("%d %d", table[p[1]], table[2]);', "20 30", "__constant int table[3] = {10, 20, 30};"
    ),
    "characters": Program("printf(\"%c%c%5c%-3c|\", p[60] + 6, 'z', 'y', 'x');", "Bz    yx  |"),
    "unsigned_kinds": Program(
        'printf("%u %hu %hhu %lu\\n", ~0u - p[0], (ushort)~p[0], (uchar)~p[0], ~0ul - p[0]);',
        f"{2**32 - 1} 65535 255 {2**64 - 1}\n",
        requires=("int64",),
    ),
    "converted_on_printing": Program(  # hh and h convert the promoted arguments back
        'printf("%hhd %hhu %hd %hu\\n", 300 + p[0], 300 + p[0], 70000 + p[0], 70000 + p[0]);', "44 44 4464 4464\n"
    ),
    "truths": Program('printf("%d %d", p[1] < p[2], p[1] == p[2]);', "1 0"),
    "sizes": Program('printf("%lu %lu", (ulong)sizeof(int4), (ulong)get_global_size(0));', "16 1", requires=("int64",)),
    "after_barrier": Program('printf("before "); barrier(CLK_LOCAL_MEM_FENCE); printf("after");', "before after"),
    "float_arithmetic": Program('float x = p[3]; printf("%.3f %.1e %g", x / 4, x * 1e6f, x - 2.5f);', "0.750 3.0e+06 0.5"),
    "double_literal_of_float": Program('printf("%.2f", 1.25f * p[2]);', "2.50"),
}
