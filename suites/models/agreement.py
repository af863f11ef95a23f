"""The checks of the model suite: what the device computed against the float64 reference, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from runner import check

from . import reference
from .bpe import Tokenizer
from .weights import Config

if TYPE_CHECKING:  # tinygrad is imported after the device has been proved
    from .gpt2 import GPT2

TOLERANCE = 1e-3
"""The largest error of a logit.

Ten times what honest arithmetic may do: 5 ulp of error in every operation of a float32 forward pass, the most
that OpenCL C 3.0, 7.4, grants any that is used here, move a logit of the small model by 9e-5 at most, and
the committed tokens lead by 1.0 or more.
"""

STATE_TOLERANCE = 1e-4
"""The same for a state, in units of its largest element: it only names the layer, once a logit is wrong."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """One model in three forms: its parameters, its tokenizer, and GPT-2 on the device."""

    config: Config
    arrays: reference.Arrays
    tokenizer: Tokenizer
    model: GPT2


@dataclass(frozen=True, slots=True)
class Run:
    """What the device computed for a prompt and then one id a step, a row for each of these N ids."""

    prompt_tokens: int
    ids: list[int]  # N: the prompt, and what each step was given
    tokens: list[int]  # the greedy choice after the prompt and after each step
    logits: NDArray[np.float32]  # (N, vocab_size)
    states: NDArray[np.float32]  # (n_layer + 2, N, n_embd)


def decode(loaded: Loaded, prompt: Sequence[int], steps: int, forced: Sequence[int] = ()) -> Run:
    """Give the device the prompt at once, then `steps - 1` ids one by one through cache and TinyJit.

    Each is the device's own greedy choice, or where `forced` is given, the next of these.
    """
    token, logits, states = loaded.model.prompt(prompt)
    ids, tokens, all_logits, all_states = list(prompt), [int(token[0])], [logits], [states]
    for step in range(steps - 1):
        given = forced[step] if forced else tokens[-1]
        if not 0 <= given < loaded.config.vocab_size:
            break  # the device made a number that is no token; `follows` names the step
        token, logits, states = loaded.model.step(given, len(ids))
        ids.append(given)
        tokens.append(int(token[0]))
        all_logits.append(logits)
        all_states.append(states)
    return Run(len(prompt), ids, tokens, np.concatenate(all_logits), np.concatenate(all_states, axis=1))


def follows(loaded: Loaded, run: Run) -> None:
    """Require that every step chose the reference's token, by the reference's logits.

    The reference is forced along what the device was given: up to its first wrong step these are the
    reference's own greedy choices. The message names that step, and the first layer whose state is wrong
    there. Step 0 is the whole prompt.
    """
    trace = reference.forward(loaded.config, loaded.arrays, run.ids)
    for step, token in enumerate(run.tokens):
        row = run.prompt_tokens - 1 + step
        rows = slice(row if step else 0, row + 1)
        got, want = run.logits[rows], trace.logits[rows]
        chosen = int(want[-1].argmax())
        right = token == chosen and np.allclose(got, want, rtol=0, atol=TOLERANCE)
        place = "" if right else f" ({divergence(run, trace, rows)})"
        check.equal(f"step {step} token{place}", token, chosen)
        check.close(f"step {step} logits{place}", got, want, atol=TOLERANCE)


def divergence(run: Run, trace: reference.Trace, rows: slice) -> str:
    """Where the first wrong value arises: `h.2 diverges first, 0.31 > 0.001 allowed`."""
    outputs = {**trace.states, "head": trace.logits}
    for (name, want), got in zip(outputs.items(), [*run.states, run.logits], strict=True):
        error = np.abs(got[rows] - want[rows])
        allowed = TOLERANCE if name == "head" else STATE_TOLERANCE * max(1.0, float(np.abs(want[rows]).max()))
        if not error.max() <= allowed:  # NaN too
            return f"{name} diverges first, {error.max():.2g} > {allowed:.2g} allowed"
    return "the logits agree: argmax is wrong"
