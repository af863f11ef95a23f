"""Random numbers that err: a rotation, a round, a key, a counter that stands still, a bound, a mask."""

from collections.abc import Callable
from typing import Any

from mutation import Function, Mutant, MutantGroup, api

from mutants.tinygrad_program import launched, one_group_fewer

_code = MutantGroup("tinygrad/random").code


def _method(name: str, case: str, method: str, wrap: Callable[[Function], Function]) -> Mutant:
    return api(f"tinygrad/random/{name}", f"tinygrad/random/{case}", f"tinygrad.tensor.Tensor.{method}", wrap)


def _with(**changed: Any) -> Callable[[Function], Function]:
    return lambda inner: lambda *args, **kwargs: inner(*args, **{**kwargs, **changed})


def _times(factor: float) -> Callable[[Function], Function]:
    return lambda inner: lambda *args, **kwargs: inner(*args, **kwargs) * factor


def _standing(inner: Function) -> Function:
    """The counter gives the first answer again."""
    seen: list[Any] = []

    def outer(device: str, count: int) -> Any:
        if not seen:
            seen.append(tuple(t.clone().realize() for t in inner(device, count)))
        return seen[0]

    return outer


MUTANTS = [
    _code("rotation", "rand.float32", r"<<13u\)\+\((\w+)>>19u", r"<<12u)+(\1>>20u"),
    _code("rotation_of_the_last", "random_bits.odd", r"<<24u\)\+\((\w+)>>8u", r"<<25u)+(\1>>7u"),
    _code("half_a_rotation", "rand.float16", r"\+\((\w+)>>17u\)", r""),
    _code("parity", "randint.int32", "466688986u", "466688987u"),
    _code("round_number", "rand.float32.cube", r"\+3u\+1u", "+3u"),
    _code("sum_for_exclusive_or", "rand.bfloat16", r"(alu\d+)\^\(", r"\1+("),
    _code("signed_shift", "rand.float32.noopt", r"\((alu\d+)>>9u\)", r"((uint)((int)\1>>9))"),
    _code("counter_of_signed", "random_bits.last_low", r"\^466688986u", "^466688986u^1u"),
    _code("cosine_base", "randn.float32", r"6\.28318\d*f", "6.283f"),
    _code("less_or_equal", "dropout.float32", r"0\.3\d*f", "0.29f"),
    _code("lost_carry", "state.carry", r"\(\(uint\)\(\((\w+)<(\w+(?:\.\w)?)\)\)\)", "0u"),
    launched("tinygrad/random/one_group_fewer", "tinygrad/random/rand.float32.large", one_group_fewer),
    _method("seed_ignored", "state.seeds_differ", "manual_seed", lambda inner: lambda seed=0: inner(7)),
    _method("counter_stands", "state.sequence", "_next_counter", _standing),
    _method(
        "low_is_zero",
        "randint.int32.negative",
        "uniform",
        lambda inner: lambda *a, **k: inner(*a, **{**k, "low": k["low"] + 1}),
    ),
    _method("normal_is_wider", "normal.float32", "randn", _times(1.0001)),
    _method("scaled_by_more", "scaled_uniform.float32", "scaled_uniform", _times(1.00001)),
    _method("glorot_by_inputs", "glorot_uniform.float32", "glorot_uniform", _times(1.001)),
    _method("kaiming_slope", "kaiming_uniform.float32", "kaiming_uniform", _with(a=0.02)),
    _method("kaiming_normal_slope", "kaiming_normal.float32", "kaiming_normal", _with(a=0.02)),
    _method(
        "permutation_reversed", "randperm.int32.small", "randperm", lambda inner: lambda *a, **k: inner(*a, **k).flip(0)
    ),
    _method(
        "replacement_lost",
        "distribution.multinomial",
        "multinomial",
        lambda inner: lambda self, count, replacement=False: (inner(self, count, True) + 1) % 13,
    ),
    _method("dropout_not_scaled", "dropout.float32.half", "dropout", lambda inner: lambda self, p: inner(self, p) * (1 - p)),
    _method("uniform_is_skewed", "distribution.rand", "rand", lambda inner: lambda *a, **k: inner(*a, **k) ** 1.1),
    _method(
        "normal_without_tails",
        "distribution.randn_tails",
        "randn",
        lambda inner: lambda *a, **k: inner(*a, **k).clip(-3.0, 3.0),
    ),
    _method(
        "pairs_are_equal",
        "distribution.rand_pairs",
        "rand",
        lambda inner: (
            lambda *a, **k: inner(*a, **k).reshape(-1, 2)[:, :1].expand(-1, 2).reshape(-1) if a[0] > 1 else inner(*a, **k)
        ),
    ),
]
