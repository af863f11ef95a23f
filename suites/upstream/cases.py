"""The catalogue of tinygrad's own tests: read from the checkout's files, without importing them."""

import ast
import os
from collections.abc import Iterator
from pathlib import Path

from runner.model import Case, Tier
from runner.sources import TINYGRAD_VARIABLE

FILES = (
    *("test_tiny", "test_ops", "test_transcendental", "test_dtype", "test_dtype_alu", "test_jit", "test_jit_cases"),
    *("test_jit_footguns", "test_symbolic_jit", "test_symbolic_ops", "test_nn", "test_image_dtype"),
)
FOLDERS = ("test/backend", "test", "test/unit")  # the folders of all releases
WITH_IMAGES = ("test_tiny", "test_ops")
IMAGES_ALONE = ("test_image_dtype",)
OPTIONAL = ("torch", "hypothesis")  # packages that a file may import and that not every machine has


def cases() -> Iterator[Case]:
    """`upstream/<file>/<Class>.<test>`, and `upstream/<file>.image/...` for images in place of buffers.

    No cases without a checkout.
    """
    if not (source := os.environ.get(TINYGRAD_VARIABLE)):
        return
    for name in FILES:
        paths = (Path(source, folder, f"{name}.py") for folder in FOLDERS)
        if not (path := next((p for p in paths if p.is_file()), None)):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        imported = _imports(tree)
        needs = tuple(package for package in OPTIONAL if package in imported)
        for test in _tests(tree):
            params = {"file": str(path.relative_to(source)), "test": test}
            if name not in IMAGES_ALONE:
                yield Case(f"upstream/{name}/{test}", "buffers", params, needs, Tier.FULL)
            if name in (*WITH_IMAGES, *IMAGES_ALONE):
                yield Case(f"upstream/{name}.image/{test}", "images", params, (*needs, "image2d_from_buffer"), Tier.FULL)


def _tests(tree: ast.Module) -> Iterator[str]:
    """`Class.test` for each test of each TestCase, its own and those of its bases in the file."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}

    def line(node: ast.ClassDef) -> Iterator[ast.ClassDef]:
        yield node
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id in classes:
                yield from line(classes[base.id])

    for node in classes.values():
        line_of_bases = list(line(node))
        bases = [ast.unparse(base) for one in line_of_bases for base in one.bases]
        if any(base.endswith("TestCase") for base in bases):
            names = [n.name for one in line_of_bases for n in one.body if isinstance(n, ast.FunctionDef)]
            yield from (f"{node.name}.{name}" for name in dict.fromkeys(names) if name.startswith("test"))


def _imports(tree: ast.Module) -> set[str]:
    """What the file imports at its top level."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found
