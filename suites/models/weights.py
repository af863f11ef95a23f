"""A GPT-2 model folder in Hugging Face's layout: config.json and model.safetensors, as numpy arrays."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file


@dataclass(frozen=True, slots=True)
class Config:
    """The keys of config.json that determine the shape of the model."""

    n_layer: int
    n_head: int
    n_embd: int
    n_positions: int
    vocab_size: int
    layer_norm_epsilon: float = 1e-5
    tie_word_embeddings: bool = True  # the head is the token embedding, else it is `lm_head.weight`


def shapes(config: Config) -> dict[str, tuple[int, ...]]:
    """Every parameter by name. The four projections of a block are [in, out], as Conv1D stores them."""
    d = config.n_embd
    found: dict[str, tuple[int, ...]] = {}
    found |= {"wte.weight": (config.vocab_size, d), "wpe.weight": (config.n_positions, d)}
    for layer in range(config.n_layer):
        h = f"h.{layer}"
        for norm in ("ln_1", "ln_2"):
            found |= {f"{h}.{norm}.weight": (d,), f"{h}.{norm}.bias": (d,)}
        attention = {"attn.c_attn": (d, 3 * d), "attn.c_proj": (d, d)}
        feed_forward = {"mlp.c_fc": (d, 4 * d), "mlp.c_proj": (4 * d, d)}
        for name, shape in (attention | feed_forward).items():
            found |= {f"{h}.{name}.weight": shape, f"{h}.{name}.bias": shape[1:]}
    found |= {"ln_f.weight": (d,), "ln_f.bias": (d,)}
    return found if config.tie_word_embeddings else found | {"lm_head.weight": (config.vocab_size, d)}


def seeded(config: Config, seed: int, deviation: float) -> dict[str, NDArray[np.float32]]:
    """Normal weights of a standard deviation; norms and biases about 1 and 0, but none exactly.

    Every value is also a float16, so that a model in half precision has the same weights.
    """
    rng = np.random.default_rng(seed)
    arrays = {}
    for name, shape in shapes(config).items():
        scale = 0.1 if len(shape) == 1 else deviation
        values = rng.standard_normal(shape, dtype=np.float32) * np.float32(scale)
        values += np.float32(len(shape) == 1 and name.endswith("weight"))
        arrays[name] = values.astype(np.float16).astype(np.float32)
    return arrays


def configuration(folder: Path) -> Config:
    """The shape of the model in `folder`."""
    raw = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return Config(**{field.name: raw[field.name] for field in fields(Config) if field.name in raw})


def load(folder: Path) -> tuple[Config, dict[str, NDArray[np.float32]]]:
    """The model in `folder`: its shape, and its parameters in float32 by the names of `shapes`.

    A leading `transformer.` is dropped, and so are the causal masks (`attn.bias`, `attn.masked_bias`) and
    the tied head (`lm_head.weight`) that some files carry. Raises ValueError if a parameter is missing,
    unknown, or of another shape.
    """
    config, arrays = configuration(folder), {}
    for name, array in load_file(folder / "model.safetensors").items():
        name = name.removeprefix("transformer.")
        tied = name == "lm_head.weight" and config.tie_word_embeddings
        if not tied and not name.endswith((".attn.bias", ".attn.masked_bias")):
            arrays[name] = array.astype(np.float32)
    want = shapes(config)
    for name in sorted(want.keys() | arrays.keys()):
        shape = arrays[name].shape if name in arrays else None
        if shape != want.get(name):
            raise ValueError(f"{folder}: {name}: shape {shape}, config.json wants {want.get(name)}")
    return config, arrays


def save(folder: Path, config: Config, arrays: Mapping[str, NDArray[np.floating]]) -> None:
    """Write a folder for `load`; the same arrays give the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"model_type": "gpt2", "activation_function": "gelu_new", **asdict(config)}, indent=2)
    (folder / "config.json").write_text(text + "\n", encoding="utf-8")
    save_file(dict(arrays), folder / "model.safetensors")
