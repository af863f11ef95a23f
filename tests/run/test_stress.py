"""`runner stress` on real runs of the mock suite."""

import re
from collections import Counter

import pytest
from conftest import MOCK, Mock

from runner.run.repetition import plans


def test_stress_makes_all_combinations_equally_often() -> None:
    drawn = list(plans(96))
    assert set(Counter((p.fresh, bool(p.order), p.warm_cache, p.busy) for p in drawn).values()) == {8}
    assert set(Counter(p.order for p in drawn if p.order).values()) == {4}
    assert drawn == list(plans(96))
    assert len(list(plans(7))) == 7


def _stress(mock: Mock, *words: str) -> tuple[int, str]:
    own = [
        f"--registry={MOCK / 'drivers.yaml'}",
        f"--suites={MOCK / 'suites'}",
        f"--expectations={mock.folder / 'expectations'}",
    ]
    return mock.cli("stress", "--driver=mock", *own, *words)


def test_stress_names_the_case_that_left_something_behind(mock: Mock) -> None:
    mock.environment = {"MOCK_LEFT": "1"}
    code, output = _stress(mock, "mock/left/poisoned", "-n", "36", "--load", "1")
    assert code == 1
    assert "what matters: after mock/left/poison: yes fails " in output, output
    assert ", else 0/" in output, output


@pytest.mark.nightly("another factor, found as the one above")
def test_stress_names_the_shader_cache(mock: Mock) -> None:
    mock.environment = {"MOCK_LEFT": "1"}
    mock.expect("fails", "# why\nmock/cache/crash,Crash\n")
    code, output = _stress(mock, "mock/cache/cold_alone", "-n", "24", "--load", "1")
    assert code == 1
    found = re.search(r"what matters: shader cache: warm fails (\d+)/(\d+), else 0/(\d+)", output)
    assert found, output
    assert found[1] == found[2], output
    assert int(found[2]) + int(found[3]) == 24, output


def test_stress_measures_a_rate_and_is_content_with_what_never_fails(mock: Mock) -> None:
    mock.environment = {"MOCK_COINS": "1"}
    code, output = _stress(mock, "mock/coin/000", "-n", "12", "--load", "1")
    found = re.match(r"mock/coin/000: failed (\d+)/12 \(", output)
    assert code == 1, output
    assert found, output
    assert f"{found[1]} x Fail: value: not so: the coin shows heads" in output, output
    code, output = _stress(mock, "mock/basic/pass", "-n", "6", "--load", "1")
    assert code == 0
    assert output.startswith("mock/basic/pass: failed 0/6 (0 %, 0 to 39 %)")
    assert _stress(mock, "mock/need/unmet", "-n", "1", "--load", "1")[0] == 2
