"""The families of the suite: each folder here that holds a `cases.py`."""

from pathlib import Path

FAMILIES = sorted(path.parent.name for path in Path(__file__).parent.glob("*/cases.py"))
