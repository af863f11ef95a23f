"""A small LLaMA as a GGUF file: its shape, its quantised tensors, the bytes.

The names and keys are those that llama.cpp writes for the architecture `llama`. The mixture of formats resembles its
Q4_K_M files, with two older formats added.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import blocks

Tensors = Mapping[str, tuple[str, tuple[int, ...], blocks.Bytes]]
"""Format, shape (rows first, as numpy has it) and data of each tensor."""
ALIGNMENT = 32
_STRING, _ARRAY, _UINT32, _FLOAT32 = 8, 9, 4, 6


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of a LLaMA: "LLaMA: Open and Efficient Foundation Language Models" (2023), with grouped queries."""

    layers: int
    heads: int
    kv_heads: int
    width: int
    hidden: int
    vocabulary: int
    positions: int
    rope_base: float = 10000.0
    epsilon: float = 1e-5

    @property
    def head_width(self) -> int:
        return self.width // self.heads


def parameters(shape: Shape) -> dict[str, tuple[str, tuple[int, ...], float]]:
    """Format, shape and deviation of each tensor, by name. A matrix is (out, in)."""
    d, kv = shape.width, shape.kv_heads * shape.head_width
    gain = 2 / d**0.5  # so that no scale of a block is denormal
    found: dict[str, tuple[str, tuple[int, ...], float]] = {
        "token_embd.weight": ("Q8_0", (shape.vocabulary, d), 1.0),
        "output_norm.weight": ("F32", (d,), 0.1),
        "output.weight": ("Q6_K", (shape.vocabulary, d), 2 * gain),
    }
    for layer in range(shape.layers):
        blk = f"blk.{layer}"
        found |= {
            f"{blk}.attn_norm.weight": ("F32", (d,), 0.1),
            f"{blk}.attn_q.weight": ("Q4_0", (d, d), gain),
            f"{blk}.attn_k.weight": ("Q4_0", (kv, d), gain),
            f"{blk}.attn_v.weight": ("Q6_K", (kv, d), gain),
            f"{blk}.attn_output.weight": ("Q4_K", (d, d), gain),
            f"{blk}.ffn_norm.weight": ("F32", (d,), 0.1),
            f"{blk}.ffn_gate.weight": ("Q4_K", (shape.hidden, d), gain),
            f"{blk}.ffn_up.weight": ("Q4_K", (shape.hidden, d), gain),
            f"{blk}.ffn_down.weight": ("Q6_K", (d, shape.hidden), gain),
        }
    return found


def quantised(shape: Shape, seed: int) -> Tensors:
    """Random tensors; norms about 1."""
    rng = np.random.default_rng(seed)
    found = {}
    for name, (kind, dims, deviation) in parameters(shape).items():
        if kind == "F32":
            data = (1 + deviation * rng.standard_normal(dims)).astype("<f4").view(np.uint8)
        else:
            data = blocks.draw(rng, kind, int(np.prod(dims)), deviation)
        found[name] = (kind, dims, data)
    return found


def contents(tensors: Tensors, metadata: Mapping[str, Any]) -> bytes:
    """The file's bytes: header, metadata, tensor table, and the data, each tensor aligned."""
    out = [struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), len(metadata))]
    for key, value in metadata.items():
        out.append(_string(key) + _value(value))
    offset, data = 0, []
    for name, (kind, dims, raw) in tensors.items():
        out.append(_string(name) + struct.pack(f"<I{len(dims)}Q", len(dims), *reversed(dims)))
        out.append(struct.pack("<IQ", blocks.FORMATS[kind].number, offset))
        padded = raw.tobytes() + bytes(-raw.nbytes % ALIGNMENT)
        data.append(padded)
        offset += len(padded)
    head = b"".join(out)
    return b"".join([head, bytes(-len(head) % ALIGNMENT), *data])


def metadata(shape: Shape) -> dict[str, Any]:
    """The keys that a reader needs for the architecture `llama`."""
    return {
        "general.architecture": "llama",
        "general.alignment": ALIGNMENT,
        "llama.block_count": shape.layers,
        "llama.context_length": shape.positions,
        "llama.embedding_length": shape.width,
        "llama.feed_forward_length": shape.hidden,
        "llama.attention.head_count": shape.heads,
        "llama.attention.head_count_kv": shape.kv_heads,
        "llama.attention.layer_norm_rms_epsilon": shape.epsilon,
        "llama.rope.freq_base": shape.rope_base,
        "tokenizer.ggml.tokens": [f"token {i}" for i in range(shape.vocabulary)],
    }


def _string(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _value(value: str | int | float | list[str]) -> bytes:
    """The type's number, then the value."""
    match value:
        case str():
            return struct.pack("<I", _STRING) + _string(value)
        case int():
            return struct.pack("<II", _UINT32, value)
        case float():
            return struct.pack("<If", _FLOAT32, value)
        case list():
            return struct.pack("<IIQ", _ARRAY, _STRING, len(value)) + b"".join(map(_string, value))
