"""A case as a program that contains its body: the suite, and the parts of the runner that the suite imports."""

import ast
import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from runner import ROOT
from runner.model import Case
from runner.trace.programs import fill_program


def write_body_program(folder: Path, suite: Path, case: Case, seed: int) -> None:
    """Write repro.py, case.json and source/ into a folder. They need numpy and pyopencl, and no checkout."""
    text = fill_program("body", id=case.id, seed=seed)
    source = folder / "source"
    shutil.copytree(suite, source / suite.name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    imports = {name for path in suite.rglob("*.py") for name in _imports(path.read_text(encoding="utf-8"))}
    for path in _files((*imports, *_imports(text))):
        copy = source / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    (folder / "case.json").write_text(json.dumps(asdict(case)), encoding="utf-8")
    (folder / "repro.py").write_text(text, encoding="utf-8")


def _imports(text: str) -> Iterator[str]:
    """The modules of the runner that a text may import; a name from one of them is not a file, and does no harm."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _files(names: Iterable[str]) -> set[Path]:
    """The files of these modules, of the packages that they lie in, and of everything that they import in turn."""
    found: set[Path] = set()
    left = [name for name in names if name.split(".")[0] == "runner"]
    while left:
        parts = left.pop().split(".")
        packages = [ROOT.joinpath(*parts[:n], "__init__.py") for n in range(1, len(parts) + 1)]
        new = {p for p in (*packages, ROOT.joinpath(*parts).with_suffix(".py")) if p.is_file()} - found
        found |= new
        left += [n for p in new for n in _imports(p.read_text(encoding="utf-8")) if n.split(".")[0] == "runner"]
    return found
