"""Layers that err: a builtin exchanged, a normalisation over the wrong axis, a mask or a statistic forgotten."""

from collections.abc import Callable
from typing import Any

from mutation import Function, Mutant, api, generated, methods_of, of

_method = methods_of("nn")


def _layer(what: str, cases: str, name: str, wrap: Callable[[Function], Function]) -> Mutant:
    return api(f"tinygrad/nn/{what}", f"tinygrad/layer/{cases}", f"tinygrad.nn.{name}", wrap)


def _always(**fixed: Any) -> Callable[[Function], Function]:
    """Arguments that are always these."""
    return lambda inner: lambda *operands, **how: inner(*operands, **{**how, **fixed})


def _result(change: Callable[[Any], Any]) -> Callable[[Function], Function]:
    return lambda inner: lambda *operands, **how: change(inner(*operands, **how))


def _same_mask(inner: Function) -> Function:
    kept: list[Any] = []

    def rand_like(self: Any, **how: Any) -> Any:
        kept.append(inner(self, **{**how, "contiguous": True}).realize()) if not kept else None
        return kept[0]

    return rand_like


@of
def _wide_start(inner: Function, self: Any, *operands: Any, **how: Any) -> None:
    inner(self, *operands, **how)
    self.weight = self.weight * 1.1


def _without_last(inner: Function) -> Function:
    return lambda self, *operands, **how: inner(self, *operands[:-1], **how)


_SDPA = "attention/scaled_dot_product_attention.float32"

MUTANTS = [
    generated("tinygrad/nn/exp_for_exp2", "tinygrad/nn/softmax.float32", r"\bexp2\(", "exp("),
    generated("tinygrad/nn/log_for_log2", "tinygrad/nn/log_softmax.float32", r"\blog2\(", "log("),
    generated("tinygrad/nn/exp2_of_halves", "tinygrad/nn/softmax.float32.long", r"\bexp2\(", "(float)exp2((half)"),
    generated("tinygrad/nn/approximate_exp2", "tinygrad/nn/softmax.float32", r"\bexp2\(", "exp2(1.001f*"),
    generated("tinygrad/nn/one_short", "tinygrad/nn/softmax.float32.noopt", r"< 65;", "< 64;"),
    generated("tinygrad/nn/no_barrier", "tinygrad/nn/softmax.float32.grouped", r"barrier\(CLK_LOCAL_MEM_FENCE\);", ""),
    generated("tinygrad/nn/sqrt_forgotten", "tinygrad/nn/layernorm.float32", r"\bsqrt\(", "("),
    generated("tinygrad/nn/epsilon", "tinygrad/nn/layernorm.float32.axes", r"0\.001\d*f", "0.003f"),
    generated("tinygrad/nn/mean_of_one_more", "tinygrad/nn/layernorm.float32", r"0\.01538461\w*f", "0.01515151f"),
    _method("wrong_axis", "nn/softmax.float32.axis", "softmax", _always(axis=2)),
    _method(
        "minimum_is_maximum",
        "nn/softmin.float32",
        "softmin",
        lambda inner: lambda self, axis=-1, dtype=None: self.softmax(axis),
    ),
    _method(
        "first_axis", "nn/layernorm.float32.first", "layernorm", lambda inner: lambda self, axis, eps: inner(self, -1, eps)
    ),
    _method(
        "scale_for_shift",
        "nn/batchnorm.float32",
        "batchnorm",
        lambda inner: lambda self, w, b, *s, **how: inner(self, b, w, *s, **how),
    ),
    _method(
        "softmax_gradient",
        "nn/softmax.float32.backward",
        "gradient",
        lambda inner: lambda self, *t, gradient: inner(self, *t, gradient=gradient.ones_like()),
    ),
    _method(
        "scores_unscaled",
        _SDPA + ".heads",
        "scaled_dot_product_attention",
        lambda inner: lambda self, *kv, **how: inner(self * 1.01, *kv, **how),
    ),
    _method("not_causal", _SDPA + ".causal", "scaled_dot_product_attention", _always(is_causal=False)),
    _method("mask_by_one", _SDPA + ".causal", "tril", lambda inner: lambda self, diagonal=0: inner(self, diagonal - 0 + 1)),
    _method("no_mask", _SDPA + ".mask", "scaled_dot_product_attention", _without_last),
    _method(
        "heads_interleaved",
        _SDPA + ".gqa",
        "repeat_interleave",
        lambda inner: lambda self, n, dim: self.repeat(*[n if i == self.ndim + dim else 1 for i in range(self.ndim)]),
    ),
    _method(
        "mask_counted",
        "loss/sparse_categorical_crossentropy.float32.ignored",
        "sparse_categorical_crossentropy",
        _always(ignore_index=-1),
    ),
    _method(
        "mean_of_all",
        "loss/nll_loss.float32.weighted",
        "nll_loss",
        lambda inner: lambda self, y, w, **how: inner(self, y, w, reduction="none").mean(),
    ),
    _method("not_smooth", "loss/cross_entropy.float32.smooth", "cross_entropy", _always(label_smoothing=0.0)),
    _method("summed", "loss/binary_crossentropy.float32", "binary_crossentropy", _always(reduction="sum")),
    _method(
        "weight_of_both",
        "loss/binary_crossentropy_logits.float32.weighted",
        "binary_crossentropy_logits",
        _always(pos_weight=None),
    ),
    _method("biased_dropout", "nn/dropout.quarter", "dropout", lambda inner: lambda self, p=0.5: inner(self, p * 1.1)),
    _method("same_mask_again", "nn/dropout.quarter", "rand_like", _same_mask),
    _method(
        "drops_always",
        "nn/dropout.half",
        "dropout",
        lambda inner: lambda self, p=0.5: (self.rand_like() >= p).where(self, 0) / (1 - p),
    ),
    _layer(
        "bias_forgotten",
        "Linear.float32",
        "Linear.__call__",
        lambda inner: lambda self, x: x.linear(self.weight.transpose()),
    ),
    _layer(
        "groups_exchanged",
        "GroupNorm.float32",
        "GroupNorm.__call__",
        lambda inner: lambda self, x: inner(self, x.flip(1)).flip(1),
    ),
    _layer(
        "channels_last",
        "LayerNorm2d.float32",
        "LayerNorm2d.__call__",
        lambda inner: lambda self, x: inner(self, x.transpose(2, 3).flip(1)).transpose(2, 3),
    ),
    _layer(
        "mean_subtracted",
        "RMSNorm.float32",
        "RMSNorm._norm",
        lambda inner: lambda self, x: inner(self, x - x.mean(-1, keepdim=True)),
    ),
    _layer("next_row", "Embedding.float32", "Embedding.__call__", lambda inner: lambda self, i: inner(self, (i + 1) % 11)),
    _layer(
        "clamped_row",
        "Embedding.float32.beyond",
        "Embedding.__call__",
        lambda inner: lambda self, i: inner(self, i.maximum(0)),
    ),
    _layer(
        "gates_exchanged",
        "LSTMCell.float32",
        "LSTMCell.__call__",
        lambda inner: lambda self, x, hc=None: inner(self, x, (hc[0], -hc[1])),
    ),
    _layer(
        "state_forgotten", "LSTMCell.float32", "LSTMCell.__call__", lambda inner: lambda self, x, hc=None: inner(self, x)
    ),
    _layer(
        "stale_statistics",
        "batchnorm_training.image",
        "BatchNorm.calc_stats",
        lambda inner: lambda self, x: (inner(self, x)[0], inner(self, x)[1] * 1.001),
    ),
    _layer("wide_start", "initial.Linear", "Linear.__init__", _wide_start),
]
