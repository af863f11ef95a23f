"""`runner repro` on the real device: what it writes shows the same wrong values without this project."""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import forked
import pytest
from conftest import opencl_environment

from runner.cases import catalogue
from runner.drivers.registry import target_of
from runner.expectations.resolution import load_expectations
from runner.importing import import_suite_module
from runner.model import Case, DeviceReport, Tier
from runner.run_config import RunConfig
from runner.trace.body_program import write_body_program
from runner.trace.programs import set_in_c

ROOT = Path(__file__).parents[2]
SUITE = {
    "suite.yaml": "suite: sample\ndescription: one\n",
    "cases.py": """from runner.model import Case

def cases():
    for name in ("value", "past_the_seam", "filled", "crash"):
        yield Case(f"sample/area/{name}", name)
""",
    "run.py": """import ctypes
import numpy as np
import pyopencl as cl
from runner import check

SOURCE = "kernel void f(global const int *a, global int *r, int k) { int i = get_global_id(0); r[2 * i + 1] = a[i] * k; }"

def run(device, case):
    a = np.arange(8, dtype=np.int32)
    out = device.buffer(np.zeros((8, 2), np.int32))
    given = device.buffer(a)
    if case.kind == "past_the_seam":
        given = cl.Buffer(device.context, cl.mem_flags.COPY_HOST_PTR, hostbuf=a)
    if case.kind == "filled":
        cl.enqueue_fill_buffer(device.queue, given, np.int32(5), 0, a.nbytes)
        a = np.full(8, 5, np.int32)
    device.launch(device.build(SOURCE).f, [8], [8], given, out, np.int32(3))
    if case.kind == "crash":
        ctypes.string_at(0)
    want = a * 3
    want[5] = 1
    check.equal("r", device.read(out, np.int32, (8, 2))[:, 1], want)
""",
}


@pytest.mark.root
@pytest.mark.parametrize(
    ("name", "files", "message"),
    [
        ("value", {"program0.cl", "data.npz"}, "(5,): got 15 want 1\nthe same wrong values"),
        ("past_the_seam", {"source", "case.json"}, "value: r[5]: got 15 (0xf) want 1 (1 of 8 wrong)"),
        ("filled", {"source", "case.json"}, "value: r[5]: got 15 (0xf) want 1 (1 of 8 wrong)"),
        ("crash", {"program0.cl", "data.npz"}, "llvmpipe"),
    ],
)
def test_a_case_becomes_a_program_of_its_own(name: str, files: set[str], message: str, tmp_path: Path) -> None:
    suite, folder = tmp_path / "suites/sample", tmp_path / "repro"
    suite.mkdir(parents=True)
    for file, text in SUITE.items():
        (suite / file).write_text(text)
    words = ["repro", "--driver=llvmpipe", f"--suites={tmp_path / 'suites'}", f"sample/area/{name}", str(folder)]
    code, output = forked.call(words, tmp_path, os.environ)
    assert code == 0, output
    assert {path.name for path in folder.iterdir()} >= {*files, "repro.py"}
    environment = opencl_environment(tmp_path)
    del environment["PYTHONPATH"]
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    again = subprocess.run([sys.executable, "repro.py"], cwd=folder, env=kept | environment, capture_output=True, text=True)
    assert message in again.stdout + again.stderr


def test_a_mistake_of_the_api_becomes_a_c_program(opened: tuple[Any, DeviceReport], tmp_path: Path) -> None:
    """Every case of the area compiles; of some that Rusticl fails and passes the program says the same."""
    device, report = opened
    suite, cases = catalogue.load_suite(ROOT / "suites/kernels")
    able = {*report.features, *report.extensions}
    write = import_suite_module(suite.folder, "run").c_program
    programs = {c.id: write(device, c) for c in cases if c.kind.startswith("api.") and set(c.requires) <= able}
    assert len(programs) > 500
    for test_id, text in programs.items():
        (tmp_path / f"{test_id.rpartition('/')[2]}.c").write_text(text)
    strict = ["-Wall", "-Werror", "-Wno-unused-variable", "-Wno-deprecated-declarations"]
    # As one translation unit, so that clang reads OpenCL's headers once, not a thousand times.
    every = tmp_path / "every.h"
    names = "#undef main\n#undef nothing\n#define main main_{0}\n#define nothing nothing_{0}\n"
    sources = sorted(tmp_path.glob("*.c"))
    every.write_text("".join(f'{names.format(n)}#include "{path.name}"\n' for n, path in enumerate(sources)))
    subprocess.run(["clang", "-fsyntax-only", "-x", "c", *strict, str(every)], check=True)

    for name in ("RUSTICL_ENABLE", "RUSTICL_FEATURES"):  # which is all that the program asks for, and sets itself
        assert f'setenv("{name}", "{os.environ[name]}", 0);' in set_in_c(next(iter(programs.values())))
    plain = {k: v for k, v in os.environ.items() if not k.startswith("RUSTICL")}
    verdicts = {
        "clCreateBuffer.valid": 0,
        "clCreateBuffer.size_zero": 0,
        "clEnqueueNDRangeKernel.not_dividing": 0,
        "clBuildProgram.options": 1,
        "clCreateImage.row_pitch_small": 1,
    }
    for name, want in verdicts.items():
        program = tmp_path / name
        source = program.with_name("repro.c")
        source.write_text(set_in_c(Path(f"{program}.c").read_text()))
        subprocess.run(["clang", source, "-o", program, "-l:libOpenCL.so.1"], check=True)
        assert subprocess.run([program], env=plain).returncode == want, name


_IMPORT = """
import sys
from pathlib import Path
sys.path.insert(0, "source")
from runner.importing import import_suite_module
(suite,) = {p.parent for p in Path("source").glob("*/suite.yaml")}
for path in [p for p in suite.rglob("*.py") if p.parts[-3:-1] != ("process", "programs")]:
    import_suite_module(suite, ".".join(path.relative_to(suite).with_suffix("").parts).removesuffix(".__init__"))
"""


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["kernels", "tinygrad", "models"])
def test_a_program_has_all_that_the_bodies_of_every_area_import(suite: str, tmp_path: Path) -> None:
    found, cases = catalogue.load_suite(ROOT / "suites" / suite)
    write_body_program(tmp_path, found.folder, cases[0], 0)
    _run_alone(tmp_path, "-c", _IMPORT)


_DRIVE = """
import json, pathlib, runpy, sys
for line in open(sys.argv[1]):
    pathlib.Path("case.json").write_text(line)
    for name in [n for n in sys.modules if n.split(".")[0] == "runner" or n.startswith("suite_")]:
        del sys.modules[name]
    runpy.run_path("repro.py", run_name="__main__")
"""


@pytest.mark.parametrize(
    ("suite", "areas"),
    [
        ("kernels", 30),
        pytest.param("tinygrad", 30, marks=pytest.mark.nightly("one area of tinygrad is run below")),
        pytest.param("models", 6, marks=pytest.mark.nightly("one model is run below")),
    ],
)
def test_a_program_of_every_area_runs_without_the_checkout(
    suite: str, areas: int, opened: tuple[Any, DeviceReport], tmp_path: Path
) -> None:
    """One case an area that is expected to pass, one after the other in one process."""
    _, report = opened
    known = load_expectations(target_of(RunConfig("llvmpipe"), report), str(ROOT / "expectations"))
    able = {*report.features, *report.extensions}
    found, cases = catalogue.load_suite(ROOT / "suites" / suite)
    first: dict[str, Case] = {}
    for case in cases:
        expected = known.find(case.id) or known.skip(case.id)
        if case.tier is Tier.PREMERGE and set(case.requires) <= able and not expected:
            first.setdefault(case.id.split("/")[1], case)
    assert len(first) >= areas
    write_body_program(tmp_path, found.folder, next(iter(first.values())), 0)
    (tmp_path / "cases").write_text("".join(json.dumps(asdict(case)) + "\n" for case in first.values()))
    environment = opencl_environment(tmp_path)
    assert _run_alone(tmp_path, "-c", _DRIVE, "cases", **environment).count("\npassed\n") == len(first)


@pytest.mark.root
@pytest.mark.parametrize("test_id", ["tinygrad/activation/relu6.float32", "models/gguf/Q4_0"])
def test_what_repro_writes_of_tinygrad_and_of_a_model_runs_in_an_empty_folder(test_id: str, tmp_path: Path) -> None:
    """Its launches, by a program that needs neither tinygrad nor the suite; and its body, by one that takes both along."""
    exported, alone, body = tmp_path / "exported", tmp_path / "alone", tmp_path / "body"
    code, output = forked.call(["repro", "--driver=llvmpipe", test_id, str(exported)], tmp_path, os.environ)
    assert code == 0, output
    exported.rename(alone)
    environment = opencl_environment(tmp_path)
    printed = _run_alone(alone, "repro.py", **environment)
    launches = json.loads((alone / "launches.json").read_text())
    assert launches
    assert printed.count(" ran\n") == len(launches)
    assert printed.count(": 0 of ") == sum(len(launch["outputs"]) for launch in launches) > 0

    found, cases = catalogue.load_suite(ROOT / "suites" / test_id.split("/")[0])
    write_body_program(body, found.folder, next(case for case in cases if case.id == test_id), 0)
    assert _run_alone(body, "repro.py", **environment).endswith("\npassed\n")


def _run_alone(folder: Path, *words: str, **environment: str) -> str:
    """A command of Python's in a folder, as if there were no checkout."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | environment
    kept.pop("PYTHONPATH", None)
    done = subprocess.run([sys.executable, *words], cwd=folder, env=kept, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
