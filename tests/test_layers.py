"""Imports inside runner/ point one way, and the command line stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
_ORDER = [
    {"compilers", "lines", "model", "parent", "spelling"},
    {"cpu", "kernel_log", "layers", "libraries", "releases", "statistics"},
    {"builds", "judge", "expectations", "importing", "check", "image_formats", "launches", "shims"},
    {"catalogue", "drivers", "device", "journal", "oracle"},
    {"artifacts", "boards", "diagnosis"},
    {"history", "kernel_recording"},
    {"recording"},
    {"mesa", "probe"},
    {"launcher"},
    {"supervisor", "child"},
    {"execute"},
    {"board"},
    {"report", "pytest_plugin"},
    {"comparison", "junit", "page", "summary"},
    {"session"},
    {"bench", "doctor"},
    {"commands"},
    {"cli"},
]
_PACKAGES = ("bench", "commands", "doctor")
_ONLY = {"pytest": "pytest_plugin", "xdist": "pytest_plugin", "junitparser": "junit"}
_CHILD_ONLY = {
    "numpy": {"bench", "check", "device", "kernel_recording", "launches", "oracle", "recording"},
    "pyopencl": {"bench", "builds", "device", "diagnosis", "image_formats", "probe", "recording"},
    "tinygrad": {"bench", "device", "doctor", "launches", "oracle"},
}


def _imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" if node.module == "runner" else node.module for alias in node.names}
    return found


def test_imports_point_one_way() -> None:
    rank = {name: i for i, names in enumerate(_ORDER) for name in names}
    for path in sorted((ROOT / "runner").rglob("*.py")):
        parts = path.relative_to(ROOT / "runner").parts
        own = parts[0] if len(parts) > 1 else path.stem
        if own == "__init__":
            continue
        for name in _imports(path):
            if name.startswith("runner."):
                other = name.split(".")[1]
                assert rank[other] < rank[own] or own == other in _PACKAGES, f"{path} imports {name}"
            package = name.split(".")[0]
            assert _ONLY.get(package, own) == own, f"{path} imports {name}"
            assert own in _CHILD_ONLY.get(package, {own}), f"{path} imports {name}"


def test_the_command_line_alone_imports_nothing_heavy() -> None:
    code = "import sys, runner.cli; runner.cli._parser(); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout.split()
    assert not {"yaml", "numpy", "pytest", "pyopencl", "tinygrad", "junitparser"} & set(loaded)


def test_a_catalogue_needs_no_numpy_and_no_device() -> None:
    code = "import sys, pathlib, runner.catalogue as c; c.load(pathlib.Path('suites')); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout.split()
    assert not {"numpy", "pyopencl", "tinygrad"} & set(loaded)
