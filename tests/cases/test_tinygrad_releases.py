"""The releases of tinygrad that the suites say they run on: each is installed, and runs."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from conftest import Mock

from runner import releases
from runner.records.journal import read

ROOT = Path(__file__).parents[2]
_ENVIRONMENT = dict(os.environ)  # before any fixture sets a cache folder of its own
_PINNED = [
    line.removeprefix("tinygrad==").split()[0]
    for line in (ROOT / "ci/tinygrad.lock").read_text().splitlines()
    if line.startswith("tinygrad==")
]
OLDER = [".".join(version.split(".")[:2]) for version in _PINNED]
_TENSOR = """
import json
from suites.tinygrad.coverage import methods
from suites.tinygrad.documentation.examples import examples
from tinygrad import Tensor
print(json.dumps({name: len(examples(Tensor, name)) for name in methods()}))
"""
TINYGRAD = ROOT / "suites/tinygrad"
SLICE = (
    "tinygrad/unary/neg.float32*",
    "tinygrad/documentation/matmul.1",
    "tinygrad/documentation/softmin.1",
    "tinygrad/jit/replay.softmax_twice.float32",
    "tinygrad/optimiser/SGD.plain",  # these two train
    "tinygrad/nn/dropout.most",
    "tinygrad/cast/pad_of_cast.int32.inf",
    "models/gguf/Q4_1",
)
_NIGHTLY_SLICE = (*SLICE, "models/gpt2/greedy/hello")


@cache
def installed(series: str) -> Path | None:
    """The folder of an older release, installed if it is missing; None for the one that is installed here."""
    if series not in OLDER:
        return None
    done = subprocess.run(
        [str(ROOT / "ci/tinygrad"), series], env=_ENVIRONMENT, stdout=subprocess.PIPE, text=True, check=True
    )
    return Path(done.stdout.strip())


@cache
def newest() -> str:
    return ".".join(releases.installed_version().split(".")[:2])


@cache
def tensor(series: str) -> dict[str, int]:
    """The public methods and operators of a release's Tensor, and how many examples each one's docstring has."""
    path = os.pathsep.join(str(p) for p in (installed(series), ROOT) if p)
    done = subprocess.run(
        [sys.executable, "-c", _TENSOR],
        env={**_ENVIRONMENT, "PYTHONPATH": path, "DEV": "CPU"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, int] = json.loads(done.stdout)
    return found


def since(holds: Callable[[str], bool]) -> str:
    """The first release since which all have something that the newest has."""
    return list(takewhile(holds, [newest(), *OLDER]))[-1]


def examples_table() -> dict[str, list[str]]:
    """For each example of the newest release, the first release since which its method has as many."""
    return {
        method: [since(partial(has_example, method, number)) for number in range(count)]
        for method, count in tensor(newest()).items()
        if count
    }


def has_example(method: str, number: int, series: str) -> bool:
    return tensor(series).get(method, 0) > number


def has(method: str, series: str) -> bool:
    return method in tensor(series)


def since_table() -> dict[str, str]:
    """The methods of the newest release; with the first release that has it if the oldest one lacks it."""
    return {m: "" if m in tensor(OLDER[-1]) else since(partial(has, m)) for m in tensor(newest())}


def written(table: Mapping[str, Any]) -> str:
    return "{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in table.items()) + "\n}\n"


TABLES: dict[Path, Callable[[], Mapping[str, Any]]] = {
    TINYGRAD / "documentation/examples.json": examples_table,
    TINYGRAD / "since.json": since_table,
}


def test_two_releases_before_the_newest_are_supported() -> None:
    major, minor = newest().split(".")
    assert [f"{major}.{int(minor) - i}" for i in (1, 2)] == OLDER[:2]


@pytest.mark.slow  # it installs every release if they are missing
@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_a_committed_table_is_what_the_releases_say(path: Path) -> None:
    """To write them again: PYTHONPATH=.:tests python3 tests/cases/test_tinygrad_releases.py, in a root."""
    assert path.read_text(encoding="utf-8") == written(TABLES[path]())


@pytest.mark.slow
def test_the_documentation_has_its_examples() -> None:
    assert len(examples_table()) > 190
    assert sum(map(len, examples_table().values())) > 340


_BETWEEN = pytest.mark.nightly("the oldest lacks more")


_GPT2 = pytest.mark.nightly("half a minute for what GGUF's linear layer and the training steps show")


@pytest.mark.parametrize(
    ("series", "cases"),
    [
        *(pytest.param(s, _NIGHTLY_SLICE, marks=_BETWEEN, id=s) for s in OLDER[:-1]),
        pytest.param(OLDER[-1], SLICE, id=OLDER[-1]),
        pytest.param(OLDER[-1], _NIGHTLY_SLICE[-1:] + SLICE, marks=_GPT2, id=f"{OLDER[-1]}-gpt2"),
    ],
)
def test_the_suites_run_on_an_older_release(series: str, cases: tuple[str, ...], mock: Mock) -> None:
    """A case of each kind, one whose operation that release lacks, and one that it is known to fail."""
    words = ["--driver", "llvmpipe", "--tier", "full", *(word for glob in cases for word in ("-t", glob))]
    code, output = mock.cli(*words, f"--results={mock.results}", f"--tinygrad-prefix={installed(series)}")
    assert code == 0, output
    device = read(mock.results).device
    assert device
    assert device.tinygrad.startswith(f"{series}.")
    rows = mock.rows()
    assert {i for i, verdict in rows.items() if verdict == "Skip"} == {"tinygrad/documentation/softmin.1"}
    assert {i for i, verdict in rows.items() if verdict == "ExpectedFail"} == {"tinygrad/cast/pad_of_cast.int32.inf"}
    assert set(rows.values()) == {"Pass", "Skip", "ExpectedFail"}, output


@pytest.mark.root
@pytest.mark.parametrize("choice", [{}, {"DEV": "CPU"}])
def test_a_wrong_choice_of_device_is_not_silent(choice: dict[str, str]) -> None:
    """tinygrad accepts any device silently; the case is then an error, not a pass."""
    code = "from runner.device import open_tinygrad; open_tinygrad('llvmpipe', True)"
    kept = {k: v for k, v in _ENVIRONMENT.items() if k != "DEV"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**kept, "PYTHONPATH": str(ROOT), "RUSTICL_ENABLE": "", **choice},
    )
    assert "NothingTested: tinygrad drives " in done.stderr


@pytest.mark.root  # ci/run sets its root up first
@pytest.mark.parametrize("words", [("--tinygrad", "0"), ("--tinygrad=0.1x",), ("--tinygrad", "0.2")])
def test_an_unknown_release_is_a_usage_error(words: tuple[str, ...]) -> None:
    done = subprocess.run([str(ROOT / "ci/run"), *words, "list"], env=_ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert f"not one of {_PINNED[0]} " in done.stderr, done.stderr


@pytest.mark.parametrize(
    ("version", "chosen"),
    [("0.10.3", {"GPU": "1"}), ("0.11.0", {"DEV": "GPU"}), ("0.12.0", {"DEV": "CL"}), ("0.14.0", {"DEV": "CL"})],
)
def test_each_release_is_told_in_its_own_way(version: str, chosen: dict[str, str]) -> None:
    assert releases.opencl_environment(version) == chosen


if __name__ == "__main__":
    for path, table in TABLES.items():
        path.write_text(written(table()), encoding="utf-8")
