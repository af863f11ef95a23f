"""GPT-2 with trained weights: the small model of this suite, and the published ones."""

import json
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from runner import check
from runner.device import Device

from . import bpe, reference, weights
from .agreement import Loaded, decode, require_reference_tokens

TINY = Path(__file__).parent / "tiny"
TALK_IDS = [15496, 11, 703, 389, 345, 30]  # of "Hello, how are you?" in the published vocabulary

# The published models' answers at temperature 0, by layers, heads and width: prompt, answer, tokens. The small
# one's is the talk's, the others are those that tinygrad's own example requires of gpt2-medium.
PUBLISHED = {
    (12, 12, 768): [("Hello, how are you?", "\n\nI'm a little bit of a nerd.", 11)],
    (24, 16, 1024): [
        ("Hello.", " I'm a little late to the party, but", 10),
        ("What is the answer to life, the universe, and everything?", "\n\nThe answer is that we are all one", 10),
    ],
}

_loaded: dict[Path, tuple[Loaded, bpe.Tokenizer]] = {}


def load(device: Device, folder: Path) -> tuple[Loaded, bpe.Tokenizer]:
    """The model in `folder` on the device; kept, because its kernels take seconds to compile."""
    if folder not in _loaded:
        device.tinygrad()
        from .gpt2 import GPT2

        begun = time.monotonic()
        config, arrays = weights.load(folder)
        model = GPT2(config, arrays)
        _loaded[folder] = (
            Loaded(model, partial(reference.forward, config, arrays), config.vocab_size, load_s=time.monotonic() - begun),
            bpe.Tokenizer.load(folder),
        )
    return _loaded[folder]


def follow_answer(loaded: Loaded, tokenizer: bpe.Tokenizer, name: str) -> list[int]:
    """The device's ids after a committed prompt, which must be the reference's and the committed ones."""
    entry = json.loads((TINY / "answers.json").read_text(encoding="utf-8"))[name]
    (run,) = decode(loaded, [tokenizer.encode(entry["prompt"])], len(entry["ids"]))
    require_reference_tokens(loaded, run)
    check.equal("ids", run.tokens, entry["ids"])
    return run.tokens


def check_greedy(device: Device, *, answer: str) -> None:
    """One prompt with cache and TinyJit: every id and every logit."""
    follow_answer(*load(device, TINY), answer)


def check_attention(device: Device, *, answers: Sequence[str]) -> None:
    """Two prompts of the same words in a different order: each has its own answer."""
    first, second = (follow_answer(*load(device, TINY), name) for name in answers)
    check.true("exchanged words give another answer", first != second)


def check_context(device: Device, *, prompt_tokens: int, positions: int) -> None:
    """Random ids at every position of the context: flat logits, every part of the embeddings, the last row.

    The committed answers have large leads, so that their softmax could hide an error.
    """
    loaded, _ = load(device, TINY)
    ids = device.rng.integers(0, loaded.vocabulary, positions).tolist()
    (run,) = decode(loaded, [ids[:prompt_tokens]], positions - prompt_tokens + 1, [ids[prompt_tokens:]])
    require_reference_tokens(loaded, run)


def check_published(device: Device) -> None:
    """A published model gives its known answer, word for word; the folder decides which model."""
    folder = device.gpt2_weights
    assert folder is not None  # Case.requires
    config = weights.configuration(folder)
    known = PUBLISHED.get((config.n_layer, config.n_head, config.n_embd))
    if known is None:
        raise check.NothingTested(f"{folder} is neither gpt2 nor gpt2-medium, whose answers are known: {config}")
    loaded, tokenizer = load(device, folder)
    if (ids := tokenizer.encode("Hello, how are you?")) != TALK_IDS:
        raise check.NothingTested(f"{folder}/vocab.json is not GPT-2's: the talk's prompt becomes {ids}")
    for prompt, text, tokens in known:
        (run,) = decode(loaded, [tokenizer.encode(prompt)], tokens)
        require_reference_tokens(loaded, run)
        check.equal("answer", tokenizer.decode(run.tokens), text)
