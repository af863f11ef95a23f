"""LLaMA on tinygrad: rotary positions, RMSNorm, grouped queries, SwiGLU, with a cache of keys and values.

The architecture of "LLaMA: Open and Efficient Foundation Language Models" (2023), section 2.2. Weights have the
names in a GGUF file, and its order of rotary pairs: neighbours are a pair.
"""

from collections.abc import Mapping, Sequence

from tinygrad import Tensor, TinyJit, UOp, Variable

from ..agreement import Out
from .file import Shape


class Llama:
    """A model of `shape` over tensors that are already on the device; they may be expressions of packed blocks.

    The cache holds one sequence: `prompt` starts it, each `step` appends one token to it.
    """

    def __init__(self, shape: Shape, parameters: Mapping[str, Tensor]) -> None:
        self.shape, self.parameters = shape, parameters
        size = (2, 1, shape.kv_heads, shape.positions, shape.head_width)
        self.cache = [Tensor.zeros(*size).contiguous().realize() for _ in range(shape.layers)]
        angle = Tensor.arange(shape.positions).reshape(-1, 1) * frequencies(shape)
        self.cos, self.sin = angle.cos().contiguous().realize(), angle.sin().contiguous().realize()
        self._position: Variable = UOp.variable("position", 1, shape.positions - 1)
        self._step = TinyJit(self._decode)

    def prompt(self, rows: Sequence[Sequence[int]]) -> Out:
        """Start a sequence of T ids: (tokens (1,), logits (1, T, vocabulary), states (layers + 2, 1, T, width))."""
        return [out.numpy() for out in self._decode(Tensor([list(row) for row in rows]), 0)]

    def step(self, tokens: Sequence[int], position: int, way: str = "jit") -> Out:
        """Append a token at index `position` (from 1); one capture serves every position."""
        step = self._step if way == "jit" else self._decode
        return [out.numpy() for out in step(Tensor([[token] for token in tokens]), self._position.bind(position))]

    def _decode(self, tokens: Tensor, position: int | UOp) -> tuple[Tensor, Tensor, Tensor]:
        h = self._get("token_embd")[tokens]
        states = [h]
        for layer in range(self.shape.layers):
            blk = f"blk.{layer}"
            h = (h + self._attention(layer, self._norm(h, f"{blk}.attn_norm"), position)).contiguous()
            x = self._norm(h, f"{blk}.ffn_norm").contiguous()
            gate = self._linear(x, f"{blk}.ffn_gate").contiguous().silu() * self._linear(x, f"{blk}.ffn_up")
            h = (h + self._linear(gate.contiguous(), f"{blk}.ffn_down")).contiguous()
            states.append(h)
        states.append(self._norm(h, "output_norm"))
        logits = self._linear(states[-1].contiguous(), "output").contiguous()
        return logits[:, -1].argmax(axis=-1).realize(), logits.realize(), Tensor.stack(*states).realize()

    def _attention(self, layer: int, x: Tensor, position: int | UOp) -> Tensor:
        batch, length, _ = x.shape
        x = x.contiguous()
        q, k, v = (
            self._linear(x, f"blk.{layer}.attn_{name}").reshape(batch, length, -1, self.shape.head_width).transpose(1, 2)
            for name in "qkv"
        )
        cos, sin = (table[position : position + length] for table in (self.cos, self.sin))
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        cache = self.cache[layer]
        cache[:, :, :, position : position + length].assign(Tensor.stack(k, v)).realize()
        k, v = (cache[i][:, :, : position + length] for i in range(2))
        group = self.shape.heads // self.shape.kv_heads
        k, v = (each.repeat_interleave(group, dim=1) for each in (k, v))
        scores = (q @ k.transpose(2, 3)) / self.shape.head_width**0.5
        if length > 1:
            scores = scores + Tensor.full((length, length), float("-inf")).triu(1)
        y = (scores.softmax(-1).contiguous() @ v).transpose(1, 2).contiguous().reshape(batch, length, self.shape.width)
        return self._linear(y, f"blk.{layer}.attn_output")

    def _norm(self, x: Tensor, name: str) -> Tensor:
        return x * (x.square().mean(-1, keepdim=True) + self.shape.epsilon).rsqrt() * self._get(name)

    def _linear(self, x: Tensor, name: str) -> Tensor:
        return x @ self._get(name).transpose(0, 1)

    def _get(self, name: str) -> Tensor:
        return self.parameters[f"{name}.weight"]


def frequencies(shape: Shape) -> Tensor:
    """Radians per position, for each pair of a head: (head_width / 2,)."""
    return shape.rope_base ** (Tensor.arange(0, shape.head_width, 2) / -shape.head_width)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate each pair of neighbours of x (B, heads, T, head_width) by its position's angle: (T, head_width / 2)."""
    a, b = x[..., 0::2], x[..., 1::2]
    return Tensor.stack(a * cos - b * sin, a * sin + b * cos, dim=-1).flatten(-2)
