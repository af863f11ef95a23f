"""Sources that are compiled separately and linked. Plain Python, because the catalogue reads it too."""

from dataclasses import dataclass

KERNEL = "__kernel void f(__global int *r) { *r = "


@dataclass(frozen=True, slots=True)
class Link:
    """Sources that are compiled separately. `libraries`: the indices of those that are first linked to a library."""

    sources: tuple[str, ...]
    values: dict[str, int]  # of each kernel: to what it changes -1
    libraries: tuple[int, ...] = ()
    options: str | None = None


LINKS: dict[str, Link] = {
    "one": Link((KERNEL + "*r + 8; }",), {"f": 7}),
    "two": Link(("int twice(int);\n" + KERNEL + "twice(*r); }", "int twice(int x) { return 2 * x; }"), {"f": -2}),
    "order_does_not_matter": Link(
        ("int twice(int x) { return 2 * x; }", "int twice(int);\n" + KERNEL + "twice(4); }"), {"f": 8}
    ),
    "chain": Link(
        (
            "int b(int);\n" + KERNEL + "b(3); }",
            "int c(int);\nint b(int x) { return c(x) + 1; }",
            "int c(int x) { return x * x; }",
        ),
        {"f": 10},
    ),
    "shared_function": Link(
        (
            "int t(int);\n" + KERNEL + "t(1); }",
            "int t(int);\n__kernel void g(__global int *r) { *r = t(2); }",
            "int t(int x) { return x + 5; }",
        ),
        {"f": 6, "g": 7},
    ),
    "kernels_of_both": Link((KERNEL + "1; }", "__kernel void g(__global int *r) { *r = 2; }"), {"f": 1, "g": 2}),
    "same_static_name": Link(
        (
            "static int s() { return 3; }\n" + KERNEL + "s(); }",
            "static int s() { return 4; }\n__kernel void g(__global int *r) { *r = s(); }",
        ),
        {"f": 3, "g": 4},
    ),
    "kernel_calls_kernel": Link(
        (
            "__kernel void g(__global int *r);\n__kernel void f(__global int *r) { g(r); *r += 1; }",
            "__kernel void g(__global int *r) { *r = 20; }",
        ),
        {"f": 21, "g": 20},
    ),
    "constant": Link(
        ("extern __constant int table[3];\n" + KERNEL + "table[1]; }", "__constant int table[3] = {4, 5, 6};"), {"f": 5}
    ),
    "struct_argument": Link(
        (
            "typedef struct { int a; char b; } S;\nint s(S x);\n" + KERNEL + "s((S){40, 2}); }",
            "typedef struct { int a; char b; } S;\nint s(S x) { return x.a + x.b; }",
        ),
        {"f": 42},
    ),
    "pointer_argument": Link(
        ("void set(__global int *);\n__kernel void f(__global int *r) { set(r); }", "void set(__global int *p) { *p = 9; }"),
        {"f": 9},
    ),
    "vector_argument": Link(
        ("int4 v(int4, int);\n" + KERNEL + "v((int4)(1, 2, 3, 4), 10).z; }", "int4 v(int4 a, int b) { return a * b; }"),
        {"f": 30},
    ),
    "float_argument": Link(
        ("float h(float);\n" + KERNEL + "(int)h(9.0f); }", "float h(float x) { return x * 0.5f; }"), {"f": 4}
    ),
    "builtin_in_library": Link(
        ("int m(int);\n" + KERNEL + "m(9); }", "int m(int x) { return max(x, 4) + clz(1); }"), {"f": 40}
    ),
    "library": Link(("int twice(int);\n" + KERNEL + "twice(6); }", "int twice(int x) { return 2 * x; }"), {"f": 12}, (1,)),
    "library_of_kernels": Link((KERNEL + "3; }", "__kernel void g(__global int *r) { *r = 4; }"), {"f": 3, "g": 4}, (1,)),
    "two_libraries": Link(
        (
            "int a(int);\nint b(int);\n" + KERNEL + "a(1) + b(1); }",
            "int a(int x) { return x + 1; }",
            "int b(int x) { return x + 2; }",
        ),
        {"f": 5},
        (1, 2),
    ),
    "library_uses_library": Link(
        (
            "int a(int);\n" + KERNEL + "a(5); }",
            "int b(int);\nint a(int x) { return b(x) + 1; }",
            "int b(int x) { return x * 3; }",
        ),
        {"f": 16},
        (1, 2),
    ),
    "unused_library": Link((KERNEL + "3; }", "int unused(int x) { return x; }"), {"f": 3}, (1,)),
    "library_alone": Link((KERNEL + "13; }",), {"f": 13}, (0,)),
    **{
        f"option.{name}": Link(
            ("int t(int);\n" + KERNEL + "t(8); }", "int t(int x) { return x ^ 1; }"), {"f": 9}, (), options
        )
        for name, options in {
            "empty": "",
            "relaxed": "-cl-fast-relaxed-math",
            "denorms": "-cl-denorms-are-zero",
            "unsafe": "-cl-unsafe-math-optimizations",
            "finite": "-cl-finite-math-only",
        }.items()
    },
}
LIBRARY_OPTIONS = {
    "alone": "-create-library",
    "enabling": "-create-library -enable-link-options",
    "enabling_before": "-enable-link-options -create-library",
    "behind": "-cl-no-signed-zeros -create-library",
    "between": "-cl-denorms-are-zero -create-library -cl-finite-math-only",
}
# Sources that do not link: CL_LINK_PROGRAM_FAILURE, with a log.
UNLINKED: dict[str, tuple[str, ...]] = {
    "unresolved": ("int missing(int);\n" + KERNEL + "missing(1); }",),
    "unresolved_in_second": (KERNEL + "1; }", "int missing(int);\n__kernel void g(__global int *r) { *r = missing(1); }"),
    "two_definitions": ("int t(int x) { return x; }\n" + KERNEL + "t(1); }", "int t(int x) { return -x; }"),
    "two_kernels_of_a_name": (KERNEL + "1; }", KERNEL + "2; }"),
    "unresolved_constant": ("extern __constant int table[3];\n" + KERNEL + "table[1]; }",),
}
