"""The cases of the model suite: one for each committed prompt, and those that need more than one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from runner.model import Case

ANSWERS = Path(__file__).parent / "tiny" / "answers.json"
EXCHANGED = ("taker", "exchanged")  # answered by one case
GROUP = "models/gpt2"  # one worker, which loads the model and compiles its kernels once


def cases() -> Iterator[Case]:
    """In the order in which kernels are best reused."""
    entries = json.loads(ANSWERS.read_text(encoding="utf-8"))
    for name in entries:
        if name not in EXCHANGED:
            yield Case(f"models/gpt2/greedy/{name}", "greedy", {"answer": name}, group=GROUP)
    yield Case("models/gpt2/attention/exchanged", "attention", {"answers": list(EXCHANGED)}, group=GROUP)
    # As long a prompt as the others have, whose kernels then serve here too.
    length = max(entry["prompt_tokens"] for entry in entries.values())
    yield Case("models/gpt2/logits/context", "logits", {"prompt_tokens": length}, group=GROUP)
    yield Case("models/gpt2/real/talk", "real", requires=("gpt2_weights",), timeout_s=300)
