"""Reductions of a term less, from another start, by another operation, with another divisor or axis."""

from mutation import MutantGroup

from .tinygrad_movement import last_bit, no_launch, one_group_less, scaled_gradient

_AREA = MutantGroup("tinygrad/reduce")
_code, _call, _op = _AREA.code, _AREA.call, _AREA.method
_CALL = "tinygrad.runtime.ops_cl.CLProgram.__call__"


_LOOP = r"(for \(int Ridx\d+ = )0;"
_PICK = r"\((\w+)<(\w+)\)\?\2:\1"

MUTANTS = [
    _code("sum_without_first", "sum.float32.whole.noopt", _LOOP, r"\g<1>1;"),
    _code("sum_without_last", "sum.int32.noopt", r"(Ridx\d+ < )(\d+);", r"\1\2-1;"),
    _code("sum_from_one", "sum.int32.noopt", r"(buf0\+0\) = )0;", r"\g<1>1;"),
    _code("sum_in_half", "sum.float32.rows", r"float buf0\[", "half buf0["),
    _code("half_sum_in_half", "sum.float16.rows.noopt", r"float buf0\[", "half buf0["),
    _code("half_sum_in_half_of_many", "mean.float16.noopt", r"float buf0\[", "half buf0["),
    _code("sum_of_magnitudes", "sum.float32.columns.noopt", r"\+(val\d+)\)", r"+fabs(\1))"),
    _code("large_sum_of_half", "sum.int32.large_65536", r"(Ridx\d+ < )(\d+);", r"\1\2/2;"),
    _code("byte_without_sign", "sum.int8.noopt", r"\(int\)\((val\d+)\)", r"(int)((uchar)(\1))"),
    _code("short_with_sign", "sum.uint16.noopt", r"\(uint\)\((val\d+)\)", r"(uint)((short)(\1))"),
    _code("long_sum_in_int", "sum.int64.noopt", r"long buf0\[", "int buf0["),
    _code("max_by_min", "max.int32.noopt", _PICK, r"(\1>\2)?\2:\1"),
    _code("max_from_zero", "max.float32.few.noopt", "-INFINITY", "0.0f"),
    _code("unsigned_max_as_signed", "max.uint32.noopt", _PICK, r"((int)\1<(int)\2)?\2:\1"),
    _code("byte_max_as_unsigned", "max.int8.padded", r"\bchar (buf0|val\d+)", r"uchar \1"),
    _op("argmax_of_the_last", "argmax.int32.ties", "argmax", lambda f, x, axis: x.shape[axis] - 1 - f(x.flip(axis), axis)),
    _code("root_left_out", "std.float32.noopt", r"\bsqrt\(", "("),
    _code("log_of_ten", "logsumexp.float32.noopt", r"\blog2\(", "log10("),
    _code("exp_not_shifted", "logsumexp.float32.noopt", r"\bexp2\(", "1.0001f*exp2("),
    _code("one_group", "cumsum.int32.split", r"get_group_id\(0\)", "(get_group_id(0)&~1)"),
    _op("prod_of_all_but_one", "prod.int32.odd", "prod", lambda f, x, axis, *a, **k: f(x[:, 1:], axis, *a, **k)),
    _op("any_is_all", "any.bool", "any", lambda f, x, *a, **k: x.all(*a, **k)),
    _op("all_is_any", "all.float32", "all", lambda f, x, *a, **k: x.any(*a, **k)),
    _op("all_of_truth_below_one", "all.float32.special", "all", lambda f, x, *a, **k: f(x.cast("int32"), *a, **k)),
    _op("min_is_max", "min.float32", "min", lambda f, x, *a, **k: x.max(*a, **k)),
    _op("mean_of_one_less", "mean.float32", "mean", lambda f, x, *a, **k: f(x, *a, **k) * (129 / 128)),
    _op("var_of_all", "var.float32", "var", lambda f, x, axis=None, keepdim=False, correction=1: f(x, axis, keepdim, 0)),
    _op("var_not_centred", "var.float32.outer", "var", lambda f, x, *a, **k: x.square().mean(*a[:1], **k)),
    _op("var_mean_swapped", "std_mean.float32", "std_mean", lambda f, x, *a, **k: f(x, *a, **k)[::-1]),
    _op("argmin_of_magnitudes", "argmin.float32", "argmin", lambda f, x, *a, **k: f(x.abs(), *a, **k)),
    _op("argmax_in_one_part", "argmax.int32.large", "argmax", lambda f, x, *a, **k: f(x[:, :20000], *a, **k)),
    _op("cumsum_without_itself", "cumsum.float32", "cumsum", lambda f, x, axis: f(x, axis) - x),
    _op("cumprod_shifted", "cumprod.float32", "cumprod", lambda f, x, axis: f(x.roll(1, axis), axis)),
    _op(
        "cummax_of_all",
        "cummax.float32",
        "cummax",
        lambda f, x, axis=0: (x.max(axis, keepdim=True).expand(x.shape), f(x, axis)[1]),
    ),
    _op(
        "cummin_index_shifted",
        "cummin.int32.ties",
        "cummin",
        lambda f, x, axis=0: ((v := f(x, axis))[0], (v[1] + 1).minimum(32)),
    ),
    _op(
        "logcumsumexp_without_top",
        "logcumsumexp.float32.far_apart",
        "logcumsumexp",
        lambda f, x, axis=0: x.exp().cumsum(axis).log(),
    ),
    _call("one_group_less", "sum.float32.columns", _CALL, one_group_less),
    _call("no_launch", "max.int8", _CALL, no_launch),
    _call("last_bit", "prod.int32", "tinygrad.runtime.ops_cl.CLAllocator._copyout", last_bit),
    _call("scaled_gradient", "max.float32.ties.backward", "tinygrad.mixin.gradient.compute_gradient", scaled_gradient),
]
