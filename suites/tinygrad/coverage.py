"""The suite's coverage of tinygrad: every public method and operator of Tensor has cases, or a reason."""

import json
from collections.abc import Mapping, Sequence
from importlib import import_module

from runner.ids import choose
from runner.model import Case

from .cases import SINCE
from .families import FAMILIES

# The methods without a case: method -> reason.
UNCOVERED: Mapping[str, str] = {
    "__del__": "of Python's memory, not of the device's",
    "as_param": "an inner step of tinygrad's compiler",
    "__bool__": "raises by definition",
    "__delitem__": "raises by definition",
    "call": "an inner step of tinygrad's compiler",
    "const": "has no device of its own: const_like, full and the operations with a number make the same",
    "custom_kernel": "its interface is not settled (alpha)",
    "decode_hevc_frame": "a hardware video decoder, which OpenCL does not have",
    "from_url": "reads the network",
    "hash": "keccak over a megabyte: minutes of compilation",
    "invalids": "its elements are undefined by definition",
    "nbytes": "arithmetic on the host",
    **dict.fromkeys(("shard", "shard_", "shard_like"), "needs two devices"),
}


def methods() -> list[str]:
    """The public methods and the operators of the installed tinygrad's Tensor."""
    from tinygrad import Tensor

    def public(name: str) -> bool:
        operator = name.startswith("__") and not hasattr(object, name)
        return callable(getattr(Tensor, name)) and (operator or not name.startswith("_"))

    return sorted(filter(public, {*dir(Tensor), "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}))


def covered(cases: Sequence[Case]) -> dict[str, list[str]]:
    """The cases of each method: those of the op with its name, and of the globs in a family's METHODS."""
    found: dict[str, list[str]] = {}
    ids = [case.id for case in cases]
    for case in cases:
        if "op" in case.params:
            found.setdefault(case.params["op"], []).append(case.id)
    for family in FAMILIES:
        globs: Mapping[str, str] = getattr(import_module(f".{family}.cases", __package__), "METHODS", {})
        for method, glob in globs.items():
            found.setdefault(method, []).extend(choose(ids, glob))
    return {method: sorted(set(ids)) for method, ids in found.items()}


def page(cases: Sequence[Case]) -> str:
    """The coverage of the suite as a Markdown table."""
    by_method = covered(cases)
    lines = ["| Tensor method | cases | where |", "|---|---:|---|"]
    for method in json.loads(SINCE.read_text(encoding="utf-8")):  # the same as `methods`, but without tinygrad
        ids = by_method.get(method, [])
        areas = sorted({test_id.split("/")[1] for test_id in ids})
        where = ", ".join(areas) or UNCOVERED.get(method, "**not covered**")
        lines.append(f"| {method} | {len(ids)} | {where} |")
    return "\n".join(lines)
