"""GPT-2 in numpy's float64, independent of gpt2.py: no KV cache, no kernels, all positions at once."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import layers
from .agreement import Trace
from .rounding import EXACT, F64, Rounding
from .weights import Config

Arrays = Mapping[str, NDArray[np.floating]]


def forward(config: Config, arrays: Arrays, ids: Sequence[int], r: Rounding = EXACT) -> Trace:
    """The logits after each of `ids`, and the residual stream before them: embedding, h.0, ..., ln_f."""
    length = len(ids)
    h = r(_wide(arrays, "wte.weight", ids) + _wide(arrays, "wpe.weight", range(length)))
    states = {"embedding": h}
    future = np.arange(length)[None, :] > np.arange(length)[:, None]
    for layer in range(config.n_layer):
        name = f"h.{layer}"
        qkv = _conv1d(arrays, f"{name}.attn.c_attn", _layer_norm(config, arrays, f"{name}.ln_1", h, r), r)
        heads = (np.split(x, config.n_head, axis=1) for x in np.split(qkv, 3, axis=1))
        mixed = []
        for q, k, v in zip(*heads, strict=True):
            score = r(r.matmul(q, k.T) / np.sqrt(q.shape[1]))
            mixed.append(r.matmul(r.softmax(np.where(future, -np.inf, score)), v))
        h = r(h + _conv1d(arrays, f"{name}.attn.c_proj", np.concatenate(mixed, axis=1), r))
        x = _conv1d(arrays, f"{name}.mlp.c_fc", _layer_norm(config, arrays, f"{name}.ln_2", h, r), r)
        h = r(h + _conv1d(arrays, f"{name}.mlp.c_proj", layers.gelu(x, r), r))
        states[name] = h
    states["ln_f"] = _layer_norm(config, arrays, "ln_f", h, r)
    head = "wte.weight" if config.tie_word_embeddings else "lm_head.weight"
    return Trace(r.matmul(states["ln_f"], _wide(arrays, head).T), states)


def greedy(
    config: Config, arrays: Arrays, prompt: Sequence[int], most: int, end: int | None = None
) -> tuple[list[int], float]:
    """(the ids after `prompt`, at most `most`, up to and including `end`; the smallest lead of a chosen logit)."""
    return greedy_of(lambda ids: forward(config, arrays, ids).logits[-1], prompt, most, end)


def greedy_of(
    last: Callable[[Sequence[int]], F64], prompt: Sequence[int], most: int, end: int | None = None
) -> tuple[list[int], float]:
    """The same for any model: `last` returns the logits (vocabulary,) after all the ids."""
    ids: list[int] = []
    lead = np.inf
    while len(ids) < most and (not ids or ids[-1] != end):
        logits = last([*prompt, *ids])
        second, first = np.partition(logits, -2)[-2:]
        lead = min(lead, float(first - second))
        ids.append(int(logits.argmax()))
    return ids, lead


def _wide(arrays: Arrays, name: str, rows: Sequence[int] | None = None) -> F64:
    array = arrays[name] if rows is None else arrays[name][list(rows)]
    return array.astype(np.float64)


def _conv1d(arrays: Arrays, name: str, x: F64, r: Rounding) -> F64:
    return r(r.matmul(x, _wide(arrays, f"{name}.weight")) + _wide(arrays, f"{name}.bias"))


def _layer_norm(config: Config, arrays: Arrays, name: str, x: F64, r: Rounding) -> F64:
    scaled = layers.normalised(x, config.layer_norm_epsilon, r)
    return r(r(scaled * _wide(arrays, f"{name}.weight")) + _wide(arrays, f"{name}.bias"))
