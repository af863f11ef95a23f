"""The check of a Tiger Lake's waits: each rule by itself, then compiled kernels with one wait less."""

from collections import Counter
from pathlib import Path

import pytest
from bare_intel import BareIntel
from intel_pairs import clashes_of, lacks, steps_of, words_of
from intel_waits import RULES, drops, findings, kernel

_NIGHTLY = pytest.mark.nightly("two other kernels show it")
_KERNELS = Path(__file__).parent / "kernels" / "tgl"


@pytest.mark.parametrize("name", RULES)
def test_rule(intel_library: Path, name: str) -> None:
    rule = RULES[name]
    said = findings(intel_library, kernel(rule.wrong))
    assert len(said) == 1
    assert rule.finding in said[0]
    assert findings(intel_library, kernel(rule.right)) == []


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("control.guarded_load.loop", {"@": 60, "far": 60, "dst": 4}),
        ("atomic.returned.min.int.local", {"@": 60, "far": 60, "dst": 4}),
        pytest.param("common.geometric.normalize.float4", {"@": 80, "far": 75, "dst": 10, "src": 5}, marks=_NIGHTLY),
    ],
)
def test_each_wait_of_a_compiled_kernel_is_missed(intel_library: Path, name: str, least: dict[str, int]) -> None:
    """Unless it is not needed, which pairs of instructions show without using the check."""
    lines = (_KERNELS / f"{name}.hex").read_text(encoding="utf-8").splitlines()
    code = b"".join(int(line, 16).to_bytes(8, "little") for line in lines if line[0] != "#")
    steps = steps_of(code)
    clashes, number = clashes_of(steps), {place: n for n, place in enumerate(words_of(code))}
    assert lacks(steps, clashes) == set()
    assert findings(intel_library, code) == []
    missed: Counter[str] = Counter()
    for kind, at, less in drops(code):
        needed = bool(lacks(steps_of(less), clashes, number[at]))
        assert bool(findings(intel_library, less)) == needed, f"{kind} at {at:#x}"
        missed[kind] += needed
    assert missed >= Counter(least), missed


def test_each_who_takes_the_marks_gets_a_kernels_hazards(intel: BareIntel, intel_library: Path) -> None:
    rule = RULES["use"]
    expected = [f"hazard: {line}" for line in findings(intel_library, kernel(rule.wrong))]
    assert [intel.launch(list(rule.wrong)).hazards for _ in range(2)] == [expected] * 2
    assert intel.launch(list(rule.right)).hazards == []
