"""What printf prints: format, arguments, text. `v` is -42 or 1.5f, known at run time only.

Plain Python, because the catalogue reads it too. OpenCL C 3.0, 6.15.14.2.
"""

from __future__ import annotations

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
    "small_vectors": (
        "int",
        (
            ("%v2hd", "(short2)(1, v)", "1,-42"),
            ("%v3hhd", "(char3)(1, v, 3)", "1,-42,3"),
        ),
    ),
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
