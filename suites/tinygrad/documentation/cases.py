"""The catalogue of tinygrad's own examples: those in Tensor's docstrings, counted in examples.json.

tests/cases/test_tinygrad_releases.py counts them again in every release that is installed.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from runner.model import Case

TABLE = Path(__file__).parent / "examples.json"
# These print shapes, sizes and types, or a graph: the device takes no part.
LEFT_OUT = (
    "__getitem__.5 element_size.1 empty.1 is_floating_point.1 nbytes.1 ndim.1 numel.1 permute.1 permute.2 repeat.2 shard.1 "
    "size.1 size.2 squeeze.1 squeeze.2 squeeze.3 unflatten.1 unflatten.2 unflatten.3"
)
# These copy to the device and back, without a kernel. Every other example must launch one (run.py).
COPIES = (
    "all.1 any.1 argmax.1 argmin.1 bitcast.1 bool.1 cast.1 data.1 float.1 gather.1 half.1 int.1 interpolate.1 "
    "masked_select.1 max.1 min.1 nonzero.1 nonzero.3 numpy.1 sort.1 tolist.1 topk.1 tril.1 triu.1"
)


def cases() -> Iterator[Case]:
    """`tinygrad/documentation/<method>.<number>[.noopt]`, numbers from 1 in the order of the docstring.

    All examples of a method go to one worker, which computes tinygrad's own answers once for both variants. Other families
    run the operations without the optimiser earlier: here that is for the nightly tier.
    """
    left_out, copies = (frozenset(names.split()) for names in (LEFT_OUT, COPIES))
    table: dict[str, list[str]] = json.loads(TABLE.read_text(encoding="utf-8"))
    for method, releases in table.items():
        for number, release in enumerate(releases, 1):
            name = f"{method}.{number}"
            if name in left_out:
                continue
            for variant in ("",) if name in copies else ("", ".noopt"):
                yield Case(
                    f"tinygrad/documentation/{name}{variant}",
                    "documentation.example",
                    {"method": method, "number": number, "noopt": bool(variant), "launches": name not in copies},
                    requires=(f"tinygrad>={release}",),
                    group=f"tinygrad/documentation/{method}",
                    timeout_s=90,  # two devices compile it
                )
