"""The commands on real Rusticl: llvmpipe and zink on lavapipe, and compilers without their devices."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import ROOT, Mock

from runner.cases.features import is_known
from runner.drivers.machine import kernel_devices
from runner.records.journal import read

_NOUVEAU = pytest.param("nouveau", "nv134", marks=pytest.mark.nightly("test_compile.py compiles for each GPU of nouveau"))
_RADEONSI = pytest.param("radeonsi", "navi21", marks=pytest.mark.nightly("test_compile.py runs a search of tinygrad there"))


def _run(mock: Mock, *words: str) -> tuple[int, str]:
    return mock.cli("--driver", "llvmpipe", f"--results={mock.results}", *words)


def test_a_run_tests_what_it_says_and_writes_down_what_that_was(mock: Mock) -> None:
    code, output = _run(mock, "-j", "2", "-t", "kernels/integer/add.*int", "-t", "tinygrad/unary/neg*")
    assert code == 0, output
    device = read(mock.results).device
    assert device
    assert device.platform == "rusticl"
    assert device.device.startswith("llvmpipe")
    assert device.library.endswith(".so.1.0.0")
    assert len(device.build_id) == 40
    assert len(device.libclc) == 16
    assert len(device.loaders) == 2, "pyopencl's and the system's"
    assert {"fp16", "fp64", "images"} <= set(device.features)
    assert [feature for feature in device.features if not is_known(feature)] == [], "a case could not ask for it"
    assert set(mock.rows().values()) == {"Pass"}
    text = (mock.results / "junit.xml").read_text()
    for value in (device.mesa, device.libclc, device.library, device.kernel):
        assert f'value="{value}"' in text


def test_probe_prints_the_same_as_text_and_as_json(mock: Mock) -> None:
    code, output = mock.cli("probe", "--driver", "llvmpipe", "--json")
    report = json.loads(output)
    assert code == 0
    assert report["limits"]["max_work_group_size"] >= 256
    code, text = mock.cli("probe", "--driver", "lp")
    assert code == 0
    assert report["driver_version"] in text
    assert report["build_id"] in text


def test_an_icd_may_name_its_library_by_its_soname(mock: Mock) -> None:
    """As NVIDIA's does: libnvidia-opencl.so.1, a link to libnvidia-opencl.so.580.159.04."""
    code, output = mock.cli("probe", "--driver", "llvmpipe", "--json")
    library = Path(json.loads(output)["library"])
    file = mock.folder / "libRusticlOpenCL.so.580.159.04"
    shutil.copy(library, file)
    (mock.folder / "libRusticlOpenCL.so.1").symlink_to(file.name)
    icd = mock.folder / "rusticl.icd"
    icd.write_text("libRusticlOpenCL.so.1\n")
    mock.environment = {"OCL_ICD_VENDORS": str(icd), "LD_LIBRARY_PATH": str(mock.folder)}
    code, output = mock.cli("probe", "--driver", "llvmpipe", "--json")
    assert code == 0, output
    assert json.loads(output)["library"] == str(file)


def test_a_variant_reaches_the_driver_and_only_if_it_is_asked_for(mock: Mock) -> None:
    words = ("-t", "kernels/workgroup/exchange/int.declared", "--tier=full", "--variant", "base,max_work_groups_3")
    code, output = _run(mock, *words)
    assert code == 0, output
    for name, value in (("base", None), ("max_work_groups_3", "3")):
        device = read(mock.results / name).device
        assert device
        assert device.environment.get("RUSTICL_MAX_WORK_GROUPS") == value
        assert mock.rows()[f"{name}/kernels/workgroup/exchange/int.declared"] == "Pass", output


def test_run_case_shows_the_verdict_first_and_the_environment_and_leaves_nothing(mock: Mock, tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    mock.environment = {"TMPDIR": str(tmp_path / "temporary")}
    code, output = mock.cli("run-case", "--driver", "llvmpipe", "kernels/integer/add.uint")
    assert code == 0
    assert output.startswith("Pass: kernels/integer/add.uint\n")
    assert not [*(tmp_path / "temporary").iterdir()]
    assert "export RUSTICL_ENABLE=llvmpipe" in output
    assert "Pass: kernels/integer/add.uint" in output


def test_a_driver_that_dies_in_start_up_is_red_and_not_infrastructure(mock: Mock) -> None:
    mock.environment = {"LP_NATIVE_VECTOR_WIDTH": "7"}  # real llvmpipe does not survive it
    code, output = _run(mock, "-t", "kernels/integer/add.uint")
    assert code == 1, output
    assert mock.rows() == {"probe": "Crash"}
    assert re.search(r"probe: SIG\w+: died in .*clGetPlatformIDs", output), output
    assert "not run: 1" in output


def test_a_driver_that_hangs_in_start_up_is_red_with_what_it_said(mock: Mock, tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text("{}")
    mock.environment = {
        "VK_DRIVER_FILES": str(tmp_path / "none.json")
    }  # zink of 25.0 waits for ever if Vulkan has no driver
    words = ("--driver", "zink", "-t", "kernels/integer/add.uint", f"--results={mock.results}", "--timeout-scale", "0.1")
    code, output = mock.cli(*words)
    assert code == 1, output
    assert "probe: deadline: MESA: error: ZINK: vkCreateInstance failed (VK_ERROR_INCOMPATIBLE_DRIVER)" in output


def test_a_platform_without_a_device_is_infrastructure_and_can_be_resumed(mock: Mock) -> None:
    mock.environment = {"GALLIUM_DRIVER": "bogus"}
    code, output = _run(mock, "-t", "kernels/integer/add.uint")
    assert code == 3, output
    assert "RUSTICL_ENABLE=llvmpipe" in output, output
    assert "not run: 1" in output, output
    mock.environment = {}
    code, output = _run(mock, "-t", "kernels/integer/add.uint", "--resume")
    assert code == 0, output
    assert mock.rows() == {"kernels/integer/add.uint": "Pass"}, output


def test_a_run_that_found_no_device_is_not_in_the_way_of_the_next(mock: Mock) -> None:
    words = (f"--results={mock.results}", "-t", "kernels/integer/add.uint")
    assert mock.cli("--driver", "pocl", *words)[0] == 3
    assert _run(mock, "-t", "kernels/integer/add.uint")[0] == 0


# tinygrad and the models take four tenths of this job's time for a twentieth of its cases; llvmpipe runs them all by day.
_PART = ("-t", "kernels/*", "-t", "tinygrad/unary/*", "--shard", "1/16")
_WHOLE = pytest.param("zink", (), 8000, marks=pytest.mark.nightly("six minutes of the processor; a change sees a sixteenth"))


@pytest.mark.long
@pytest.mark.parametrize(("driver", "words", "least"), [("llvmpipe", ("-j", "2"), 8000), ("zink", _PART, 600), _WHOLE])
def test_the_main_job_is_green(driver: str, words: Sequence[str], least: int, mock: Mock) -> None:
    """Every premerge case of every suite; on zink, which is lavapipe if there is no GPU, a part of them unless nightly."""
    code, output = mock.cli("--driver", driver, f"--results={mock.results}", *words)
    assert code == 0, output
    assert len(mock.rows()) > least
    assert "Error" not in mock.rows().values()
    no_gpu = driver == "zink" and not kernel_devices()
    assert ("(lavapipe: Vulkan on the CPU, no GPU)" in output) == no_gpu, output


@pytest.mark.parametrize(("driver", "gpu"), [_RADEONSI, _NOUVEAU, ("zink", "radv_navi21")])
def test_a_drivers_compiler_runs_without_its_device(driver: str, gpu: str, mock: Mock) -> None:
    words = ("-t", "kernels/integer/add.u*", "-t", "kernels/event/wait/*", "-t", "tinygrad/unary/neg.float*")
    code, output = mock.cli("--driver", driver, "--gpu", gpu, "--mode", "compile", f"--results={mock.results}", *words)
    assert code == 0, output
    rows = mock.rows()
    assert rows["kernels/integer/add.uint"] == rows["tinygrad/unary/neg.float32"] == "Pass"
    assert "Skip" in rows.values()
    assert "unsupported: execute" in (mock.results / "junit.xml").read_text()


def test_a_gpu_that_no_shim_has_is_a_usage_error(mock: Mock) -> None:
    code, output = mock.cli("--driver", "freedreno", "--gpu", "a631", "--mode", "compile")
    assert code == 2, output
    assert "closest: 'a630'" in output, output


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("MESA_SHADER_CACHE_DIR", "home/.cache/rusticl-runner/libclc"),
        pytest.param("XDG_CACHE_HOME", "cache/rusticl-runner/libclc", marks=pytest.mark.nightly("the other way to name it")),
    ],
)
def test_the_users_caches_get_libclc_and_no_kernel_of_a_case(mock: Mock, name: str, kept: str) -> None:
    mock.environment = {name: str(mock.folder / "cache"), "HOME": str(mock.folder / "home"), "RUSTICL_RUNNER_CACHE": ""}

    def touched() -> dict[str, bytes]:
        files = [p for top in ("cache", "home") for p in (mock.folder / top).rglob("*") if p.is_file()]
        return {str(p.relative_to(mock.folder)): p.read_bytes() for p in files}

    assert _run(mock, "-t", "kernels/integer/add.uint", "--tier=full")[0] == 0
    first = touched()
    own = (f"{kept}/", f"{kept.removesuffix('libclc')}catalogue/")
    assert any(path.startswith(own[0]) for path in first)
    assert all(path.startswith(own) for path in first)
    assert _run(mock, "-t", "kernels/integer/mul_hi.uint", "-t", "tinygrad/unary/neg.float32", "--tier=full")[0] == 0
    assert touched() == first


_LOADERS = """
import ctypes, sys
from pathlib import Path
import pyopencl
for other in Path(sys.argv[2]).iterdir():  # tinygrad brings one
    ctypes.CDLL(str(other))
from runner.importing import import_suite_module
library = import_suite_module(Path(sys.argv[1]), "kit.opencl").library()
address = ctypes.cast(library.clGetPlatformIDs, ctypes.c_void_p).value
for line in Path("/proc/self/maps").read_text().splitlines():
    first, last = (int(end, 16) for end in line.split()[0].split("-"))
    if first <= address < last:
        print(line.split()[-1])
"""


@pytest.mark.root  # whose libOpenCL.so.1 it copies
def test_calls_by_ctypes_go_through_the_loader_that_made_the_handles(tmp_path: Path) -> None:
    system = next(Path("/usr/lib").glob("*/libOpenCL.so.1"))
    for number in range(20):  # their places are random
        shutil.copy(system, tmp_path / f"libOpenCL.so.{number}")
    words = [sys.executable, "-c", _LOADERS, str(ROOT / "suites/kernels"), str(tmp_path)]
    loader = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "/pyopencl" in loader, loader
