"""Compile mode: the real back ends of drivers without their device, and the places that they come from."""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Mock

from runner.drivers.drm_shim import Shim, Shimmed, find_shimmed
from runner.drivers.presence import check_identity, shimmed_of
from runner.drivers.registry import load_drivers
from runner.model import DeviceReport, InfrastructureError, UsageError
from runner.records.journal import NAME, read
from runner.run.launcher import plan_launch
from runner.run_config import RunConfig

DRIVERS = load_drivers()
_ARM64_ROOT = os.environ.get("RUNNER_ARM64_ROOT", "")
# One of each kind of kernel: arithmetic of every width, builtins, half, images, local memory, atomics, private arrays.
_SLICE = (
    *("kernels/address/passed/int.local", "kernels/address/private_array", "kernels/address/struct"),
    *("kernels/atomic/returned/add.int.global", "kernels/atomic/unused/add.uint.global"),
    *("kernels/common/clamp.float4", "kernels/conversion/convert/char.uchar", "kernels/half/vload_half2.global"),
    *("kernels/half/vstore_half.float.global", "kernels/image/read/1d.r.float", "kernels/image/read/1d.r.uint8"),
    *("kernels/integer/add.long", "kernels/integer/add.uint", "kernels/integer/clz.short4"),
    *("kernels/integer/clz.uchar", "kernels/integer/mad_sat.int", "kernels/integer/mul_hi.ulong"),
    *("kernels/math/float/exp", "kernels/math/float/fma", "kernels/math/float/pow", "kernels/math/float/sin"),
    *("kernels/math/half/sqrt", "kernels/relational/select.char4.uchar", "kernels/vector/swizzle.short3"),
    *("kernels/vload/load.global.char3", "kernels/workgroup/exchange/int.declared"),
)


def _compile(mock: Mock, driver: str, gpu: str, *words: str) -> tuple[int, str]:
    return mock.cli("--driver", driver, "--gpu", gpu, "--mode", "compile", f"--results={mock.results}", "-j", "1", *words)


@pytest.fixture
def nothing_expected(mock: Mock) -> tuple[str, ...]:
    """The words of a run in which every failure is red, once."""
    (mock.folder / "empty").mkdir()
    return ("--tier", "nightly", "--retries", "0", "--expectations", str(mock.folder / "empty"))


def _on_arm(mock: Mock, driver: str, gpu: str, *words: str) -> tuple[int, str]:
    assert _ARM64_ROOT, "no RUNNER_ARM64_ROOT: ci/test sets it, as ci/in-root --arch arm64 does"
    code, output = _compile(mock, driver, gpu, "--timeout-scale", "10", "--tier", "full", *words)
    device = read(mock.results).device
    assert device, output
    assert device.machine == "aarch64", output
    assert Path(device.library).is_relative_to(Path(_ARM64_ROOT).resolve())
    return code, output


_DAILY_SLICE = _SLICE[1::3]
_ADRENO = pytest.param("freedreno", "a630", _SLICE, marks=pytest.mark.nightly("four of them show that each step works"))
_BIFROST = pytest.param("panfrost", "g52", _SLICE, marks=pytest.mark.nightly("as freedreno's"))


@pytest.mark.parametrize(("driver", "gpu", "cases"), [("freedreno", "a630", _DAILY_SLICE), _ADRENO, _BIFROST])
def test_arm_packages_compile_each_kind_of_kernel_under_qemu(
    driver: str, gpu: str, cases: Sequence[str], mock: Mock
) -> None:
    selected = [word for test_id in cases for word in ("-t", test_id)]
    code, output = _on_arm(mock, driver, gpu, *selected)
    assert code == 0, output
    assert set(mock.rows()) == set(cases), output
    assert set(mock.rows().values()) <= {"Pass", "ExpectedFail"}, mock.rows()
    assert mock.rows()["kernels/integer/mul_hi.ulong"] == "Pass"


@pytest.mark.nightly("test_runs.py has a case that prints the same, and qemu takes its time")
def test_a_back_end_that_complains_and_succeeds_has_failed(mock: Mock, nothing_expected: Sequence[str]) -> None:
    """Midgard's compiler leaves out an operation that it does not know, and says so only on stderr."""
    code, output = _on_arm(mock, "panfrost", "t860", "-t", "kernels/integer/divide.ulong", *nothing_expected)
    assert code == 1, output
    assert mock.rows() == {"kernels/integer/divide.ulong": "Fail"}, output
    assert "build: the driver printed 'Unhandled ALU op'" in output


def test_a_back_end_that_dies_is_a_crash(mock: Mock, nothing_expected: Sequence[str]) -> None:
    case = "kernels/atomic/returned/add.int.global"
    code, output = _compile(mock, "r600", "cedar", "-t", case, *nothing_expected)
    assert code == 1, output
    assert mock.rows() == {case: "Crash"}, output
    assert "SIGSEGV" in output


def test_a_module_of_spir_v_counts_as_compiled(mock: Mock) -> None:
    cases = ("kernels/random/spirv/0", "kernels/spirv/float/FNegate.v2float")
    code, output = _compile(mock, "radeonsi", "navi21", *(word for case in cases for word in ("-t", case)))
    assert code == 0, output
    assert mock.rows() == dict.fromkeys(cases, "Pass"), output


_LAUNCHED = """\
import numpy as np
import pyopencl as cl
def run(device, case):
    kernel = device.build("__kernel void f(__global int *a) { a[0] = 1; }").f
    event = device.launch(kernel, (1,), None, device.buffer(4))
    assert event.command_execution_status != cl.command_execution_status.QUEUED
    device.read(device.buffer(4), np.int32, 1)
"""


def test_a_launch_reaches_the_drivers_code(mock: Mock) -> None:
    suite = mock.folder / "suites/own"
    suite.mkdir(parents=True)
    (suite / "suite.yaml").write_text("suite: own\ndescription: a launch\ntimeout_s: 60\n")
    case = "from runner.model import Case\ndef cases():\n    yield Case('own/a/launched', timeout_s=60)\n"
    (suite / "cases.py").write_text(case)
    (suite / "run.py").write_text(_LAUNCHED)
    code, output = _compile(mock, "radeonsi", "navi21", f"--suites={suite.parent}")
    assert code == 0, output
    assert mock.rows() == {"own/a/launched": "Pass"}, output


@pytest.mark.parametrize(
    "case",
    [
        "kernels/layout/align.long2",
        pytest.param("tinygrad/reduce/max.int8.padded", marks=pytest.mark.nightly("another bug of what is called alike")),
    ],
)
def test_through_zink_a_launch_reaches_the_vulkan_drivers_compiler(
    case: str, mock: Mock, nothing_expected: Sequence[str]
) -> None:
    """It refuses zink's SPIR-V of both (bugs 163 and 165), which nothing before it does."""
    code, output = _compile(mock, "zink", "nvk_174", "-t", case, *nothing_expected)
    assert code == 1, output
    assert mock.rows() == {case: "Crash"}, output
    assert "died in libvulkan_nouveau" in output


def test_a_search_of_tinygrad_builds_its_candidates(mock: Mock) -> None:
    """BEAM=1 wants the time of each: no shim knows it, and even so none may end the search."""
    code, output = _compile(mock, "radeonsi", "navi21", "-t", "tinygrad/beam/nested_choices.2", "--tier", "full", "--stats")
    assert code == 0, output
    assert mock.rows() == {"tinygrad/beam/nested_choices.2": "Pass"}, output
    assert len((mock.results / "stats.jsonl").read_text().splitlines()) > 5


def test_all_gpus_of_a_driver_run_one_after_the_other(mock: Mock) -> None:
    code, output = _compile(mock, "r600", "all", "-t", "kernels/integer/add.uint")
    assert code == 0, output
    table = [line.split() for line in output.splitlines()]
    for gpu in DRIVERS["r600"].gpus_of("compile"):
        assert [gpu, "1", "0"] in table
        device = read(mock.results / gpu).device
        assert device
        assert DRIVERS["r600"].gpu_of(device) == gpu


def test_the_worst_gpu_decides_the_exit_code_of_a_family(mock: Mock, nothing_expected: Sequence[str]) -> None:
    """Both die of it, or one: either way red, and the other GPU's run is still made."""
    code, output = _compile(mock, "r600", "all", "-t", "kernels/atomic/returned/add.int.global", *nothing_expected)
    assert code == 1, output
    assert {p.name for p in mock.results.iterdir() if p.is_dir()} == {"cedar", "cayman"}
    assert [*mock.results.rglob(NAME)] == [mock.results / NAME]


def test_a_family_is_only_for_compile_mode(mock: Mock) -> None:
    for words in (("--driver", "freedreno"), ("--driver", "llvmpipe", "--mode", "compile")):
        code, output = mock.cli(*words, "--gpu", "all", f"--results={mock.results}")
        assert code == 2, output
        assert "--gpu all: needs --mode compile" in output, output


def test_the_registry_has_the_gpus_that_mesas_shims_know() -> None:
    hardware = ("freedreno", "panfrost", "v3d", "asahi", "iris", "radeonsi", "nouveau", "r600")
    counts = {name: len(DRIVERS[name].gpus_of("compile")) for name in hardware}
    assert all(counts.values()), counts
    assert sum(counts.values()) >= 50, counts
    assert {"nvk", "turnip", "radv"} <= {gpu.split("_")[0] for gpu in DRIVERS["zink"].gpus_of("compile")}
    for driver in DRIVERS.values():
        assert len(set(driver.gpus_of("compile"))) == len(driver.gpus_of("compile")), driver.name


def test_a_shim_says_which_mesa_has_its_gpus() -> None:
    shim = Shim("amdgpu", {}, since="26.2", until="27.0")
    assert not any(shim.is_in(version) for version in ("25.0.7", "26.1", "27.1"))
    assert all(shim.is_in(version) for version in ("26.2.0-devel", "26.10.1", "27.0.4", ""))


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Places where a shim may be, empty, with their variables set."""
    folders = {name: tmp_path / name for name in ("build", "arm64", "own")}
    (folders["arm64"] / "usr/lib/aarch64-linux-gnu").mkdir(parents=True)
    for name in ("build", "own"):
        (folders[name] / "lib").mkdir(parents=True)
    monkeypatch.setenv("RUNNER_MESA_BUILD", str(folders["build"]))
    monkeypatch.setenv("RUNNER_SHIMS", str(folders["build"] / "lib"))
    monkeypatch.setenv("RUNNER_ARM64_ROOT", str(folders["arm64"]))
    return folders


def test_a_compiler_comes_from_the_first_place_that_has_it(places: dict[str, Path]) -> None:
    origins = ("arm64", "package", "mesa-build")
    shim = Shim("no_such_driver", {})
    with pytest.raises(InfrastructureError, match=r"ci/mesa-build.*ci/run --arch arm64.*--mesa-prefix"):
        find_shimmed("mali", origins, shim, "")
    built = places["build"] / "lib" / shim.file
    built.touch()
    assert find_shimmed("mali", origins, shim, "") == Shimmed(built, str(places["build"]))
    arm = places["arm64"] / "usr/lib/aarch64-linux-gnu" / shim.file
    arm.touch()
    assert find_shimmed("mali", origins, shim, "") == Shimmed(arm, root=str(places["arm64"]))
    # A driver that every package has needs only the shim; a build without shims takes them from elsewhere, too.
    assert find_shimmed("intel", ("package",), shim, "") == Shimmed(built)
    own = str(places["own"])
    assert find_shimmed("mali", origins, shim, own) == Shimmed(built, own)
    preferred = places["own"] / "lib" / shim.file
    preferred.touch()
    assert find_shimmed("mali", origins, shim, own) == Shimmed(preferred, own)


@pytest.mark.root
def test_a_child_under_qemu_has_the_other_roots_python_and_driver(
    places: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = places["arm64"]
    library = root / "usr/lib/aarch64-linux-gnu/libpanfrost_noop_drm_shim.so"
    library.touch()
    monkeypatch.setenv("RUNNER_NOOP_FENCE", "/usr/lib/noop_fence.so")
    config, driver = RunConfig("panfrost", "g52", mode="compile"), DRIVERS["panfrost"]
    assert not plan_launch(config, driver).enqueues, "without the fence a launch kills it"
    fence = root / "usr/lib/noop_fence.so"
    fence.touch()
    assert plan_launch(config, driver).enqueues
    launch = plan_launch(config, driver).command(tmp_path, 3, 4)
    assert launch.argv[:3] == (f"{root}/usr/bin/qemu-aarch64", "-L", str(root))
    assert launch.environment["LD_PRELOAD"].startswith(f"{library}:{fence}")
    assert launch.environment["PAN_GPU_ID"] == "7212"
    assert launch.environment["MESA_SHADER_CACHE_DISABLE"] == "true"  # what it prints counts
    device = DeviceReport(platform="rusticl", device="Mali-G52 (Panfrost)", library="/usr/lib/libRusticlOpenCL.so.1")
    assert f"looked for a library of {root}" in check_identity(driver, config, device)


@pytest.mark.root
def test_the_class_neon_runs_under_qemu_if_the_cpu_is_not_an_arm(
    places: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, config, driver = places["arm64"], RunConfig("llvmpipe", "neon"), DRIVERS["llvmpipe"]
    launch = plan_launch(config, driver).command(tmp_path, 3, 4)
    assert launch.argv[:3] == (f"{root}/usr/bin/qemu-aarch64", "-L", str(root))
    assert launch.environment["PYTHONHOME"] == "/usr"
    assert plan_launch(RunConfig("llvmpipe"), driver).command(tmp_path, 3, 4).argv[0] == sys.executable
    device = DeviceReport(platform="rusticl", device="llvmpipe (LLVM 19.1.7, 128 bits)", cpu_class="neon")
    assert f"looked for a library of {root}" in check_identity(driver, config, replace(device, library="/usr/lib/libR.so"))
    assert check_identity(driver, config, replace(device, library=f"{root}/usr/lib/libR.so")) == ""
    with pytest.raises(InfrastructureError, match="render node is not built for ARM"):
        plan_launch(RunConfig("zink", "lavapipe_neon"), DRIVERS["zink"]).command(tmp_path, 3, 4)
    monkeypatch.delenv("RUNNER_ARM64_ROOT")
    with pytest.raises(InfrastructureError, match="ci/run --arch arm64"):
        plan_launch(config, driver).command(tmp_path, 3, 4)


def test_a_build_of_ci_mesa_build_is_pinned_like_a_prefix(places: dict[str, Path], tmp_path: Path) -> None:
    for name in ("libv3d_noop_drm_shim.so", "libRusticlOpenCL.so.1"):
        (places["build"] / "lib" / name).touch()
    config, driver = RunConfig("v3d", "v4.2", mode="compile"), DRIVERS["v3d"]
    shimmed = shimmed_of(driver, config)
    assert shimmed
    assert shimmed.prefix == str(places["build"])
    own = plan_launch(config, driver).environment(tmp_path)
    assert Path(own["OCL_ICD_VENDORS"]).read_text().startswith(str(places["build"]))
    assert "MESA_SHADER_CACHE_DISABLE" not in own
    device = DeviceReport(platform="rusticl", device="V3D 4.2.14.0", library="/usr/lib/libRusticlOpenCL.so.1")
    assert "looked for a library of" in check_identity(driver, config, device)


def test_an_unknown_origin_of_a_compiler_is_a_usage_error(tmp_path: Path) -> None:
    path = tmp_path / "drivers.yaml"
    path.write_text("iris: {compiler: [source]}\n")
    with pytest.raises(UsageError, match=r"iris: compiler: no source; known: arm64, package, mesa-build"):
        load_drivers(path)
