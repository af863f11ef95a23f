"""Contractions that err: in the OpenCL C that tinygrad makes of them, at their launch, and in their operands."""

from collections.abc import Callable
from typing import Any

from mutation import Function, api, generated, methods_of, of

_AT = "tinygrad/matmul/"


_method = methods_of("matmul")


@of
def _fewer_groups(inner: Function, self: Any, *buffers: Any, global_size: Any, **how: Any) -> Any:
    first = max(global_size[0] - 1, 1)
    return inner(self, *buffers, global_size=(first, *global_size[1:]), **how)


@of
def _qr_signs(inner: Function, self: Any) -> Any:
    q, r = inner(self)
    return q, -r


def _svd_wrong(change: Callable[[Any, Any, Any], Any]) -> Callable[[Function], Function]:
    return lambda inner: lambda self, *args: change(*inner(self, *args))


MUTANTS = [
    generated("tinygrad/matmul/no_barrier", f"{_AT}matmul.float32.deep_grouped", r"barrier\(CLK_LOCAL_MEM_FENCE\);", ""),
    generated("tinygrad/matmul/one_term_less", f"{_AT}matmul.float32.odd.noopt", r"Ridx0 < 41", "Ridx0 < 40"),
    generated("tinygrad/matmul/second_term_first", f"{_AT}matmul.float32.odd.noopt", r"Ridx0 = 0;", "Ridx0 = 1;"),
    generated("tinygrad/matmul/sum_begins_at_half_an_ulp", f"{_AT}matmul.float32.exact", r"= 0\.0f;", "= 0.0078125f;"),
    generated("tinygrad/matmul/subtracts", f"{_AT}matmul.float32.uneven", r"\)\+\(val0\*val1\)", ")-(val0*val1)"),
    generated("tinygrad/matmul/last_lane", f"{_AT}matmul.float32.tiles", r"val3\.w\*val6\.w", "val3.z*val6.w"),
    generated(
        "tinygrad/matmul/swapped_lanes", f"{_AT}matmul.float32.tiles", r"\(float4\)\((.*?),(.*?),", r"(float4)(\2,\1,"
    ),
    generated(
        "tinygrad/matmul/groups_swapped", f"{_AT}matmul.float32.square.noopt", r"get_group_id\(0\)", "get_group_id(1)"
    ),
    generated("tinygrad/matmul/local_memory_shared", f"{_AT}matmul.float32.matvec", r"\+\(Ridx102<<2\)", "+(0<<2)"),
    generated("tinygrad/matmul/narrow_sum", f"{_AT}half_sums.float16", r"float buf(\d)\[1\]", r"half buf\1[1]"),
    generated("tinygrad/matmul/unsigned_char", f"{_AT}matmul.int8.in_int32", r"\bchar\b", "uchar"),
    generated("tinygrad/matmul/int24", f"{_AT}matmul.int32.exact.noopt", r"val0\*val1", "val0*(val1&0xffffff)"),
    generated("tinygrad/matmul/saturates", f"{_AT}matmul.uint8.exact", r"\(\(uchar\)\(", "(convert_uchar_sat("),
    generated(
        "tinygrad/matmul/float_of_double",
        f"{_AT}matmul.float64.square.noopt",
        r"\(val0\*val1\)",
        "((double)((float)val0*(float)val1))",
    ),
    api(
        "tinygrad/matmul/one_group_less",
        f"{_AT}matmul.float32.odd",
        "tinygrad.runtime.ops_cl.CLProgram.__call__",
        _fewer_groups,
    ),
    _method(
        "rows_rolled",
        "matmul/matmul_chain.float32",
        "matmul",
        lambda inner: lambda self, w, **k: inner(self, w, **k).roll(1, 0),
    ),
    _method(
        "transposed",
        "matmul/matmul.float32.square",
        "dot",
        lambda inner: lambda self, w, **k: inner(self, w.transpose(), **k),
    ),
    _method(
        "operand_rounded",
        "matmul/matmul.float32.uneven",
        "dot",
        lambda inner: lambda self, w, **k: inner(self.half().contiguous().float(), w, **k),
    ),
    _method(
        "last_column",
        "matmul/__matmul__.float32",
        "matmul",
        lambda inner: lambda self, w, **k: inner(self, w.roll(1, 1), **k),
    ),
    _method(
        "reversed", "matmul/einsum.float32.heads", "einsum", lambda inner: lambda f, *x, **k: inner(f, *x, **k).flip(-1)
    ),
    _method(
        "swapped_heads", "matmul/einsum.float32.bilinear", "permute", lambda inner: lambda self, *a: inner(self, *a).flip(0)
    ),
    _method(
        "no_bias", "matmul/linear.float32", "linear", lambda inner: lambda self, w, b=None, **k: inner(self, w, None, **k)
    ),
    generated("tinygrad/matmul/truncated", f"{_AT}bfloat16_sums.float32", r"32767u", "0u"),
    _method(
        "gradient_of_ones",
        "matmul/matmul.float32.odd.backward",
        "gradient",
        lambda inner: lambda self, *t, gradient: inner(self, *t, gradient=gradient.ones_like()),
    ),
    _method(
        "gradient_negated",
        "matmul/matmul.float32.batched.backward",
        "gradient",
        lambda inner: lambda self, *t, gradient: inner(self, *t, gradient=-gradient),
    ),
    _method(
        "half_a_step",
        "linalg/newton_schulz.float32.steps_1",
        "newton_schulz",
        lambda inner: lambda self, steps, params: inner(self, steps, params[:2]),
    ),
    _method(
        "one_step_less",
        "linalg/orthogonalised.float32.wide",
        "newton_schulz",
        lambda inner: lambda self, steps, params: inner(self, steps - 1, params),
    ),
    _method("wrong_sign", "linalg/qr.float32.square", "qr", _qr_signs),
    _method("unsorted", "linalg/svd.float32.square", "svd", _svd_wrong(lambda u, s, v: (u, s.flip(0), v))),
    _method("not_transposed", "linalg/svd.float32.odd", "svd", _svd_wrong(lambda u, s, v: (u, s, v.transpose()))),
    _method(
        "square_of_the_values", "linalg/svd.float32.tall", "svd", _svd_wrong(lambda u, s, v: (u, s * (1 + 2.0**-10), v))
    ),
]
