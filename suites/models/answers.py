"""The committed prompts of the small model, chosen and answered by the float64 reference (tiny/answers.json).

The prompts come from the corpus' grammar, with a seed that training never uses. The prompt of each sort is the first
whose answer is right and leads clearly at every step: a wrong answer shows nothing about attention, and rounding could
change a narrow one. All but the talk's have the same length in tokens, because each length needs its own set of
compiled kernels.
"""

import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import bpe, corpus, reference, weights

Entry = dict[str, Any]
HELD_OUT = 0  # the seed of these prompts
LENGTH = 51  # tokens of a prompt
LEAD = 1.0  # the smallest lead of the greedy token's logit over the next
STEPS = 60  # more than any answer has
TRIES = 50
DOCUMENTS = 20_000  # the most that are searched for one sort
TALK = "Hello, how are you?"

# Sort of prompt: how its question begins, and the smallest and largest number of tokens of its answer, END included.
SORTS = {
    "thing": ("What does", 8, 24),
    "place": ("Where is", 8, 24),
    "taker": ("Who got", 8, 24),
    "giver": ("Who gave", 8, 24),
    "after": ("Who came after", 8, 24),
    "before": ("Who came before", 8, 24),
    "backwards": ("Say that backwards", 8, 24),
    "again": ("Say that again", 40, 60),
}


def write(folder: Path) -> None:
    """Choose prompts for the model in `folder` and write its answers.json; ValueError if the model knows too little."""
    model = Answerer(*weights.load(folder), bpe.Tokenizer.load(folder))
    entries = {"hello": model.answer(corpus.Document("", ((TALK, corpus.SMALL_TALK[TALK]),)))}
    if not entries["hello"]:
        raise ValueError("the model has not learnt the talk's answer; train longer")
    for name, sort in SORTS.items():
        entries |= model.choose(name, *sort)
    lines = (f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in entries.items())
    (folder / "answers.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Answerer:
    """A model as the float64 reference runs it."""

    config: weights.Config
    arrays: reference.Arrays
    tokenizer: bpe.Tokenizer

    def choose(self, name: str, question: str, least: int, most: int) -> dict[str, Entry]:
        """The first good prompt of a sort; for `taker` its exchanged one must be good too."""
        for document in itertools.islice(self._suitable(question, least, most), TRIES):
            documents = {name: document}
            if name == "taker":
                documents["exchanged"] = exchange(document)
            found = {key: self.answer(each) for key, each in documents.items()}
            if all(found.values()):
                return {key: entry for key, entry in found.items() if entry}
        raise ValueError(f"no prompt {name!r} of {TRIES} is answered well; train longer")

    def answer(self, document: corpus.Document) -> Entry | None:
        """The greedy answer in its committed form; None if it is wrong or too narrow."""
        prompt = self.tokenizer.encode(document.prompt)
        ids, lead = reference.greedy(self.config, self.arrays, prompt, STEPS, self.tokenizer.end)
        text = self.tokenizer.decode(ids[:-1])
        if text != document.answer or lead < LEAD:
            return None
        entry = {"prompt": document.prompt, "prompt_tokens": len(prompt), "text": text, "ids": ids}
        return {**entry, "smallest_lead": round(lead, 2)}

    def _suitable(self, question: str, least: int, most: int) -> Iterator[corpus.Document]:
        for document in itertools.islice(corpus.documents(HELD_OUT), DOCUMENTS):
            if document.questions[0][0].startswith(question):
                prompt, answer = map(self.tokenizer.encode, (document.prompt, document.answer))
                if len(prompt) == LENGTH and least <= len(answer) + 1 <= most:
                    yield document


def exchange(document: corpus.Document) -> corpus.Document:
    """The same words with giver and taker exchanged throughout, which reverses the answer."""
    question, answer = document.questions[0]
    thing, taker = re.fullmatch(r"The (\w+) went to (\w+)\.", answer).groups()  # type: ignore[union-attr]
    (giver,) = re.findall(rf"(\w+) gave the {thing} to {taker}\.", document.context)
    swap = {taker: giver, giver: taker}

    def turn(text: str) -> str:
        return re.sub(r"\w+", lambda word: swap.get(word[0], word[0]), text)

    return corpus.Document(turn(document.context), ((question, turn(answer)),))
