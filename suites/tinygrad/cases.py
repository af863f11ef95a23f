"""The catalogue of the suite, family by family."""

import json
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path

from runner.model import Case

from .families import FAMILIES

# The public methods and operators of Tensor, each with the first release of tinygrad that has it, "" if all supported
# releases do: generated, and compared with the releases, by tests/cases/test_tinygrad_releases.py.
SINCE = Path(__file__).parent / "since.json"
# What an older release refuses or defines otherwise, on its CPU as well: glob -> the first release that behaves as the
# cases expect. The first glob that matches counts.
CHANGED = {
    "activation/gelu.*.exact*": "0.13",  # approximate=...
    # for prime sizes the search of 0.12 finds only one kernel
    "beam/hashed.*": "0.13",
    "beam/shared_ranges.*": "0.13",
    "binary/[lr]shift.*": "0.13",  # by a tensor
    "cast/float8.*": "0.13",  # in C without such a type
    "compare/allclose.*": "0.13",  # a tensor, not a bool
    "creation/constant.*.minus_0*": "0.13",  # a constant by itself, not the 0 of another kernel
    "creation/likes.*": "0.13",  # const_like
    "image/conv2d.*": "0.13",  # Context(FLOAT16=...)
    "image/matmul.*": "0.13",  # the same
    # images of operands that are not multiplied
    "image/padded.*": "0.13",
    "image/program.unaligned_copy": "0.13",
    "image/scaled.*": "0.13",
    "image/summed.*": "0.13",
    "image/turned.*": "0.13",
    "index/masked_select.*": "0.13",  # size, fill_value
    "index/stored.float32.*": "0.13",  # with what follows in one kernel: until then computed at once, with no gradient
    "interop/*": "0.13",  # UOp.from_buffer
    # positions between the elements in the result's precision: float32 until then
    "interpolate/interpolate.float32.up*": "0.14",
    "interpolate/interpolate.float64.up*": "0.14",
    "interpolate/interpolate.float32.down*": "0.14",
    "interpolate/interpolate.float32.uneven*": "0.14",
    "interpolate/interpolate.float32.linear1d*": "0.14",
    "jit/refused.read": "0.13",  # accepted until then
    "linalg/qr.*": "0.13",  # computed lazily, not at once
    "memory/__i[lr]shift__.uint32": "0.13",  # by a tensor
    "memory/assign.bitcast": "0.13",  # ignored silently until then: no kernel runs
    "memory/buffers.refused": "0.13",  # a MemoryError
    "memory/lazy.*linear*": "0.13",  # run_linear
    "memory/lazy.backward": "0.13",  # until then also for tensors that did not ask for a gradient
    "memory/lazy.callify": "0.13",  # callify
    "movement/diagonal.*": "0.13",  # of a matrix that is not square
    "movement/nothing": "0.14",  # max_numel
    "movement/pad.*.circular.negative*": "0.14",
    "movement/pad_to.*.around*": "0.14",  # value=...
    "movement/pad_to.*.value*": "0.14",  # the same
    "operator/__*shift__.uint32": "0.13",  # by a tensor
    "optimiser/Muon.*": "0.13",  # one rounding fewer
    # the counters of the generator; the distribution of the numbers stays
    "random/[!dk]*": "0.13",
    "random/distribution.bits": "0.13",
    "random/distribution.multinomial_chosen": "0.13",  # more than one, without replacement
    "random/dropout.*": "0.13",
    "random/kaiming_*": "0.13",
    "reduce/allclose.*": "0.13",  # a tensor, not a bool
    "reduce/cummax.*": "0.13",  # its indices as well
    "reduce/logsumexp.*.outer*": "0.13",  # over several axes
}


def cases() -> Iterator[Case]:
    """Every case of the suite, with the release of tinygrad that it requires if that is not the oldest."""
    since: dict[str, str] = json.loads(SINCE.read_text(encoding="utf-8"))
    by_area: dict[str, list[tuple[str, str]]] = {}
    for glob, release in CHANGED.items():
        by_area.setdefault(glob.split("/", 1)[0], []).append((f"tinygrad/{glob}", release))
    for family in FAMILIES:
        for case in import_module(f".{family}.cases", __package__).cases():
            globs = by_area.get(case.id.split("/", 2)[1], ())
            changed = (release for glob, release in globs if fnmatchcase(case.id, glob))
            if first := next(changed, None) or since.get(case.params.get("op", "")):
                yield replace(case, requires=(*case.requires, f"tinygrad>={first}"))
            else:
                yield case
