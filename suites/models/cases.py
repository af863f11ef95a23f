"""The cases of the model suite: GPT-2, trained and seeded, and those of the other models."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from runner.model import Case

from .llama.cases import cases as llama_cases

ANSWERS = Path(__file__).parent / "tiny" / "answers.json"
EXCHANGED = ("taker", "exchanged")  # one case has both answers
POSITIONS = 128  # of the small model
# One worker for each model, which loads it and compiles its kernels once.
TRAINED, SEEDED = "models/gpt2", "models/gpt2/seeded"


def cases() -> Iterator[Case]:
    """In the order in which kernels are reused best."""
    yield from trained_cases()
    yield from seeded_cases()
    yield from llama_cases()
    for name in ("unet", "decoder"):
        yield Case(f"models/diffusion/{name}", f"diffusion.run.{name}", group="models/diffusion")
    for name in ("inference", "training"):
        yield Case(f"models/classifier/{name}", f"classifier.run.{name}", group="models/classifier")
    for name in ("int8", "int4", "dynamic"):
        yield Case(f"models/quantised/{name}", f"quantised.run.{name}", group="models/quantised")


def trained_cases() -> Iterator[Case]:
    """A case for each committed prompt, and those that need more than one."""
    entries = json.loads(ANSWERS.read_text(encoding="utf-8"))
    for name in entries:
        if name not in EXCHANGED:
            yield Case(f"models/gpt2/greedy/{name}", "trained.greedy", {"answer": name}, group=TRAINED)
    params: dict[str, Any] = {"answers": list(EXCHANGED)}
    yield Case("models/gpt2/attention/exchanged", "trained.attention", params, group=TRAINED)
    # The prompt is as long as the others, whose kernels then serve here too.
    length = max(entry["prompt_tokens"] for entry in entries.values())
    params = {"prompt_tokens": length, "positions": POSITIONS}
    yield Case("models/gpt2/logits/context", "trained.context", params, group=TRAINED)
    yield Case("models/gpt2/real/published", "trained.published", requires=("gpt2_weights",), timeout_s=600)


def seeded_cases() -> Iterator[Case]:
    """The ways of decoding."""

    def case(name: str, body: str = "answers", *requires: str, **params: Any) -> Case:
        return Case(f"models/gpt2/seeded/{name}", f"seeded.{body}", {"model": "small", **params}, requires, group=SEEDED)

    yield case("cached")
    yield case("prefill", "prefill")
    yield case("uncached", "uncached")
    yield case("ties", "ties")
    yield case("batch-4", batch=4)
    yield case("single", "single")
    yield case("symbolic", way="symbolic", steps=6)
    yield case("concrete", way="concrete", steps=4)
    half: dict[str, Any] = {"model": "half", "storage": "float16"}
    yield case("half-weights", "answers", "fp16", **half)
    yield case("half", "answers", "fp16", **half, arithmetic="float16")
    yield Case("models/gpt2/full-size/seeded", "seeded.answers", {"model": "full"}, (), timeout_s=600)
