"""Rates of failure: their intervals, whether two agree, and whether a factor matters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Count = tuple[int, int]  # failures, executions
_TIES = 1e-7  # tables as probable as the observed one differ from it only by rounding
SIGNIFICANT = 0.01
INCREDIBLE = 0.001  # anything less likely did not happen by chance


@dataclass(frozen=True, slots=True)
class Factor:
    """Failures and executions at each level of one factor, as {"fresh": (0, 40), "warm": (7, 60)}."""

    name: str
    levels: dict[str, Count]

    @classmethod
    def count(cls, name: str, samples: Iterable[tuple[str, bool]]) -> Factor:
        """From one (level, failed) an execution."""
        levels: dict[str, Count] = {}
        for level, failed in samples:
            k, n = levels.get(level, (0, 0))
            levels[level] = (k + failed, n + 1)
        return cls(name, levels)

    @property
    def strongest(self) -> tuple[str, float]:
        """The level that differs most from all others together, by Fisher's exact test: its name and p.

        Bonferroni's correction pays for the choice among the levels. With fewer than two levels: ("", 1.0).
        """
        failures, runs = (sum(column) for column in zip(*self.levels.values(), strict=True)) if self.levels else (0, 0)
        tests = len(self.levels) if len(self.levels) > 2 else 1
        found = [
            (min(1.0, tests * fisher_exact(k, n - k, failures - k, runs - n - failures + k)), -k / n, level)
            for level, (k, n) in self.levels.items()
        ]
        if len(found) < 2:
            return "", 1.0
        p, _, level = min(found)  # if there are two levels, with the same p, the one that fails more
        return level, p


def strongest(factors: Sequence[Factor]) -> tuple[Factor, str, float] | None:
    """The factor that matters, with its level and p, corrected for their number; None if none stands out."""
    weighed = [(p * len(factors), n, factor, level) for n, factor in enumerate(factors) for level, p in [factor.strongest]]
    if not weighed or min(weighed)[0] >= SIGNIFICANT:
        return None
    p, _, factor, level = min(weighed)
    return factor, level, p


def fisher_exact(a: int, b: int, c: int, d: int) -> float:
    """The two-sided p of the table [[a, b], [c, d]]: the probability, given its margins, of a table that is not likelier."""
    row, other, column = a + b, c + d, a + c
    ways = [_log_comb(row, x) + _log_comb(other, column - x) for x in range(max(0, column - other), min(row, column) + 1)]
    observed = _log_comb(row, a) + _log_comb(other, c) + _TIES
    return min(1.0, math.fsum(math.exp(w - _log_comb(row + other, column)) for w in ways if w <= observed))


def rate_text(k: int, n: int) -> str:
    """As text: `3/200 (1.5 %, 0.5 to 4.3 %)`, the bounds those of the 95 % Wilson score interval."""
    if not n:
        return "0/0"
    return f"{k}/{n} ({100 * k / n:.3g} %, {100 * lower95(k, n):.3g} to {100 * upper95(k, n):.3g} %)"


def _log_comb(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def upper95(failures: int, runs: int) -> float:
    """The upper end of the 95 % Wilson score interval of a rate."""
    if runs == 0:
        return 1.0
    z, p = 1.959964, failures / runs
    centre = p + z * z / (2 * runs)
    spread = z * math.sqrt(p * (1 - p) / runs + z * z / (4 * runs * runs))
    return min(1.0, (centre + spread) / (1 + z * z / runs))


def lower95(failures: int, runs: int) -> float:
    """The lower end of the 95 % Wilson score interval of a rate."""
    return 1 - upper95(runs - failures, runs)


def is_healed(rate: tuple[int, int] | None, passes: int) -> bool:
    """True if a flake of this rate would hardly pass this often in a row."""
    return rate is not None and (1 - lower95(*rate)) ** passes < INCREDIBLE


def rates_agree(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """True if the 95 % intervals of two rates meet."""
    return lower95(*a) <= upper95(*b) and lower95(*b) <= upper95(*a)
