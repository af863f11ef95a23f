"""Quantised blocks of the GGUF file format: random ones, and their values, in numpy's float64.

Written from the format's description (ggml: the block structures of ggml-common.h and their dequantisation),
element by element, independently of tinygrad. All numbers are little-endian; a block's first value has the
lowest index. Scales are float16.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Format:
    """A type of tensor: its number in the file, and how `elements` values are packed into `size` bytes."""

    number: int
    elements: int
    size: int
    decode: Callable[[Bytes], F64]  # (blocks, size) -> (blocks, elements)
    scales: Mapping[int, float]  # float16 scales by byte offset, in units of the first, so that the mean is zero
    spread: float  # standard deviation of the values of random bits, if the first scale is 1


def decode(kind: str, data: Bytes) -> F64:
    """The values of whole blocks, as a flat array."""
    form = FORMATS[kind]
    return form.decode(data.reshape(-1, form.size)).reshape(-1)


def draw(rng: np.random.Generator, kind: str, values: int, deviation: float) -> Bytes:
    """Whole blocks of random bits, with scales that give `values` values of about that standard deviation."""
    form = FORMATS[kind]
    blocks = rng.integers(0, 256, (values // form.elements, form.size), dtype=np.uint8)
    scale = deviation / form.spread * rng.uniform(0.75, 1.25, len(blocks))
    for offset, factor in form.scales.items():
        blocks[:, offset : offset + 2] = (factor * scale).astype("<f2")[:, None].view(np.uint8)
    if not form.scales:  # MXFP4's scale is a power of two
        blocks[:, 0] = 127 + np.rint(np.log2(scale))
    return blocks.reshape(-1)


def _half(blocks: Bytes, offset: int) -> F64:
    """Scales of shape (blocks, 1)."""
    return np.ascontiguousarray(blocks[:, offset : offset + 2]).view("<f2").astype(np.float64)


def _nibbles(data: Bytes) -> F64:
    """The low halves of all bytes, then the high halves."""
    return np.concatenate([data & 15, data >> 4], axis=1).astype(np.float64)


def _fifth_bits(data: Bytes) -> F64:
    """32 bits of 4 bytes as (blocks, 32) zeros and sixteens."""
    return 16.0 * np.unpackbits(data, axis=1, bitorder="little")  # type: ignore[return-value]


def _q4_0(b: Bytes) -> F64:
    return _half(b, 0) * (_nibbles(b[:, 2:]) - 8)


def _q4_1(b: Bytes) -> F64:
    return _half(b, 0) * _nibbles(b[:, 4:]) + _half(b, 2)


def _q5_0(b: Bytes) -> F64:
    return _half(b, 0) * (_nibbles(b[:, 6:]) + _fifth_bits(b[:, 2:6]) - 16)


def _q5_1(b: Bytes) -> F64:
    return _half(b, 0) * (_nibbles(b[:, 8:]) + _fifth_bits(b[:, 4:8])) + _half(b, 2)


def _q8_0(b: Bytes) -> F64:
    return _half(b, 0) * b[:, 2:].view(np.int8)


def _scales_and_minima(packed: Bytes) -> tuple[F64, F64]:
    """Eight 6-bit scales and eight 6-bit minima from 12 bytes, each (blocks, 8)."""
    scales, minima = [], []
    for j in range(8):
        if j < 4:
            scales.append(packed[:, j] & 63)
            minima.append(packed[:, j + 4] & 63)
        else:
            scales.append((packed[:, j + 4] & 15) | (packed[:, j - 4] >> 6 << 4))
            minima.append((packed[:, j + 4] >> 4) | (packed[:, j] >> 6 << 4))
    return np.stack(scales, 1).astype(np.float64), np.stack(minima, 1).astype(np.float64)


def _k_blocks(b: Bytes, quants: F64) -> F64:
    """Eight sub-blocks of 32: d * scale * q - dmin * minimum. `quants` is (blocks, 8, 32)."""
    scales, minima = _scales_and_minima(b[:, 4:16])
    d, least = _half(b, 0), _half(b, 2)
    return ((d * scales)[:, :, None] * quants - (least * minima)[:, :, None]).reshape(len(b), 256)


def _q4_k(b: Bytes) -> F64:
    # 32 bytes hold sub-block 2i in their low halves and 2i + 1 in their high ones
    return _k_blocks(b, np.stack([_nibbles(b[:, 16 + 32 * i : 48 + 32 * i]) for i in range(4)], 1).reshape(-1, 8, 32))


def _q5_k(b: Bytes) -> F64:
    low = np.stack([_nibbles(b[:, 48 + 32 * i : 80 + 32 * i]) for i in range(4)], 1).reshape(-1, 8, 32)
    high = np.stack([b[:, 16:48] >> j & 1 for j in range(8)], 1)  # bit j of byte l belongs to sub-block j
    return _k_blocks(b, low + 16.0 * high)


def _q6_k(b: Bytes) -> F64:
    d, scales = _half(b, 208), b[:, 192:208].view(np.int8).astype(np.float64)
    out = np.empty((len(b), 256))
    for n in range(2):  # halves of 128 values
        low, high = b[:, 64 * n : 64 * n + 64], b[:, 128 + 32 * n : 160 + 32 * n]
        for i in range(4):  # quarters of 32
            four = low[:, 32 * (i % 2) : 32 * (i % 2) + 32] >> (4 * (i // 2)) & 15
            q = (four | (high >> (2 * i) & 3) << 4).astype(np.float64) - 32
            at = 128 * n + 32 * i
            out[:, at : at + 32] = d * np.repeat(scales[:, at // 16 : at // 16 + 2], 16, axis=1) * q
    return out


_E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])  # magnitudes of FP4 (OCP Microscaling Formats 1.0, 5.3.3)


def _mxfp4(b: Bytes) -> F64:
    codes = np.concatenate([b[:, 1:] & 15, b[:, 1:] >> 4], axis=1)
    return np.exp2(b[:, :1].astype(np.float64) - 127) * np.where(codes & 8, -1, 1) * _E2M1[codes & 7]


FORMATS = {
    "F32": Format(0, 1, 4, lambda b: b.view("<f4").astype(np.float64), {}, 1.0),
    "Q4_0": Format(2, 32, 18, _q4_0, {0: 1}, 4.8),
    "Q4_1": Format(3, 32, 20, _q4_1, {0: 1, 2: -7.5}, 4.8),
    "Q5_0": Format(6, 32, 22, _q5_0, {0: 1}, 9.6),
    "Q5_1": Format(7, 32, 24, _q5_1, {0: 1, 2: -15.5}, 9.6),
    "Q8_0": Format(8, 32, 34, _q8_0, {0: 1}, 77.0),
    "Q4_K": Format(12, 256, 144, _q4_k, {0: 1, 2: 7.5}, 280.0),
    "Q5_K": Format(13, 256, 176, _q5_k, {0: 1, 2: 15.5}, 570.0),
    "Q6_K": Format(14, 256, 210, _q6_k, {208: 1}, 1400.0),
    "MXFP4": Format(39, 32, 17, _mxfp4, {}, 2.9),
}
