"""The wrong kernel is named in the log of a failed tinygrad case, and `runner repro` writes only that kernel."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import forked
import numpy as np
import pytest
from conftest import opencl_environment

from runner.cases import catalogue
from runner.model import DeviceReport
from runner.trace import wrong_kernel
from runner.trace.cpu_reference import elements

ROOT = Path(__file__).parents[2]
# Three kernels, (x + 1), that * 3, and its sum. A fault acts where a driver's would: in the code of the second, in
# the launch, or in what the process does when it reaches that point again.
SUITE = {
    "suite.yaml": "suite: sample\ndescription: one\ntimeout_s: 60\n",
    "cases.py": """from runner.model import Case

def cases():
    for name in ("right", "kernel", "unseen", "test", "launch", "refused", "search_dies", "search_raises"):
        yield Case(f"sample/area/{name}", name)
    yield Case("sample/area/search_hangs", "search_hangs", timeout_s=12)
""",
    "run.py": """import ctypes
import sys
import time
import numpy as np
from runner import check

searching = sys.modules["__main__"].__spec__.name == "runner.trace.wrong_kernel"

def run(device, case):
    tinygrad = device.tinygrad()
    from tinygrad.renderer.cstyle import OpenCLRenderer
    from tinygrad.runtime import ops_cl
    if searching and case.kind.startswith("search_"):
        fault = {"dies": lambda: ctypes.string_at(0), "raises": lambda: 1 // 0, "hangs": lambda: time.sleep(60)}
        fault[case.kind[7:]]()
    if case.kind in ("kernel", "unseen", "refused", "search_dies", "search_raises", "search_hangs"):
        inner = OpenCLRenderer.render
        other = "2.0f" if case.kind in ("kernel", "unseen") else "nothing"
        OpenCLRenderer.render = lambda *a: inner(*a).replace("*3.0f", "*" + other)
    if case.kind == "launch":
        ops_cl.cl.clEnqueueNDRangeKernel = lambda *a: ctypes.string_at(0)
    x = np.arange(1, 8 if case.kind == "right" else 12, dtype=np.float32)  # kernels of its own
    y = ((tinygrad.Tensor(x).realize() + 1).contiguous() * 3).contiguous()
    want = ((x + 1) * 3).sum() + (case.kind == "test")
    got = y.sum().numpy()
    check.equal("sum", got, got if case.kind == "unseen" else np.float32(want))
""",
}

_NIGHTLY = pytest.mark.nightly("another end of a process that is watched alike")


def _write_suite(folder: Path) -> Path:
    (folder / "suites/sample").mkdir(parents=True)
    for name, text in SUITE.items():
        (folder / "suites/sample" / name).write_text(text)
    return folder


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return _write_suite(tmp_path)


def _command(sample: Path, command: str, *words: str) -> str:
    own = ["--driver=llvmpipe", f"--suites={sample / 'suites'}"]
    return forked.call([command, *own, *words], sample, os.environ)[1]


def _program(folder: Path) -> str:
    """The output of the stand-alone program, without this project or tinygrad on its path."""
    environment = opencl_environment(folder.parent)
    kept = {k: v for k, v in (os.environ | environment).items() if k != "PYTHONPATH"}
    assert "tinygrad" not in re.sub('"""(.|\n)*?"""', "", (folder / "repro.py").read_text())
    done = subprocess.run([sys.executable, "repro.py"], cwd=folder, env=kept, capture_output=True, text=True)
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """What a run of all cases that end has recorded about one."""
    folder = _write_suite(tmp_path_factory.mktemp("run"))
    words = [word for name in ("right", "kernel", "refused", "test") for word in ("-t", f"*/{name}")]
    _command(folder, "run", *words, "-j1", f"--results={folder / 'results'}")
    return lambda name: (folder / f"results/logs/sample/area/{name}.txt").read_text()


def test_the_log_of_a_failure_names_the_first_wrong_kernel(logs: Callable[[str], str]) -> None:
    """An unexpected failure is repeated as the first of a fresh child, and searched there; an expected one costs nothing."""
    _, first, second = logs("kernel").split("--- attempt ")
    assert "warm, case 2 of child 1" in first
    assert "kernel 3 of 3: " in first
    assert "first wrong kernel:" not in first
    assert "alone" in second
    assert "value: sum: got 0x1.34p+7 (154) want 0x1.cep+7 (231)" in second
    assert re.search(r"kernel 2 of 3: E_\w+ global \(11, 1, 1\), local \(\d+, 1, 1\)", second)
    assert re.search(
        r"first wrong kernel: E_\w+ \(2nd of 3\), output buffer 0 \[0\]: got 4.0 want 6.0, "
        r"\S+ allowed \(11 of 11 wrong\) \((CPU|PYTHON)\)",
        second,
    )
    assert second.count("__kernel void") >= 3 + 1  # each source, and the wrong one's again


def test_a_kernel_that_does_not_build_is_shown(logs: Callable[[str], str]) -> None:
    assert "build: use of undeclared identifier 'nothing'" in logs("refused")
    assert "the compiler refused, after" in logs("refused")
    assert "*nothing" in logs("refused")
    assert "first wrong kernel:" not in logs("refused")


def test_if_every_kernel_is_right_the_log_says_so(logs: Callable[[str], str]) -> None:
    assert "no wrong kernel: 3 launches agree with tinygrad's" in logs("test")


def test_a_case_that_passes_says_nothing(sample: Path) -> None:
    output = _command(sample, "run-case", "sample/area/right")
    assert "Pass after" in output
    assert "kernel" not in output


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dies", "the search ended with -11"),
        pytest.param("raises", "ZeroDivisionError", marks=_NIGHTLY),
        pytest.param("hangs", "not found in", marks=_NIGHTLY),
    ],
)
def test_whatever_becomes_of_the_search_the_verdict_stays(name: str, message: str, sample: Path) -> None:
    suite = (sample / "suites/sample/run.py").read_text()
    (sample / "suites/sample/run.py").write_text(suite.replace('else "nothing"', 'else "2.0f"'))
    output = _command(sample, "run-case", f"sample/area/search_{name}")
    assert message in output
    assert re.search(r"Fail after [\d.]+ s: value: sum: got 0x1.34p\+7 \(154\) want 0x1.cep\+7 \(231\)", output)
    assert "Crash" not in output
    assert "Timeout" not in output


def test_repro_of_a_case_that_passes_calls_no_kernel_wrong(sample: Path) -> None:
    assert "Pass after" in _command(sample, "repro", "sample/area/unseen", str(sample / "repro"))
    readme = (sample / "repro/README.md").read_text()
    assert "No kernel is known to be wrong. The first one beyond the estimate of its rounding: E_" in readme
    assert "First wrong kernel" not in readme + (sample / "repro/repro.py").read_text()


def test_repro_writes_only_the_wrong_kernel(sample: Path) -> None:
    output = _command(sample, "repro", "sample/area/kernel", str(sample / "repro"))
    assert "Fail after" in output
    readme = (sample / "repro/README.md").read_text()
    assert "First wrong kernel: E_" in readme
    assert "RUSTICL_ENABLE=llvmpipe" in readme
    assert [path.name for path in (sample / "repro").glob("*.cl")] == ["kernel1.cl"]
    printed = _program(sample / "repro")
    assert "output buffer 0: 11 of 11 wrong\n  [0]: got 4.0 want 6.0\n" in printed
    # A driver that compiles it right: the program says that too.
    source = sample / "repro/kernel1.cl"
    source.write_text(source.read_text().replace("*2.0f", "*3.0f"))
    assert "output buffer 0: 0 of 11 wrong" in _program(sample / "repro")


def test_repro_writes_all_kernels_in_order_if_none_is_wrong(sample: Path) -> None:
    _command(sample, "repro", "sample/area/test", str(sample / "repro"))
    assert "these are all 3, in order" in (sample / "repro/README.md").read_text()
    printed = _program(sample / "repro")
    assert printed.count("output buffer 0: 0 of ") == 3
    assert "Traceback" not in printed


@pytest.mark.parametrize(("name", "message"), [("launch", "ran"), ("refused", "undeclared identifier")])
def test_repro_of_what_ends_on_the_way_is_that_step(name: str, message: str, sample: Path) -> None:
    _command(sample, "repro", f"sample/area/{name}", str(sample / "repro"))
    assert len(list((sample / "repro").glob("*.cl"))) == 1
    assert message in _program(sample / "repro")


def test_a_real_wrong_kernel_is_found_and_written(opened: tuple[Any, DeviceReport], tmp_path: Path) -> None:
    """Mesa before 26.2 narrows the constant of a select to the width of the small integer beside it."""
    if not opened[1].mesa.startswith(("22.", "25.0")):
        pytest.skip(f"Mesa {opened[1].mesa} compiles this kernel right")
    words = ["repro", "--driver=llvmpipe", "tinygrad/cast/cast_where.int16", str(tmp_path / "repro")]
    code, output = forked.call(words, tmp_path, os.environ)
    assert code == 0, output
    printed = _program(tmp_path / "repro")
    assert re.search(r"output buffer 0: \d+ of \d+ wrong\n  \[\d+\]: got 16640.0 want 2.5", printed)


_RIGHT = (
    "tinygrad/unary/sin.float32",
    "tinygrad/unary/exp.float32.noopt",
    "tinygrad/unary/tanh.float32.backward",
    "tinygrad/nn/softmax.float32",
    "tinygrad/reduce/std.float32",
    "tinygrad/matmul/matmul.float32",
    "tinygrad/cast/cast.float32.to_float16",
)


@pytest.mark.parametrize("each", [1, pytest.param(3, marks=pytest.mark.nightly("the same operations on other shapes"))])
def test_an_honest_device_is_not_called_wrong(
    opened: tuple[Any, DeviceReport], capsys: pytest.CaptureFixture[str], each: int
) -> None:
    """Roundings differ between the device and the CPU: long sums, functions of the device's own, half."""
    device, _ = opened
    suite, cases = catalogue.load_suite(ROOT / "suites/tinygrad")
    chosen = [[case for case in cases if case.id.startswith(name)][:each] for name in _RIGHT]
    assert all(chosen)
    for case in chain.from_iterable(chosen):
        wrong_kernel.search(device, suite.folder, case, 0, 0)
        output = capsys.readouterr().out
        assert output.startswith("no wrong kernel"), f"{case.id}: {output}"
        assert "without an answer" not in output, f"{case.id}: {output}"


def test_elements_of_types_that_numpy_does_not_know_are_read() -> None:
    assert elements(np.array([0x80, 0x3F], np.uint8), "bfloat16").tolist() == [1.0]
    assert elements(np.array([165], np.uint8), "bool").tolist() == [165]
    assert elements(np.array([7], np.uint8), "fp8e4m3").tolist() == [7]
