"""Functions, objects, attributes and pragmas of C and of GNU C that are not OpenCL C."""

from .form import Form, Model, more, value

_G = "int g(int a) { return a + 1; }"
DECLARATION: dict[str, Form] = {
    "function_pointer": Form("int (*p)(int) = g; y = p(x);", more, _G),
    "function_pointer_chosen": Form(
        "int (*p)(int) = x & 1 ? g : h; y = p(x);",
        lambda x: x + 1 if x & 1 else x - 2,
        f"{_G}\nint h(int a) {{ return a - 2; }}",
    ),
    "function_pointer_table": value(
        "t[x & 1](x)",
        lambda x: x - 2 if x & 1 else x + 1,
        f"{_G}\nint h(int a) {{ return a - 2; }}\n__constant int (*t[2])(int) = {{g, h}};",
    ),
    "function_pointer_passed": value("h(g, x)", more, f"{_G}\nint h(int (*p)(int), int a) {{ return p(a); }}"),
    "function_pointer_compared": value("x + (&g == g)", more, _G),
    "address_of_function": value("x + ((ulong)&g != 0)", more, _G),
    "variadic_function": value("g(2, x, 1)", more, _G.replace("int a", "int n, ...").replace("a + 1", "n")),
    "variadic_arguments": value(
        "g(2, x, 1)",
        more,
        "int g(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int s = 0;"
        " while (n--) s += __builtin_va_arg(l, int); __builtin_va_end(l); return s; }",
    ),
    "variadic_macro": value("G(x, 1)", more, "#define G(a, rest...) (a + rest)"),
    "variadic_macro_empty": value("G(x + 1)", more, "#define H(a, ...) (a)\n#define G(a, rest...) H(a, ##rest)"),
    "counter_macro": value("x + (__COUNTER__ - __COUNTER__ == -1)", more),
    "include_level": value("x + __INCLUDE_LEVEL__ + 1", more),
    "static_local": Form("static int k = 5; y = x + (k == 5);", more),
    "static_local_of_3_0": Form(
        "static int k = 5; y = x + (k == 5);", more, options="-cl-std=CL3.0", requires=("opencl_c_3.0",)
    ),
    "static_constant_local": Form("static __constant int k = 1; y = x + k;", more),
    "static_const_local": Form("static const int k = 1; y = x + k;", more),
    "program_variable": value("x + k", more, "int k = 1;"),
    "program_const_variable": value("x + k", more, "const int k = 1;"),
    "program_static_variable": value("x + k", more, "static int k = 1;"),
    "program_global_variable": value("x + k", more, "__global int k = 1;"),
    "program_local_variable": value("x + 1", more, "__local int k;"),
    "program_private_variable": value("x + 1", more, "__private int k = 1;"),
    "tentative_constant": value("x + 1 + k", more, "__constant int k;"),
    "extern_constant": value("x + k", more, "extern __constant int k;\n__constant int k = 1;"),
    "extern_undefined": value("x + k", None, "extern __constant int k;"),
    "extern_undefined_not_used": value("x + 1", more, "extern __constant int k;"),
    "undefined_function": value("g(x)", None, "int g(int a);"),
    "undefined_function_in_dead_code": Form("y = x + 1; if (0) y = g(x);", more, "int g(int a);"),
    "implicit_function": value("g(x)", more),
    "implicit_int": value("g(x)", more, "g(int a) { return a + 1; }"),
    "old_definition": value("g(x)", more, "int g(a) int a; { return a + 1; }"),
    "no_prototype": value("g(x)", more, "int g();\nint g(int a) { return a + 1; }"),
    "inline_alone": value("g(x)", more, f"inline {_G}"),
    "extern_inline": value("g(x)", more, f"extern inline {_G}"),
    "noreturn": Form("y = x + 1; if (x == 77) g();", more, "_Noreturn void g(void) { while (1); }"),
    "thread_local": value("x + k", more, "_Thread_local int k = 1;"),
    "thread_local_gnu": value("x + k", more, "static __thread int k = 1;"),
    "atomic_qualifier": Form("_Atomic int k = x; y = k + 1;", more),
    "atomic_specifier": Form("_Atomic(int) k = x; k += 1; y = k;", more),
    "register": Form("register int k = x; y = k + 1;", more),
    "wide_string": value('x + L"a\\x1b"[1] - 26', more),
    "string_of_char16": value('x + u"a\\x1b"[1] - 26', more),
    "string_of_utf8": value('x + u8"a\\x1b"[1] - 26', more),
    "string_of_program": value("x + s[1] - 'a'", more, '__constant char s[] = "abc";'),
    "string_pointer_of_program": value("x + s[1] - 'a'", more, '__constant char *__constant s = "abc";'),
    "string_copied": Form('char s[4] = "abc"; s[0] += x; y = s[0] - s[1];', lambda x: ((x + 97 + 128) & 255) - 128 - 98),
    "string_literal_indexed": value('"0123456789abcdef"[x & 15]', lambda x: ord("0123456789abcdef"[x & 15])),
    "raw_string": value("x + R\"(b)\"[0] - 'a'", more),
    "characters_of_four": value("x + ('abcd' == 0x61626364)", more),
    "escape_e": value("x + '\\e' - 26", more),
    "func": value("x + (int)sizeof(__func__) - 1", more),
    "func_read": value("x + __func__[0] - 'e'", more),
    "pretty_function": value("x + (__PRETTY_FUNCTION__[0] == 'v' || __PRETTY_FUNCTION__[0] == '_')", more),
    "main": value("main(x)", more, "int main(int a) { return a + 1; }"),
    "name_of_libc": value("strlen(x)", more, "int strlen(int a) { return a + 1; }"),
    "name_of_libm": value("x + (int)sinf(1.0f)", more, "float sinf(float a) { return a; }"),
    "enum_beyond_int": Form("y = x + (big == 0x100000000L);", more, "enum { big = 0x100000000L };"),
    "enum_forward": Form("enum e k = 1; y = x + k;", more, "enum e;\nenum e { a, b };"),
    "enum_of_type": Form("enum e k = b; y = x + k + (int)sizeof(k) - 1;", more, "enum e : uchar { a, b };"),
    "constexpr": Form("constexpr int k = 1; y = x + k;", more),
    "nullptr": value("x + (nullptr == 0)", more),
}


def _marked(marks: dict[str, str], pattern: str, want: Model = more) -> dict[str, Form]:
    return {name: value("g(x)", want, pattern.replace("@", mark)) for name, mark in marks.items()}


_OF_FUNCTION = {
    **{n: f"__attribute__(({n}))" for n in ("noinline", "always_inline", "pure", "const", "used", "unused", "weak")},
    **{n: f"__attribute__(({n}))" for n in ("flatten", "cold", "hot", "optnone", "minsize", "naked", "convergent")},
    **{n: f"__attribute__(({n}))" for n in ("regcall", "stdcall", "ms_abi", "vectorcall", "overloadable", "deprecated")},
    **{
        n: f"__attribute__(({n}))" for n in ("noduplicate", "nothrow", "leaf", "artificial", "returns_twice", "no_such_mark")
    },
    "section": '__attribute__((section("here")))',
    "visibility": '__attribute__((visibility("hidden")))',
    "target": '__attribute__((target("avx2")))',
    "annotate": '__attribute__((annotate("note")))',
    "no_sanitize": '__attribute__((no_sanitize("undefined")))',
    "aligned": "__attribute__((aligned(64)))",
    "patchable": "__attribute__((patchable_function_entry(4)))",
    "square_brackets": "[[clang::noinline]]",
}
ATTRIBUTE: dict[str, Form] = {
    **_marked(_OF_FUNCTION, f"@ {_G}"),
    "cleanup": Form(
        "int k = x; { __attribute__((cleanup(g))) int *p = &k; k += 4; } y = k;", more, "void g(int **p) { **p -= 3; }"
    ),
    "constructor": value("x + 1", more, "__attribute__((constructor)) void g(void) {}"),
    "destructor": value("x + 1", more, "__attribute__((destructor)) void g(void) {}"),
    "alias": value("h(x)", more, f'{_G}\nint h(int a) __attribute__((alias("g")));'),
    "alias_not_called": value("g(x)", more, f'{_G}\nint h(int a) __attribute__((alias("g")));'),
    "ifunc": value("h(x)", more, f'{_G}\nvoid *r(void) {{ return (void *)g; }}\nint h(int a) __attribute__((ifunc("r")));'),
    "weak_undefined": Form("y = x + 1; if (x == 77) y = g(x);", more, "__attribute__((weak)) int g(int a);"),
    "section_of_constant": value("x + k", more, '__attribute__((section("here"))) __constant int k = 1;'),
    "error_not_called": value("x + 1", more, '__attribute__((error("no"))) int g(int a);'),
    "packed": Form("struct { char a; int b; } __attribute__((packed)) v = {1, x}; y = v.b + (int)sizeof(v) - 4;", more),
    "packed_member": Form(
        "struct { char a; int b __attribute__((packed)); } v = {1, x}; y = v.b + (int)sizeof(v) - 4;", more
    ),
    "aligned_odd": Form("int k __attribute__((aligned(3))) = x; y = k + 1;", more),
    "aligned_more": Form("int k __attribute__((aligned(4096))) = x; y = k + 1 + (int)((ulong)&k & 4095);", more),
    "aligned_member": Form(
        "struct { char a; int b __attribute__((aligned(32))); } v = {1, x}; y = v.b + (int)sizeof(v) - 63;", more
    ),
    "mode_of_8": Form("int k __attribute__((mode(QI))) = x; y = k;", lambda x: ((x + 128) & 255) - 128),
    "mode_of_128": Form("int k __attribute__((mode(TI))) = x; y = (int)(k * k >> 64) + 1 + x;", more),
    "address_space_of_number": Form("__attribute__((address_space(77))) int *p = 0; y = x + 1 + (p != 0);", more),
    "transparent_union": value(
        "g(x)",
        more,
        "typedef union { int a; uint b; } u __attribute__((transparent_union));\nint g(u v) { return v.a + 1; }",
    ),
    "fallthrough": Form(
        "switch (x & 1) { case 0: y = 1; __attribute__((fallthrough)); default: y += 2; }", lambda x: 2 + (~x & 1)
    ),
    "assume": Form("__attribute__((assume(x != 77))); y = x + 1;", more),
    "likely": Form("if (x & 1) [[likely]] y = 1; else y = 2;", lambda x: 1 if x & 1 else 2),
    "musttail": value("h(x)", more, f"{_G}\nint h(int a) {{ __attribute__((musttail)) return g(a); }}"),
    "uninitialized": Form("int k __attribute__((uninitialized)); k = x; y = k + 1;", more),
    "matrix": Form("m v; v[0][1] = x; y = v[0][1] + 1;", more, "typedef int m __attribute__((matrix_type(2, 2)));"),
}

_LOOP = "for (int j = 0; j < 4; j++) y += x;"
_OF_LOOP = ("unroll", "unroll 3", "nounroll", "clang loop vectorize(enable)", "clang loop unroll(full)", "GCC unroll 2")
_OF_PROGRAM = {
    "once": "once",
    "message": 'message("said")',
    "weak": "weak g",
    "redefine_extname": "redefine_extname g h",
    "optimize_off": "clang optimize off",
    "diagnostic": 'GCC diagnostic error "-Wall"',
    "poison": "GCC poison nothing_else",
    "system_header": "GCC system_header",
    "float_control": "float_control(precise, on)",
    "rounding": "STDC FENV_ROUND FE_UPWARD",
    "environment": "STDC FENV_ACCESS ON",
    "limited_range": "STDC CX_LIMITED_RANGE ON",
    "section": 'clang section bss="here"',
    "comment": 'comment(lib, "m")',
    "ident": 'ident "here"',
    "openmp": "omp parallel",
    "attributes": "clang attribute push(__attribute__((noinline)), apply_to = function)",
    "extension_all": "OPENCL EXTENSION all : disable",
    "extension_unknown": "OPENCL EXTENSION cl_no_such_thing : enable",
    "unknown": "no_such_pragma",
}
PRAGMA: dict[str, Form] = {
    **{
        text.replace(" ", "_").replace("(", "_").replace(")", ""): Form(f"\n#pragma {text}\n{_LOOP}", lambda x: 4 * x)
        for text in _OF_LOOP
    },
    **{name: value("g(x)", more, f"#pragma {text}\n{_G}\n") for name, text in _OF_PROGRAM.items()},
    "attributes_popped": value("g(x)", more, f"#pragma {_OF_PROGRAM['attributes']}\n{_G}\n#pragma clang attribute pop\n"),
    "pack": Form(
        "struct s v = {1, x}; y = v.b + (int)sizeof(v) - 4;", more, "#pragma pack(1)\nstruct s { char a; int b; };\n"
    ),
    "macros": value("x + A", more, '#define A 1\n#pragma push_macro("A")\n#undef A\n#define A 5\n#pragma pop_macro("A")\n'),
    "of_operator": Form('_Pragma("unroll 2") ' + _LOOP, lambda x: 4 * x),
}
