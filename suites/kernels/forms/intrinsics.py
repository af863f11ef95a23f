"""Builtins of clang and of GNU C."""

from .form import Form, Model, more, value

_MAX = 2**31 - 1


def _u(x: int) -> int:
    return x & 0xFFFFFFFF


def _zeros(x: int) -> int:
    """Trailing zero bits of a number that is not 0."""
    return (x & -x).bit_length() - 1


def _reversed(x: int, bits: int) -> int:
    return int(f"{x & (1 << bits) - 1:0{bits}b}"[::-1], 2)


def _swapped(x: int, size: int) -> int:
    return int.from_bytes((x & (1 << 8 * size) - 1).to_bytes(size, "little"), "big")


def _rotated(x: int, n: int, bits: int = 32) -> int:
    x &= (1 << bits) - 1
    return (x << n | x >> (bits - n)) & (1 << bits) - 1


def _overflows(x: int) -> int:
    return int(not -(2**31) <= x <= _MAX)


def _plain(rows: dict[str, tuple[str, Model]]) -> dict[str, Form]:
    return {name: value(expression, want) for name, (expression, want) in rows.items()}


_BITS: dict[str, tuple[str, Model]] = {
    "popcount": ("__builtin_popcount(x)", lambda x: _u(x).bit_count()),
    "popcountl": ("__builtin_popcountl((ulong)(uint)x << 9)", lambda x: _u(x).bit_count()),
    "popcountll": ("__builtin_popcountll((ulong)x)", lambda x: (x & 2**64 - 1).bit_count()),
    "popcountg": ("__builtin_popcountg((uchar)x)", lambda x: (x & 255).bit_count()),
    "clz": ("__builtin_clz(x | 1)", lambda x: 32 - _u(x | 1).bit_length()),
    "clzl": ("__builtin_clzl((ulong)(uint)x | 1)", lambda x: 64 - _u(x | 1).bit_length()),
    "clzs": ("__builtin_clzs((ushort)x | 1)", lambda x: 16 - (x & 65535 | 1).bit_length()),
    "clzg": ("__builtin_clzg((uint)x, 77)", lambda x: 32 - _u(x).bit_length() if x else 77),
    "ctz": ("__builtin_ctz(x | 0x10000)", lambda x: _zeros(x | 0x10000)),
    "ctzl": ("__builtin_ctzl((ulong)(uint)x << 31 | 1UL << 63)", lambda x: _zeros(_u(x) << 31 | 1 << 63)),
    "ctzs": ("__builtin_ctzs((ushort)x | 0x100)", lambda x: _zeros(x | 0x100)),
    "ctzg": ("__builtin_ctzg((uchar)x, 77)", lambda x: _zeros(x & 255) if x & 255 else 77),
    "ffs": ("__builtin_ffs(x)", lambda x: _zeros(x) + 1 if x else 0),
    "ffsl": ("__builtin_ffsl((long)x << 20)", lambda x: _zeros(x) + 21 if x else 0),
    "parity": ("__builtin_parity(x)", lambda x: _u(x).bit_count() & 1),
    "parityl": ("__builtin_parityl((ulong)(uint)x << 20)", lambda x: _u(x).bit_count() & 1),
    "clrsb": ("__builtin_clrsb(x)", lambda x: 31 - (x if x >= 0 else ~x).bit_length()),
    "bswap16": ("__builtin_bswap16((ushort)x)", lambda x: _swapped(x, 2)),
    "bswap32": ("(int)__builtin_bswap32((uint)x)", lambda x: _swapped(x, 4)),
    "bswap64": ("(int)(__builtin_bswap64((ulong)(uint)x) >> 32)", lambda x: _swapped(x, 4)),
    "bitreverse8": ("__builtin_bitreverse8((uchar)x)", lambda x: _reversed(x, 8)),
    "bitreverse16": ("__builtin_bitreverse16((ushort)x)", lambda x: _reversed(x, 16)),
    "bitreverse32": ("(int)__builtin_bitreverse32((uint)x)", lambda x: _reversed(x, 32)),
    "bitreverse64": ("(int)(__builtin_bitreverse64((ulong)(uint)x) >> 32)", lambda x: _reversed(x, 32)),
    "rotateleft8": ("__builtin_rotateleft8((uchar)x, 3)", lambda x: _rotated(x, 3, 8)),
    "rotateleft32": ("(int)__builtin_rotateleft32((uint)x, 5)", lambda x: _rotated(x, 5)),
    "rotateright32": ("(int)__builtin_rotateright32((uint)x, 5)", lambda x: _rotated(x, 27)),
    "rotateleft64": ("(int)__builtin_rotateleft64((ulong)(uint)x, 4)", lambda x: x << 4),
    "abs": ("__builtin_abs(x)", abs),
    "labs": ("(int)__builtin_labs((long)x)", abs),
}


_CHECKED: dict[str, tuple[str, Model]] = {
    "add_overflow": ("__builtin_add_overflow(x, 0x7ffffff0, &k)", lambda x: _overflows(x + 0x7FFFFFF0)),
    "sub_overflow": ("__builtin_sub_overflow(x, 0x7ffffff0, &k)", lambda x: _overflows(x - 0x7FFFFFF0)),
    "mul_overflow": ("__builtin_mul_overflow(x, 100000, &k)", lambda x: _overflows(x * 100000)),
    "sadd_overflow": ("__builtin_sadd_overflow(x, 0x7ffffff0, &k)", lambda x: _overflows(x + 0x7FFFFFF0)),
    "ssub_overflow": ("__builtin_ssub_overflow(x, 0x7ffffff0, &k)", lambda x: _overflows(x - 0x7FFFFFF0)),
    "smul_overflow": ("__builtin_smul_overflow(x, 100000, &k)", lambda x: _overflows(x * 100000)),
    "uadd_overflow": ("__builtin_uadd_overflow(x, 0x7ffffff0, (uint *)&k)", lambda x: int(_u(x) + 0x7FFFFFF0 > 2**32 - 1)),
    "usub_overflow": ("__builtin_usub_overflow(x, 200, (uint *)&k)", lambda x: int(_u(x) < 200)),
    "umul_overflow": ("__builtin_umul_overflow(x, 100000, (uint *)&k)", lambda x: int(_u(x) * 100000 > 2**32 - 1)),
    "add_overflow_mixed": ("__builtin_add_overflow((long)x, 5u, (uchar *)&k)", lambda x: int(not 0 <= x + 5 <= 255)),
    "mul_overflow_of_long": (
        "__builtin_mul_overflow((long)x << 32, 7L, &w)",
        lambda x: int(not -(2**63) <= (x << 32) * 7 < 2**63),
    ),
}
_COMPILE: dict[str, tuple[str, Model]] = {
    "expect": ("__builtin_expect(x == 5, 1) ? 3 : x", lambda x: 3 if x == 5 else x),
    "expect_with_probability": ("__builtin_expect_with_probability(x == 5, 1, 0.9) ? 3 : x", lambda x: 3 if x == 5 else x),
    "unpredictable": ("__builtin_unpredictable(x == 5) ? 3 : x", lambda x: 3 if x == 5 else x),
    "constant_p": ("x + __builtin_constant_p(3)", more),
    "constant_p_of_unknown": ("x + 1 + 0 * __builtin_constant_p(x)", more),
    "choose_expr": ("__builtin_choose_expr(1, x + 1, (void)0)", more),
    "types_compatible": ("x + __builtin_types_compatible_p(int, __typeof__(x))", more),
    "classify_type": ("x + (__builtin_classify_type(1.0f) != __builtin_classify_type(1))", more),
    "offset_of": ("x + (int)__builtin_offsetof(struct { char a; int b; }, b) - 3", more),
    "object_size": ("x + ((int)__builtin_object_size(&x, 0) == 4 || (int)__builtin_object_size(&x, 0) == -1)", more),
    "line": ("x + (__builtin_LINE() > 0)", more),
    "function": ("x + __builtin_FUNCTION()[0] - 'e'", more),
    "strlen_of_constant": ('x + (__builtin_strlen("a") == 1)', more),
    "bit_cast": ("(int)(__builtin_bit_cast(uint, (float)1.0f) == 0x3f800000u) + x", more),
    "is_aligned": ("x + __builtin_is_aligned(x & 0xff0, 16)", more),
    "align_up": ("__builtin_align_up(x & 255, 16)", lambda x: (x & 255) + 15 & -16),
    "align_down": ("__builtin_align_down(x & 255, 16)", lambda x: x & 240),
    "addressof": ("*__builtin_addressof(x) + 1", more),
    "launder": ("*__builtin_launder(&x) + 1", more),
    "assume_aligned": ("*(int *)__builtin_assume_aligned(&x, 4) + 1", more),
    "preserve_access": ("*__builtin_preserve_access_index(&x) + 1", more),
    "return_address": ("x + 1 + (__builtin_return_address(0) != __builtin_return_address(0))", more),
    "extract_return_address": ("x + 1 + (__builtin_extract_return_addr(0) != 0)", more),
    "frame_address": ("x + 1 + (__builtin_frame_address(0) != __builtin_frame_address(0))", more),
    "thread_pointer": ("x + 1 + (__builtin_thread_pointer() != __builtin_thread_pointer())", more),
    "cycle_counter": ("x + ((long)(__builtin_readcyclecounter() - __builtin_readcyclecounter()) <= 0 || 1)", more),
    "steady_counter": ("x + ((long)(__builtin_readsteadycounter() - __builtin_readsteadycounter()) <= 0 || 1)", more),
    "flt_rounds": ("x + (__builtin_flt_rounds() >= -1)", more),
    "cpu_supports": ('x + 1 + 0 * __builtin_cpu_supports("sse2")', more),
    "nondeterministic": ("x + 1 + 0 * __builtin_nondeterministic_value(x)", more),
    "is_constant_evaluated": ("x + 1 + 0 * __builtin_is_constant_evaluated()", more),
}
_FLOATS: dict[str, tuple[str, Model]] = {
    "fabs": ("(int)__builtin_fabs((double)x)", abs),
    "fabsf": ("(int)__builtin_fabsf((float)(short)x)", lambda x: abs((x + 32768 & 65535) - 32768)),
    "copysignf": ("(int)__builtin_copysignf(3.0f, (float)x)", lambda x: -3 if x < 0 else 3),
    "floorf": ("(int)__builtin_floorf((float)(x & 255) / 2)", lambda x: (x & 255) // 2),
    "ceilf": ("(int)__builtin_ceilf((float)(x & 255) / 2)", lambda x: ((x & 255) + 1) // 2),
    "truncf": ("(int)__builtin_truncf((float)-(x & 255) / 2)", lambda x: -((x & 255) // 2)),
    "roundf": ("(int)__builtin_roundf((float)(x & 255) / 2)", lambda x: ((x & 255) + 1) // 2),
    "rintf": ("(int)__builtin_rintf((float)(x & 255) / 2)", lambda x: round((x & 255) / 2)),
    "sqrtf": ("(int)__builtin_sqrtf((float)((x & 15) * (x & 15)) + 0.25f)", lambda x: x & 15),
    "fmaf": ("(int)__builtin_fmaf((float)(x & 255), 2.0f, 1.0f)", lambda x: 2 * (x & 255) + 1),
    "fminf": ("(int)__builtin_fminf((float)(x & 255), 9.0f)", lambda x: min(x & 255, 9)),
    "fmaxf": ("(int)__builtin_fmaxf((float)(x & 255), 9.0f)", lambda x: max(x & 255, 9)),
    "powf": ("(int)(__builtin_powf(2.0f, (float)(x & 7)) + 0.5f)", lambda x: 2 ** (x & 7)),
    "powi": ("(int)__builtin_powi(2.0, x & 7)", lambda x: 2 ** (x & 7)),
    "powif": ("(int)__builtin_powif(2.0f, x & 7)", lambda x: 2 ** (x & 7)),
    "sinf": ("x + 1 + (int)__builtin_sinf((float)(x & 1))", more),
    "expf": ("x + (int)__builtin_expf((float)(x & 1) / 4)", more),
    "logf": ("x + 1 + (int)__builtin_logf((float)(x & 1) + 1)", more),
    "fmodf": ("(int)__builtin_fmodf((float)(x & 255), 7.0f)", lambda x: (x & 255) % 7),
    "ldexpf": ("(int)__builtin_ldexpf((float)(x & 255), 3)", lambda x: (x & 255) * 8),
    "canonicalizef": ("(int)__builtin_canonicalizef((float)(x & 255))", lambda x: x & 255),
    "isnan": ("__builtin_isnan((float)x / (x & 1 ? 1.0f : NAN))", lambda x: 1 - (x & 1)),
    "isinf": ("!!__builtin_isinf(x & 1 ? INFINITY : (float)x)", lambda x: x & 1),
    "isinf_sign": ("__builtin_isinf_sign(x & 1 ? -INFINITY : (float)x)", lambda x: -(x & 1)),
    "isfinite": ("!!__builtin_isfinite(x & 1 ? INFINITY : (float)x)", lambda x: 1 - (x & 1)),
    "isnormal": ("!!__builtin_isnormal((float)x)", lambda x: int(x != 0)),
    "signbit": ("!!__builtin_signbit((float)x)", lambda x: int(x < 0)),
    "signbitf": ("!!__builtin_signbitf((float)x)", lambda x: int(x < 0)),
    "fpclassify": ("__builtin_fpclassify(1, 2, 3, 4, 5, (float)x)", lambda x: 3 if x else 5),
    "isfpclass": ("!!__builtin_isfpclass((float)x, 0x60)", lambda x: int(x == 0)),
    "isgreater": ("__builtin_isgreater((float)x, 5.0f)", lambda x: int(x > 5)),
    "isunordered": ("!!__builtin_isunordered((float)x, x & 1 ? NAN : 1.0f)", lambda x: x & 1),
    "nan": ('x + (__builtin_nan("") != __builtin_nan(""))', more),
    "nanf": ('x + (as_int(__builtin_nanf("0x12")) == 0x7fc00012)', more),
    "huge_valf": ("x + (__builtin_huge_valf() > FLT_MAX)", more),
    "inff": ("x + (__builtin_inff() > FLT_MAX)", more),
    "infl": ("x + (__builtin_infl() > 1)", more),
    "frexpf": ("__builtin_frexpf((float)(x & 255), &k) < 1 ? k : 77", lambda x: (x & 255).bit_length()),
}
_V4 = "(int4)(x, 2, -3, 4)"
_VECTORS: dict[str, tuple[str, Model]] = {
    "shufflevector": ("__builtin_shufflevector((int2)(x, 1), (int2)(2, 3), 3, 0, 2)[1]", lambda x: x),
    "shufflevector_undefined": ("__builtin_shufflevector((int2)(x, 1), (int2)(2, 3), -1, 0, -1, 1)[1]", lambda x: x),
    "shufflevector_of_5": ("__builtin_shufflevector((int4)x, (int4)1, 0, 1, 2, 3, 4)[4] + x", more),
    "convertvector": ("__builtin_convertvector((int4)(x), uchar4).y", lambda x: x & 255),
    "convertvector_of_float": ("(int)__builtin_convertvector((int4)(x & 255), float4).w", lambda x: x & 255),
    "elementwise_abs": ("__builtin_elementwise_abs(x)", abs),
    "elementwise_abs_of_vector": ("__builtin_elementwise_abs((int3)(1, x, 2)).y", abs),
    "elementwise_max": ("__builtin_elementwise_max(x, 9)", lambda x: max(x, 9)),
    "elementwise_min": ("__builtin_elementwise_min((int4)(x), (int4)(9)).z", lambda x: min(x, 9)),
    "elementwise_add_sat": ("__builtin_elementwise_add_sat(x, 0x7ffffff0)", lambda x: min(x + 0x7FFFFFF0, _MAX)),
    "elementwise_sub_sat": ("__builtin_elementwise_sub_sat(x, 0x7ffffff0)", lambda x: max(x - 0x7FFFFFF0, -_MAX - 1)),
    "elementwise_bitreverse": ("__builtin_elementwise_bitreverse(x)", lambda x: _reversed(x, 32)),
    "elementwise_popcount": ("__builtin_elementwise_popcount((int2)(x, 1)).x", lambda x: _u(x).bit_count()),
    "elementwise_floor": ("(int)__builtin_elementwise_floor((float)(x & 255) / 2)", lambda x: (x & 255) // 2),
    "elementwise_roundeven": ("(int)__builtin_elementwise_roundeven((float)(x & 255) / 2)", lambda x: round((x & 255) / 2)),
    "elementwise_sqrt": ("(int)(__builtin_elementwise_sqrt((float2)((x & 15) * (x & 15))).y + 0.25f)", lambda x: x & 15),
    "elementwise_fma": ("(int)__builtin_elementwise_fma((float)(x & 255), 2.0f, 1.0f)", lambda x: 2 * (x & 255) + 1),
    "elementwise_exp2": ("(int)(__builtin_elementwise_exp2((float)(x & 7)) + 0.5f)", lambda x: 2 ** (x & 7)),
    "elementwise_sin": ("x + 1 + (int)__builtin_elementwise_sin((float)(x & 1))", more),
    "elementwise_tan": ("x + 1 + (int)__builtin_elementwise_tan((float)(x & 1) / 2)", more),
    "elementwise_copysign": ("(int)__builtin_elementwise_copysign(3.0f, (float)x)", lambda x: -3 if x < 0 else 3),
    "elementwise_canonicalize": ("(int)__builtin_elementwise_canonicalize((float)(x & 255))", lambda x: x & 255),
    "elementwise_fshl": ("(int)__builtin_elementwise_fshl((uint)x, (uint)x, 5u)", lambda x: _rotated(x, 5)),
    "reduce_add": (f"__builtin_reduce_add({_V4})", lambda x: x + 3),
    "reduce_mul": ("__builtin_reduce_mul((int4)(x & 255, 2, -3, 4))", lambda x: -24 * (x & 255)),
    "reduce_max": (f"__builtin_reduce_max({_V4})", lambda x: max(x, 4)),
    "reduce_min": (f"__builtin_reduce_min({_V4})", lambda x: min(x, -3)),
    "reduce_and": ("__builtin_reduce_and((int4)(x, -1, -3, -1))", lambda x: x & -3),
    "reduce_or": ("__builtin_reduce_or((int4)(x, 2, 0, 4))", lambda x: x | 6),
    "reduce_xor": (f"__builtin_reduce_xor({_V4})", lambda x: x ^ 2 ^ -3 ^ 4),
    "reduce_max_of_float": ("(int)__builtin_reduce_max((float4)(x & 255, 1, 2, 9))", lambda x: max(x & 255, 9)),
    "reduce_add_of_3": ("__builtin_reduce_add((int3)(x, 2, -3))", lambda x: x - 1),
}
_MEMORY: dict[str, Form] = {
    "alloca": Form("int *p = (int *)(ulong)__builtin_alloca(8); p[0] = x; p[1] = 1; y = p[0] + p[1];", more),
    "alloca_of_unknown": Form(
        "int n = (x & 7) + 1, *p = (int *)(ulong)__builtin_alloca(4 * n); p[n - 1] = x; y = p[n - 1] + 1;", more
    ),
    "alloca_in_loop": Form(
        "for (int j = 0; j < 3; j++) { int *p = (int *)(ulong)__builtin_alloca(4); *p = x; y += *p; }", lambda x: 3 * x
    ),
    "memcpy": Form("int a[3] = {x, 1, 2}, b[3]; __builtin_memcpy(b, a, 12); y = b[0] + b[1];", more),
    "memcpy_of_unknown": Form(
        "char a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {0}; __builtin_memcpy(b, a, x & 7); y = b[3];",
        lambda x: 4 * ((x & 7) > 3),
    ),
    "memcpy_inline": Form("int a = x, b; __builtin_memcpy_inline(&b, &a, 4); y = b + 1;", more),
    "memmove": Form("int a[3] = {x, 1, 2}; __builtin_memmove(a + 1, a, 8); y = a[1] + a[2];", more),
    "memmove_of_unknown": Form(
        "char a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}; __builtin_memmove(a + 1, a, x & 7); y = a[3];",
        lambda x: 3 if (x & 7) >= 3 else 4,
    ),
    "memset": Form("int a[3] = {x, x, x}; __builtin_memset(a, 1, 8); y = a[1] + a[2] - 0x01010100;", more),
    "memset_of_unknown": Form("char a[8] = {0}; __builtin_memset(a, 5, x & 7); y = a[3];", lambda x: 5 * ((x & 7) > 3)),
    "memset_of_pattern": Form("int a[3]; __builtin_memset(a, x, 12); y = a[2];", lambda x: (x & 255) * 0x01010101),
    "memcmp": Form("int a[2] = {x, 1}, b[2] = {5, 1}; y = !__builtin_memcmp(a, b, 8);", lambda x: int(x == 5)),
    "memchr": Form('y = x + (__builtin_memchr("abc", 98, 3) != 0);', more),
    "bzero": Form("int a[2] = {x, x}; __builtin_bzero(a, 4); y = a[0] + a[1] + 1;", more),
    "strlen": Form('char s[4] = "abc"; s[x & 3] = 0; y = (int)__builtin_strlen(s);', lambda x: x & 3),
    "strcmp": Form('y = x + !__builtin_strcmp("abc", "abc");', more),
    "malloc": Form("int *p = (int *)(ulong)__builtin_malloc(4); *p = x; y = *p + 1;", more),
    "printf": Form('y = x + 1; if (x == 77) __builtin_printf("a");', more),
    "puts": Form('y = x + 1; if (x == 77) __builtin_puts("a");', more),
    "prefetch": Form("__builtin_prefetch(in); y = x + 1;", more),
    "prefetch_of_private": Form("__builtin_prefetch(&x, 1, 3); y = x + 1;", more),
    "nontemporal_load": Form("y = __builtin_nontemporal_load(in + get_global_id(0)) + 1;", more),
    "nontemporal_store": Form("int k; __builtin_nontemporal_store(x, &k); y = k + 1;", more),
    "sync_fetch_and_add": Form("int k = x; __sync_fetch_and_add(&k, 1); y = k;", more),
    "sync_synchronize": Form("y = x; __sync_synchronize(); y += 1;", more),
    "atomic_load_n": Form("int k = x; y = __atomic_load_n(&k, 0) + 1;", more),
    "atomic_fetch_add": Form("int k = x; __atomic_fetch_add(&k, 1, 5); y = k;", more),
    "atomic_compare_exchange": Form("int k = x, w = x; y = x + __atomic_compare_exchange_n(&k, &w, 5, 0, 5, 5);", more),
    "c11_atomic_load": Form("_Atomic(int) k; __c11_atomic_init(&k, x); y = __c11_atomic_load(&k, 5) + 1;", more),
    "opencl_atomic_load": Form("atomic_int k; y = x + 1; if (x == 77) y = __opencl_atomic_load(&k, 5, 1);", more),
    "clear_padding": Form("struct { char a; int b; } v = {1, x}; __builtin_clear_padding(&v); y = v.b + 1;", more),
    "dump_struct": Form("struct { int a; } v = {x}; __builtin_dump_struct(&v, printf); y = v.a + 1;", more),
    "clear_cache": Form("__builtin___clear_cache((char *)&x, (char *)&x); y = x + 1;", more),
    "stack_save": Form("void *p = __builtin_stack_save(); y = x + 1; if (x == 77) __builtin_stack_restore(p);", more),
    "va_list": Form("__builtin_va_list l; y = x + 1;", more),
}
_CONTROL: dict[str, Form] = {
    "trap": Form("y = x + 1; if (x == 77) __builtin_trap();", more),
    "trap_in_dead_code": Form("y = x + 1; if (0) __builtin_trap();", more),
    "trap_in_function_not_called": value("x + 1", more, "void g(void) { __builtin_trap(); }"),
    "debugtrap": Form("y = x + 1; if (x == 77) __builtin_debugtrap();", more),
    "verbose_trap": Form('y = x + 1; if (x == 77) __builtin_verbose_trap("a", "b");', more),
    "unreachable": Form(
        "switch (x & 1) { case 0: y = 4; break; case 1: y = 5; break; default: __builtin_unreachable(); }",
        lambda x: 4 + (x & 1),
    ),
    "unreachable_in_dead_code": Form("y = x + 1; if (0) __builtin_unreachable();", more),
    "unreachable_at_end": value(
        "g(x & 1)",
        lambda x: 6 + (x & 1),
        "int g(int a) { if (a == 0) return 6; if (a == 1) return 7; __builtin_unreachable(); }",
    ),
    "assume": Form("__builtin_assume(x != 77); y = x + 1;", more),
    "assume_separate_storage": Form("int k; __builtin_assume_separate_storage(&x, &k); y = x + 1;", more),
    "abort": Form("y = x + 1; if (x == 77) __builtin_abort();", more),
    "exit": Form("y = x + 1; if (x == 77) __builtin_exit(1);", more),
    "setjmp": Form("void *b[5]; y = x + 1; if (x == 77) __builtin_setjmp(b);", more),
    "longjmp": Form("void *b[5]; y = x + 1; if (x == 77) __builtin_longjmp(b, 1);", more),
    "eh_return": Form("y = x + 1; if (x == 77) __builtin_unwind_init();", more),
    "coroutine": Form("y = x + 1; if (x == 77) __builtin_coro_noop();", more),
    "annotation": Form('y = __builtin_annotation(x, "note") + 1;', more),
    "sponentry": Form("y = x + 1; if (x == 77) y = (int)(long)__builtin_sponentry();", more),
    "ia32_pause": Form("__builtin_ia32_pause(); y = x + 1;", more),
    "amdgcn_workitem": Form("y = x + 1; if (x == 77) y = __builtin_amdgcn_workitem_id_x();", more),
    "arithmetic_fence": Form("y = (int)__arithmetic_fence((float)(x & 255)) + 1;", lambda x: (x & 255) + 1),
    "function_start": Form("y = x + 1 + (__builtin_function_start(g) == 0);", more, "int g(int a) { return a; }"),
    "no_such_builtin": Form("y = __builtin_no_such_thing(x);", None),
}
BUILTIN: dict[str, Form] = {
    **_plain(_BITS),
    **{name: Form(f"int k = 0; long w = 0; y = {expression};", want) for name, (expression, want) in _CHECKED.items()},
    "add_overflow.sum": Form("int k; __builtin_add_overflow(x, 0x7ffffff0, &k); y = k;", lambda x: x + 0x7FFFFFF0),
    "mul_overflow.product": Form("int k; __builtin_mul_overflow(x, 100000, &k); y = k;", lambda x: x * 100000),
    "addc": Form(
        "uint c; y = (int)__builtin_addc((uint)x, 0xfffffff0u, 1, &c); y += c;", lambda x: x - 15 + int(_u(x) > 14)
    ),
    "subc": Form("uint c; y = (int)__builtin_subc((uint)x, 5u, 1, &c); y += c;", lambda x: x - 6 + int(_u(x) < 6)),
    **_plain(_COMPILE),
    **{name: Form(f"int k = 0; y = {expression};", want) for name, (expression, want) in _FLOATS.items()},
    **_plain(_VECTORS),
    **_MEMORY,
    **_CONTROL,
}
