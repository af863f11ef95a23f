"""The checks of a decoder: the device's values against the float64 reference, step by step."""

import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from runner import check

from .rounding import EXACT, F64, SINGLE, Rounding, tolerances

Out = list[NDArray[Any]]
"""(greedy tokens (B,), logits (B, T, vocabulary), states (layers + 2, B, T, width)) of B rows and T ids."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The values that a reference computes for T ids."""

    logits: F64  # (T, vocabulary)
    states: dict[str, F64]  # (T, width) by name and in order: embedding, one for each layer, the last norm

    @property
    def outputs(self) -> dict[str, F64]:
        return {**self.states, "head": self.logits}


class Decoder(Protocol):
    """A model on the device, with a cache of the keys and values of B rows."""

    def prompt(self, rows: Sequence[Sequence[int]]) -> Out: ...

    def step(self, tokens: Sequence[int], position: int, way: str) -> Out: ...


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model on the device and its reference: `forward(ids, rounding)`."""

    model: Decoder
    forward: Callable[[Sequence[int], Rounding], Trace]
    vocabulary: int  # entries
    unit: float = SINGLE  # unit roundoff of its arithmetic
    load_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Run:
    """The values that the device computed for a prompt and then one id a step; a row for each of these N ids."""

    prompt_tokens: int
    ids: list[int]  # N: the prompt, and the input of each step
    tokens: list[int]  # the greedy choice after the prompt and after each step
    logits: NDArray[Any]  # (N, vocabulary)
    states: NDArray[Any]  # (layers + 2, N, width)


@dataclass(slots=True)
class Cost:
    """The time of each call of the model."""

    seconds: list[float] = field(default_factory=list)
    kernels: list[int] = field(default_factory=list)


def decode(
    loaded: Loaded, prompts: Sequence[Sequence[int]], steps: int, forced: Sequence[Sequence[int]] = (), way: str = "jit"
) -> list[Run]:
    """Give the device the prompts at once, then `steps - 1` ids a row one by one, by `way` (`GPT2.step`).

    Each id is the device's own greedy choice or, if `forced` is given, the next of its row. Prints one line with the
    cost.
    """
    cost = Cost()
    outs = [_timed(cost, lambda: loaded.model.prompt(prompts))]
    rows = [list(prompt) for prompt in prompts]
    for step in range(steps - 1):
        ids = [row[step] for row in forced] if forced else [int(token) for token in outs[-1][0]]
        if not all(0 <= token < loaded.vocabulary for token in ids):
            break  # the device's number is not a token; `require_reference_tokens` names the step
        outs.append(_timed(cost, lambda ids=ids: loaded.model.step(ids, len(rows[0]), way)))  # type: ignore[misc]
        for row, token in zip(rows, ids, strict=True):
            row.append(token)
    _print(loaded, cost)
    tokens = np.stack([out[0] for out in outs], axis=1)
    logits = np.concatenate([out[1] for out in outs], axis=1)
    states = np.concatenate([out[2] for out in outs], axis=2)
    return [Run(len(prompts[0]), row, tokens[i].tolist(), logits[i], states[:, i]) for i, row in enumerate(rows)]


def require_reference_tokens(loaded: Loaded, run: Run) -> None:
    """Require that every step chose the reference's token, by the reference's logits.

    The reference is forced along the device's inputs: up to the first wrong step these are the reference's own
    greedy choices. The message names that step, and the first layer whose state is wrong there. Step 0 is the
    whole prompt.
    """
    want = loaded.forward(run.ids, EXACT).outputs
    allowed = tolerances(lambda r: loaded.forward(run.ids, r).outputs, want, loaded.unit)
    for step, token in enumerate(run.tokens):
        row = run.prompt_tokens - 1 + step
        rows = slice(row if step else 0, row + 1)
        logits = want["head"][rows]
        chosen = int(logits[-1].argmax())
        right = token == chosen and np.allclose(run.logits[rows], logits, rtol=0, atol=allowed["head"])
        place = "" if right else f" ({_divergence(run, want, allowed, rows)})"
        check.equal(f"step {step} token{place}", token, chosen)
        check.close(f"step {step} logits{place}", run.logits[rows], logits, atol=allowed["head"])


def _divergence(run: Run, want: dict[str, F64], allowed: dict[str, float], rows: slice) -> str:
    """The place of the first wrong value: `h.2 diverges first, 0.31 > 0.001 allowed`."""
    for (name, value), got in zip(want.items(), [*run.states, run.logits], strict=True):
        error = np.abs(got[rows] - value[rows]).max()
        if not error <= allowed[name]:  # NaN too
            return f"{name} diverges first, {error:.2g} > {allowed[name]:.2g} allowed"
    return "the logits agree: argmax is wrong"


def _timed(cost: Cost, call: Callable[[], Out]) -> Out:
    from tinygrad.helpers import GlobalCounters

    kernels, begun = GlobalCounters.kernel_count, time.monotonic()
    out = call()
    cost.seconds.append(time.monotonic() - begun)
    cost.kernels.append(GlobalCounters.kernel_count - kernels)
    return out


def _print(loaded: Loaded, cost: Cost) -> None:
    """One line for the case's output. The second and third token compile and capture; later ones show the steady cost."""
    steady = cost.seconds[3:] or cost.seconds[-1:]
    words = {
        "load_s": f"{loaded.load_s:.2f}",
        "first_token_ms": f"{cost.seconds[0] * 1e3:.0f}",
        "ms_per_token": f"{np.median(steady) * 1e3:.1f}",
        "peak_rss_mb": f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}",
        "kernels_per_token": f"{cost.kernels[-1]}",
    }
    print("model:", *(f"{name}={value}" for name, value in words.items()))
