"""Matrix products with quantised operands, as in models with 8- and 4-bit weights."""

import numpy as np

from runner import check
from runner.device import Device

from ..rounding import F64, SINGLE, Rounding, agree

ROWS, INNER, OUT, GROUP = 5, 96, 53, 32


def check_int8(device: Device) -> None:
    """int8 by int8 into int32, exact, with both ends of the range; then the scales of rows and columns."""
    tinygrad = device.tinygrad()
    x = device.rng.integers(-128, 128, (37, INNER), dtype=np.int8)
    w = device.rng.integers(-128, 128, (INNER, OUT), dtype=np.int8)
    x[0], w[:, 0], x[1], w[:, 1] = -128, -128, 127, -128
    by_row = device.rng.uniform(0.01, 0.1, (37, 1)).astype(np.float32)
    by_column = device.rng.uniform(0.01, 0.1, (1, OUT)).astype(np.float32)
    a, b, s, t = (tinygrad.Tensor(each).realize() for each in (x, w, by_row, by_column))
    sums = (a.int() @ b.int()).contiguous()
    scaled = (sums * s * t).contiguous()
    tinygrad.Tensor.realize(sums, scaled)
    want = x.astype(np.int64) @ w.astype(np.int64)
    check.equal("sums", sums.numpy(), want.astype(np.int32))
    # a sum is below 2**24, so exact as a float; two products are rounded
    exact = want * by_row.astype(np.float64) * by_column
    check.close("scaled", scaled.numpy(), exact, rtol=2.01 * SINGLE)


def check_dynamic(device: Device) -> None:
    """Activations quantised on the device, row by row: scale, rounding, saturation, product."""
    tinygrad = device.tinygrad()
    x = device.rng.standard_normal((ROWS, INNER)).astype(np.float32)
    w = device.rng.integers(-127, 128, (INNER, OUT), dtype=np.int8)
    on, weight = tinygrad.Tensor(x).realize(), tinygrad.Tensor(w).realize()
    scale = (on.abs().max(axis=1, keepdim=True) / 127).contiguous()
    q = (on / scale).round().clip(-127, 127).cast("int8").contiguous()
    sums = (q.int() @ weight.int()).contiguous()
    tinygrad.Tensor.realize(scale, q, sums)
    want_scale = np.abs(x.astype(np.float64)).max(axis=1, keepdims=True) / 127
    check.close("scale", scale.numpy(), want_scale, rtol=6 * SINGLE)  # 2.5 ulp of a division, and some margin
    ratio = x / want_scale
    got = q.numpy().astype(np.int64)
    # 3 + 3 ulp of the scale and of the ratio; only a ratio close to a half may be rounded either way
    check.close("quantised", got, ratio, atol=0.5 + 127 * 12 * SINGLE)
    check.equal("sums", sums.numpy(), (got @ w.astype(np.int64)).astype(np.int32))
    check.equal("largest", np.abs(got).max(axis=1), np.full(ROWS, 127))


def check_int4(device: Device) -> None:
    """4-bit weights, two in a byte, with a scale and a zero point for each group of 32, unpacked inside the product."""
    tinygrad = device.tinygrad()
    x = device.rng.standard_normal((ROWS, INNER)).astype(np.float32)
    packed = device.rng.integers(0, 256, (OUT, INNER // 2), dtype=np.uint8)
    scale = device.rng.uniform(0.01, 0.1, (OUT, INNER // GROUP, 1)).astype(np.float32)
    zero = device.rng.integers(0, 16, (OUT, INNER // GROUP, 1), dtype=np.uint8)
    on, bits, s, z = (tinygrad.Tensor(each).realize() for each in (x, packed, scale, zero))
    halves = tinygrad.Tensor.stack(bits & 15, bits >> 4, dim=-1).reshape(OUT, INNER // GROUP, GROUP)
    weight = ((halves.cast("int8") - z.cast("int8")).float() * s).reshape(OUT, INNER)
    got = (on @ weight.transpose(0, 1)).numpy()

    def compute(r: Rounding) -> dict[str, F64]:
        nibbles = np.empty((OUT, INNER))
        nibbles[:, 0::2], nibbles[:, 1::2] = packed & 15, packed >> 4
        groups = nibbles.reshape(scale.shape[0], -1, GROUP) - zero
        values = r(groups * scale.astype(np.float64)).reshape(OUT, INNER)
        return {"product": r.matmul(x.astype(np.float64), values.T)}

    agree(compute, {"product": got})
