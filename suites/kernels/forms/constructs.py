"""Statements, functions and declarations of C and of GNU C that are not OpenCL C."""

from math import factorial, gcd

from .form import Form, more, value

_FACTORIAL = "int g(int n) { return n < 2 ? 1 : n * g(n - 1); }"
_FIBONACCI = (0, 1, 1, 2, 3, 5, 8, 13)

RECURSION: dict[str, Form] = {
    "direct": value("g(x & 7)", lambda x: factorial(x & 7), _FACTORIAL),
    "of_constant": value("x + g(5)", lambda x: x + 120, _FACTORIAL),
    "not_called": value("x + 1", more, _FACTORIAL),
    "in_dead_code": Form("y = x + 1; if (0) y = g(x);", more, _FACTORIAL),
    "not_inlined": value("g(x & 7)", lambda x: factorial(x & 7), f"__attribute__((noinline)) {_FACTORIAL}"),
    "always_inlined": value(
        "g(x & 7)", lambda x: factorial(x & 7), f"__attribute__((always_inline)) static inline {_FACTORIAL}"
    ),
    "mutual": value(
        "h(x & 15)",
        lambda x: (x & 15) % 2,
        "int h(int n);\nint g(int n) { return n == 0 ? 1 : h(n - 1); }\nint h(int n) { return n == 0 ? 0 : g(n - 1); }",
    ),
    "two_calls": value("g(x & 7)", lambda x: _FIBONACCI[x & 7], "int g(int n) { return n < 2 ? n : g(n - 1) + g(n - 2); }"),
    "tail": value(
        "g(abs(x) & 1023, 60)", lambda x: gcd(abs(x) & 1023, 60), "int g(int a, int b) { return b ? g(b, a % b) : a; }"
    ),
    "endless": Form("y = x + 1; if (x == 77) y = g(x);", more, "int g(int n) { return g(n + 1) + 1; }"),
    "of_vectors": value(
        "g((int2)(x & 7, 1)).y",
        lambda x: 3 ** (x & 7),
        "int2 g(int2 v) { return v.x == 0 ? v : g((int2)(v.x - 1, v.y * 3)); }",
    ),
    "through_a_pointer": Form(
        "int sum = x; g(x & 7, &sum); y = sum;",
        lambda x: x + (x & 7) * ((x & 7) + 1) // 2,
        "void g(int n, int *sum) { if (n) { *sum += n; g(n - 1, sum); } }",
    ),
    "of_the_kernel": Form(
        "y = x + 1; if (x == 77) f(out, in);", more, "__kernel void f(__global int *out, __global const int *in);"
    ),
}

_CASES = "case 0 ... 9: y = 1; break; case 10 ... 300: y = 2; break;"
STATEMENT: dict[str, Form] = {
    "goto_backward": Form("again: y += x & 3; if (y < 10 && (x & 3)) goto again;", lambda x: (0, 10, 10, 12)[x & 3]),
    "goto_into_block": Form("if (x & 1) goto in; if (x == 77) { in: y = 5; } y += x;", lambda x: x + 5 * (x & 1)),
    "goto_into_loop": Form(
        "int i = 2; if (x & 1) goto in; for (i = 0; i < 4; i++) { in: y += i; }", lambda x: 5 if x & 1 else 6
    ),
    "computed_goto": Form(
        "ulong t[2] = {(ulong)&&a, (ulong)&&b}; goto *(void *)t[x & 1]; a: y = x; goto c; b: y = -x; c: y += 1;",
        lambda x: 1 + (-x if x & 1 else x),
    ),
    "difference_of_labels": Form("a: y = x + 1; b: y += (int)((ulong)&&a - (ulong)&&a);", more),
    "local_label": Form("{ __label__ a; if (x & 1) goto a; y = 4; a: y += x; }", lambda x: x + 4 * (1 - (x & 1))),
    "case_range": Form(
        f"switch (x) {{ {_CASES} default: y = 3; }}", lambda x: 1 if 0 <= x < 10 else 2 if 10 <= x <= 300 else 3
    ),
    "case_range_empty": Form("switch (x) { case 9 ... 1: y = 1; break; default: y = 2; }", lambda x: 2),
    "case_of_long": Form(
        "switch ((long)x << 32) { case 0x100000000L: y = 1; break; default: y = 2; }", lambda x: 2 - (x == 1)
    ),
    "switch_without_case": Form("switch (x) { y = 5; } y += x + 1;", more),
    "declaration_in_switch": Form(
        "switch (x & 1) { int k; case 0: k = 2; y = k; break; default: k = 3; y = k * k; }", lambda x: 9 if x & 1 else 2
    ),
    "statement_expression": value("({ int k = x; k *= 2; k + 1; })", lambda x: 2 * x + 1),
    "statement_expression_of_loop": value("({ int k = 0; for (int j = 0; j < 3; j++) k += x; k; })", lambda x: 3 * x),
    "jump_out_of_statement_expression": Form(
        "y = x; y += ({ if (x & 1) goto a; 3; }); a: ;", lambda x: x + 3 * (1 - (x & 1))
    ),
    "typeof": Form("__typeof__(x) k = x; __typeof__(k * 1L) l = (long)k << 32; y = (int)(l >> 31);", lambda x: 2 * x),
    "auto_type": Form("__auto_type k = (uchar)x; y = k;", lambda x: x & 255),
    "elvis": value("x ?: 77", lambda x: x or 77),
    "elvis_of_vector": value("((int2)(x) ?: (int2)(5, 6)).y", lambda x: x if x < 0 else 6),
    "variable_array": Form(
        "int n = (x & 7) + 1; int a[n]; for (int j = 0; j < n; j++) a[j] = j * x; y = a[n - 1];", lambda x: (x & 7) * x
    ),
    "variable_array_parameter": Form(
        "int a[3] = {x, 2, 3}; y = g(3, a);",
        lambda x: x + 5,
        "int g(int n, int a[n]) { int s = 0; for (int j = 0; j < n; j++) s += a[j]; return s; }",
    ),
    "size_of_variable_array": Form("int n = (x & 7) + 1; y = (int)sizeof(int[n]);", lambda x: 4 * ((x & 7) + 1)),
    "static_parameter": Form(
        "int a[3] = {x, 2, 3}; y = g(a);", lambda x: x + 3, "int g(int a[static 3]) { return a[0] + a[2]; }"
    ),
    "compound_literal": value("((int[]){x, 2, x * 3})[2]", lambda x: 3 * x),
    "compound_literal_changed": Form("int *p = &(int){x}; *p += 2; y = *p;", lambda x: x + 2),
    "nested_designators": Form(
        "struct s v = {.b[1].c = x, .a = 7, .b[0] = {.d = 3}}; y = v.b[1].c + v.b[0].d + v.b[0].c + v.a;",
        lambda x: x + 10,
        "struct s { int a; struct { int c, d; } b[2]; };",
    ),
    "range_designator": Form("int a[8] = {[1 ... 5] = x, [3] = 9}; y = a[0] + a[1] + a[3] + a[5];", lambda x: 2 * x + 9),
    "empty_initializer": Form("struct { int a, b[3]; } v = {}; y = x + v.a + v.b[2];", lambda x: x),
    "old_designator": Form("struct { int a, b; } v = {b: x, a: 1}; y = v.b - v.a;", lambda x: x - 1),
    "cast_to_union": Form("union { int a; float b; } v = (union u)x; y = x;", lambda x: x, "union u { int a; float b; };"),
    "assigned_struct_of_array": Form(
        "struct { int a[3]; } v = {{x, 1, 2}}, w; w = v; y = w.a[0] - w.a[2];", lambda x: x - 2
    ),
    "member_of_result": value(
        "g(x).a[1]", more, "struct s { int a[2]; };\nstruct s g(int x) { struct s v = {{x, x + 1}}; return v; }"
    ),
    "void_arithmetic": Form("int a[2] = {5, x}; void *p = a; p += 4; y = *(int *)p;", lambda x: x),
    "size_of_void": value("x + (int)sizeof(void)", more),
    "size_of_function": value("x + (int)sizeof(g)", more, "void g(void) {}"),
    "comma_of_effects": Form("int k = x; y = (k++, k += 2, k);", lambda x: x + 3),
    "binary_literal": value("x ^ 0b101", lambda x: x ^ 5),
    "dollar_in_name": Form("int a$b = x; y = a$b;", lambda x: x),
    "name_of_unicode": Form("int \u00e4 = x; y = \u00e4;", lambda x: x),
    "universal_name": Form("int \\u00e4 = x; y = \\u00e4;", lambda x: x),
    "digraphs": Form("int a<:2:> = <%x, 3%>; y = a<:0:>;", lambda x: x),
    "trigraph": Form("y = x; // ??/\ny += 1;", lambda x: x),
    "extension_word": value("__extension__ (x + 1)", more),
    "generic": value("_Generic(x, int: x + 1, float: 5, default: 6)", more),
    "generic_default": value("_Generic((uchar)1, int: 5, default: x + 1)", more),
    "static_assertion": Form('_Static_assert(sizeof(int) == 4, "four"); y = x + 1;', more),
    "static_assertion_fails": Form('_Static_assert(sizeof(int) == 5, "four"); y = x + 1;', None),
    "align_of": value("x + (int)_Alignof(long) + (int)__alignof__(x)", lambda x: x + 12),
    "align_as": Form("_Alignas(64) int k = x; y = k + (int)((ulong)&k & 63);", lambda x: x),
    "block": Form("int (^b)(int) = ^(int k) { return k + x; }; y = b(1);", more),
    "nested_function": Form("int g(int k) { return k + x; } y = g(1);", more),
    "asm": Form('__asm__ volatile("nop"); y = x + 1;', more),
    "asm_empty": Form('__asm__ volatile("" ::: "memory"); y = x + 1;', more),
    "asm_of_operand": Form('int k = x; __asm__("" : "+r"(k)); y = k + 1;', more),
    "asm_in_dead_code": Form('y = x + 1; if (0) __asm__("nop");', more),
    "asm_in_function_not_called": value("x + 1", more, 'void g(void) { __asm__ volatile("nop"); }'),
    "asm_goto": Form('__asm__ goto("" : : : : a); y = x; a: y = x + 1;', more),
    "asm_of_program": value("x + 1", more, '__asm__(".globl a");'),
    "asm_name": value("g(x)", more, 'int g(int a) __asm__("other");\nint g(int a) { return a + 1; }'),
}
