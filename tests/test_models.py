"""The model suite: its answers are the reference's, its training can be repeated, its checks can fail."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runner.importing import import_suite_module
from runner.model import DeviceReport

ROOT = Path(__file__).parent.parent
MODELS = ROOT / "suites/models"
TINY = MODELS / "tiny"
ANSWERS = json.loads((TINY / "answers.json").read_text(encoding="utf-8"))


def module(name: str) -> Any:
    return import_suite_module(MODELS, name)


@pytest.mark.parametrize("name", ANSWERS)
def test_a_committed_answer_is_the_references_own(name: str) -> None:
    entry, steps = ANSWERS[name], len(ANSWERS[name]["ids"])
    config, arrays = module("weights").load(TINY)
    tokenizer = module("bpe").Tokenizer.load(TINY)
    prompt = tokenizer.encode(entry["prompt"])
    ids, lead = module("reference").greedy(config, arrays, prompt, steps, tokenizer.end)
    assert ids == entry["ids"] and tokenizer.decode(ids[:-1]) == entry["text"]
    assert round(lead, 2) == entry["smallest_lead"] >= 1
    assert len(prompt) == entry["prompt_tokens"] >= (8 if name == "hello" else 40)


def test_the_published_files_spelling_loads_as_the_same_model(tmp_path: Path) -> None:
    """A prefix, boolean masks, the tied head once more, half precision; and a missing parameter is named."""
    weights = module("weights")
    config, arrays = weights.load(TINY)
    spelt = {f"transformer.{name}": array for name, array in arrays.items()}
    masks = {"transformer.h.0.attn.bias": np.ones((1, 1, 4, 4), bool), "lm_head.weight": arrays["wte.weight"]}
    weights.save(tmp_path, config, spelt | masks)
    again_config, again = weights.load(tmp_path)
    assert again_config == config and again.keys() == arrays.keys()
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
    assert words[0] == words[1] and first["prompt"] != second["prompt"]
    assert first["text"] != second["text"]


@pytest.mark.parametrize(
    "text", ["Hello, how are you?", " two  spaces\n\n\ttab", "naïve 漢字 \U0001f600", "it's 42%"]
)
def test_the_tokenizer_gives_back_what_it_was_given(text: str) -> None:
    tokenizer = module("bpe").Tokenizer.load(TINY)
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_the_same_seed_trains_the_same_weights(tmp_path: Path) -> None:
    """Three steps of a minute model; the shipped one takes the same path for 2,000."""
    for name in ("a", "b"):
        subprocess.run(
            [sys.executable, "-m", "suites.models.train", "--out", str(tmp_path / name), "--steps", "3",
             "--shape", "1", "1", "8"],
            cwd=ROOT, check=True, capture_output=True,
            env={**os.environ, "DEV": "CPU", "XDG_CACHE_HOME": str(tmp_path / f"cache-{name}")},
        )  # fmt: skip
    assert (tmp_path / "a/model.safetensors").read_bytes() == (tmp_path / "b/model.safetensors").read_bytes()
    for name in ("vocab.json", "merges.txt"):
        assert (tmp_path / "a" / name).read_bytes() == (TINY / name).read_bytes()


def one_weight(arrays: dict[str, Any]) -> None:
    arrays["h.1.mlp.c_fc.weight"][3, 5] += 0.5


def exchanged_heads(arrays: dict[str, Any]) -> None:
    width = arrays["h.1.attn.c_attn.weight"].shape[0]
    values = arrays["h.1.attn.c_attn.weight"][:, 2 * width :]
    values[...] = np.roll(values, width // 2, axis=1)


def shifted_positions(arrays: dict[str, Any]) -> None:
    arrays["wpe.weight"] = np.roll(arrays["wpe.weight"], 1, axis=0)


@pytest.mark.parametrize(
    ("corrupt", "layer"), [(one_weight, "h.1"), (exchanged_heads, "h.1"), (shifted_positions, "embedding")]
)
def test_a_device_that_computes_another_model_is_red_and_its_layer_named(
    opened: tuple[Any, DeviceReport], corrupt: Callable[[dict[str, Any]], None], layer: str
) -> None:
    device, _ = opened
    device.tinygrad()
    config, arrays = module("weights").load(TINY)
    wrong = {name: np.array(array) for name, array in arrays.items()}
    corrupt(wrong)
    tokenizer = module("bpe").Tokenizer.load(TINY)
    loaded = module("agreement").Loaded(config, arrays, tokenizer, module("gpt2").GPT2(config, wrong))
    from runner.check import Mismatch

    with pytest.raises(Mismatch, match=rf"^value: step 0 (token|logits) \({layer} diverges first"):
        module("run").answer(loaded, "place")
