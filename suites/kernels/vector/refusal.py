"""Statements on vectors that must not build, each with a valid neighbour. Plain Python, because the catalogue reads it too.

`a` is an int4, `b` a float4, `c` an int2, `x` an int, `r` a global int *.
"""

MISTAKES: dict[str, tuple[str, str]] = {
    "component_beyond": ("r[0] = c.z;", "r[0] = c.y;"),
    "index_beyond": ("r[0] = a.s4;", "r[0] = a.s3;"),
    "digit_beyond": ("r[0] = a.sg;", "r[0] = a.s0;"),
    "letters_mixed_with_digits": ("c = a.xs1;", "c = a.s01;"),
    "length_of_five": ("a = a.xyzwx.xyzw;", "a = a.xyzw.xyzw;"),
    "repeated_on_the_left": ("a.xx = c;", "a.xy = c;"),
    "too_wide_on_the_right": ("a.xy = a.xyz;", "a.xy = a.xz;"),
    "too_few_parts": ("a = (int4)(1, 2, 3);", "a = (int4)(1, 2, 3, 4);"),
    "too_many_parts": ("a = (int4)(c, c, 1);", "a = (int4)(c, c);"),
    "assigned_another_type": ("a = b;", "a = convert_int4(b);"),
    "assigned_another_width": ("a = c;", "a.lo = c;"),
    "cast_between_vectors": ("a = (int4)b;", "a = as_int4(b);"),
    "operands_of_two_widths": ("a = a + c;", "a.hi = a.hi + c;"),
    "operands_of_two_types": ("b = b * a;", "b = b * convert_float4(a);"),
    "scalar_of_greater_rank": ("short4 s = (short4)(1); s = s + x;", "short4 s = (short4)(1); s = s + (short)x;"),
    "condition_of_if": ("if (a) r[0] = 1;", "if (any(a)) r[0] = 1;"),
    "shift_of_a_scalar": ("r[0] = x; a = x << a;", "r[0] = x; a = a << x;"),
    "ternary_of_another_width": ("b = c ? b : b;", "b = a ? b : b;"),
    "remainder_of_floats": ("b = b % b;", "a = a % a;"),
    "complement_of_floats": ("b = ~b;", "a = ~a;"),
    "five_components": ("int5 v = 0;", "int3 v = 0;"),
    "address_of_a_component": ("int *p = &a.y; r[0] = *p;", "int4 *p = &a; r[0] = (*p).y;"),
}
