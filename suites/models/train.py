"""Train the small model that this suite ships, and write its answers.

    DEV=CPU NUM_CPU_THREADS=1 python -m suites.models.train --out FOLDER
    DEV=CPU python -m suites.models.train --out FOLDER --answers

The first needs clang and some 20 minutes of one core. The corpus, the first weights and the order of the
documents depend only on the seed, so that one machine makes the same bytes again. Another processor may not:
tinygrad compiles for the processor it runs on, whose vector width and fused multiply-add change the rounding.
"""

import argparse
import itertools
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tinygrad import Tensor, TinyJit
from tinygrad.helpers import Context
from tinygrad.nn.optim import AdamW

from . import answers, bpe, corpus, weights
from .gpt2 import GPT2

Ids = NDArray[np.int32]
SHAPE = (3, 2, 64)  # layers, heads, width
POSITIONS = 128
LEARNING_RATE = 3e-3
WARM_UP = 50  # steps
WEIGHT_DECAY = 0.1
GRADIENT_NORM = 1.0  # larger gradients are scaled down to it
REPORT = 50  # steps
IGNORED = -100


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the training. Short documents first: attention finds the right word sooner among few."""

    first: int  # step
    size: int  # of the documents, see corpus
    rows: int  # of a batch
    length: int  # tokens of a row


STAGES = (Stage(0, 3, 64, 64), Stage(300, 7, 32, POSITIONS))


def encode(document: corpus.Document, tokenizer: bpe.Tokenizer, length: int) -> tuple[Ids, Ids]:
    """(inputs, targets) of one row. Targets are IGNORED outside the answers."""
    ids = tokenizer.encode(document.context)
    targets = [IGNORED] * len(ids)
    for i, (question, answer) in enumerate(document.questions):
        prompt = tokenizer.encode(f" {question}" if document.context or i else question)
        reply = [*tokenizer.encode(f"\n\n{answer}"), tokenizer.end]
        ids += prompt + reply
        targets += [IGNORED] * len(prompt) + reply
    ids, targets = ids[: length + 1], targets[: length + 1]
    ids += [tokenizer.end] * (length + 1 - len(ids))
    targets += [IGNORED] * (length + 1 - len(targets))
    return np.array(ids[:-1], dtype=np.int32), np.array(targets[1:], dtype=np.int32)


def batches(seed: int, tokenizer: bpe.Tokenizer, stage: Stage) -> Iterator[tuple[Ids, Ids]]:
    """(inputs, targets), each (rows, length), without end."""
    texts = corpus.documents(seed, stage.size)
    while True:
        rows = [encode(document, tokenizer, stage.length) for document in itertools.islice(texts, stage.rows)]
        yield np.stack([inputs for inputs, _ in rows]), np.stack([targets for _, targets in rows])


def first_weights(config: weights.Config, seed: int) -> dict[str, NDArray[np.float32]]:
    """GPT-2's initialisation, with a deviation that suits a narrow model, and `waves` for the positions."""
    rng = np.random.default_rng(seed)
    arrays = {}
    for name, shape in weights.shapes(config).items():
        if name.endswith("bias"):
            values = np.zeros(shape)
        elif "ln_" in name:
            values = np.ones(shape)
        elif name == "wpe.weight":
            values = 0.3 * waves(*shape)
        else:
            deviation = 0.1 / math.sqrt(2 * config.n_layer) if "c_proj" in name else 0.1
            values = rng.normal(0, deviation, shape)
        arrays[name] = values.astype(np.float32)
    return arrays


def waves(length: int, width: int) -> NDArray[np.float64]:
    """Sines and cosines of the position, as in "Attention Is All You Need" (2017), section 3.5.

    With them, heads that look a fixed number of words back form sooner than with noise. They are only the start: they
    are trained like every parameter.
    """
    angle = np.arange(length)[:, None] / 1000 ** (np.arange(0, width, 2) / width)
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1)


def rate(step: int, steps: int) -> float:
    """The learning rate: a linear rise, then a cosine to a hundredth."""
    if step < WARM_UP:
        return LEARNING_RATE * (step + 1) / WARM_UP
    done = (step - WARM_UP) / max(1, steps - WARM_UP)
    return LEARNING_RATE * (0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2)


def train(
    config: weights.Config, tokenizer: bpe.Tokenizer, seed: int, steps: int
) -> Iterator[dict[str, NDArray[np.float32]]]:
    """The weights at every REPORT-th step and at the end."""
    model = GPT2(config, first_weights(config, seed))
    parameters = [parameter.is_param_(True) for parameter in model.parameters.values()]
    optimizer = AdamW(parameters, lr=LEARNING_RATE, b2=0.98, weight_decay=WEIGHT_DECAY)

    def learn(inputs: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        with Context(TRAINING=1):
            optimizer.zero_grad()
            logits = model.head(model.forward(inputs)[-1])
            loss = logits.sparse_categorical_crossentropy(targets, ignore_index=IGNORED)
            right = ((logits.argmax(-1) == targets) * (targets >= 0)).sum() / (targets >= 0).sum()
            loss.backward()
            norm = sum(parameter.grad.square().sum() for parameter in parameters).sqrt().contiguous()
            for parameter in parameters:
                parameter.grad = parameter.grad * (GRADIENT_NORM / norm).minimum(1)
            return loss.realize(right, *optimizer.schedule_step()), right

    began = time.monotonic()
    for step in range(steps):
        for stage in STAGES:
            if step == stage.first:  # other shapes: other kernels
                source, run = batches(seed + stage.first, tokenizer, stage), TinyJit(learn)
        inputs, targets = next(source)
        optimizer.lr.assign(Tensor([rate(step, steps)])).realize()
        loss, right = run(Tensor(inputs), Tensor(targets))
        if (step + 1) % REPORT == 0 or step + 1 == steps:
            figures = f"loss {loss.item():.4f} right {right.item():.4f}"
            print(f"step {step + 1} {figures} {time.monotonic() - began:.0f} s", flush=True)
            yield {name: parameter.numpy() for name, parameter in model.parameters.items()}


def main() -> None:
    """Train, and write the weights and the answers; with --answers write only the answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", action="store_true", help="train nothing, write only answers.json")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "tiny")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--shape", type=int, nargs=3, default=SHAPE, metavar=("LAYERS", "HEADS", "WIDTH"))
    arguments = parser.parse_args()
    if arguments.answers:
        answers.write(arguments.out)
        return
    sample = itertools.islice(corpus.documents(arguments.seed), 2000)
    text = "\n".join(f"{d.context} {q}\n\n{a}" for d in sample for q, a in d.questions)
    tokenizer = bpe.learn(text)
    config = weights.Config(*arguments.shape, n_positions=POSITIONS, vocab_size=len(tokenizer.vocabulary))  # type: ignore[misc]
    print(config)
    tokenizer.save(arguments.out)
    for arrays in train(config, tokenizer, arguments.seed, arguments.steps):
        weights.save(arguments.out, config, arrays)


if __name__ == "__main__":
    main()
