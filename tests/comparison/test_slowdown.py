"""A run under a sanitizer says how much slower it was."""

from types import SimpleNamespace
from typing import Any

import pytest

from runner.model import Attempt, InfrastructureError, Result, Status
from runner.run import slowdown as module
from runner.run.slowdown import slowdown
from runner.run_config import RunConfig

KNOWN: Any = SimpleNamespace(suite_of=lambda _: None, cases={f"s/{n}": SimpleNamespace(id=f"s/{n}") for n in range(50)})
SLOW = {i: Result(i, (Attempt(Status.PASS, cpu_s=0.3),)) for i in KNOWN.cases}
RED = {i: Result(i, (Attempt(Status.FAIL, cpu_s=9.0),)) for i in KNOWN.cases}
CONFIG = RunConfig("llvmpipe", variant="asan", mesa_prefix="/sanitized")


class Installed:
    """A worker on the installed Mesa, with cases that take a tenth of a second each; one fails."""

    error = ""

    def __init__(self, config: RunConfig, *_: object) -> None:
        assert (config.variant, config.mesa_prefix, config.retries) == ("", "", 0)
        self.report = SimpleNamespace(driver_version="25.0.7")

    def start(self) -> None:
        if self.error:
            raise InfrastructureError(self.error)

    def ensure_ready(self) -> None:
        pass

    def run(self, _suite: object, case: Any, _expectation: object) -> Result:
        return Result(case.id, (Attempt(Status.FAIL if case.id == "s/0" else Status.PASS, cpu_s=0.1),))

    def stop(self) -> None:
        pass


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> type[Installed]:
    own = type("Own", (Installed,), {})
    monkeypatch.setattr(module, "Worker", own)
    return own


def test_it_is_the_ratio_of_what_passed_in_both() -> None:
    assert slowdown(CONFIG, SLOW, KNOWN) == "3.0 times the CPU time of Mesa 25.0.7 without it (23 cases)"
    assert slowdown(CONFIG, {**RED, "s/7": SLOW["s/7"]}, KNOWN) == "", "one case says nothing"


def test_if_no_other_mesa_is_installed_it_says_so(installed: type[Installed]) -> None:
    installed.error = "no *rusticl*.icd file"
    assert slowdown(CONFIG, SLOW, KNOWN) == "not compared with the Mesa that is installed: no *rusticl*.icd file"
