"""The bodies of the model suite: GPT-2 on the device against its float64 reference."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from runner import check
from runner.device import Device
from runner.model import Case

from . import bpe, weights
from .agreement import Loaded, decode, follows

TINY = Path(__file__).parent / "tiny"
TALK = "Hello, how are you?"
TALK_IDS = [15496, 11, 703, 389, 345, 30]  # of the published vocabulary
TALK_ANSWER = "\n\nI'm a little bit of a nerd."
TALK_STEPS = 11

_loaded: dict[Path, Loaded] = {}


def load(device: Device, folder: Path) -> Loaded:
    """The model in `folder` on the device; kept, because its kernels take seconds to compile."""
    if folder not in _loaded:
        device.tinygrad()
        from .gpt2 import GPT2

        config, arrays = weights.load(folder)
        _loaded[folder] = Loaded(config, arrays, bpe.Tokenizer.load(folder), GPT2(config, arrays))
    return _loaded[folder]


def answer(loaded: Loaded, name: str) -> list[int]:
    """The device's ids after a committed prompt, required to be the reference's and the committed ones."""
    entry = json.loads((TINY / "answers.json").read_text(encoding="utf-8"))[name]
    run = decode(loaded, loaded.tokenizer.encode(entry["prompt"]), len(entry["ids"]))
    follows(loaded, run)
    check.equal("ids", run.tokens, entry["ids"])
    return run.tokens


def greedy(device: Device, case: Case) -> None:
    """One prompt with cache and TinyJit: every id and every logit."""
    answer(load(device, TINY), case.params["answer"])


def attention(device: Device, case: Case) -> None:
    """Two prompts of the same words in another order: each has its own answer."""
    loaded = load(device, TINY)
    first, second = (answer(loaded, name) for name in case.params["answers"])
    check.true("exchanged words give another answer", first != second)


def context(device: Device, case: Case) -> None:
    """Random ids at every position of the context: flat logits, every part of the embeddings, the last row.

    The committed answers are sure of themselves, so that their softmax could hide an error.
    """
    loaded = load(device, TINY)
    ids = device.rng.integers(0, loaded.config.vocab_size, loaded.config.n_positions).tolist()
    length = case.params["prompt_tokens"]
    prompt, rest = ids[:length], ids[length:]
    follows(loaded, decode(loaded, prompt, len(rest) + 1, rest))


def real(device: Device, case: Case) -> None:
    """The published 124M model answers as it did in the talk."""
    assert device.gpt2_weights is not None  # Case.requires
    loaded = load(device, device.gpt2_weights)
    prompt = loaded.tokenizer.encode(TALK)
    if prompt != TALK_IDS:
        raise ValueError(f"{device.gpt2_weights}/vocab.json is not GPT-2's: {TALK!r} becomes {prompt}")
    run = decode(loaded, prompt, TALK_STEPS)
    follows(loaded, run)
    check.equal("answer", loaded.tokenizer.decode(run.tokens), TALK_ANSWER)


BODIES: dict[str, Callable[[Device, Case], None]] = {
    "greedy": greedy,
    "attention": attention,
    "logits": context,
    "real": real,
}


def run(device: Device, case: Case) -> None:
    BODIES[case.kind](device, case)
