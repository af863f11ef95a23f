"""Conformance and regression runner for Rusticl, Mesa's OpenCL."""

from pathlib import Path

VERSION = "0.1.0"
ROOT = Path(__file__).parent.parent  # holds runner/, suites/ and expectations/: the checkout, or the installed copy
