"""Compilers lower an integer builtin by its width, 8 bits differently from 32: premerge has each width of each."""

import re
from collections import defaultdict

from conftest import ROOT

from runner.cases.catalogue import load
from runner.model import Tier

_BITS = {"char": 8, "short": 16, "int": 32, "long": 64}
# Operators, and builtins that become others: clang, or those others, make their widths.
_NOT_BY_WIDTH = r"folded|limits|division_by_zero|link|dot.*|divide.*|.*_scalar|mixed.*|assign_.*|ternary|step|unary|logical"
_OPERATORS = r"bitwise|add|sub|mul|modulo|compare|shift_.*"


def test_premerge_has_each_width_of_each_builtin_of_integers() -> None:
    widths: dict[Tier, dict[str, set[int]]] = {tier: defaultdict(set) for tier in (Tier.PREMERGE, Tier.FULL)}
    for test_id, own in load(ROOT / "suites").tiers.items():
        found = re.fullmatch(r"kernels/integer/([a-z_0-9]+)\.u?(char|short|int|long)\d*", test_id)
        if found and not re.fullmatch(f"{_NOT_BY_WIDTH}|{_OPERATORS}", found[1]):
            for tier in widths if own is Tier.PREMERGE else (Tier.FULL,):
                widths[tier][found[1]].add(_BITS[found[2]])
    assert len(widths[Tier.FULL]) >= 20
    assert widths[Tier.PREMERGE] == widths[Tier.FULL]
