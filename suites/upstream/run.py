"""One of tinygrad's own tests on the device, in the way of unittest."""

from __future__ import annotations

import importlib.util
import os
import random
import sys
import traceback
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import SkipTest, TestCase

import numpy as np

from runner import check, launches
from runner.device import Device
from runner.model import Case
from runner.releases import SOURCE_VARIABLE

SEED = 0


def run(device: Device, case: Case) -> None:
    """Run one test. What it raises is the failure; one that launches no kernel on the device is not the driver's."""
    tinygrad = device.tinygrad()
    images = int(case.kind == "images")
    name, _, test = case.params["test"].partition(".")
    with tinygrad.Context(IMAGE=images):
        try:
            found = getattr(_module(case.params["file"], images), name)(test)
            expected = _perform(found, test)
        except SkipTest as skip:
            raise check.Unsupported(f"upstream: {skip}") from skip
        except check.Mismatch:
            raise
        except Exception as error:
            traceback.print_exc()
            raise check.Mismatch(f"value: {type(error).__name__}: {_summary(error)}") from error
    if expected:
        raise check.Unsupported(f"upstream: expected to fail: {expected}")
    if not launches.count():
        raise check.Unsupported("upstream: launches nothing on the device")
    check.true("kernels were launched", launches.count() > 0, stage="api")


def _perform(found: TestCase, test: str) -> str:
    """Run the test with its set-up; the text of a failure that it expects of itself, else ""."""
    random.seed(SEED)
    np.random.seed(SEED)
    owner = type(found)
    if not getattr(owner, "__unittest_skip__", False):
        owner.setUpClass()
    try:
        found.debug()
    except SkipTest:
        raise
    except Exception as error:
        if not getattr(getattr(owner, test), "__unittest_expecting_failure__", False):
            raise
        return _summary(error) or type(error).__name__
    finally:
        found.doCleanups()
        if not getattr(owner, "__unittest_skip__", False):
            owner.tearDownClass()
        owner.doClassCleanups()
    if getattr(getattr(owner, test), "__unittest_expecting_failure__", False):
        raise AssertionError("passes, and is marked as an expected failure")
    return ""


@cache
def _module(file: str, images: int) -> ModuleType:
    """The test's file as a module; once for buffers and once for images, which it may ask for as it is imported."""
    source = Path(os.environ[SOURCE_VARIABLE])
    name = f"upstream_{Path(file).stem}_{images}"
    spec = importlib.util.spec_from_file_location(name, source / file)
    assert spec and spec.loader
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
    """The same examples in every run, and no memory of earlier ones in the current folder."""
    import hypothesis.configuration
    import hypothesis.core

    core: Any = hypothesis.core
    core.global_force_seed = SEED
    hypothesis.configuration.set_hypothesis_home_dir(os.environ["XDG_CACHE_HOME"])


def _summary(error: Exception) -> str:
    """The first line of an error's text, or the first that says by how much arrays differ."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return next(
        (line for line in lines if "differ" in line or "mismatch" in line.lower()), next(iter(lines), "")
    )
