"""Factorisations: QR and the singular values by the equations they satisfy, Newton-Schulz by its polynomial.

A factorisation in floating point is the exact one of a matrix nearby: |Q R - A| <= n gamma_cm |A| in the Frobenius
norm for n reflections of vectors of length m, with a small integer c (Higham, Accuracy and Stability of Numerical
Algorithms, theorem 19.4). tinygrad applies a reflection by two products of matrices: c = 24 is 8 units of roundoff for
their sums and subtractions, and 16 for the limits of OpenCL's root (3 ULP) and of two divisions by it (2.5 ULP each),
at two units an ULP. A sweep of Jacobi rotations costs the same again, and singular values move by no more than the
matrix (Weyl's inequality).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..bounded import Bounded
from ..disturbance import Settle, measured
from ..inputs import draw
from ..networks import matmul
from ..precision import unit_roundoff
from ..results import compare, read, tensor

CONSTANT = 24  # c
MUON = (3.4445, -4.775, 2.0315)
Matrix = NDArray[np.float64]


def newton_schulz(
    x: Bounded, steps: int, params: Sequence[float], eps: float = 1e-7, settle: Settle = lambda b: b
) -> Bounded:
    """X <- p0 X + p1 (X X') X + p2 (X X')(X X') X, from X scaled to Frobenius norm 1, on its shorter side."""

    def across(y: Bounded) -> Bounded:
        return y.moved(lambda a: a.swapaxes(-1, -2))

    if x.value.shape[-2] > x.value.shape[-1]:
        return across(newton_schulz(across(x), steps, params, eps, settle))
    x = x / ((x * x).sum((-2, -1), keepdims=True).sqrt() + eps)
    for _ in range(steps):
        square, power = matmul(x, across(x)), x
        total = x * params[0]
        for p in params[1:]:
            power = matmul(square, power)
            total = total + power * p
        x = settle(total)
    return x


def check_orthogonalised(device: Device, *, shape: Sequence[int], variant: str) -> None:
    """Five steps with Muon's coefficients, which bring all singular values to 0.68 to 1.13: Jordan et al. 2024."""
    tinygrad = device.tinygrad()
    array, steps = draw(device.rng, "float32", shape, "normal"), 5
    with tinygrad.Context(NOOPT=int(variant == "noopt")):
        (got,) = read(tinygrad, tensor(tinygrad, array).newton_schulz(steps, MUON))
    x = Bounded.exact(array)
    (want,) = measured(device.rng, lambda settle: [newton_schulz(x, steps, MUON, settle=settle)])
    compare("newton_schulz", got, want)


def _tolerance(shape: Sequence[int], sweeps: int = 1) -> float:
    return sweeps * min(shape[-2:]) * CONSTANT * max(shape[-2:]) * unit_roundoff(np.dtype(np.float32))


def _norm(a: Matrix) -> Matrix:
    return np.sqrt((a * a).sum((-2, -1)))


def _near(what: str, got: Matrix, want: Matrix, tolerance: Matrix | float) -> None:
    """Require a distance within a tolerance, in the Frobenius norm of each matrix."""
    check.close(what, _norm(got - want), np.zeros(want.shape[:-2]), atol=np.asarray(tolerance))


def _orthogonal(what: str, q: Matrix, tolerance: float) -> None:
    _near(what, q.swapaxes(-1, -2) @ q, np.broadcast_to(np.eye(q.shape[-1]), (*q.shape[:-2], *q.shape[-1:] * 2)), tolerance)


def _factored(device: Device, op: str, shape: Sequence[int], variant: str) -> tuple[Matrix, list[Matrix]]:
    tinygrad = device.tinygrad()
    array = draw(device.rng, "float32", shape, "normal")
    on = tensor(tinygrad, array)
    with tinygrad.Context(NOOPT=int(variant == "noopt")):
        factors = read(tinygrad, *getattr(on, op)())
    return array.astype(np.float64), [f.astype(np.float64) for f in factors]


def check_qr(device: Device, *, shape: Sequence[int], variant: str, op: str) -> None:
    """Q is orthogonal, R is upper triangular, and Q R is the matrix."""
    a, (q, r) = _factored(device, op, shape, variant)
    tolerance = _tolerance(a.shape)
    check.equal("shapes", f"{q.shape} {r.shape}", f"{(*a.shape[:-1], a.shape[-2])} {a.shape}")
    _near("Q R - A", q @ r, a, tolerance * _norm(a))
    _orthogonal("Q'Q - 1", q, tolerance * np.sqrt(a.shape[-2]))
    _near("R below its diagonal", np.tril(r, -1), np.zeros(r.shape), tolerance * _norm(a))


def check_svd(device: Device, *, shape: Sequence[int], variant: str, op: str) -> None:
    """U and V are orthogonal, U S V' is the matrix, and S are the singular values, the largest first."""
    a, (u, s, v) = _factored(device, op, shape, variant)
    m, n = a.shape[-2:]
    tolerance = _tolerance(a.shape, sweeps=5)  # the reflections, and four sweeps of rotations
    check.equal("shapes", f"{u.shape[-2:]} {s.shape[-1]} {v.shape[-2:]}", f"{(m, m)} {min(m, n)} {(n, n)}")
    _orthogonal("U'U - 1", u, tolerance * np.sqrt(m))
    _orthogonal("V'V - 1", v, tolerance * np.sqrt(n))
    _near("U S V' - A", (u[..., : min(m, n)] * s[..., None, :]) @ v[..., : min(m, n), :], a, tolerance * _norm(a))
    limit = np.broadcast_to((tolerance * _norm(a))[..., None], s.shape)
    check.close("singular values", s, np.linalg.svd(a, compute_uv=False), atol=limit)
