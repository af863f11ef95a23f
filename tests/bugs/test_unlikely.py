"""What a device says of itself that is allowed but unlikely: each rule, and how doctor and the page report it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import MOCK
from nights import Nights

from runner.child.unlikely import RULES, Rule, find_unlikely
from runner.cli import main
from runner.doctor.children import Answer
from runner.doctor.opencl import examine_platforms
from runner.model import Status

_CPU, _GPU = 2, 4


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_value_that_is_hardly_true_is_named(rule: Rule) -> None:
    def lines(kind: int, value: int) -> list[str]:
        return [*find_unlikely(lambda code: {0x1000: kind, rule.code: value}.get(code, -1))]

    for value in rule.values:
        assert lines(_GPU, value) == [f"{rule.name} is {value}, {rule.means}"]
        assert lines(_CPU, value) == ([] if rule.gpu else lines(_GPU, value))
    for value in (max(rule.values) + 1, -1):
        assert not lines(_GPU, value)


def test_doctor_says_it_below_the_device() -> None:
    device = {"name": "A", "type": "gpu", "version": "3", "driver_version": "25", "error": "", "unlikely": ["B is 0, none"]}
    platform = {"name": "rusticl", "version": "3", "devices": [device]}
    texts = [f.text for f in examine_platforms(Answer({"platforms": [platform]})).findings]
    assert texts[-2:] == ["  A: gpu, 3, driver 25", "said by the device, and hardly true: B is 0, none"]


def test_the_page_says_it(tmp_path: Path) -> None:
    night = Nights(tmp_path).run({"mock/basic/pass": (Status.PASS,)}, unlikely=("B is 0, none", "C is 1, one"))
    words = (f"--suites={MOCK / 'suites'}", f"--expectations={tmp_path}")
    assert main(["html", str(night), *words]) == 0
    page = (night / "report.html").read_text()
    assert "<dt>Said by the device, and hardly true</dt><dd>B is 0, none; C is 1, one</dd>" in page


@pytest.mark.root
def test_probe_and_doctor_ask_a_real_device_the_same() -> None:
    environment = ["env", "RUSTICL_ENABLE=llvmpipe", sys.executable, "-P", "-m", "runner.cli"]
    probed, found = (
        json.loads(subprocess.run([*environment, *words], capture_output=True, text=True, check=True).stdout)
        for words in (["probe", "--driver", "llvmpipe", "--json"], ["doctor", "--format", "json"])
    )
    lines = [f["text"] for f in found["sections"]["OpenCL platforms and devices"] if "hardly true" in f["text"]]
    assert [text.removeprefix("said by the device, and hardly true: ") for text in lines] == probed["unlikely"]
