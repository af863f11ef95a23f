"""Members without a size, of GNU C and C99: arrays without elements or without a length, of each kind of type."""

from ..kit.needs import needs
from .form import Form, more

_SCALARS = {"char": 1, "ushort": 2, "half": 2, "float": 4, "long": 8, "double": 8}
_EXTENSIONS = {"half": "cl_khr_fp16", "double": "cl_khr_fp64"}
# Such a member aligns its structure and takes no room. T is its type, A its alignment, B the larger of A and that of int.
# A use: its types, its statements, and the text before the kernel; the uses have each size and each width.
_USES = {
    "offsets": (
        "char ushort2 half3 float4 long8 double16",
        "struct { char c; T m[0]; char d; T l[0]; } v; char *p = (char *)&v;\n"
        "    y = x + 1 + (int)(((char *)v.m - p) + 3 * (&v.d - p) + 5 * ((char *)v.l - p) + 7 * (int)sizeof(v)) - 28 * A;",
        "",
    ),
    "flexible": (
        "double char2 ushort3 half4 float8 long16",
        "struct s v; v.n = x; y = v.n + 1 + (int)((char *)v.m - (char *)&v) + 3 * (int)sizeof(v) - 4 * B;",
        "struct s { int n; T m[]; };",
    ),
    "copied": (
        "long double2 char3 ushort4 half8 float16",
        "struct s v, w[2]; v.a = x; v.b = 1; w[x & 1] = v; v = g(w[x & 1]); y = v.a + v.b - 1;",
        "struct s { int a; T m[0]; int b; T l[0]; };\nstruct s g(struct s v) { v.b += 1; return v; }",
    ),
    "buffer": (
        "float long2 double3 char4 ushort8 half16",
        "y = ((__global const struct s *)in)->a[get_global_id(0)] + 1;",
        "struct s { T m[0]; int a[0]; };",
    ),
    "local": (
        "half float2 long3 double4 char8 ushort16",
        "__local struct s v[64]; uint i = get_global_id(0); v[i].a = x; barrier(CLK_LOCAL_MEM_FENCE); y = v[i].a + 1;",
        "struct s { T m[0]; int a; T l[0]; };",
    ),
    "union": (
        "ushort half2 float3 long4 double8 char16",
        "union { T m[0]; int a; } v; v.a = x; y = v.a + 1 + (int)sizeof(v) - B;",
        "",
    ),
}


def _forms() -> dict[str, Form]:
    forms = {}
    for use, (types, body, head) in _USES.items():
        for name in types.split():
            scalar = name.rstrip("0123456789")
            width = int(name.removeprefix(scalar) or 1)
            alignment = _SCALARS[scalar] * (4 if width == 3 else width)
            begin = f"#pragma OPENCL EXTENSION {_EXTENSIONS[scalar]} : enable\n" if scalar in _EXTENSIONS else ""
            begin += f"typedef {name} T;\n__constant int A = {alignment}, B = {max(4, alignment)};\n{head}"
            forms[f"{use}.{name}"] = Form(body, more, begin, requires=needs(scalar))
    return forms


SIZELESS = _forms()
