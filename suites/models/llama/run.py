"""LLaMA and the quantised blocks of its file, read on the device by tinygrad's gguf_load."""

import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from .. import seeds
from ..agreement import Loaded, decode, require_reference_tokens
from ..rounding import SINGLE
from . import blocks, file, reference

VALUES = 256 * 24  # of a tensor of one format: several work-groups, and whole blocks of every format
_WITH_MINIMA = ("Q4_1", "Q5_1", "Q4_K", "Q5_K")
_loaded: dict[str, Loaded] = {}


def read(tensors: file.Tensors, metadata: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The metadata and the tensors as tinygrad reads them from a file: expressions of its bytes on the device."""
    from tinygrad import Tensor

    try:
        from tinygrad.llm.gguf import gguf_load
    except ModuleNotFoundError:  # before 0.13
        from tinygrad.nn.state import gguf_load

    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.gguf"
        path.write_bytes(file.contents(tensors, metadata))
        return gguf_load(Tensor(path).to(None).realize())


def load(device: Device, name: str) -> Loaded:
    """The model of seeds.json, its weights decoded on the device."""
    if name not in _loaded:
        device.tinygrad()
        from .model import Llama

        model: Any = seeds.SPECS[name].model
        shape = model.shape
        tensors = file.quantised(shape, seeds.entries()[name]["seed"])
        begun = time.monotonic()
        _, packed = read(tensors, file.metadata(shape))
        parameters = {key: tensor.float().contiguous().realize() for key, tensor in packed.items()}
        _loaded[name] = Loaded(
            Llama(shape, parameters),
            partial(reference.forward, shape, reference.arrays(tensors)),
            shape.vocabulary,
            load_s=time.monotonic() - begun,
        )
    return _loaded[name]


def check_format(device: Device, *, format: str) -> None:
    """Random blocks of one format among others in a file: every value, and the file's metadata.

    In float32 the products of scales and quants are exact, because they have at most 23 bits; if a minimum is
    added, the sum is rounded once.
    """
    device.tinygrad()
    tensors: dict[str, Any] = {"before": ("F32", (7,), device.rng.integers(1, 64, 28).astype(np.uint8))}
    tensors["tested"] = (format, (VALUES // 256, 256), blocks.draw(device.rng, format, VALUES, 1.0))
    metadata = {"general.name": "blocks", "count": 3, "share": 0.25, "words": ["a", "", "ä"]}
    found, parameters = read(tensors, metadata)
    check.true("metadata", found == metadata)
    for name, (written, dims, data) in tensors.items():
        want = blocks.decode(written, data).reshape(dims)
        got = parameters[name].float().numpy()
        check.close(name, got, want, rtol=SINGLE if written in _WITH_MINIMA else 0)


def check_answer(device: Device, *, model: str) -> None:
    """A prompt answered with cache and TinyJit: every id and every logit."""
    loaded = load(device, model)
    for row in seeds.entries()[model]["rows"]:
        (run,) = decode(loaded, [row["prompt"]], len(row["ids"]))
        require_reference_tokens(loaded, run)
        check.equal("ids", run.tokens, row["ids"])


def check_own(device: Device, *, model: str) -> None:
    """tinygrad.llm's own model on the same file, in its half precision: the same ids."""
    tinygrad = device.tinygrad()
    from tinygrad.llm.model import Transformer

    spec: Any = seeds.SPECS[model].model
    shape = spec.shape
    entry = seeds.entries()[model]
    raw = file.contents(file.quantised(shape, entry["seed"]), file.metadata(shape))
    network, _ = Transformer.from_gguf(tinygrad.Tensor(np.frombuffer(raw, np.uint8).copy()), shape.positions)
    for row in entry["rows"]:
        steps = min(len(row["ids"]), shape.positions - len(row["prompt"]))
        ids = [int(token) for _, token in zip(range(steps), network.generate(list(row["prompt"])), strict=False)]
        check.equal("ids", ids, row["ids"][:steps])
