"""Texts that reverse 64 values through an address space: r[l] = a[63 - l], where `a` are the group's values.

`l` is the item's local id. The first of the two texts is outside the kernel.

One file: it is a table.
"""

PRIVATE: dict[str, tuple[str, str]] = {
    "array": ("", "uint p[64]; for (uint k = 0; k < 64; k++) p[k] = a[k]; r[l] = p[63 - l];"),
    "written_by_index": (
        "",
        "uint p[8] = {0}, s = 0; p[l & 7] = a[63 - l];"
        " for (uint k = 0; k < 8; k++) s += k == (l & 7) ? p[k] : p[k] * 3; r[l] = s;",
    ),
    "two_dimensions": (
        "",
        "uint p[4][16]; for (uint k = 0; k < 64; k++) p[k / 16][k % 16] = a[k]; r[l] = p[3 - l / 16][15 - l % 16];",
    ),
    "bytes_of_words": (
        "",
        "uint x = a[63 - l], y; uchar *from = (uchar *)&x, *to = (uchar *)&y;"
        " for (uint k = 0; k < 4; k++) to[(k + l) & 3] = from[(k + l) & 3]; r[l] = y;",
    ),
    "words_of_bytes": (
        "",
        "uchar b[8] __attribute__((aligned(4))); uint x = a[63 - l];"
        " for (uint k = 0; k < 4; k++) b[4 + k] = x >> 8 * k; r[l] = *(uint *)(b + 4);",
    ),
    "struct_array": (
        "typedef struct { uchar t; uint v[3]; ushort s; } record;",
        "record p[4]; for (uint k = 0; k < 4; k++) { p[k].t = k; p[k].s = l; p[k].v[k % 3] = a[63 - l]"
        " + k; }"
        " record q = p[l & 3]; r[l] = q.v[(l & 3) % 3] - q.t + q.s - l;",
    ),
    "packed": (
        "typedef struct __attribute__((packed)) { uchar t; ushort s; uint v; uchar e; ushort z; } record;",
        "record p[4]; for (uint k = 0; k < 4; k++) { uint n = (k + l) & 3; p[n].t = n; p[n].s = l + n;"
        " p[n].v = a[63 - l] + n; p[n].e = 3 * n; p[n].z = 1000 + n; } record q = p[l & 3]; uint n = q.t;"
        " r[l] = q.v - n + (q.s - l - n) + (q.e - 3 * n) + (q.z - 1000 - n);",
    ),
    "by_value": (
        "typedef struct { uint v[5]; uchar t; } record; record turn(record x) { x.v[1] = x.v[4]; x.t += 1; return x; }",
        "record x; x.t = 255; x.v[4] = a[63 - l]; record y = turn(x); r[l] = y.v[1] + y.t;",
    ),
    "pointer_to_pointer": (
        "void set(uint **p, uint x) { **p = x; *p += 1; }",
        "uint p[2]; uint *q = p; set(&q, 1); set(&q, a[63 - l] - 1); r[l] = p[0] + p[1] + (uint)(q - p) - 2;",
    ),
    "array_of_pointers": (
        "",
        "uint x = a[63 - l], y = 5, z = 7; uint *p[3] = {&y, &z, &x}; *p[l & 1] += 1; r[l] = *p[2] + y + z - 13;",
    ),
    "swapped_pointers": (
        "void swap(uint *p, uint *q) { uint t = *p; *p = *q; *q = t; }",
        "uint x[2] = {l, a[63 - l]}; swap(x, x + 1); if (l & 1) { swap(&x[0], &x[1]); swap(x + 1, x); } r[l] = x[0];",
    ),
    "vector_components": (
        "",
        "uint4 v = (uint4)(1, 2, 3, a[63 - l]); uint *p = (uint *)&v; p[l % 3] = 9; r[l] = p[3] + v.w - p[3];",
    ),
    "vector_array": (
        "",
        "uint4 p[16]; for (uint k = 0; k < 16; k++) p[k] = vload4(k, a); uint4 v = p[15 - l / 4];"
        " r[l] = l % 4 == 0 ? v.w : l % 4 == 1 ? v.z : l % 4 == 2 ? v.y : v.x;",
    ),
    "walk": (
        "",
        "uint p[16]; for (uint k = 0; k < 16; k++) p[k] = a[(63 - l + k) % 64]; uint *q = p + 16, x = 0;"
        " while (q > p) x = *--q; r[l] = x;",
    ),
    "longs": (
        "",
        "ulong p[8]; for (uint k = 0; k < 8; k++) p[k] = (ulong)a[63 - l] << 4 * k; r[l] = p[l & 7] >> 4 * (l & 7);",
    ),
    "ushorts": (
        "",
        "ushort p[6] = {0, 0, 0, 0, 0, 0}; p[l % 5] = a[63 - l]; p[l % 5 + 1] = a[63 - l] >> 16;"
        " r[l] = p[l % 5] | (uint)p[l % 5 + 1] << 16;",
    ),
    "initialised": (
        "",
        "uint p[7] = {3, 1, 4}, q[2][2] = {{1}, {2, 3}}; r[l] = a[63 - l] + p[l % 4 + 3] + p[2] - 4"
        " + q[l % 2][l & 0]"
        " - 1 - l % 2 + q[0][1];",
    ),
    "chosen": (
        "uint take(const uint *p, uint k) { return p[k]; }",
        "uint p[2] = {a[63 - l], 3}, q[2] = {a[63 - l], 5}; r[l] = take(l % 3 ? p : q, l & 0) + p[1] - 3;",
    ),
    "recursive_structs": (
        "typedef struct node { struct node *next; uint v; } node;",
        "node n[5]; for (uint k = 0; k < 5; k++) { n[k].v = k; n[k].next = n + (k + 1 + l % 3) %"
        " 5; }"
        " node *p = n; p->v = a[63 - l]; uint k = 0; do { p = p->next; k++; } while (p != n && k"
        " < 9); r[l] = p->v + k - 5;",
    ),
    # A compiler may keep a variable's value only from one write to the next: `run` is 0, which is known only at run time.
    "read_between_writes": (
        "",
        "uint p[4] = {1, 2, 3, 4}; p[1] = a[63 - l]; uint x = p[run + 1]; p[1] = 9; r[l] = x + p[1] + p[run] - 10;",
    ),
    "copied_inside_of_an_array": (
        "typedef struct { uint v[3]; } record;",
        "record p[2] = {{{1, 2, 3}}, {{4, 5, 6}}}; p[1].v[1] = a[63 - l]; p[run] = p[run + 1]; p[1].v[0] = 9;"
        " r[l] = p[0].v[1] + p[0].v[0] - 4 + p[run + 1].v[0] - 9 + p[0].v[2] - 6;",
    ),
    "copied_then_overwritten": (
        "typedef struct { uint v[1]; } record;",
        "__global record *p = (__global record *)(a + 63 - l); record y = *p; p->v[run] = 7; r[l] = y.v[0] + p->v[0] - 7;",
    ),
    "written_through_either": (
        "",
        "uint x = 1, y = 2; uint *p = l & 1 ? &x : &y; *p = a[63 - l]; r[l] = l & 1 ? x + y - 2 : y + x - 1;",
    ),
    "parts_of_a_vector": (
        "",
        "uint4 v = (uint4)(1, 2, 3, 4), w; v.yz = (uint2)(a[63 - l], 5); w = v; v.z = 6; v.xw = v.wx;"
        " if (l & 1) w.x += v.z; r[l] = w.y + w.x - (l & 1 ? 7 : 1) + v.x - 4 + v.w - 1 + w.z - 5 + v.z - 6;",
    ),
    "copied_with_gaps": (
        "typedef struct { uchar t; uint v; ushort s; } record;",
        "record x = {1, 2, 3}, y, z[2]; y = x; y.v = a[63 - l]; z[run] = y; z[1] = x; x = z[run];"
        " r[l] = x.v + x.t + x.s - 4 + z[1].v - 2;",
    ),
    "union": (
        "typedef union { uint2 v; ulong w; ushort h[4]; } both;",
        "both x; x.w = (ulong)a[63 - l] << 32 | 7; both y = x; y.h[0] += 1; r[l] = y.v.y + y.v.x - 8 + x.h[0] - 7;",
    ),
    "carried_by_a_loop": (
        "",
        "uint p[3] = {0, 0, 0}, k = 0; do { p[k] = a[63 - l] + k; p[k + 1 + run] = p[k]; } while (++k < 2);"
        " r[l] = p[2] - 1 + p[0] - p[1] + 1;",
    ),
    "pointers_to_one_buffer": (
        "",
        "__global uint *p = r + run; r[l] = 5; p[l] += a[63 - l] - 5; uint x = r[l]; p[l] = 3; r[l] = x + r[l] - 3;",
    ),
}

GENERIC: dict[str, tuple[str, str]] = {
    "three_spaces": (
        "uint take(const uint *p) { return *p; } void put(uint *p, uint x) { *p = x; }",
        "uint x; put(&x, a[63 - l]); put(m + l, x); put(r + l, take(m + l) + take(a + l) - take(&x)); r[l] += x - a[l];",
    ),
    "chosen_at_run_time": (
        "",
        "uint x = a[63 - l]; m[l] = x; uint *p = l % 3 == 0 ? &x : l % 3 == 1 ? (uint *)(m +"
        " l) : (uint *)(a + 63 - l);"
        " r[l] = *p;",
    ),
    "in_a_struct": (
        "typedef struct { uint *p; uint k; } view;",
        "uint x = a[63 - l]; view v[2] = {{&x, 0}, {a, 63 - l}}; r[l] = v[l & 1].p[v[l & 1].k];",
    ),
    "to_global": (
        "uint kind(uint *p) { return (to_global(p) != 0) + 2 * (to_local(p) != 0) + 4 * (to_private(p) != 0); }",
        "uint x = 0; r[l] = a[63 - l] + kind(a) - 1 + kind(m) - 2 + kind(&x) - 4;",
    ),
    "to_is_the_same": (
        "uint three(uint *p, uint *q, uint *s) { return *to_global(p) + *to_local(q) + *to_private(s); }",
        "uint x = 3; m[l] = 4; r[l] = three(a + 63 - l, m + l, &x) - 7;",
    ),
    # "A valid memory fence value" (OpenCL C 6.15.10): it may have more than the flag of the pointer's space.
    "get_fence": (
        "uint fence(const void *p, uint flag) { return (get_fence(p) & flag) == flag; }",
        "r[l] = a[63 - l] + fence(a, CLK_GLOBAL_MEM_FENCE) - 1 + fence(m, CLK_LOCAL_MEM_FENCE) - 1;",
    ),
    "null": (
        "uint take(const uint *p, uint other) { return p ? *p : other; }",
        "r[l] = take(l & 1 ? a + 63 - l : 0, a[63 - l]);",
    ),
    "compared": (
        "uint same(const void *p, const void *q) { return p == q; }",
        "uint x; r[l] = a[63 - l] + same(a, a) - 1 + same(a, m) + same(&x, m) + same(m + l, m);  if (l == 0) r[l] -= 1;",
    ),
    "pointer_to_pointer": (
        "void advance(uint **p, uint by) { *p += by; }",
        "m[l] = a[63 - l]; uint *p = m, *q = a; advance(&p, l); advance(&q, 63 - l); r[l] = l & 1 ? *p : *q;",
    ),
    "vectors": (
        "float2 take(const float2 *p) { return (*p).yx; }",
        "float2 x = (float2)(1.0f, as_float(a[63 - l] & 0x3FFFFFFF)); r[l] = as_uint(take(&x).x) | (a[63 -"
        " l] & 0xC0000000);",
    ),
    "bytes": (
        "uint gather(const uchar *p) { return p[0] | p[1] << 8 | p[2] << 16 | (uint)p[3] << 24; }",
        "uint x = a[63 - l]; m[l] = x; r[l] = gather(l % 2 ? (uchar *)&x : (uchar *)(m + l));",
    ),
    "loop": (
        "uint last(const uint *p, uint n) { uint x = 0; while (n--) x = *p++; return x; }",
        "uint x[3] = {1, 2, a[63 - l]}; r[l] = l % 2 ? last(x, 3) : last(a, 64 - l);",
    ),
}

# The stored value is the offset of its place in local memory, so that one register may be both data and address.
LOCAL: dict[str, tuple[str, str]] = {
    "places": ("", "__local uint m[64]; m[l] = 4 * l; barrier(CLK_LOCAL_MEM_FENCE); r[l] = a[m[63 - l] / 4];"),
    "byte_places": ("", "__local uchar m[64]; m[l] = l; barrier(CLK_LOCAL_MEM_FENCE); r[l] = a[m[63 - l]];"),
    "vector_places": (
        "",
        "__local uint4 m[64]; m[l] = 16 * l; barrier(CLK_LOCAL_MEM_FENCE); uint4 v = m[63 - l] / 16;"
        " r[l] = v.x == v.y && v.z == v.w && v.y == v.z ? a[v.x] : 1;",
    ),
    "counted_places": (
        "",
        "__local uint m[64]; m[l] = l; barrier(CLK_LOCAL_MEM_FENCE); uint old = atomic_add(m + l, 4 * l);"
        " barrier(CLK_LOCAL_MEM_FENCE); r[l] = a[m[63 - l] / 5] + old - l;",
    ),
    "exchanged_places": (
        "",
        "__local uint m[64]; m[l] = 4 * l; barrier(CLK_LOCAL_MEM_FENCE); uint old = atomic_cmpxchg(m + l, 4 * l, 4 * l + 2);"
        " barrier(CLK_LOCAL_MEM_FENCE); r[l] = a[(m[63 - l] - 2) / 4] + old - 4 * l;",
    ),
}

CONSTANT: dict[str, tuple[str, str]] = {
    "struct_table": (
        "typedef struct { uchar t; uint v[2]; short s; } record;"
        " __constant record table[] = {{1, {10, 20}, -3}, {2, {30, 40}, -5}, {3, {50}, 7}};",
        "r[l] = a[63 - l] + table[l % 3].t - 1 - l % 3 + table[l & 1].v[1] - 20 - 20 * (l & 1) +"
        " table[2].v[1]"
        " + table[l & 1].s + 3 + 2 * (l & 1);",
    ),
    "nested_arrays": (
        "__constant uint table[3][2][4] = {{{0, 1, 2, 3}, {4, 5, 6, 7}}, {{8, 9, 10, 11}, {12, 13,"
        " 14, 15}},"
        " {{16, 17, 18, 19}, {20, 21, 22, 23}}};",
        "r[l] = a[63 - l] + table[l % 3][l / 3 % 2][l / 6 % 4] - (l % 3 * 8 + l / 3 % 2 * 4 + l / 6 % 4);",
    ),
    "partly_initialised": (
        "__constant uint table[64] = {5, [60] = 9, 8};",
        "r[l] = a[63 - l] + table[l] - (l == 0 ? 5 : l == 60 ? 9 : l == 61 ? 8 : 0);",
    ),
    "string": (
        '__constant char text[] = "The quick brown fox\\t\\x41\\101";',
        "r[l] = a[63 - l] + text[4] - 'q' + text[19] - '\\t' + text[20] - 65 + text[21] - 65 + text[22] +"
        " sizeof(text) - 23;",
    ),
    "string_literal": (
        "uint length(__constant const char *p) { uint n = 0; while (*p++) n++; return n; }",
        'r[l] = a[63 - l] + length("seven\\n!") - 7 + length(l & 1 ? "" : "xy") - (l & 1 ? 0 : 2);',
    ),
    "expressions": (
        "#define N 5\n__constant uint table[N * 2] = {N, sizeof(int4), 1u << 31, ~0u, 'a', N > 4, (N + 1) % 4, -1};",
        "uint s = 0; for (uint k = 0; k < N * 2; k++) s += table[k]; r[l] = a[63 - l] + s - (5u + 16 +"
        " (1u << 31) - 1 + 97 + 1 + 2 - 1);",
    ),
    "pointer_chosen": (
        "__constant uint one[4] = {1, 2, 3, 4}; __constant uint two[4] = {5, 6, 7, 8};"
        " uint take(__constant const uint *p, uint k) { return p[k]; }",
        "r[l] = a[63 - l] + take(l & 4 ? one : two, l & 3) - (l & 3) - (l & 4 ? 1 : 5);",
    ),
    "in_a_function": (
        "uint weight(uint k) { __constant const uint *p = 0; return k * 3; } __constant uint w[3] = {0, 3, 6};",
        "r[l] = a[63 - l] + w[l % 3] - weight(l % 3);",
    ),
    "in_a_kernel": ("", "__constant uint table[4] = {11, 12, 13, 14}; r[l] = a[63 - l] + table[l & 3] - 11 - (l & 3);"),
    "vectors": (
        "__constant uint4 table[2] = {(uint4)(1, 2, 3, 4), (uint4)(5)}; __constant float3 h = (float3)(0.5f, 1.5f, -2.0f);",
        "uint4 v = table[l & 1]; r[l] = a[63 - l] + (l & 1 ? v.x + v.w - 10 : v.y * v.z - 6) + (uint)(h.x + h.y + h.z);",
    ),
    "order": (
        "__constant int a0 = -1; __constant uchar a1 = 200; __constant short a2 = -300; __constant uint a3[2]"
        " = {7, 9};"
        " __constant char a4 = -8;",
        "r[l] = a[63 - l] + (uint)(a0 + a1 + a2 + (int)a3[l & 1] + a4) + 109 - 7 - 2 * (l & 1);",
    ),
    "by_address": (
        "__constant uint x = 21; uint take(__constant const uint *p) { return *p; }",
        "r[l] = a[63 - l] + take(&x) - 21;",
    ),
}

# A second launch of the same kernel sees what the first has written: `run` is 0, then 1.
WRITABLE: dict[str, tuple[str, str]] = {
    "initialised": (
        "__global uint table[4] = {3, 1, 4, 1};",
        "r[l] = a[63 - l] + table[l & 3] - (l & 1 ? 1 : 3 + (l & 2) / 2);",
    ),
    "zero": ("__global uint table[64];", "r[l] = a[63 - l] + table[l] - run * (l + 5); table[l] = l + 5;"),
    "kept": ("__global uint cells[64] = {9};", "r[l] = a[63 - l] + cells[l] - (run ? l * 7 : l ? 0 : 9); cells[l] = l * 7;"),
    "static_in_kernel": ("", "static __global uint cells[64]; r[l] = a[63 - l] + cells[l] - run * 3; cells[l] = 3;"),
    "static_file": (
        "static __global uint cells[64]; void put(uint k, uint x) { cells[k] = x; }",
        "r[l] = a[63 - l] + cells[l] - run * (l ^ 1); put(l, l ^ 1);",
    ),
    "pointer": (
        "__global uint cells[64]; __global uint *__global where = cells + 4;",
        "r[l] = a[63 - l] + (uint)(where - cells) - 4 + (l < 60 ? where[l] - run * l : 0);"
        " barrier(CLK_GLOBAL_MEM_FENCE); if (l < 60) where[l] = l;",
    ),
    "struct": (
        "typedef struct { uchar t; uint v; } record; __global record cells[64] = {{1, 2}, {3, 4}};",
        "r[l] = a[63 - l] + cells[l].v + cells[l].t - (run ? l + 8 : l < 2 ? 3 + 4 * l : 0); cells[l].t = 8;"
        " cells[l].v = l;",
    ),
    "between_kernels": (
        "__global uint cells[64]; __kernel void other(__global uint *r) { r[get_global_id(0)] ="
        " cells[get_global_id(0) % 64]; }",
        "r[l] = a[63 - l] + cells[l] - run * 17; cells[l] = 17;",
    ),
}

FORMS = {"private": PRIVATE, "generic": GENERIC, "local": LOCAL, "constant": CONSTANT, "writable": WRITABLE}
