"""Cases of the premerge tier beside those that the families name: each shows a mutant that none of those shows.

Found by tests/power.py, whose line "escapes premerge" names a case of the full tier. What costs more than 0.7 s of CPU time
a mutant (training, randperm, AdamW, a convolution's gradient, std) stays there.
"""

from __future__ import annotations

_NAMES = {
    "activation": "elu.float32.args softplus.float32.args",
    "beam": "hashed.1",
    "binary": "floordiv.int32 lshift.int64 mod.int32 mod.uint64 rshift.int32",
    "cast": """
        bfloat16.float32 bfloat16.uint16 bfloat16_arithmetic.float32.add bfloat16_bits.uint16 cast.int32.to_uint8
        cast_where.int32.nan cast_where.int64.inf half.int32 short.int32 where_cast.int64
    """,
    "conv": "conv_transpose2d.float32.strides",
    "creation": """
        arange.float32.tenths arange.float64.tenths arange.int64.beyond_32_bits constant.bool.ones
        constant.float16.full.inf constant.float32.full.inf constant.float32.full.minus_0 constant.float32.full.nan
        constant.float32.zeros_like constant.int32.full.lowest likes.float32.backward
    """,
    "documentation": "arange.1 cumsum.2 exp.1 gelu.1 leaky_relu.1 log.1 max_pool2d.1 minimum.1 sigmoid.1 tril.2 trunc.1",
    "image": "padded.float32.row",
    "index": """
        far.int64 gather.float32.backward masked_select.int32.broadcast one_hot.int32.outside
        scatter_reduce.float32.prod.alone scatter_scalar.int32.multiply scatter_scalar.int32.set
    """,
    "interop": "copied filled tensor_dies",
    "jit": "overwritten refused.name",
    "layer": "Embedding.float32.beyond LayerNorm2d.float32",
    "loss": """
        binary_crossentropy_logits.float32.weighted cross_entropy.float32.smooth nll_loss.float32.weighted
        sparse_categorical_crossentropy.float32.ignored
    """,
    "matmul": """
        einsum.float32.bilinear matmul.float32.batched.backward matmul.float32.odd.backward matmul.int8.in_int32
        matmul.uint8.exact
    """,
    "memory": "__iadd__.int32 assign.swapped lazy.detach setitem.element",
    "movement": """
        diag.float32 far.int32 meshgrid.int32.ij pad.int32.value pad_to.int32.value roll.int32.flat tril.int32.above
        triu.float32 views.float32.around.backward
    """,
    "nn": "layernorm.float32.axes layernorm.float32.first softmax.float32.grouped softmin.float32",
    "operator": "__iadd__.int32 __rsub__.int32.scalar",
    "optimiser": "Muon.two_steps SGD.decay SGD.nesterov",
    "pool": "avg_pool2d.float32.two max_pool2d.float32.infinite.noopt",
    "program": "infinite.float32",
    "promotion": "promoted.int32.and_uint32 promoted.int8.and_float32",
    "random": "glorot_uniform.float32 kaiming_normal.float32 kaiming_uniform.float32 scaled_uniform.float32 state.carry",
    "reduce": """
        all.float32.special argmax.int32.large argmax.int32.ties logcumsumexp.float32.far_apart
        max.float32.ties.backward max.int8.padded sum.int32.noopt sum.int64.noopt sum.int8.noopt sum.uint16.noopt
    """,
    "unary": "tanh.float32.backward",
}
TELLING = frozenset(f"tinygrad/{area}/{name}" for area, names in _NAMES.items() for name in names.split())
