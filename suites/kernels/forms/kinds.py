"""Types of C, of GNU C and of clang that are not OpenCL C."""

from .form import Form, more, value


def _signed(x: int, bits: int) -> int:
    return ((x + (1 << (bits - 1))) & ((1 << bits) - 1)) - (1 << (bits - 1))


def _vector(mark: str, body: str, want: int = 1) -> Form:
    return Form(body, lambda x: x + want, f"typedef int v __attribute__(({mark}));")


KIND: dict[str, Form] = {
    "long_double": Form("long double k = x; y = (int)(k + 1);", more),
    "long_double_constant": Form("y = x + (int)1.0L;", more),
    "long_double_size": value("x + (sizeof(long double) >= 8)", more),
    "long_double_literal": Form("float k = 0.5L; y = x + (int)(k * 2);", more),
    "long_double_not_called": value("x + 1", more, "long double g(long double a) { return a * 2; }"),
    "long_double_member": Form("struct { long double a; int b; } v; v.b = x; y = v.b + 1;", more),
    "long_long": Form("long long k = x; k <<= 20; y = (int)(k >> 20) + 1;", more),
    "float128": Form("__float128 k = x; y = (int)(k + 1);", more),
    "int128_sum": Form("__int128 k = x; k <<= 70; k += k; y = (int)(k >> 70);", lambda x: 2 * x),
    "int128_product": Form("__int128 k = x; k = k * k * k; y = (int)(k >> 40);", lambda x: x**3 >> 40),
    "int128_quotient": Form(
        "__int128 k = x; k <<= 70; y = (int)(k / ((__int128)3 << 68));", lambda x: abs(4 * x) // 3 * (1 if x > 0 else -1)
    ),
    "int128_compare": Form(
        "unsigned __int128 k = (unsigned __int128)(uint)x << 80; y = k > ((unsigned __int128)7 << 80);",
        lambda x: int((x & 0xFFFFFFFF) > 7),
    ),
    "int128_not_called": value("x + 1", more, "__int128 g(__int128 a) { return a * a; }"),
    "int128_of_float": Form("__int128 k = (__int128)((float)(x & 255) * 2.0f); y = (int)k;", lambda x: 2 * (x & 255)),
    "float16": Form("_Float16 k = x & 255; k *= 2; y = (int)k;", lambda x: 2 * (x & 255)),
    "float16_not_called": value("x + 1", more, "_Float16 g(_Float16 a) { return a * a; }"),
    "fp16": Form("__fp16 k = x & 255; k *= 2; y = (int)k;", lambda x: 2 * (x & 255)),
    "bf16": Form("__bf16 k = x & 127; k *= 2; y = (int)k;", lambda x: 2 * (x & 127)),
    "bf16_copied": Form("__bf16 k[2] = {1.0f, 2.0f}; y = x + (int)k[x & 1];", lambda x: x + 1 + (x & 1)),
    "bit_int_7": Form("_BitInt(7) k = x; k += 1; y = k;", lambda x: _signed(x + 1, 7)),
    "bit_int_1": Form("unsigned _BitInt(1) k = x; y = k;", lambda x: x & 1),
    "bit_int_24": Form("unsigned _BitInt(24) k = x; k *= 3; y = k;", lambda x: 3 * x & 0xFFFFFF),
    "bit_int_33": Form("_BitInt(33) k = x; k <<= 1; y = (int)(k >> 1);", lambda x: x),
    "bit_int_64": Form("_BitInt(64) k = x; k <<= 20; y = (int)(k >> 20);", lambda x: x),
    "bit_int_128": Form("_BitInt(128) k = x; k <<= 70; y = (int)(k >> 70);", lambda x: x),
    "bit_int_200": Form("_BitInt(200) k = x; k <<= 100; y = (int)(k >> 100);", lambda x: x),
    "bit_int_size": value("x + (int)sizeof(_BitInt(33)) - 7", more),
    "complex_float": Form("_Complex float k = x & 255; k = k * k; y = (int)__real__ k;", lambda x: (x & 255) ** 2),
    "complex_int": Form(
        "_Complex int k = x & 255; __imag__ k = 2; k = k * k; y = __real__ k;", lambda x: (x & 255) ** 2 - 4
    ),
    "complex_product": Form("_Complex float k = (x & 7) + 2.0if; k = k * k; y = (int)__imag__ k;", lambda x: 4 * (x & 7)),
    "complex_quotient": Form(
        "_Complex float k = (x & 7) + 0.0if; k = k / (1.0f + 0.0if); y = (int)__real__ k;", lambda x: x & 7
    ),
    "imaginary_constant": Form("y = x + (int)__imag__ 1.0if;", more),
    "boolean": Form("_Bool k = x; y = k;", lambda x: int(x != 0)),
    "boolean_member": Form("struct { bool a; int b; } v = {x, x}; y = v.a + v.b;", lambda x: x + (x != 0)),
    "wchar": Form("__WCHAR_TYPE__ k = x; y = k + 1;", more),
    "decimal": Form("_Decimal32 k = x; y = (int)k + 1;", more),
    "accum": Form("_Accum k = x & 15; y = (int)k;", lambda x: x & 15),
    "pointer_to_pointer": Form("int *p = &x, **q = &p; **q += 1; y = *p;", more),
    "pointer_to_global_pointer": Form("__global const int *p = in, **q = &p; y = (*q)[get_global_id(0)] + 1;", more),
    "pointer_as_number": Form("ulong n = (ulong)&x; y = *(int *)n + 1;", more),
    "pointers_compared": Form("int a[4]; y = x + (&a[3] > &a[1]);", more),
    "pointers_subtracted": Form("int a[4]; y = x + (int)(&a[(x & 1) + 2] - &a[1]);", lambda x: x + (x & 1) + 1),
    "pointer_tables": Form("int a = x, b = 2, *t[2] = {&a, &b}; y = *t[x & 1];", lambda x: 2 if x & 1 else x),
    "zero_array": Form("struct { int a[0]; int b; } v = {.b = x}; y = v.b + (int)sizeof(v) - 3;", more),
    "zero_array_last": Form("struct { int b; int a[0]; } v = {x}; y = v.b + (int)sizeof(v) - 3;", more),
    "zero_array_alone": Form("int a[0]; y = x + (int)sizeof(a) + 1;", more),
    "flexible_member": Form("struct s v; v.n = x; y = v.n + (int)sizeof(v) - 3;", more, "struct s { int n; int a[]; };"),
    "flexible_member_of_buffer": Form(
        "y = ((__global const struct s *)in)->a[get_global_id(0)] + 1;", more, "struct s { int a[0]; int n[]; };"
    ),
    "flexible_member_read": Form(
        "__global const struct s *p = (__global void *)in; uint i = get_global_id(0); y = (i ? p->a[i - 1] : p->n) + 1;",
        more,
        "struct s { int n; int a[]; };",
    ),
    "flexible_member_filled": value(
        "x + k.a[1]", more, "struct s { int n; int a[]; };\n__constant struct s k = {2, {5, 1}};"
    ),
    "empty_struct": Form("struct s v; y = x + 1 + (int)sizeof(v);", more, "struct s {};"),
    "empty_struct_member": Form(
        "struct { struct s a; int b; struct s c; } v; v.b = x; y = v.b + (int)sizeof(v) - 3;", more, "struct s {};"
    ),
    "empty_struct_passed": value("g((struct s){}, x)", more, "struct s {};\nint g(struct s v, int a) { return a + 1; }"),
    "empty_struct_array": Form("struct s v[3]; y = x + 1 + (int)sizeof(v);", more, "struct s {};"),
    "empty_union": Form("union u v; y = x + 1 + (int)sizeof(v);", more, "union u {};"),
    "bit_field": Form("struct { int a : 5, b : 11; } v; v.a = x; v.b = 1; y = v.a + v.b;", lambda x: _signed(x, 5) + 1),
    "bit_field_unsigned": Form(
        "struct { uint a : 3, b : 29; } v; v.b = x; v.a = x; y = (int)(v.a + (v.b << 3));", lambda x: (x & 7) + (x << 3)
    ),
    "bit_field_of_long": Form("struct { ulong a : 33; } v; v.a = (ulong)x << 1; y = (int)(v.a >> 1);", lambda x: x),
    "bit_field_of_zero": Form("struct { char a : 3; int : 0; char b; } v; v.b = 1; v.a = 1; y = x + v.a + v.b - 1;", more),
    "bit_field_of_bool": Form("struct { bool a : 1; } v; v.a = x; y = v.a;", lambda x: int(x != 0)),
    "anonymous_struct": Form("struct { struct { int a, b; }; int c; } v = {{x, 1}, 2}; y = v.a + v.b;", more),
    "anonymous_union": Form("struct { union { int a; float b; }; } v; v.a = x; y = v.a + 1;", more),
    "union_of_types": Form(
        "union { float a; int b; } v; v.a = (float)(x & 255); y = v.b == as_int((float)(x & 255));", lambda x: 1
    ),
    "struct_of_union_returned": value(
        "g(x).a + 1", more, "union u { int a; long b; };\nunion u g(int a) { union u v = {a}; return v; }"
    ),
    "vector_of_1": _vector("ext_vector_type(1)", "v k = x; y = k.x + 1;"),
    "vector_of_5": _vector("ext_vector_type(5)", "v k = x; k += (v)1; y = k[4];"),
    "vector_of_6": _vector("ext_vector_type(6)", "v k = x; k += (v)1; y = k[5];"),
    "vector_of_7_loaded": _vector("ext_vector_type(7)", "v k[2]; k[x & 1] = (v)x; y = k[x & 1][6] + 1;"),
    "vector_of_32": _vector("ext_vector_type(32)", "v k = x; k += (v)1; y = k[31];"),
    "vector_of_5_not_called": value(
        "x + 1", more, "typedef int v __attribute__((ext_vector_type(5)));\nv g(v a) { return a + a; }"
    ),
    "vector_size_16": _vector("vector_size(16)", "v k = {x, x + 1, 2, 3}; y = k[1];"),
    "vector_size_12": _vector("vector_size(12)", "v k = {x, x + 1, 2}; y = k[1];"),
    "vector_size_4": _vector("vector_size(4)", "v k = {x}; y = k[0] + 1;"),
    "vector_size_128": _vector(
        "vector_size(128)", "v k; for (int j = 0; j < 32; j++) k[j] = x + j; k += k; y = k[31] - x;", 62
    ),
    "vector_indexed": Form("int4 k = (int4)(5, 6, 7, 8); y = x + k[x & 3];", lambda x: x + 5 + (x & 3)),
    "vector_indexed_written": Form("int4 k = 0; k[x & 3] = x; y = k.x + k.y + k.z + k.w;", lambda x: x),
    "vector_of_bool": Form(
        "typedef bool b8 __attribute__((ext_vector_type(8))); b8 k = 0; k[x & 7] = 1; y = x + k[x & 7];", more
    ),
    "vector_of_long_double": Form(
        "typedef long double l2 __attribute__((ext_vector_type(2))); l2 k = x; y = (int)k.x + 1;", more
    ),
    "vector_of_pointers": Form("typedef int *p2 __attribute__((ext_vector_type(2))); p2 k; y = x + 1;", more),
    "vector_compared_to_scalar": Form("int4 k = (int4)(x, 1, 2, 3) == x; y = k.x;", lambda x: -1),
    "half_variable": Form("half k = (half)(x & 255); y = (int)k;", lambda x: x & 255),
    "event_variable": Form("event_t e = 0; wait_group_events(0, &e); y = x + 1;", more),
    "sampler_array": Form("sampler_t s[2]; y = x + 1;", more),
    "image_variable": Form("image2d_t i; y = x + 1;", more),
    "void_variable": Form("void k; y = x + 1;", None),
    "incomplete_struct": Form("struct s *p = 0; y = x + 1 + (p != 0);", more, "struct s;"),
    "long_array": Form("char a[40000]; a[x & 32767] = 1; y = x + a[x & 32767];", more),
    "array_beyond_4_gigabytes": Form("y = x + 1; if (0) { char a[0x140000000L]; a[x] = 1; y = a[x]; }", more),
    "array_of_negative_size": Form("int a[-1]; y = x + 1;", None),
}
