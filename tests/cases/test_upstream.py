"""tinygrad's own tests as a suite: a checkout whose tests pass, fail, skip and die on the real driver."""

import unittest
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import Mock
from mutation import SUITES

from runner.importing import import_suite_module

_TINY = """
import os, unittest
import numpy as np
from tinygrad import Tensor
from tinygrad.helpers import IMAGE

class Common(unittest.TestCase):
  def test_inherited(self): self.assertEqual((Tensor([1, 2]).realize() * 2).tolist(), [2, 4])

class TestTiny(Common):
  @classmethod
  def setUpClass(cls): cls.base = Tensor([3.0, 4.0]).realize()
  def test_passes(self): self.assertEqual((self.base + 1).tolist(), [4.0, 5.0])
  def test_fails(self): self.assertEqual((self.base + 1).tolist(), [4.0, 6.0])
  def test_dies(self): (self.base + 1).realize(); os.abort()
  def test_launches_nothing(self): self.assertEqual(1 + 1, 2)
  def test_skips_itself(self): self.skipTest("not here")
  @unittest.expectedFailure
  def test_known(self): self.assertEqual((self.base * 3).tolist(), [0.0, 0.0])
  @unittest.expectedFailure
  def test_no_longer_known(self): self.assertEqual((self.base * 5).tolist(), [15.0, 20.0])
  @unittest.skipUnless(IMAGE, "images alone")
  def test_images(self): self.assertEqual((self.base * 7).tolist(), [21.0, 28.0])
  def test_parts(self):
    for i in (1, 2):
      with self.subTest(part=i):
        if i == 1: self.skipTest("one part alone")
        self.assertEqual((self.base * i).tolist(), [6.0, 8.0])
  def test_fails_in_a_part(self):
    for i in (1, 2):
      with self.subTest(part=i):
        if i == 1: self.skipTest("one part alone")
        try: np.testing.assert_allclose((self.base / 2).numpy(), [1.5, 3.0])
        except AssertionError as e: raise AssertionError("\\n[1.5 2. ]\\ndoes not match") from e
  def helper(self): raise AssertionError("no test")

@unittest.skipUnless(os.getenv("RUN_SLOW"), "slow")
class TestSlow(unittest.TestCase):
  def test_slow(self): self.assertEqual((Tensor([1.0]).realize() + 1).tolist(), [2.0])

class TestElsewhere(unittest.TestCase):
  @classmethod
  def setUpClass(cls): raise unittest.SkipTest("another device's")
  def test_nothing(self): raise AssertionError("not run")

class NoTests:
  def test_nothing(self): raise AssertionError("no TestCase")
"""
_OPS = """
import torch, unittest

class TestOps(unittest.TestCase):
  def test_add(self): pass
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A tree like tinygrad's own, of the installed package and the tests above."""
    folder = tmp_path / "checkout"
    (folder / "test/backend").mkdir(parents=True)
    spec = find_spec("tinygrad")
    assert spec
    assert spec.origin
    (folder / "tinygrad").symlink_to(Path(spec.origin).parent)
    (folder / "pyproject.toml").write_text(f'[project]\nname = "tinygrad"\nversion = "{version("tinygrad")}"\n')
    (folder / "test/test_tiny.py").write_text(_TINY)
    (folder / "test/backend/test_ops.py").write_text(_OPS)
    return folder


def test_each_test_of_the_checkout_has_a_verdict(checkout: Path, mock: Mock) -> None:
    words = ["--driver", "llvmpipe", "-t", "upstream/*", "--tier", "full", "--retries", "0"]
    code, output = mock.cli(*words, f"--results={mock.results}", f"--tinygrad-src={checkout}")
    assert code == 1, output
    tiny = {
        "Common.test_inherited": "Pass",
        "TestElsewhere.test_nothing": "Skip",
        "TestSlow.test_slow": "Pass",
        "TestTiny.test_dies": "Crash",
        "TestTiny.test_fails": "Fail",
        "TestTiny.test_fails_in_a_part": "Fail",
        "TestTiny.test_images": "Skip",
        "TestTiny.test_inherited": "Pass",
        "TestTiny.test_known": "Skip",
        "TestTiny.test_no_longer_known": "Fail",
        "TestTiny.test_launches_nothing": "Skip",
        "TestTiny.test_parts": "Pass",
        "TestTiny.test_passes": "Pass",
        "TestTiny.test_skips_itself": "Skip",
    }
    found = mock.rows()
    assert {i.removeprefix("upstream/test_tiny/"): v for i, v in found.items() if "/test_tiny/" in i} == tiny, output
    assert found["upstream/test_tiny.image/TestTiny.test_images"] == "Pass"
    assert found["upstream/test_ops/TestOps.test_add"] == ("Pass" if find_spec("torch") else "Skip")
    for line in (
        "value: AssertionError: Lists differ: [4.0, 5.0] != [4.0, 6.0]",
        "value: (part=2): AssertionError: Mismatched elements: 1 / 2 (50%)",
        "SIGABRT",
    ):
        assert line in output
    journal = (mock.results / "journal.jsonl").read_text()
    for line in (
        "upstream: not here",
        "upstream: another device's",
        "upstream: launches nothing on the device",
        "unsupported: torch (pip install",
    ):
        assert line in journal
    again, output = mock.cli("report", str(mock.results))
    assert again == 1, output
    assert mock.rows() == found, output


class _WayOut(BaseException):
    """As the search for the wrong kernel leaves a case."""


def test_what_is_not_a_failure_of_the_test_goes_through_unittest() -> None:
    class Parts(unittest.TestCase):
        def test(self) -> None:
            with self.subTest(part=1):
                self.fail("of the test")
            with self.subTest(part=2):
                raise _WayOut

    suite = import_suite_module(SUITES / "upstream", "run")
    outcome = suite._Outcome()
    unittest.TestSuite([Parts("test")]).run(outcome)
    with pytest.raises(_WayOut):
        suite._judge(outcome)


def test_without_a_checkout_there_is_no_such_suite(mock: Mock) -> None:
    code, output = mock.cli("list", "-t", "upstream/*")
    assert code == 2
    assert "'upstream/*' matches no test" in output


@pytest.mark.parametrize("option", ["--tinygrad-src", "--tinygrad-prefix"])
def test_a_folder_without_tinygrad_is_refused(option: str, tmp_path: Path, mock: Mock) -> None:
    """Otherwise the installed one would be imported, and tested under the checkout's name."""
    code, output = mock.cli("--driver", "llvmpipe", option, str(tmp_path))
    assert code == 2
    assert "has no tinygrad" in output
