"""The catalogue of a built OpenCL-CTS: each sub-test that its programs list."""

import os
from collections.abc import Iterator
from pathlib import Path

from runner.model import Case, Tier
from runner.sources import CTS_FULL_VARIABLE, CTS_VARIABLE

from .installation import case_id, read_subtests


def cases() -> Iterator[Case]:
    """`cts/<program without test_>[+<option>...]/<sub-test>`; the quick list is premerge. No cases without --cts."""
    if not (source := os.environ.get(CTS_VARIABLE)):
        return
    for subtest in read_subtests(Path(source)):
        params = {"program": subtest.program, "options": list(subtest.options), "subtest": subtest.name}
        mode = () if os.environ.get(CTS_FULL_VARIABLE) else subtest.quick_words
        marks = {"result": subtest.result, "mode": list(mode), "cpu": subtest.cpu}
        tier = Tier.premerge_if(subtest.quick)
        test_id = case_id(subtest.program, subtest.options, subtest.name)
        yield Case(test_id, "subtest", {**params, **marks}, subtest.requires, tier)
