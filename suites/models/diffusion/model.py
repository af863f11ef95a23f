"""The blocks of a latent diffusion model on tinygrad's layers, small: a U-Net of two levels, and a decoder of latents.

The structure of "High-Resolution Image Synthesis with Latent Diffusion Models" (2022), section 3: residual
blocks conditioned on the time, transformers that attend to the pixels and to a text, group norms.
"""

import math

from tinygrad import Tensor, nn

GROUPS, EPSILON = 8, 1e-5


class Residual:
    """Norm, SiLU, convolution, twice; the embedding of the time is added between, if there is one."""

    def __init__(self, channels: int, out: int, time: int = 0) -> None:
        self.norm1, self.conv1 = (nn.GroupNorm(GROUPS, channels, EPSILON), nn.Conv2d(channels, out, 3, padding=1))
        self.norm2, self.conv2 = nn.GroupNorm(GROUPS, out, EPSILON), nn.Conv2d(out, out, 3, padding=1)
        if time:
            self.time = nn.Linear(time, out)
        if channels != out:
            self.skip = nn.Conv2d(channels, out, 1)

    def __call__(self, x: Tensor, time: Tensor | None = None) -> Tensor:
        h = self.conv1(self.norm1(x).silu())
        if time is not None:
            h = h + self.time(time.silu()).reshape(len(x), -1, 1, 1)
        h = self.conv2(self.norm2(h).silu())
        return (self.skip(x) if hasattr(self, "skip") else x) + h


class Attention:
    """Queries of one sequence to keys and values of another."""

    def __init__(self, width: int, context: int, heads: int) -> None:
        self.heads = heads
        self.q, self.k = nn.Linear(width, width, bias=False), nn.Linear(context, width, bias=False)
        self.v, self.out = nn.Linear(context, width, bias=False), nn.Linear(width, width)

    def __call__(self, x: Tensor, context: Tensor) -> Tensor:
        def split(t: Tensor) -> Tensor:
            return t.reshape(len(t), t.shape[1], self.heads, -1).transpose(1, 2)

        y = split(self.q(x)).scaled_dot_product_attention(split(self.k(context)), split(self.v(context)))
        return self.out(y.transpose(1, 2).contiguous().reshape(*x.shape))


class Transformer:
    """Each pixel a token: self-attention, attention to the text, a gated feed-forward layer."""

    def __init__(self, width: int, context: int, heads: int) -> None:
        self.norm = nn.GroupNorm(GROUPS, width, EPSILON)
        self.proj_in, self.proj_out = nn.Conv2d(width, width, 1), nn.Conv2d(width, width, 1)
        self.norm1, self.attn1 = nn.LayerNorm(width), Attention(width, width, heads)
        self.norm2, self.attn2 = nn.LayerNorm(width), Attention(width, context, heads)
        self.norm3, self.gate, self.ff = (nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.Linear(2 * width, width))

    def __call__(self, x: Tensor, context: Tensor) -> Tensor:
        n, c, h, w = x.shape
        t = self.proj_in(self.norm(x)).reshape(n, c, h * w).transpose(1, 2)
        seen = self.norm1(t)
        t = t + self.attn1(seen, seen)
        t = t + self.attn2(self.norm2(t), context)
        value, gate = self.gate(self.norm3(t)).chunk(2, dim=-1)
        t = t + self.ff(value * gate.gelu())
        return x + self.proj_out(t.transpose(1, 2).reshape(n, c, h, w))


class UNet:
    """Predicts the noise in latents (n, 4, h, w) at a time (n,), conditioned on a text (n, tokens, context)."""

    def __init__(self, width: int, context: int, heads: int) -> None:
        self.width = width
        self.time1, self.time2 = nn.Linear(width, 2 * width), nn.Linear(2 * width, 2 * width)
        self.conv_in, self.conv_out = nn.Conv2d(4, width, 3, padding=1), nn.Conv2d(width, 4, 3, padding=1)
        self.down, self.look = Residual(width, width, 2 * width), Transformer(width, context, heads)
        self.shrink, self.grow = (nn.Conv2d(width, width, 3, stride=2, padding=1), nn.Conv2d(width, width, 3, padding=1))
        self.middle, self.up = Residual(width, width, 2 * width), Residual(2 * width, width, 2 * width)
        self.norm = nn.GroupNorm(GROUPS, width, EPSILON)

    def __call__(self, x: Tensor, time: Tensor, context: Tensor) -> dict[str, Tensor]:
        """The noise, and the intermediate values."""
        embedded = self.time2(self.time1(wave(time, self.width).contiguous()).silu())
        first = self.look(self.down(self.conv_in(x), embedded), context)
        second = self.middle(self.shrink(first), embedded)
        third = self.up(self.grow(doubled(second)).cat(first, dim=1), embedded)
        noise = self.conv_out(self.norm(third).silu())
        return {"time": embedded, "first": first, "second": second, "third": third, "noise": noise}


class Decoder:
    """Latents (n, 4, h, w) to a picture (n, 3, 2h, 2w)."""

    def __init__(self, width: int) -> None:
        self.conv_in, self.conv_out = (nn.Conv2d(4, width, 3, padding=1), nn.Conv2d(width // 2, 3, 3, padding=1))
        self.block1, self.block2 = Residual(width, width), Residual(width, width // 2)
        self.norm_a, self.q, self.k = (
            nn.GroupNorm(GROUPS, width, EPSILON),
            nn.Conv2d(width, width, 1),
            nn.Conv2d(width, width, 1),
        )
        self.v, self.out = nn.Conv2d(width, width, 1), nn.Conv2d(width, width, 1)
        self.grow, self.norm = (nn.Conv2d(width, width, 3, padding=1), nn.GroupNorm(GROUPS, width // 2, EPSILON))

    def __call__(self, x: Tensor) -> dict[str, Tensor]:
        """The picture, and the intermediate values."""
        h = self.block1(self.conv_in(x))
        seen = self.norm_a(h)
        q, k, v = (conv(seen).flatten(2).transpose(1, 2) for conv in (self.q, self.k, self.v))
        mixed = q.scaled_dot_product_attention(k, v).transpose(1, 2).reshape(*h.shape)
        first = h + self.out(mixed)
        second = self.block2(self.grow(doubled(first)))
        return {"first": first, "second": second, "picture": self.conv_out(self.norm(second).silu())}


def wave(time: Tensor, width: int) -> Tensor:
    """Cosines, then sines, of the time (n,) at width / 2 frequencies from 1 down to nearly 1/10000."""
    frequency = (Tensor.arange(width // 2) * (-math.log(10000) / (width // 2))).exp()
    angle = time.reshape(-1, 1) * frequency
    return angle.cos().cat(angle.sin(), dim=-1)


def doubled(x: Tensor) -> Tensor:
    """Each pixel as two by two."""
    n, c, h, w = x.shape
    return x.reshape(n, c, h, 1, w, 1).expand(n, c, h, 2, w, 2).reshape(n, c, 2 * h, 2 * w)
