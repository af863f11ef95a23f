"""GPT-2 in numpy's float64, written apart from gpt2.py: no KV cache, no kernels, every position at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .weights import Config

F64 = NDArray[np.float64]
Arrays = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Trace:
    """What the model computes for T ids."""

    logits: F64  # (T, vocab_size)
    states: dict[str, F64]  # (T, n_embd) by name and in order: embedding, h.0, h.1, ..., ln_f


def forward(config: Config, arrays: Arrays, ids: Sequence[int]) -> Trace:
    """The logits after each of `ids`, and the residual stream they came from."""
    length = len(ids)
    h = _wide(arrays, "wte.weight")[list(ids)] + _wide(arrays, "wpe.weight")[:length]
    states = {"embedding": h}
    future = np.arange(length)[None, :] > np.arange(length)[:, None]
    for layer in range(config.n_layer):
        name = f"h.{layer}"
        qkv = _conv1d(arrays, f"{name}.attn.c_attn", _layer_norm(config, arrays, f"{name}.ln_1", h))
        heads = (np.split(x, config.n_head, axis=1) for x in np.split(qkv, 3, axis=1))
        mixed = []
        for q, k, v in zip(*heads, strict=True):
            score = np.where(future, -np.inf, q @ k.T / np.sqrt(q.shape[1]))
            weight = np.exp(score - score.max(axis=1, keepdims=True))
            mixed.append(weight / weight.sum(axis=1, keepdims=True) @ v)
        h = h + _conv1d(arrays, f"{name}.attn.c_proj", np.concatenate(mixed, axis=1))
        x = _conv1d(arrays, f"{name}.mlp.c_fc", _layer_norm(config, arrays, f"{name}.ln_2", h))
        x = x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
        h = h + _conv1d(arrays, f"{name}.mlp.c_proj", x)
        states[name] = h
    states["ln_f"] = _layer_norm(config, arrays, "ln_f", h)
    return Trace(states["ln_f"] @ _wide(arrays, "wte.weight").T, states)


def greedy(
    config: Config, arrays: Arrays, prompt: Sequence[int], most: int, end: int
) -> tuple[list[int], float]:
    """(the ids after `prompt`, at most `most`, up to and with `end`; the smallest lead of a chosen logit)."""
    ids: list[int] = []
    lead = np.inf
    while len(ids) < most and (not ids or ids[-1] != end):
        logits = forward(config, arrays, [*prompt, *ids]).logits[-1]
        second, first = np.partition(logits, -2)[-2:]
        lead = min(lead, float(first - second))
        ids.append(int(logits.argmax()))
    return ids, lead


def _wide(arrays: Arrays, name: str) -> F64:
    return arrays[name].astype(np.float64)


def _conv1d(arrays: Arrays, name: str, x: F64) -> F64:
    return x @ _wide(arrays, f"{name}.weight") + _wide(arrays, f"{name}.bias")


def _layer_norm(config: Config, arrays: Arrays, name: str, x: F64) -> F64:
    centred = x - x.mean(axis=1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True) + config.layer_norm_epsilon)
    return centred / deviation * _wide(arrays, f"{name}.weight") + _wide(arrays, f"{name}.bias")
