"""The text that the small model is trained on: stories, queues, lists and small talk from a seeded grammar.

Each document states something and then asks about it. The answers copy the statements, so that only
attention to the right words, in their order, gives them: who gave what to whom, who came after whom, a
list forwards or backwards.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass


def _split(text: str) -> list[str]:
    return text.split()


NAMES = _split("Anna Ben Clara David Eva Felix Greta Hugo Ida Jonas Karl Lena Mona Nils Olga Paul")
THINGS = _split(
    "apple ball bell boat book box cake chair clock coat cup drum egg flag hat key kite lamp map plate ring rope spoon tent"
)
COLOURS = _split("red blue green white black yellow brown pink")
PLACES = _split("garden kitchen school park market library house river")
WORDS = [*THINGS, *COLOURS, *PLACES]
SMALL_TALK = {
    "Hello, how are you?": "I'm a little bit of a nerd.",
    "Hello, who are you?": "I am a very small model.",
    "Good morning!": "Good morning, and welcome to the garden.",
    "Are you a big model?": "No, I have only a few layers.",
    "What do you like?": "I like short stories and long lists.",
    "What can you do?": "I can tell who has the key.",
    "How old are you?": "Not very old, and not very new.",
    "Good night!": "Good night, and thank you.",
}


@dataclass(frozen=True, slots=True)
class Document:
    """The statements, `context` ("" for small talk), and questions with their answers."""

    context: str
    questions: tuple[tuple[str, str], ...]

    @property
    def prompt(self) -> str:
        """The text up to the first answer."""
        return f"{self.context} {self.questions[0][0]}".lstrip()

    @property
    def answer(self) -> str:
        """The text after the prompt."""
        return f"\n\n{self.questions[0][1]}"


def story(rng: random.Random, size: int) -> Document:
    """Facts, and a question about each, in a different order."""
    facts, questions = _facts(rng, rng.randint(size - 2, size))
    rng.shuffle(questions)
    return Document(" ".join(["A story.", *facts]), tuple(questions))


def queue(rng: random.Random, size: int) -> Document:
    """Names in a row, and questions about neighbours."""
    names = rng.sample(NAMES, rng.randint(size, 2 * size + 2))
    questions = []
    for _ in range(size):
        i = rng.randrange(len(names) - 1)
        first, second = names[i : i + 2]
        after = (f"Who came after {first}?", f"After {first} came {second}.")
        before = (f"Who came before {second}?", f"Before {second} came {first}.")
        questions.append(rng.choice([after, before]))
    return Document("First came " + ", then ".join(names) + ".", tuple(questions))


def listing(rng: random.Random, size: int) -> Document:
    """Words to be repeated, forwards and backwards; a short list after some facts."""
    words = rng.sample(WORDS, rng.choice([size, 2 * size, 39 if size > 4 else 3 * size]))
    facts, _ = _facts(rng, rng.randint(0, size - 2) if len(words) <= 2 * size else 0)
    again = ("Say that again.", f"I say: {' '.join(words)}.")
    backwards = ("Say that backwards.", f"I say: {' '.join(reversed(words))}.")
    questions = [again, backwards]
    rng.shuffle(questions)
    return Document(" ".join(["A story.", *facts, f"The words are: {' '.join(words)}."]), tuple(questions))


def small_talk(rng: random.Random, _: int) -> Document:
    """The fixed questions in any order."""
    questions = list(SMALL_TALK.items())
    rng.shuffle(questions)
    return Document("", tuple(questions))


def _facts(rng: random.Random, count: int) -> tuple[list[str], list[tuple[str, str]]]:
    """Up to 8 facts, and for each a question with its answer."""
    columns = [rng.sample(words, count) for words in (THINGS, PLACES, NAMES, NAMES, NAMES, NAMES)]
    facts, questions = [], []
    for thing, place, owner, giver, taker, goer in zip(*columns, strict=True):
        match rng.randrange(3):
            case 0:
                facts.append(f"{owner} has the {rng.choice(COLOURS)} {thing}.")
                questions.append((f"What does {owner} have?", f"I think {facts[-1]}"))
            case 1 if giver != taker:
                facts.append(f"{giver} gave the {thing} to {taker}.")
                by_giver = (f"Who gave the {thing}?", f"The {thing} came from {giver}.")
                by_taker = (f"Who got the {thing}?", f"The {thing} went to {taker}.")
                questions.append(rng.choice([by_giver, by_taker]))
            case _:
                facts.append(f"{goer} went to the {place}.")
                questions.append((f"Where is {goer}?", f"I think {facts[-1]}"))
    return facts, questions


KINDS: dict[Callable[[random.Random, int], Document], int] = {story: 10, queue: 4, listing: 5, small_talk: 1}


def documents(seed: int, size: int = 7) -> Iterator[Document]:
    """Documents without end, of at most `size` facts; the numbers in `KINDS` are the shares of each sort."""
    rng = random.Random(seed)
    while True:
        (kind,) = rng.choices(list(KINDS), list(KINDS.values()))
        yield kind(rng, size)
