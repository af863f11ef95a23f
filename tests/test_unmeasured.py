"""A run on a class of CPU for which nothing was measured says which classes were."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.model import DeviceReport
from runner.verdict.report import _unmeasured

_ONLY = "avx512, the only class of CPU measured with Mesa 25.0; this one is avx2"
_TWO = "sse4.1, avx512, the classes of CPU measured with Mesa 25.0; this one is avx2"


@pytest.mark.parametrize(
    ("classes", "text"), [(["avx512"], _ONLY), (["avx512", "sse4.1"], _TWO), (["avx512", "avx2"], ""), ([], "")]
)
def test_a_class_without_a_file_is_named_beside_those_that_have_one(classes: list[str], text: str) -> None:
    files = {Path(f"e/llvmpipe/llvmpipe-{name}-mesa25.0-fails.txt"): "" for name in classes}
    expectations = Expectations(Target("llvmpipe", "avx2", mesa="25.0"), files)
    assert _unmeasured(expectations, DeviceReport(cpu_class="avx2")) == text
    assert not _unmeasured(expectations, None)
