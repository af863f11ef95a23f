"""Imports inside runner/ point one way, and the command line stays light."""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from runner.commands import COMMANDS, module_of

ROOT = Path(__file__).parent.parent
# Files at the top of runner/ that no suite imports: needed by nearly every package, and not a step of their own.
_GROUND = {
    "shapes": "the model's classes are checked by it, on their way out of JSON and YAML",
    "yaml_loader": "one loader for cases, drivers and expectations",
    "run_config": "one run as it was asked for: what every process of it has, and most commands' options",
    "cpu": "the classes of a CPU: expectations, drivers, child, bench and doctor",
    "cache_folder": "what is kept for later commands, cases, and for later runs, the start of a driver",
}
# From the ground up: a package imports what stands above it here, and itself. A file at the top of runner/ counts by itself.
_ORDER = [
    *(
        *("shapes", "yaml_loader", "model", "bodies", "check", "ids", "image_formats", "importing", "tap", "launches"),
        *("lines", "program", "spelling"),
    ),
    *("releases", "run_config", "sources", "transfers", "cpu", "cache_folder"),
    "compiler_stats",  # marks the builds of `device`, and names what `drivers` may list
    "device",
    "cases",
    "expectations",
    "drivers",
    "boards",
    "records",
    "verdict",
    "trace",
    "child",
    "output",
    "run",
    "analysis",
    "pages",
    "maintenance",
    "bench",
    "doctor",
    "commands",
    "cli",
]
_ONLY = {"pytest": {"run.pytest_plugin"}, "xdist": {"run.pytest_plugin", "run.scheduling"}, "junitparser": {"output.junit"}}
# All of them run in the child, or in a child of their own.
_CHILD_ONLY = {
    "numpy": {"check", "device", "launches", "trace"},
    "pyopencl": {"child", "compiler_stats.build_marks", "device", "image_formats", "trace", "transfers"},
    "tinygrad": {"bench", "device", "doctor", "launches", "trace"},
}


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Every statement of a file: a tenth of the nodes of ast.walk()."""
    ahead: list[ast.AST] = [tree]
    while ahead:
        node = ahead.pop()
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            ahead += value if isinstance(value := getattr(node, name, None), list) else []
        if isinstance(node, ast.stmt):
            yield node


@cache
def _imports(path: Path) -> frozenset[str]:
    """The full names that a file imports: `runner.run.worker` also if it is written `from runner.run import worker`."""
    found: set[str] = set()
    for node in _statements(_tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = ROOT / node.module.replace(".", "/") / alias.name
                is_module = inner.is_dir() or inner.with_suffix(".py").is_file()
                found.add(f"{node.module}.{alias.name}" if is_module else node.module)
    return frozenset(found)


@cache
def _modules() -> dict[str, Path]:
    """The modules of runner/ by their names below it; a package's __init__ has the package's name."""
    files = sorted((ROOT / "runner").rglob("*.py"))
    names = {".".join(p.relative_to(ROOT / "runner").with_suffix("").parts).removesuffix(".__init__"): p for p in files}
    return {name: path for name, path in names.items() if name not in ("__init__", "__main__")}


@pytest.mark.parametrize("name", _modules())
def test_a_module_imports_only_what_stands_below_it(name: str) -> None:
    own = name.split(".")[0]
    for other in _imports(_modules()[name]):
        package, _, below = other.partition(".")
        if package == "runner" and below:
            rank = _ORDER.index(below.split(".")[0])
            assert rank < _ORDER.index(own) or below.split(".")[0] == own, f"{name} imports {other}"
        assert name in _ONLY.get(package, {name}), f"{name} imports {other}"
        assert {own, name} & _CHILD_ONLY.get(package, {own}), f"{name} imports {other}"


# Code that prints in the process of a case writes to its output, which is escaped if it is shown.
_IN_CHILDREN = ("child", "trace", "bench.child", "launches", "program", "compiler_stats.build_marks")
# Output that moves a terminal's cursor, or is for GitLab: the runner's own texts and numbers.
_CURSOR_MOVERS = {"lines.tell", "output.terminal._show", "output.terminal.section", "commands.stress.main"}


def _prints(name: str, path: Path) -> list[str]:
    """`module.function:line` of each call that writes a text to a terminal that is neither a constant nor only painted."""
    found = []
    for function in ast.walk(_tree(path)):
        if not isinstance(function, ast.FunctionDef):
            continue
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in ("print", "sys.stdout.write", "sys.stderr.write"):
                own = [a for a in call.args if not isinstance(a, ast.Constant) and not ast.unparse(a).startswith("paint(")]
                if own and f"{name}.{function.name}" not in _CURSOR_MOVERS:
                    found.append(f"{name}.{function.name}:{call.lineno}")
    return found


def test_whatever_is_printed_goes_through_one_function() -> None:
    own = {n: path for n, path in _modules().items() if not f"{n}.".startswith(tuple(f"{n}." for n in _IN_CHILDREN))}
    own |= {f"tools.{path.stem}": path for path in (ROOT / "tools").rglob("*.py")}
    assert [place for name, path in own.items() for place in _prints(name, path)] == []
    for place in _CURSOR_MOVERS:
        module, function = place.rsplit(".", 1)
        assert f"def {function}(" in _modules()[module].read_text(encoding="utf-8"), place


def test_no_two_modules_import_each_other() -> None:
    graph = {name: {i.removeprefix("runner.") for i in _imports(path)} for name, path in _modules().items()}
    assert list(TopologicalSorter(graph).static_order())


# Two commands that are another form of a third.
_OTHER_FORMS = {
    "commands.export.codequality": "runner.commands.expect.lint",
    "commands.expect.init": "runner.commands.expect.update",
}


def test_a_command_imports_no_other_command() -> None:
    for name, path in _modules().items():
        if name.startswith("commands."):
            others = {i for i in _imports(path) if i.startswith("runner.commands.")}
            assert others <= {"runner.commands.options", _OTHER_FORMS.get(name, "")}, f"{name} imports {others}"


def test_every_module_of_commands_is_a_command() -> None:
    files = {name.removeprefix("commands.") for name in _modules() if name.startswith("commands.")} - {"options"}
    assert {f"runner.commands.{name}" for name in files} == {module_of(name).__name__ for name in COMMANDS}


def test_only_the_command_that_runs_is_imported() -> None:
    """And with it neither another command nor the other commands of its group."""
    code = "import sys; from runner.cli import main; main(['expect', 'explain', '--help'])"
    end = "print([name for name in sys.modules if name.startswith('runner.commands.')], file=sys.stderr)"
    script = f"import atexit, sys; atexit.register(lambda: {end}); {code}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    expected = ["runner.commands.options", "runner.commands.expect", "runner.commands.expect.explain"]
    assert done.stderr.strip() == str(expected)


def test_every_command_returns_an_exit_code() -> None:
    """bisect-step's code for git is the one exception."""
    for name, path in _modules().items():
        if name.startswith("commands.") and (text := path.read_text(encoding="utf-8")).count("def main("):
            returns = "Commit" if name == "commands.bisect_step" else "ExitCode"
            assert f"def main(arguments: argparse.Namespace) -> {returns}:" in text, name


def test_no_two_classes_have_one_name() -> None:
    """No other file names a file's own helpers, whose names begin with an underscore."""
    trees = [_tree(path) for path in _modules().values()]
    names = Counter(n.name for tree in trees for n in tree.body if isinstance(n, ast.ClassDef) and n.name[0] != "_")
    assert not [name for name, count in names.items() if count > 1]


def _sources() -> list[Path]:
    return [
        p
        for folder in ("emulators", "runner", "rusticl_runner", "suites", "tests", "tools")
        for p in (ROOT / folder).rglob("*.py")
    ]


def test_a_module_over_300_lines_says_at_its_top_why_it_is_one_file() -> None:
    texts = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in _sources()}
    long = {path: text for path, text in texts.items() if len(text.splitlines()) > 300}
    assert not [path for path, text in long.items() if "\nOne file: " not in (ast.get_docstring(_tree(ROOT / path)) or "")]


def _own_lines(function: ast.FunctionDef) -> int:
    """The lines of a function, without those of the arguments that it yields: a catalogue of cases is a table."""
    rows = [node for node in ast.walk(function) if isinstance(node, ast.Yield | ast.YieldFrom)]
    return _lines(function) - sum(_lines(row) - 1 for row in rows)


def _lines(node: ast.stmt | ast.expr) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_function_is_over_60_lines_but_for_tables_of_arguments() -> None:
    functions = [(p, node) for p in _sources() for node in _statements(_tree(p)) if isinstance(node, ast.FunctionDef)]
    assert not [f"{path}: {node.name}" for path, node in functions if _lines(node) > 60 and _own_lines(node) > 60]


def test_suites_import_only_the_top_of_the_runner() -> None:
    for path in sorted((ROOT / "suites").rglob("*.py")):
        for name in _imports(path):
            assert not name.startswith("runner.") or name.count(".") == 1, f"{path} imports {name}"


# What an area of suites/kernels imports from another one, and why it is not in the kit.
_IMPORTS_OF_OTHER_AREAS = {
    ("conversion", "integer"): "divisions by constants, whose results it converts",
    ("extension", "api"): "GuardedBuffer, memory between guards, until a third area needs it",
    ("queues", "event"): "the table of commands, which queues puts into queues of each kind",
    ("queues", "extension"): "device addresses, whose queue is one of its kinds",
    ("stress", "svm"): "allocations, which it leaks",
}


def test_areas_import_the_kit_and_the_kit_no_area() -> None:
    kernels = ROOT / "suites/kernels"
    areas = {path.parent.name for path in kernels.glob("*/*.py")}
    found = set()
    for path in kernels.glob("*/*.py"):
        modules = [n.module or "" for n in ast.walk(_tree(path)) if isinstance(n, ast.ImportFrom) and n.level == 2]
        found |= {(path.parent.name, m.split(".")[0]) for m in modules if m.split(".")[0] in areas - {"kit"}}
    assert found == _IMPORTS_OF_OTHER_AREAS.keys()


def test_the_emulators_know_nothing_of_runner_and_suites_and_one_module_knows_them() -> None:
    for path in sorted((ROOT / "emulators").rglob("*.py")):
        assert not {i.split(".")[0] for i in _imports(path)} & {"runner", "suites", "rusticl_runner"}, path
    others = {name for name, path in _modules().items() if any(i.split(".")[0] == "emulators" for i in _imports(path))}
    assert others == {"drivers.emulator"}
    assert not [p for p in (ROOT / "suites").rglob("*.py") if any(i.split(".")[0] == "emulators" for i in _imports(p))]


def test_the_top_of_the_runner_holds_what_suites_import_and_the_ground_floor() -> None:
    """Every other file lies in a package named after its step."""
    imported = {name for path in (ROOT / "suites").rglob("*.py") for name in _imports(path)}
    top = {path.stem for path in (ROOT / "runner").glob("*.py")} - {"__init__", "__main__", "cli"}
    assert top - _GROUND.keys() == {name.removeprefix("runner.") for name in imported if name.startswith("runner.")}
    assert _GROUND.keys() <= top


def test_the_command_line_by_itself_imports_nothing_heavy() -> None:
    code = "import sys, runner.cli; runner.cli.main(['--help']); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout.split()
    assert not {
        *("runner.commands.run", "runner.cases.catalogue", "email", "yaml", "numpy", "pytest", "pyopencl"),
        *("tinygrad", "junitparser"),
    } & set(loaded)


_CATALOGUE = "import pathlib, runner.cases.catalogue as c; c.load(pathlib.Path('suites'))"


@pytest.mark.parametrize("code", [_CATALOGUE, "import runner.child.__main__"])
def test_a_catalogue_and_a_child_without_a_device_need_no_numpy(code: str) -> None:
    code += "; import sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout.split()
    assert not {"numpy", "pyopencl", "tinygrad"} & set(loaded)
