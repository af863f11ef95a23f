"""The catalogue of random numbers: each method, exact or within its bounds, its distribution, its state."""

from collections.abc import Iterator, Mapping
from typing import Any

from runner.model import Case

METHODS = {
    **{
        name: f"tinygrad/random/{name}.*"
        for name in (
            *("rand", "rand_like", "randint", "uniform", "randn", "randn_like", "normal", "scaled_uniform"),
            *("glorot_uniform", "kaiming_uniform", "kaiming_normal", "randperm", "multinomial", "dropout"),
            "random_bits",
        )
    },
    "manual_seed": "tinygrad/random/state.*",
}

FEATURES = {"float16": ("fp16",), "float64": ("fp64",)}
FORWARD, ALL = ("", "noopt"), ("", "noopt", "cpu")

# method, name, shape, args, variants. `cpu`: also equal to tinygrad's CPU back end, if everything is exact.
Rows = tuple[tuple[str, str, tuple[int, ...], Mapping[str, Any], tuple[str, ...]], ...]
DRAWN: Rows = (
    ("rand", "float32", (1031,), {}, ALL),
    ("rand", "float32.one", (1,), {}, FORWARD),
    ("rand", "float32.cube", (5, 7, 13), {}, FORWARD),
    ("rand", "float32.large", (65537,), {}, FORWARD),
    ("rand", "float16", (1031,), {"dtype": "float16"}, ALL),
    ("rand", "float16.one", (1,), {"dtype": "float16"}, FORWARD),
    ("rand", "bfloat16", (1031,), {"dtype": "bfloat16"}, ALL),
    ("rand", "float64", (1031,), {"dtype": "float64"}, ALL),
    ("rand", "float64.odd", (7, 3), {"dtype": "float64"}, FORWARD),
    ("rand_like", "float32", (7, 37), {"dtype": "float32"}, ALL),
    ("rand_like", "float16", (7, 37), {"dtype": "float16"}, FORWARD),
    ("randint", "int32", (1031,), {}, ALL),
    ("randint", "int32.negative", (1031,), {"low": -50, "high": 7}, FORWARD),
    ("randint", "int32.wide", (1031,), {"low": -(1 << 29), "high": 1 << 29}, ALL),
    ("randint", "int32.pair", (1031,), {"low": 0, "high": 2}, FORWARD),
    ("randint", "int64", (1031,), {"low": -(1 << 40), "high": 1 << 40, "dtype": "int64"}, ALL),
    ("randint", "uint8", (1031,), {"low": 3, "high": 251, "dtype": "uint8"}, FORWARD),
    ("randint", "int8", (1031,), {"low": -100, "high": 27, "dtype": "int8"}, ALL),
    ("randint", "uint16", (1031,), {"low": 0, "high": 65535, "dtype": "uint16"}, FORWARD),
    ("randint", "uint32", (1031,), {"low": 0, "high": 1 << 30, "dtype": "uint32"}, FORWARD),
    ("uniform", "float32", (1031,), {}, ALL),
    ("uniform", "float32.centred", (1031,), {"low": -1.0, "high": 1.0}, ALL),
    ("uniform", "float32.scaled", (1031,), {"low": -5.0, "high": 11.7}, FORWARD),
    ("uniform", "float16", (1031,), {"low": -1.0, "high": 1.0, "dtype": "float16"}, FORWARD),
    ("randn", "float32", (1031,), {}, FORWARD),
    ("randn", "float32.one", (1,), {}, FORWARD),
    ("randn", "float32.large", (65537,), {}, FORWARD),
    ("randn", "float16", (1031,), {"dtype": "float16"}, FORWARD),
    ("randn_like", "float32", (7, 37), {"dtype": "float32"}, FORWARD),
    ("normal", "float32", (1031,), {"mean": -5.0, "std": 1.7}, FORWARD),
    ("scaled_uniform", "float32", (31, 17), {}, FORWARD),
    ("glorot_uniform", "float32", (31, 17), {}, FORWARD),
    ("glorot_uniform", "float32.kernel", (8, 3, 3, 3), {}, FORWARD),
    ("kaiming_uniform", "float32", (31, 17), {}, FORWARD),
    ("kaiming_normal", "float32", (31, 17), {}, FORWARD),
    ("randperm", "int32.small", (7,), {}, ALL),
    ("randperm", "int32", (61,), {}, FORWARD),
    ("multinomial", "int32", (13,), {"count": 257}, ALL),
    ("multinomial", "int32.rows", (5, 13), {"count": 67}, FORWARD),
    ("multinomial_chosen", "int32", (13,), {"count": 5}, ("",)),
    ("multinomial_chosen", "int32.rows", (3, 6), {"count": 4}, FORWARD),
    ("dropout", "float32", (67, 31), {"p": 0.3}, FORWARD),
    ("dropout", "float32.half", (67, 31), {"p": 0.5}, ALL),
    ("dropout", "float32.most", (67, 31), {"p": 0.9}, FORWARD),
)
# A key of two words, the counter before the draw, near the carry of a word, and the number of words.
BITS: Mapping[str, tuple[tuple[int, int], tuple[int, int], int]] = {
    "zero": ((0, 0), (0, 0), 1),
    "odd": ((1, 2), (5, 7), 33),
    "high_word": ((0xDEADBEEF, 0x12345678), (0, 0x80000001), 64),
    "last_low": ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0), 65),
    "last": ((7, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), 1024),
}
STATE = (
    *("repeats", "seeds_differ", "sequence", "sizes", "carry", "seed_edges", "replayed", "unrealized"),
    *("not_training", "none", "all"),
)
DISTRIBUTIONS = (
    *("bits", "rand", "rand_pairs", "rand_float16", "randn", "randn_tails", "randint", "randint_bytes", "uniform"),
    *("dropout", "multinomial", "multinomial_chosen", "randperm"),
)


def cases() -> Iterator[Case]:
    """Every case of the family."""
    yield Case("tinygrad/random/known_answers", "random_numbers.known_answers")
    for method, name, shape, args, variants in DRAWN:
        for variant in variants:
            key = f"{method}.{name}"
            yield Case(
                ".".join(filter(None, (f"tinygrad/random/{key}", variant))),
                "random_numbers.draw",
                {"method": method, "shape": list(shape), "args": dict(args), "variant": variant},
                FEATURES.get(str(args.get("dtype")), ()),
            )
    for name, (words, counter, count) in BITS.items():
        for variant in FORWARD:
            params = {"key": list(words), "counter": list(counter), "count": count, "variant": variant}
            case_id = ".".join(filter(None, (f"tinygrad/random/random_bits.{name}", variant)))
            yield Case(case_id, "random_numbers.bits", params)
    for name in STATE:
        yield Case(f"tinygrad/random/state.{name}", "random_numbers.state", {"what": name})
    for name in DISTRIBUTIONS:
        yield Case(
            f"tinygrad/random/distribution.{name}",
            "random_numbers.distribution",
            {"what": name},
            FEATURES["float16"] if name.endswith("float16") else (),
        )
