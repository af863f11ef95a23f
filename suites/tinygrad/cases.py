"""The catalogue of the suite, family by family."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path

from runner.model import Case

from .families import FAMILIES

# The methods that not every supported release of tinygrad has, and the first that has them: generated, and compared
# with the releases, by tests/test_tinygrad_releases.py.
SINCE = Path(__file__).parent / "since.json"
# What an older release refuses or defines otherwise, on its CPU as well: glob -> the first release that has it as the
# cases do. The first glob that matches counts.
CHANGED = {
    "activation/gelu.*.exact*": "0.13",  # approximate=...
    "binary/[lr]shift.*": "0.13",  # by a tensor
    "compare/allclose.*": "0.13",  # a tensor, not a bool
    "creation/*": "0.13",  # clone(device=...), of what has no device
    "index/masked_select.*": "0.13",  # size, fill_value
    "index/stored_at.*": "0.13",
    "interop/*": "0.13",  # UOp.from_buffer
    "movement/diagonal.*": "0.13",  # of a matrix that is not square
    "movement/pad_to.*": "0.14",  # value=...
    "movement/nothing": "0.14",  # max_numel
    # Context(TRAINING=...): Tensor.training until then
    **dict.fromkeys(
        (
            "nn/dropout.*",
            "attention/dropout*",
            "layer/batchnorm_training.*",
            "optimiser/*",
            "training/*",
            "random/dropout.*",
        ),
        "0.14",
    ),
    "random/*": "0.13",  # the counters of its generator
}


def cases() -> Iterator[Case]:
    """Every case of the suite, with the release of tinygrad that it requires where that is not the oldest."""
    since: dict[str, str] = json.loads(SINCE.read_text(encoding="utf-8"))
    for family in FAMILIES:
        for case in import_module(f".{family}.cases", __package__).cases():
            changed = (first for glob, first in CHANGED.items() if fnmatchcase(case.id, f"tinygrad/{glob}"))
            if first := next(changed, None) or since.get(case.params.get("op", "")):
                yield replace(case, requires=(*case.requires, f"tinygrad>={first}"))
            else:
                yield case
