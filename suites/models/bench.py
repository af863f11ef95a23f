"""GPT-2 on one device: the cost of a token once its kernels are compiled, and of the work before that.

The workload of `runner bench gpt2`, imported only in a bench child. The model is the suite's, decoded greedily with its
KV cache and TinyJit, one sequence; every step reads back the values that the suite compares.
"""

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import bpe, weights
from .gpt2 import GPT2

TALK = "Hello, how are you?"
TALK_IDS = [15496, 11, 703, 389, 345, 30]  # in GPT-2's own vocabulary
FULL_SIZE: dict[str, Any] = {"n_layer": 12, "n_head": 12, "n_embd": 768, "n_positions": 1024, "vocab_size": 50257}
COMPILING = 2  # steps until TinyJit replays: one plain call, one that captures


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Measure `tokens` greedy tokens (at least COMPILING + 2) of the model `size` or of the folder `gpt2_weights`.

    `load` is the time to read the weights from their file, if they have one, and to copy them to the device; `first
    token` is that of the prompt, with the compilation of its kernels. Peak memory is the process' resident memory.
    """
    from tinygrad.device import Device
    from tinygrad.helpers import GlobalCounters

    folder = Path(request["gpt2_weights"]) if request["gpt2_weights"] else Path(__file__).with_name("tiny")
    seeded = request["size"] == "124M" and not request["gpt2_weights"]
    generated = _seeded(request["seed"]) if seeded else None
    begun_s = time.monotonic()
    config, arrays = generated or weights.load(folder)
    model = GPT2(config, arrays)
    device: Any = Device[Device.DEFAULT]
    device.synchronize()
    load_s = time.monotonic() - begun_s
    prompt = TALK_IDS
    if (folder / "vocab.json").is_file() and not seeded:
        prompt = bpe.Tokenizer.load(folder).encode(TALK)

    begun_s = time.monotonic()
    ids = [_token(model.prompt([prompt]))]
    first_s = time.monotonic() - begun_s
    steps_s: list[float] = []
    cpu_s = wall_s = 0.0
    for number in range(request["tokens"] - 1):
        kernels = GlobalCounters.kernel_count
        busy_s, begun_s = time.process_time(), time.monotonic()
        ids.append(_token(model.step([ids[-1]], len(prompt) + number)))
        steps_s.append(time.monotonic() - begun_s)
        if number >= COMPILING:
            wall_s += steps_s[-1]
            cpu_s += time.process_time() - busy_s
    steady_ms = [1000 * s for s in steps_s[COMPILING:]]
    return {
        "ids": ids,
        "kernels_per_token": GlobalCounters.kernel_count - kernels,
        "buffers_bytes": GlobalCounters.mem_used,
        "cores": len(os.sched_getaffinity(0)),
        "measures": [
            {"name": "time per token", "unit": "ms", "samples": steady_ms},
            {"name": "tokens per second", "unit": "1/s", "samples": [1000 / ms for ms in steady_ms]},
            {"name": "CPU load", "unit": "cores", "samples": [cpu_s / wall_s]},
            {"name": "peak memory", "unit": "MiB", "samples": [peak_memory_bytes() / (1 << 20)]},
            {"name": "load", "unit": "s", "samples": [load_s]},
            {"name": "first token", "unit": "s", "samples": [first_s]},
            {"name": "second token", "unit": "s", "samples": steps_s[:1]},
        ],
    }


def peak_memory_bytes() -> int:
    """The peak resident memory of this process. (getrusage would include its parent's before the exec.)"""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    return 0


def _token(outs: list[NDArray[Any]]) -> int:
    return int(outs[0].reshape(-1)[0])


def _seeded(seed: int) -> tuple[Any, dict[str, NDArray[np.float32]]]:
    """The 124M model's shape with weights as at the start of training: normal, deviation 0.02; norms near 1."""
    config, rng = weights.Config(**FULL_SIZE), np.random.default_rng(seed)
    arrays = {}
    for name, shape in weights.shapes(config).items():
        arrays[name] = np.float32(0.02) * rng.standard_normal(shape, np.float32)
        if ".ln_" in f".{name}" and name.endswith("weight"):
            arrays[name] += 1
    return config, arrays
