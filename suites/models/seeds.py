"""Find seeds whose models choose clearly at every step, and write the float64 reference's answers.

    python -m suites.models.seeds [--only NAME]

In any long answer of a random model some logits lie close together, so that correct rounding could change the choice.
So seeds are tried in order until the smallest lead of a chosen token exceeds `least`. The large model takes a minute
for each seed.
"""

import argparse
import itertools
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import reference, weights
from .llama import reference as llama_reference
from .llama.file import Shape, quantised

FILE = Path(__file__).parent / "seeds.json"
Greedy = Callable[[list[int], int], tuple[list[int], float]]


@dataclass(frozen=True, slots=True)
class Gpt2:
    """A GPT-2 with an untied head: with a tied one a random model repeats one token for ever."""

    config: weights.Config
    deviation: float  # of the weights

    @property
    def vocabulary(self) -> int:
        return self.config.vocab_size

    def greedy(self, seed: int) -> Greedy:
        arrays = weights.seeded(self.config, seed, self.deviation)
        return lambda prompt, most: reference.greedy(self.config, arrays, prompt, most)


@dataclass(frozen=True, slots=True)
class Llama:
    """A LLaMA whose weights are random blocks of a quantised file."""

    shape: Shape

    @property
    def vocabulary(self) -> int:
        return self.shape.vocabulary

    def greedy(self, seed: int) -> Greedy:
        arrays = llama_reference.arrays(quantised(self.shape, seed))
        return lambda prompt, most: reference.greedy_of(
            lambda ids: llama_reference.forward(self.shape, arrays, ids).logits[-1], prompt, most
        )


@dataclass(frozen=True, slots=True)
class Spec:
    """The answers to search for: `rows` prompts of `length` random ids, each answered by `steps` ids."""

    model: Gpt2 | Llama
    rows: int
    length: int
    steps: int
    least: float  # smallest lead of a chosen logit over the next
    distinct: float = 0.5  # smallest share of ids of an answer that are not repetitions


SMALL = Gpt2(weights.Config(2, 3, 48, 32, 211, tie_word_embeddings=False), 0.3)
FULL = Gpt2(weights.Config(12, 12, 768, 1024, 50257, tie_word_embeddings=False), 0.05)
LLAMA = Llama(Shape(2, 8, 2, 256, 512, 509, 32))
SPECS = {
    "small": Spec(SMALL, 4, 8, 25, 0.02),
    "half": Spec(SMALL, 1, 8, 25, 0.1),
    "full": Spec(FULL, 1, 6, 6, 0.02),
    "llama": Spec(LLAMA, 1, 12, 20, 0.2),
}


def answer(spec: Spec, seed: int) -> dict[str, Any]:
    """Prompts, answers, and their leads; empty if the seed does not meet the spec."""
    rng = np.random.default_rng(seed)
    greedy, rows, leads = spec.model.greedy(seed), [], []
    for _ in range(spec.rows):
        prompt = rng.integers(0, spec.model.vocabulary, spec.length).tolist()
        ids, lead = greedy(prompt, spec.steps)
        if lead <= spec.least or len(set(ids)) < spec.distinct * spec.steps:
            return {}
        rows.append({"prompt": prompt, "ids": ids})
        leads.append(lead)
    return {"seed": seed, "smallest_lead": round(min(leads), 4), "rows": rows}


def entries() -> Mapping[str, Any]:
    """The committed seeds and answers by name."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}


def main() -> None:
    """Search the seeds of each model, and write them with the answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=SPECS)
    arguments = parser.parse_args()
    found = dict(entries())
    for name, spec in SPECS.items():
        if arguments.only in (None, name):
            found[name] = next(filter(None, (answer(spec, seed) for seed in itertools.count(1))))
            print(name, asdict(spec), found[name]["seed"], found[name]["smallest_lead"], flush=True)
    lines = (f"{json.dumps(name)}: {json.dumps(found[name])}" for name in SPECS if name in found)
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
