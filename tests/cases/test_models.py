"""The model suite: its answers are the reference's, its training can be repeated, its checks can fail."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runner.check import Mismatch, NothingTested
from runner.importing import import_suite_module
from runner.model import Case, DeviceReport

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "suites/models"
_MINUTE = pytest.mark.nightly("a minute of what the smaller ones show")
TINY = MODELS / "tiny"
ANSWERS = json.loads((TINY / "answers.json").read_text(encoding="utf-8"))


def module(name: str) -> Any:
    return import_suite_module(MODELS, name)


@pytest.mark.parametrize("name", ANSWERS)
def test_a_committed_answer_is_the_references_own(name: str) -> None:
    """By one pass along prompt and answer: each id is the greedy choice there."""
    entry = ANSWERS[name]
    ids = entry["ids"]
    config, arrays = module("weights").load(TINY)
    tokenizer = module("bpe").Tokenizer.load(TINY)
    prompt = tokenizer.encode(entry["prompt"])
    logits = module("reference").forward(config, arrays, [*prompt, *ids[:-1]]).logits[len(prompt) - 1 :]
    assert logits.argmax(axis=1).tolist() == ids
    assert ids.index(tokenizer.end) == len(ids) - 1
    assert tokenizer.decode(ids[:-1]) == entry["text"]
    second, first = np.partition(logits, -2, axis=1)[:, -2:].T
    assert round(float((first - second).min()), 2) == entry["smallest_lead"] >= 1
    assert len(prompt) == entry["prompt_tokens"] >= (8 if name == "hello" else 40)


def test_the_published_files_spelling_loads_as_the_same_model(tmp_path: Path) -> None:
    """A prefix, boolean masks, the tied head again, half precision; and a missing parameter is named."""
    weights = module("weights")
    config, arrays = weights.load(TINY)
    spelt = {f"transformer.{name}": array for name, array in arrays.items()}
    masks = {"transformer.h.0.attn.bias": np.ones((1, 1, 4, 4), bool), "lm_head.weight": arrays["wte.weight"]}
    weights.save(tmp_path, config, spelt | masks)
    again_config, again = weights.load(tmp_path)
    assert again_config == config
    assert again.keys() == arrays.keys()
    assert all(np.array_equal(again[name], arrays[name]) for name in arrays)
    weights.save(tmp_path, config, {name: array.astype(np.float16) for name, array in arrays.items()})
    assert weights.load(tmp_path)[1]["wte.weight"].dtype == np.float32
    weights.save(tmp_path, config, {name: array for name, array in arrays.items() if name != "h.1.ln_2.bias"})
    with pytest.raises(ValueError, match=r"h\.1\.ln_2\.bias: shape None"):
        weights.load(tmp_path)


def test_the_talks_prompt_gets_the_talks_answer() -> None:
    assert ANSWERS["hello"]["prompt"] == "Hello, how are you?"
    assert ANSWERS["hello"]["text"] == "\n\nI'm a little bit of a nerd."


def test_exchanged_words_get_another_answer() -> None:
    first, second = ANSWERS["taker"], ANSWERS["exchanged"]
    words = [sorted(re.findall(r"\w+", entry["prompt"])) for entry in (first, second)]
    assert words[0] == words[1]
    assert first["prompt"] != second["prompt"]
    assert first["text"] != second["text"]


@pytest.mark.parametrize("text", ["Hello, how are you?", " two  spaces\n\n\ttab", "naïve 漢字 \U0001f600", "it's 42%"])
def test_the_tokenizer_gives_back_what_it_was_given(text: str) -> None:
    tokenizer = module("bpe").Tokenizer.load(TINY)
    assert tokenizer.decode(tokenizer.encode(text)) == text


@pytest.mark.root
@pytest.mark.nightly("the weights that the suite uses are committed; only their maker is tried here, twice")
def test_the_same_seed_trains_the_same_weights(tmp_path: Path) -> None:
    """Three steps of a minute model; the shipped one takes the same path for 2,000."""
    for name in ("a", "b"):
        words = ["-m", "suites.models.train", "--steps", "3", "--shape", "1", "1", "8", "--out"]
        subprocess.run(
            [sys.executable, *words, str(tmp_path / name)],
            cwd=ROOT,
            check=True,
            capture_output=True,
            env={**os.environ, "DEV": "CPU", "XDG_CACHE_HOME": str(tmp_path / f"cache-{name}")},
        )
    assert (tmp_path / "a/model.safetensors").read_bytes() == (tmp_path / "b/model.safetensors").read_bytes()
    for name in ("vocab.json", "merges.txt"):
        assert (tmp_path / "a" / name).read_bytes() == (TINY / name).read_bytes()


def one_weight(arrays: dict[str, Any]) -> None:
    arrays["h.1.mlp.c_fc.weight"][3, 5] += 0.5


def exchanged_heads(arrays: dict[str, Any]) -> None:
    width = arrays["h.1.attn.c_attn.weight"].shape[0]
    values = arrays["h.1.attn.c_attn.weight"][:, 2 * width :]
    values[...] = np.roll(values, width // 2, axis=1)


_HEADS = pytest.mark.nightly("the layer is the one that one weight shows")


def shifted_positions(arrays: dict[str, Any]) -> None:
    arrays["wpe.weight"] = np.roll(arrays["wpe.weight"], 1, axis=0)


@pytest.mark.parametrize(
    ("corrupt", "layer"),
    [(one_weight, "h.1"), pytest.param(exchanged_heads, "h.1", marks=_HEADS), (shifted_positions, "embedding")],
)
def test_a_device_that_computes_another_model_is_red_and_its_layer_named(
    opened: tuple[Any, DeviceReport], corrupt: Callable[[dict[str, Any]], None], layer: str
) -> None:
    """Only the prompt, with two of its layers: each additional token and layer costs compilation."""
    device, _ = opened
    device.tinygrad()
    config, arrays = module("weights").load(TINY)
    config = replace(config, n_layer=2)
    wrong = {name: np.array(array) for name, array in arrays.items()}
    corrupt(wrong)
    prompt = module("bpe").Tokenizer.load(TINY).encode(ANSWERS["hello"]["prompt"])
    forward = partial(module("reference").forward, config, arrays)
    agreement = module("agreement")
    loaded = agreement.Loaded(module("gpt2").GPT2(config, wrong), forward, config.vocab_size)
    (run,) = agreement.decode(loaded, [prompt], 1)
    with pytest.raises(Mismatch, match=rf"^value: step 0 (token|logits) \({layer} diverges first"):
        agreement.require_reference_tokens(loaded, run)


@pytest.mark.parametrize("name", ["small", "half", "llama", pytest.param("full", marks=_MINUTE)])
def test_a_seeds_answer_is_the_references_own_and_leads_clearly(name: str) -> None:
    """By one pass along prompt and answer: each id is the greedy choice there, by `least` and by more than the errors."""
    seeds, rounding = module("seeds"), module("rounding")
    spec, entry = seeds.SPECS[name], seeds.entries()[name]
    forward, leads = forwards(spec.model, entry["seed"]), []
    assert len(entry["rows"]) == spec.rows
    for row in entry["rows"]:
        ids = row["ids"]
        assert (len(row["prompt"]), len(ids)) == (spec.length, spec.steps)
        assert len(set(ids)) >= spec.distinct * spec.steps
        logits = forward([*row["prompt"], *ids[:-1]], rounding.EXACT).logits[spec.length - 1 :]
        assert logits.argmax(axis=1).tolist() == ids
        second, first = np.partition(logits, -2, axis=1)[:, -2:].T
        leads.append(float((first - second).min()))
    assert round(min(leads), 4) == entry["smallest_lead"] > spec.least
    if name != "full":  # a minute
        ids = [*entry["rows"][0]["prompt"], *entry["rows"][0]["ids"][:-1]]
        want = forward(ids, rounding.EXACT).outputs
        allowed = rounding.tolerances(lambda r: forward(ids, r).outputs, want)["head"]
        assert 2 * allowed < spec.least


def forwards(model: Any, seed: int) -> Callable[[list[int], Any], Any]:
    """The reference of a model of seeds.py."""
    if hasattr(model, "config"):
        arrays = module("weights").seeded(model.config, seed, model.deviation)
        return partial(module("reference").forward, model.config, arrays)
    reference, file = module("llama.reference"), module("llama.file")
    return partial(reference.forward, model.shape, reference.arrays(file.quantised(model.shape, seed)))


def test_a_published_models_folder_decides_what_it_must_answer(opened: tuple[Any, DeviceReport]) -> None:
    published = module("trained").PUBLISHED
    (talk,) = published[12, 12, 768]
    assert talk == ("Hello, how are you?", "\n\nI'm a little bit of a nerd.", 11)
    assert [prompt + text for prompt, text, _ in published[24, 16, 1024]] == [
        "Hello. I'm a little late to the party, but",
        "What is the answer to life, the universe, and everything?\n\nThe answer is that we are all one",
    ]
    device, _ = opened
    device.gpt2_weights = TINY
    try:
        with pytest.raises(NothingTested, match="neither gpt2 nor gpt2-medium"):
            module("run").run(device, Case("models/gpt2/real/published", "trained.published"))
    finally:
        device.gpt2_weights = None


def test_a_tolerance_that_admits_anything_tests_nothing() -> None:
    rounding = module("rounding")
    huge = {"x": np.array([1.0, 2.0])}
    with pytest.raises(NothingTested, match="x may err"):
        rounding.tolerances(lambda r: {"x": r(huge["x"] + 1e9) - 1e9}, huge)
    with pytest.raises(NothingTested, match="x may err by 0 "):
        rounding.tolerances(lambda _: huge, huge)


def test_blocks_mean_what_the_format_says() -> None:
    """Blocks packed by hand: the lowest index first, low halves before high ones."""
    decode = module("llama.blocks").decode
    two = np.float16(2).tobytes()

    def values(kind: str, raw: bytes) -> list[float]:
        return list(decode(kind, np.frombuffer(raw, np.uint8)).tolist())

    nibbles = bytes(i | (15 - i) << 4 for i in range(16))
    up, down = list(range(16)), list(range(15, -1, -1))
    assert values("Q4_0", two + nibbles) == [2.0 * (q - 8) for q in up + down]
    assert values("Q4_1", two + np.float16(-3).tobytes() + nibbles) == [2.0 * q - 3 for q in up + down]
    fifth = (0x80000001).to_bytes(4, "little")  # of the first and of the last
    quants = [16, *range(1, 16), *range(15, 0, -1), 16]
    assert values("Q5_0", two + fifth + nibbles) == [2.0 * (q - 16) for q in quants]
    assert values("Q5_1", two + np.float16(1).tobytes() + fifth + nibbles) == [2.0 * q + 1 for q in quants]
    assert values("Q8_0", two + bytes(range(240, 256)) + bytes(16)) == [2.0 * q for q in range(-16, 0)] + [0.0] * 16
    codes = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
    signed = codes + [-c for c in codes]
    assert values("MXFP4", bytes([128]) + nibbles) == [2.0 * c for c in signed + signed[::-1]]
    scales, minima = [1, 2, 3, 4, 17, 34, 51, 63], [5, 6, 7, 8, 62, 45, 28, 11]
    packed = [scales[j] | scales[j + 4] >> 4 << 6 for j in range(4)]
    packed += [minima[j] | minima[j + 4] >> 4 << 6 for j in range(4)]
    packed += [scales[j + 4] & 15 | (minima[j + 4] & 15) << 4 for j in range(4)]
    head = two + np.float16(1).tobytes() + bytes(packed)
    fours = bytes([0x21] * 32 + [0x43] * 32 + [0x65] * 32 + [0x87] * 32)  # sub-block j holds j + 1
    want = [2.0 * s * (j + 1) - m for j, (s, m) in enumerate(zip(scales, minima, strict=True)) for _ in range(32)]
    assert values("Q4_K", head + fours) == want
    high = bytes([0b10101010] * 32)  # sub-blocks 1, 3, 5, 7
    want = [w + 2.0 * scales[i // 32] * 16 * (i // 32 % 2) for i, w in enumerate(want)]
    assert values("Q5_K", head + high + fours) == want
    sixth = bytes([0x21] * 64 + [0x43] * 64) + bytes([0b11100100] * 64) + bytes(range(1, 17)) + two
    low = [1, 1, 2, 2, 3, 3, 4, 4]  # by 32 values
    want = [2.0 * (i // 16 + 1) * (low[i // 32] + 16 * (i // 32 % 4) - 32) for i in range(256)]
    assert values("Q6_K", sixth) == want


def test_the_classifiers_gradients_are_those_of_differences() -> None:
    """Both sides in float64, by the loss only."""
    reference, rounding = module("classifier.reference"), module("rounding")
    rng = np.random.default_rng(0)
    shapes = {"conv1": (8, 3, 3, 3), "conv2": (16, 8, 3, 3), "conv3": (16, 16, 3, 3), "head": (10, 16)}
    w = {f"{name}.weight": rng.normal(0, 0.3, shape) for name, shape in shapes.items()} | {"head.bias": rng.normal(size=10)}
    for name, size in (("norm1", 8), ("norm2", 16), ("norm3", 16)):
        w |= {f"{name}.weight": 1 + rng.normal(0, 0.1, size), f"{name}.bias": rng.normal(0, 0.1, size)}
        w |= {f"{name}.running_mean": np.zeros(size), f"{name}.running_var": np.ones(size)}
    x, labels = rng.normal(size=(4, 3, 8, 8)), rng.integers(0, 10, 4)

    def step(weights: dict[str, Any]) -> Any:
        return reference.train(weights, {}, x, labels, 1.0, 0.0, 0.0, rounding.EXACT)

    new, _, _ = step(w)
    for name in ("conv1.weight", "norm1.bias", "conv2.weight", "norm2.weight", "conv3.weight", "head.weight"):
        at = tuple(int(rng.integers(n)) for n in w[name].shape)
        sides = []
        for by in (1e-6, -1e-6):
            moved = w[name].copy()
            moved[at] += by
            sides.append(float(step({**w, name: moved})[2][0]))
        assert (w[name] - new[name])[at] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-4, abs=1e-9)


def test_every_channel_of_the_classifier_is_alive(opened: tuple[Any, DeviceReport]) -> None:
    """One that is zero wherever a picture could be seen would hide its weights."""
    device, _ = opened
    device.tinygrad()
    run, reference = module("classifier.run"), module("classifier.reference")
    weights = module("parameters").seed(module("classifier.model").Classifier(), run.SEED)
    _, kept = reference._forward(weights, run._data()[0].astype(np.float64), module("rounding").EXACT, False)
    assert min((kept[name] > 0).mean(axis=(0, 2, 3)).min() for name in ("a", "inner", "c")) >= 0.25
