"""One of tinygrad's own tests on the device, run by unittest."""

import importlib.util
import os
import random
import sys
import traceback
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import SkipTest, TestCase, TestResult, TestSuite

import numpy as np

from runner import check, launches
from runner.device import Device
from runner.model import Case
from runner.sources import TINYGRAD_VARIABLE

SEED = 0


class _Outcome(TestResult):
    """unittest's result of one test, with the exceptions themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.raised: list[tuple[str, BaseException]] = []  # the subtest, "" for the test itself
        self.expected = ""  # the text of a failure that the test itself expects

    def addError(self, test: TestCase, err: Any) -> None:
        self.raised.append(("", err[1]))

    addFailure = addError

    def addSubTest(self, test: TestCase, subtest: TestCase, err: Any) -> None:
        if err:
            self.raised.append((str(subtest).removeprefix(str(test)).strip(), err[1]))

    def addExpectedFailure(self, test: TestCase, err: Any) -> None:
        self.expected = _summary(err[1]) or type(err[1]).__name__


def run(device: Device, case: Case) -> None:
    """Run one test. Its exception is the failure; a test that launches no kernel on the device does not test the driver."""
    check_test(device, int(case.kind == "images"), **case.params)


def check_test(device: Device, images: int, *, file: str, test: str) -> None:
    """One test of a file, `CLASS.METHOD`, with tinygrad's IMAGE."""
    tinygrad = device.tinygrad()
    name, _, method = test.partition(".")
    outcome = _Outcome()
    random.seed(SEED)
    np.random.seed(SEED)
    with tinygrad.Context(IMAGE=images):
        try:
            found = getattr(_module(file, images), name)(method)
            TestSuite([found]).run(outcome)
        except SkipTest as skip:
            raise check.Unsupported(f"upstream: {skip}") from skip
        except Exception as error:  # raised by the import of the file
            outcome.raised.append(("", error))
    _judge(outcome)
    check.true("kernels were launched", launches.count() > 0, stage="api")


def _judge(outcome: _Outcome) -> None:
    """Raise the reason why the test did not pass."""

    def rank(raised: tuple[str, BaseException]) -> tuple[bool, bool]:
        return isinstance(raised[1], Exception), isinstance(raised[1], check.Compiled)

    # The runner's own exceptions first; the end of compile mode is not a failure, but another subtest's failure is.
    for subtest, error in sorted(outcome.raised, key=rank):
        if isinstance(error, check.Mismatch | check.Compiled) or not isinstance(error, Exception):
            raise error
        traceback.print_exception(error)
        where = f"{subtest}: " if subtest else ""
        raise check.Mismatch(f"value: {where}{type(error).__name__}: {_summary(error)}") from error
    if outcome.unexpectedSuccesses:
        raise check.Mismatch("value: passes, and is marked as an expected failure")
    # A subtest that skips itself does not decide for the others.
    for reason in (reason for test, reason in outcome.skipped if not hasattr(test, "test_case")):
        raise check.Unsupported(f"upstream: {reason}")
    if outcome.expected:
        raise check.Unsupported(f"upstream: expected to fail: {outcome.expected}")
    if not launches.count():
        raise check.Unsupported("upstream: launches nothing on the device")


@cache
def _module(file: str, images: int) -> ModuleType:
    """The test's file as a module; once for buffers and once for images, because it may check for them at import."""
    # upstream skips its slow tests by itself: all of test_nn.
    os.environ.setdefault("RUN_SLOW", "1")
    source = Path(os.environ[TINYGRAD_VARIABLE])
    name = f"upstream_{Path(file).stem}_{images}"
    spec = importlib.util.spec_from_file_location(name, source / file)
    assert spec
    assert spec.loader
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str((source / file).parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    if "hypothesis" in sys.modules:
        _seed_hypothesis()
    return module


def _seed_hypothesis() -> None:
    """The same examples in every run, without a database of earlier ones in the current folder."""
    import hypothesis.configuration
    import hypothesis.core

    core: Any = hypothesis.core
    core.global_force_seed = SEED
    # It also takes constants from any code that has been imported: a case by itself would see other examples.
    with suppress(ImportError):  # older releases lack this module, and these constants
        providers: Any = importlib.import_module("hypothesis.internal.conjecture.providers")
        providers._get_local_constants = lambda: providers._local_constants
    hypothesis.configuration.set_hypothesis_home_dir(os.environ["XDG_CACHE_HOME"])


def _summary(error: BaseException) -> str:
    """An error's text in one line: how much arrays differ, if it or its cause says so; else its beginning."""
    texts = [str(one).strip() for one in (error, error.__cause__) if one]
    for text in texts:
        lines = text.splitlines()
        for number, line in enumerate(lines):
            if "differ" in line or "mismatch" in line.lower():
                return _join(lines[number:] if line.rstrip().endswith(":") else [line])
    return _join(texts[0].splitlines())


def _join(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())[:200]
