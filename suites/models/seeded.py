"""GPT-2 with seeded weights, whose logits lie so far apart that every conforming device chooses the same ids.

Each body decodes in a different way; all must give the reference's ids (seeds.json) and logits.
"""

import time
from functools import partial
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from . import reference, seeds, weights
from .agreement import Loaded, Run, decode, require_reference_tokens
from .rounding import HALF, SINGLE

_loaded: dict[tuple[str, int, str, str], Loaded] = {}


def load(device: Device, name: str, batch: int = 1, storage: str = "float32", arithmetic: str = "float32") -> Loaded:
    """A model of seeds.json on the device; kept, because its kernels take seconds to compile."""
    key = (name, batch, storage, arithmetic)
    if key not in _loaded:
        device.tinygrad()
        from .gpt2 import GPT2

        spec, seed = _spec(name), seeds.entries()[name]["seed"]
        arrays = weights.seeded(spec.config, seed, spec.deviation)
        begun = time.monotonic()
        model = GPT2(spec.config, arrays, batch, storage, arithmetic)
        _loaded[key] = Loaded(
            model,
            partial(reference.forward, spec.config, arrays),
            spec.config.vocab_size,
            HALF if arithmetic == "float16" else SINGLE,
            time.monotonic() - begun,
        )
    return _loaded[key]


def _spec(name: str) -> seeds.Gpt2:
    """The entry of a GPT-2: this module's bodies need one. A Llama has its own bodies."""
    spec = seeds.SPECS[name].model
    assert isinstance(spec, seeds.Gpt2)
    return spec


def _rows(name: str, batch: int) -> list[dict[str, Any]]:
    return seeds.entries()[name]["rows"][:batch]


def check_answers(
    device: Device,
    *,
    model: str,
    batch: int = 1,
    way: str = "jit",
    steps: int | None = None,
    storage: str = "float32",
    arithmetic: str = "float32",
) -> None:
    """`batch` prompts, answered greedily by one `way` of decoding; the small model's fill its context completely."""
    loaded = load(device, model, batch, storage, arithmetic)
    rows = _rows(model, batch)
    count = steps or len(rows[0]["ids"])
    runs = decode(loaded, [row["prompt"] for row in rows], count, way=way)
    for row, run in zip(rows, runs, strict=True):
        require_reference_tokens(loaded, run)
        check.equal("ids", run.tokens, row["ids"][:count])


def check_prefill(device: Device, *, model: str) -> None:
    """The prompt and its answer given at once: the logits of every position are the same as one by one."""
    loaded = load(device, model)
    (row,) = _rows(model, 1)
    (run,) = decode(loaded, [[*row["prompt"], *row["ids"][:-1]]], 1)
    require_reference_tokens(loaded, run)
    check.equal("last id", run.tokens, row["ids"][-1:])
    greedy = run.logits[len(row["prompt"]) - 1 :].argmax(axis=1)
    check.equal("ids", greedy, np.array(row["ids"]))


def check_single(device: Device, *, model: str) -> None:
    """No prefill: the cache begins with one id, and all others are appended one by one."""
    loaded = load(device, model)
    (row,) = _rows(model, 1)
    ids = [*row["prompt"], *row["ids"][:-1]]
    (run,) = decode(loaded, [ids[:1]], len(ids), [ids[1:]])
    require_reference_tokens(loaded, run)
    check.equal("ids", run.tokens[len(row["prompt"]) - 1 :], row["ids"])


def check_uncached(device: Device, *, model: str) -> None:
    """No cache: every step computes the whole context again, padded at the end with ids that must not matter."""
    loaded = load(device, model)
    (row,) = _rows(model, 1)
    positions = _spec(model).config.n_positions
    ids, tokens, logits, states = list(row["prompt"]), [], [], []
    for step in range(len(row["ids"])):
        filler = device.rng.integers(0, loaded.vocabulary, positions - len(ids)).tolist()
        network: Any = loaded.model
        _, *out = network.whole([[*ids, *filler]])
        rows = slice(len(ids) - 1 if step else 0, len(ids))
        logits.append(out[0][0, rows])
        states.append(out[1][:, 0, rows])
        tokens.append(int(logits[-1][-1].argmax()))
        if step + 1 < len(row["ids"]):
            ids.append(tokens[-1])
    run = Run(len(row["prompt"]), ids, tokens, np.concatenate(logits), np.concatenate(states, axis=1))
    require_reference_tokens(loaded, run)
    check.equal("ids", run.tokens, row["ids"])


def check_ties(device: Device, *, model: str) -> None:
    """Temperature 0 with equal logits: the first of the largest.

    The last norm gives small integers for any ids, and so does every logit, exactly, in any order of
    summation. The head changes between the steps of one capture.
    """
    loaded = load(device, model)
    network: Any = loaded.model
    config = _spec(model).config
    tinygrad = device.tinygrad()
    bias = device.rng.integers(1, 4, config.n_embd).astype(np.float32)
    before = {}
    last = config.vocab_size - 1
    tied = [(0, last), (last - 1, last), (3, 4, 5), (63, 64), (127, 128, 129), range(last + 1), (last,), (17, 200)]
    try:
        for name, value in {"ln_f.weight": np.zeros_like(bias), "ln_f.bias": bias}.items():
            before[name] = network.parameters[name].numpy()
            network.parameters[name].assign(tinygrad.Tensor(value)).realize()
        before["lm_head.weight"] = network.parameters["lm_head.weight"].numpy()
        for step, places in enumerate(tied):
            head = -device.rng.integers(1, 4, (config.vocab_size, config.n_embd)).astype(np.float32)
            head[list(places)] = device.rng.integers(-1, 2, config.n_embd)  # above the others
            network.parameters["lm_head.weight"].assign(tinygrad.Tensor(head)).realize()
            token, logits, _ = network.prompt([[1, 2, 3, 4, 5, 6, 7, 8]]) if step == 0 else network.step([step], 7 + step)
            want = head.astype(np.int64) @ bias.astype(np.int64)
            check.equal(f"step {step} logits", logits[0, -1], want.astype(np.float32))
            check.equal(f"step {step} token", int(token[0]), int(want.argmax()))
    finally:
        for name, value in before.items():
            network.parameters[name].assign(tinygrad.Tensor(value)).realize()
