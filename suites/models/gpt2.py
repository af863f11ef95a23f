"""GPT-2 on tinygrad: greedy decoding with a KV cache, and the forward pass without one, for training.

The architecture of "Language Models are Unsupervised Multitask Learners" (OpenAI, 2019), section 2.3: pre-norm
blocks, learned positions, GELU in its tanh form, a head tied to the token embedding unless the configuration
unties it. Weights have Hugging Face's names (`weights.py`). Everything runs on tinygrad's default device.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from tinygrad import Tensor, TinyJit, UOp, Variable

from .agreement import Out
from .weights import Config


class GPT2:
    """A model of `config`'s shape with the parameters `arrays` (`weights.load`), copied to the device.

    They are stored as `storage` and computed in `arithmetic`, each float32 or float16. The KV cache holds
    `batch` sequences: `prompt` starts them, each `step` appends one token to each.
    """

    def __init__(
        self,
        config: Config,
        arrays: Mapping[str, NDArray[np.float32]],
        batch: int = 1,
        storage: str = "float32",
        arithmetic: str = "float32",
    ) -> None:
        self.config, self.arithmetic = config, arithmetic
        self.parameters = {name: Tensor(array.astype(storage)).realize() for name, array in arrays.items()}
        width = config.n_embd // config.n_head
        shape = (2, batch, config.n_head, config.n_positions, width)
        self.cache = [Tensor.zeros(*shape, dtype=arithmetic).contiguous().realize() for _ in range(config.n_layer)]
        self._position: Variable = UOp.variable("position", 1, config.n_positions - 1)
        self._step, self._whole = TinyJit(self._decode), TinyJit(self._decode)

    def prompt(self, rows: Sequence[Sequence[int]]) -> Out:
        """Start a sequence of T ids in each row. Returns the results of `_decode`, read back."""
        return [out.numpy() for out in self._decode(Tensor([list(row) for row in rows]), 0)]

    def step(self, tokens: Sequence[int], position: int, way: str = "jit") -> Out:
        """Append to each row a token, at index `position` (from 1).

        `way` is jit (the first call runs eagerly, the second captures the kernels, later ones replay them),
        symbolic (the same kernels for every position, without the capture) or concrete (separate kernels for
        each position).
        """
        inputs = Tensor([[token] for token in tokens])
        if way == "concrete":
            outs = self._decode(inputs, position)
        else:
            outs = (self._step if way == "jit" else self._decode)(inputs, self._position.bind(position))
        return [out.numpy() for out in outs]

    def whole(self, rows: Sequence[Sequence[int]]) -> Out:
        """All positions of sequences of one length at once, without the cache; captured like `step`."""
        return [out.numpy() for out in self._whole(Tensor([list(row) for row in rows]), None)]

    def _decode(self, tokens: Tensor, position: int | UOp | None) -> tuple[Tensor, Tensor, Tensor]:
        """(the greedy next tokens (B,), logits (B, T, vocab_size), states (n_layer + 2, B, T, n_embd)).

        The states are those of `forward`, to trace a wrong logit to its layer.
        """
        states = [state.contiguous() for state in self.forward(tokens, position)]
        logits = self.head(states[-1]).contiguous()
        return logits[:, -1].argmax(axis=-1).realize(), logits.realize(), Tensor.stack(*states).realize()

    def forward(self, tokens: Tensor, position: int | UOp | None = None) -> list[Tensor]:
        """The residual stream of tokens (B, T): embedding, after each block, after ln_f; (B, T, n_embd) each.

        With a `position` keys and values go through the cache from there on; without one the sequences
        are independent, as in training.
        """
        start = 0 if position is None else position
        length = tokens.shape[1]
        h = self._get("wte.weight")[tokens] + self._get("wpe.weight")[start : start + length]
        states = [h]
        for layer in range(self.config.n_layer):
            h = (h + self._attention(layer, self._norm(h, f"h.{layer}.ln_1"), position)).contiguous()
            hidden = self._linear(self._norm(h, f"h.{layer}.ln_2"), f"h.{layer}.mlp.c_fc")
            hidden = hidden.contiguous_backward().gelu().contiguous()  # gelu's default is tanh
            h = (h + self._linear(hidden, f"h.{layer}.mlp.c_proj")).contiguous()
            states.append(h)
        return [*states, self._norm(h, "ln_f")]

    def head(self, h: Tensor) -> Tensor:
        """Logits (..., vocab_size) of the last of `forward`'s states."""
        name = "wte.weight" if self.config.tie_word_embeddings else "lm_head.weight"
        return h @ self._get(name).transpose(0, 1)

    def _attention(self, layer: int, x: Tensor, position: int | UOp | None) -> Tensor:
        batch, length, _ = x.shape
        heads, width = self.config.n_head, self.config.n_embd // self.config.n_head
        qkv = self._linear(x, f"h.{layer}.attn.c_attn").contiguous_backward()
        qkv = qkv.reshape(batch, length, 3, heads, width)
        # Each (B, heads, T, width).
        q, k, v = (qkv[:, :, i].transpose(1, 2).contiguous_backward() for i in range(3))
        if position is not None:
            cache = self.cache[layer]
            cache[:, :, :, position : position + length].assign(Tensor.stack(k, v)).realize()
            k, v = (cache[i][:, :, : position + length] for i in range(2))
        scores = (q @ k.transpose(2, 3)).contiguous_backward() / width**0.5
        if length > 1:
            scores = scores + Tensor.full((length, length), float("-inf"), dtype=scores.dtype).triu(1)
        y = (scores.softmax(-1).contiguous() @ v).transpose(1, 2).contiguous().reshape(batch, length, self.config.n_embd)
        return self._linear(y, f"h.{layer}.attn.c_proj")

    def _norm(self, x: Tensor, name: str) -> Tensor:
        scaled = x.layernorm(eps=self.config.layer_norm_epsilon) * self._get(f"{name}.weight")
        return scaled + self._get(f"{name}.bias")

    def _linear(self, x: Tensor, name: str) -> Tensor:
        return x @ self._get(f"{name}.weight") + self._get(f"{name}.bias")

    def _get(self, name: str) -> Tensor:
        return self.parameters[name].cast(self.arithmetic)
