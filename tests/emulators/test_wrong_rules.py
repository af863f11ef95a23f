"""Each wrong rule of wrong_rules.py, built into the emulator, turns the test that it names red."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from intel_wrong_rules import WRONG as INTEL
from mali_wrong_rules import WRONG as MALI
from wrong_rules import WRONG as ADRENO
from wrong_rules import Wrong

from emulators.library import _FLAGS

ROOT = Path(__file__).parents[2]
WRONG = (*ADRENO, *INTEL, *MALI)
# A file of C and a table, of the family that is compiled in the least time; the rest costs 3 s of CPU each, and each other
# family that is compiled 10 s
_SLICE = ("lanes_do_not_join", "le_is_lt")
_RED = 1  # pytest's exit code


def test_each_wrong_rule_changes_one_place() -> None:
    for wrong in WRONG:
        text = (ROOT / "emulators" / wrong.file).read_text(encoding="utf-8")
        assert text.count(wrong.text) == 1, f"{wrong.name}: {wrong.file} has its text {text.count(wrong.text)} times"
    assert len({wrong.name for wrong in WRONG}) == len(WRONG) >= 25


def test_each_wrong_rule_names_a_test_that_there_is() -> None:
    for wrong in WRONG:
        file, _, test = wrong.test.partition("::")
        assert f"def {test.partition('[')[0]}(" in (ROOT / "tests/emulators" / file).read_text(encoding="utf-8"), wrong.test


def _parameters() -> list[object]:
    nightly = pytest.mark.nightly("two of them show how it is done")
    return [
        pytest.param(w, id=w.name, marks=[pytest.mark.root] if w.name in _SLICE else [pytest.mark.root, nightly])
        for w in WRONG
    ]


def _family(wrong: Wrong) -> str:
    if wrong.name.startswith("rdna_"):
        return "rdna"
    return "intel" if wrong in INTEL else "mali" if wrong in MALI else "adreno"


def _objects(tree: Path, family: str, units: list[Path]) -> dict[str, Path]:
    """Each unit, compiled, by its folder and name: a family may have a unit of the engine's name."""
    names = {f"{unit.parent.name}_{unit.stem}" if unit.parent != tree else unit.stem: unit for unit in units}
    return {name: _compile(tree, family, unit, tree / f"{name}.o") for name, unit in names.items()}


def _compile(tree: Path, family: str, unit: Path, out: Path) -> Path:
    folders = [f"-I{tree}", *(f"-I{tree / 'emulators' / name}" for name in (family, "engine"))]
    # A wrong rule may leave something unused. Without optimisation it is just as wrong, and compiles in a third of the time.
    flags = [flag for flag in _FLAGS if flag not in ("-O2", "-shared", "-Werror") and not flag.startswith("-l")]
    subprocess.run(["clang", "-O0", *flags, *folders, "-c", str(unit), "-o", str(out)], check=True)
    return out


def _generated(tree: Path, family: str) -> Path:
    """generated.c, and generated.h if the family has one."""
    for name, function in (("generated.c", "generate"), ("generated.h", "header")):
        code = f"from emulators.{family} import generate; print(getattr(generate, '{function}', str)())"
        environment = {**os.environ, "PYTHONPATH": str(tree)}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        (tree / name).write_text(done.stdout, encoding="utf-8")
    return tree / "generated.c"


def _copy(folder: Path) -> Path:
    shutil.copytree(ROOT / "emulators", folder / "emulators", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def _units(tree: Path, family: str) -> list[Path]:
    return [unit for name in ("engine", family) for unit in sorted((tree / "emulators" / name).glob("*.c"))]


Objects = Callable[[str], dict[str, Path]]


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Objects:
    """A family's own units, compiled; by their names."""

    @cache
    def compiled(family: str) -> dict[str, Path]:
        tree = _copy(tmp_path_factory.mktemp("objects"))
        return _objects(tree, family, [_generated(tree, family), *_units(tree, family)])

    return compiled


@pytest.mark.parametrize("wrong", _parameters())
def test_a_wrong_rule_is_caught(wrong: Wrong, objects: Objects, tmp_path: Path) -> None:
    tree, family = _copy(tmp_path), _family(wrong)
    path = tree / "emulators" / wrong.file
    path.write_text(path.read_text(encoding="utf-8").replace(wrong.text, wrong.replacement), encoding="utf-8")
    made = _generated(tree, family)
    match path.suffix:
        case ".c":
            changed = [path]
        case ".py":
            changed = [made]
        case _:
            changed = [*_units(tree, family), made]
    own = _objects(tree, family, changed)
    library = tree / "library.so"
    subprocess.run(["clang", *_FLAGS, "-o", str(library), *map(str, (objects(family) | own).values())], check=True)
    words = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    test = [sys.executable, *words, f"tests/emulators/{wrong.test}"]
    environment = {**os.environ, "EMULATOR_LIBRARY": str(library)}
    done = subprocess.run(test, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == _RED, f"{wrong.test} is green:\n{done.stdout[-2000:]}{done.stderr[-500:]}"
    assert "AssertionError" in done.stdout, done.stdout[-2000:]
