"""LLaMA in numpy's float64, independent of model.py: rotations as complex numbers, no cache, head by head."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..agreement import Trace
from ..rounding import EXACT, F64, FUNCTION, Rounding
from . import blocks
from .file import Shape, Tensors


def arrays(tensors: Tensors) -> dict[str, F64]:
    """The values of a file's tensors."""
    return {name: blocks.decode(kind, data).reshape(dims) for name, (kind, dims, data) in tensors.items()}


def forward(shape: Shape, arrays: Mapping[str, F64], ids: Sequence[int], r: Rounding = EXACT) -> Trace:
    """The logits after each of `ids`, and the residual stream: embedding, blk.0, blk.1, ..., norm."""
    length, group = len(ids), shape.heads // shape.kv_heads
    # a device has these weights as float32 values: d * q may be rounded
    weights = {name: r(array) for name, array in arrays.items()}
    h = weights["token_embd.weight"][list(ids)]
    states = {"embedding": h}
    future = np.arange(length)[None, :] > np.arange(length)[:, None]
    angle = r(np.arange(length)[:, None] * r(shape.rope_base ** (-np.arange(0, shape.head_width, 2) / shape.head_width)))
    turn = r(np.cos(angle), FUNCTION) + 1j * r(np.sin(angle), FUNCTION)
    for layer in range(shape.layers):
        w = {n: weights[f"blk.{layer}.{n}.weight"] for n in _NAMES}
        x = _norm(shape, w["attn_norm"], h, r)
        q, k, v = (r.matmul(x, w[n].T) for n in ("attn_q", "attn_k", "attn_v"))
        mixed = []
        for head in range(shape.heads):
            queries = _rotated(_head_slice(shape, q, head), turn, r)
            keys = _rotated(_head_slice(shape, k, head // group), turn, r)
            score = r(r.matmul(queries, keys.T) / np.sqrt(shape.head_width))
            mixed.append(r.matmul(r.softmax(np.where(future, -np.inf, score)), _head_slice(shape, v, head // group)))
        h = r(h + r.matmul(np.concatenate(mixed, axis=1), w["attn_output"].T))
        x = _norm(shape, w["ffn_norm"], h, r)
        gate = r(r.silu(r.matmul(x, w["ffn_gate"].T)) * r.matmul(x, w["ffn_up"].T))
        h = r(h + r.matmul(gate, w["ffn_down"].T))
        states[f"blk.{layer}"] = h
    states["norm"] = _norm(shape, weights["output_norm.weight"], h, r)
    return Trace(r.matmul(states["norm"], weights["output.weight"].T), states)


_NAMES = ("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down")


def _head_slice(shape: Shape, x: F64, head: int) -> F64:
    return x[:, head * shape.head_width : (head + 1) * shape.head_width]


def _rotated(x: F64, turn: F64, r: Rounding) -> F64:
    """Each pair of neighbours is a complex number, rotated by its angle."""
    turned = (x[:, 0::2] + 1j * x[:, 1::2]) * turn
    out = np.empty_like(x)
    out[:, 0::2], out[:, 1::2] = r(turned.real), r(turned.imag)
    return out


def _norm(shape: Shape, weight: F64, x: F64, r: Rounding) -> F64:
    root = r(np.sqrt(r(r.mean(r(x**2)) + shape.epsilon)), FUNCTION)
    return r(r(x / root, FUNCTION) * weight)
