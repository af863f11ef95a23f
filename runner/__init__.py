"""Conformance and regression runner for Rusticl, Mesa's OpenCL."""

from pathlib import Path

VERSION = "2027.1.dev0"  # of the runner and of its suites, whose ids suites/releases/ freezes: year and month
ROOT = Path(__file__).parent.parent  # holds runner/, suites/ and expectations/: the checkout, or the installed copy
