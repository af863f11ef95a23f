"""Import a suite's module by its folder, so that suites need no installation and may import siblings."""

import hashlib
import importlib
import sys
from pathlib import Path
from types import ModuleType


def import_suite_module(folder: Path, name: str) -> ModuleType:
    """Import `folder/name.py` as part of a package, so that it can do `from . import sibling`.

    Two folders of one name are two packages. Raises whatever the module raises.
    """
    folder = folder.resolve()
    package = f"suite_{folder.name}_{hashlib.sha256(bytes(folder)).hexdigest()[:8]}"
    if package not in sys.modules:
        module = ModuleType(package)
        module.__path__ = [str(folder)]
        sys.modules[package] = module
    return importlib.import_module(f"{package}.{name}")
