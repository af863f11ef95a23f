"""The check of what a Tiger Lake's kernel waits for: each rule alone, then compiled kernels with one wait less."""

from __future__ import annotations

from pathlib import Path

import pytest
from bare_intel import BareIntel
from intel_waits import RULES, findings, kernel


@pytest.mark.parametrize("name", RULES)
def test_rule(intel_library: Path, name: str) -> None:
    rule = RULES[name]
    said = findings(intel_library, kernel(rule.wrong))
    assert len(said) == 1
    assert rule.finding in said[0]
    assert findings(intel_library, kernel(rule.right)) == []


def test_each_who_takes_the_marks_gets_a_kernels_hazards(intel: BareIntel, intel_library: Path) -> None:
    rule = RULES["use"]
    expected = [f"hazard: {line}" for line in findings(intel_library, kernel(rule.wrong))]
    assert [intel.launch(list(rule.wrong)).hazards for _ in range(2)] == [expected] * 2
    assert intel.launch(list(rule.right)).hazards == []
