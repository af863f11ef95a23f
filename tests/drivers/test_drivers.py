"""The registry and the identity gate."""

import ctypes
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from runner.child.libraries import loaded_by_name, mapped_libraries
from runner.drivers.machine import find_icd, kernel_devices, place_library, shared_memory_library
from runner.drivers.mesa_prefix import library_of, prefix_environment, release_in, unknown_words
from runner.drivers.presence import check_identity, missing_device
from runner.drivers.registry import Driver, load_drivers, missing_layers, node_environment, resolve
from runner.expectations.target import parse_layer
from runner.model import DeviceReport, InfrastructureError, UsageError
from runner.run_config import RunConfig

DRIVERS = load_drivers()


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("msm", "freedreno"),
        ("adreno", "freedreno"),
        ("panthor", "panfrost"),
        ("lp", "llvmpipe"),
        ("swrast", "llvmpipe"),
        ("intel", "iris"),
        ("amdgpu", "radeonsi"),
        ("turnip", "zink"),
        ("agx", "asahi"),
        ("etnaviv", "etnaviv"),
    ],
)
def test_every_alias_of_a_driver_resolves_to_its_name(alias: str, name: str) -> None:
    assert resolve(alias, DRIVERS).name == name


def test_no_alias_names_two_drivers() -> None:
    names = [n for d in DRIVERS.values() for n in (d.name, *d.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("driver", "device", "gpu"),
    [
        ("freedreno", "FD630", "a630"),
        ("freedreno", "Adreno (TM) 750", "a750"),
        ("panfrost", "Mali-G52 r1 (Panfrost)", "g52"),
        ("panfrost", "Mali-T860 (Panfrost)", "t860"),
        ("iris", "Mesa Intel(R) UHD Graphics 750 (RKL GT1)", "rkl"),
        ("radeonsi", "AMD Radeon RX 6800 (radeonsi, navi21, LLVM 19.1.7, DRM 3.59, 6.12)", "navi21"),
        ("r600", "AMD CEDAR (DRM 2.50.0)", "cedar"),
        ("asahi", "Apple M1 (G13G B0)", "g13g"),
        ("v3d", "V3D 7.1.7.0", "v7.1"),
        ("llvmpipe", "llvmpipe (LLVM 19.1.7, 256 bits)", ""),
        ("zink", "zink Vulkan 1.4(llvmpipe (LLVM 19.1.7, 256 bits) (MESA_LLVMPIPE))", "lavapipe"),
        ("zink", "zink Vulkan 1.4(NVIDIA H100 80GB HBM3 (NVIDIA_PROPRIETARY))", "nvidia"),
        ("zink", "zink Vulkan 1.3(Turnip Adreno (TM) 630 (MESA_TURNIP))", "turnip"),
    ],
)
def test_the_gate_knows_a_drivers_devices(driver: str, device: str, gpu: str) -> None:
    entry = DRIVERS[driver]
    report = DeviceReport(platform="rusticl", device=device)
    assert entry.gpu_of(report) == gpu
    assert check_identity(entry, RunConfig(driver, gpu), report) == ""
    assert "which is" in check_identity(entry, RunConfig(driver, "a999"), report)


@pytest.mark.parametrize(("version", "gpu"), [("7.1+debian", "7.1"), ("6.0", "6.0"), ("", "")])
def test_releases_of_an_implementation_that_is_not_mesas_are_told_apart(version: str, gpu: str) -> None:
    report = DeviceReport("Portable Computing Language", device="cpu-skylake-avx512-AMD EPYC", driver_version=version)
    target = DRIVERS["pocl"].target(RunConfig("pocl"), report)
    assert (target.gpu, parse_layer("pocl-7.1").applies_to(target)) == (gpu, gpu == "7.1")
    assert parse_layer("pocl").applies_to(target)


def test_the_gate_refuses_another_platform_and_another_driver() -> None:
    entry = DRIVERS["llvmpipe"]
    clover = DeviceReport(platform="Clover", device="llvmpipe (LLVM 15)", library="/usr/lib/libMesaOpenCL.so.1")
    assert "found the platform 'Clover'" in check_identity(entry, RunConfig("llvmpipe"), clover)
    zink = DeviceReport(platform="rusticl", device="zink Vulkan 1.4(llvmpipe)")
    assert "looked for a device of llvmpipe" in check_identity(entry, RunConfig("llvmpipe"), zink)


def test_an_icd_must_be_one_file(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match=r"no \*rusticl\*\.icd file"):
        find_icd({"OCL_ICD_VENDORS": str(tmp_path)})
    for name in ("rusticl.icd", "nvidia.icd"):
        (tmp_path / name).write_text("lib.so\n")
        assert find_icd({"OCL_ICD_VENDORS": str(tmp_path)}, f"{name[:4]}*.icd") == tmp_path / name
    (tmp_path / "my_rusticl.icd").write_text("lib.so\n")
    with pytest.raises(InfrastructureError, match=r"2 \*rusticl\*\.icd files \(my_rusticl\.icd, rusticl\.icd\)"):
        find_icd({"OCL_ICD_VENDORS": str(tmp_path)})
    for name in ("OCL_ICD_VENDORS", "OCL_ICD_FILENAMES"):
        assert find_icd({name: str(tmp_path / "rusticl.icd")}) == tmp_path / "rusticl.icd"


@pytest.mark.root
def test_a_loaded_library_is_known_by_its_soname_and_its_copy_is_another(tmp_path: Path) -> None:
    ctypes.CDLL("libOpenCL.so.1")
    file = next(p for p in mapped_libraries() if p.name.startswith("libOpenCL.so.1"))
    copy = tmp_path / file.name
    shutil.copy(file, copy)
    assert loaded_by_name(str(file), mapped_libraries()) == file
    assert loaded_by_name("libOpenCL.so.1", mapped_libraries()) == file
    assert loaded_by_name(str(copy), [copy]) is None, "not loaded: another file of the same name is"
    ctypes.CDLL(str(copy))
    assert loaded_by_name(str(copy), mapped_libraries()) == copy
    assert loaded_by_name(str(copy), [file]) is None
    assert loaded_by_name("libOpenCL.so.1", [copy]) is None


def test_a_prefix_pins_one_library_and_its_vulkan_files(tmp_path: Path) -> None:
    build = tmp_path / "install"
    library = build / "lib/aarch64-linux-gnu/libRusticlOpenCL.so.1.0.0"
    vulkan = build / "share/vulkan/icd.d/freedreno_icd.aarch64.json"
    for path in (library, vulkan):
        path.parent.mkdir(parents=True)
        path.touch()
    (library.parent / "libRusticlOpenCL.so.1").symlink_to(library.name)
    own = prefix_environment(build, tmp_path / "cache")
    assert Path(own["OCL_ICD_VENDORS"]).read_text().strip() == str(library)
    assert own["LD_LIBRARY_PATH"].split(":")[0] == str(library.parent)
    assert own["VK_DRIVER_FILES"] == str(vulkan)
    (build / "other").mkdir()
    (build / "other/libRusticlOpenCL.so.1").touch()
    with pytest.raises(InfrastructureError, match="give the folder of one build"):
        prefix_environment(build, tmp_path / "cache")
    with pytest.raises(InfrastructureError, match=r"found no libRusticlOpenCL\.so below it"):
        prefix_environment(tmp_path / "cache", tmp_path / "cache")


def test_the_gate_proves_that_the_library_is_the_prefixs(tmp_path: Path) -> None:
    report = DeviceReport(
        platform="rusticl", device="llvmpipe (LLVM 19.1.7, 256 bits)", library="/usr/lib/libRusticlOpenCL.so"
    )
    for prefix, answer in ((str(tmp_path), "looked for a library of --mesa-prefix"), ("/usr", "")):
        config = RunConfig("llvmpipe", mesa_prefix=prefix)
        assert check_identity(DRIVERS["llvmpipe"], config, report).startswith(answer)


def test_zink_without_a_node_gets_one_and_lavapipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if kernel_devices():
        pytest.skip("this machine has a render node")
    library = tmp_path / "render_node.so"
    monkeypatch.setenv("RUNNER_RENDER_NODE", str(library))
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    monkeypatch.setattr(
        "runner.drivers.registry.VULKAN_FOLDERS", (tmp_path, tmp_path / "absent")
    )  # the Vulkan loader's folders
    (tmp_path / "icd.d").mkdir()
    (tmp_path / "icd.d/lvp_icd.json").touch()
    (source,) = re.findall(r"\S+/ci/render_node\.c", missing_device(DRIVERS["zink"]))
    assert Path(source).is_file()
    library.touch()
    assert missing_device(DRIVERS["zink"]) == ""
    assert node_environment(DRIVERS["zink"]) == {"LD_PRELOAD": str(library), "LIBGL_ALWAYS_SOFTWARE": "true"}
    assert node_environment(DRIVERS["llvmpipe"]) == {}
    (tmp_path / "icd.d/nvidia_icd.json").touch()
    assert "LIBGL_ALWAYS_SOFTWARE" not in node_environment(DRIVERS["zink"])
    (tmp_path / "icd.d/nvidia_icd.json").unlink()
    monkeypatch.setenv("VK_DRIVER_FILES", "my_icd.json")
    assert "LIBGL_ALWAYS_SOFTWARE" not in node_environment(DRIVERS["zink"])


@pytest.mark.root
def test_memory_is_shared_by_a_library_if_the_kernel_has_no_udmabuf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    library = shared_memory_library(tmp_path)
    made = Path(library).stat().st_mtime_ns
    program = (
        "import ctypes, mmap, os, struct; node = os.open('/dev/udmabuf', os.O_RDWR); file = os.memfd_create('memory')\n"
        "os.ftruncate(file, 4096); wanted = struct.pack('IIQQ', file, 1, 0, 4096)\n"
        "shared = ctypes.CDLL(None).ioctl(node, ctypes.c_ulong(0x40187542), wanted)  # UDMABUF_CREATE\n"
        "os.pwrite(file, b'seen', 0); print(mmap.mmap(shared, 4096)[:4], shared != file)"
    )
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, env={"LD_PRELOAD": library}, check=True, capture_output=True, text=True)
    assert ran.stdout == "b'seen' True\n"
    assert shared_memory_library(tmp_path) == library
    assert Path(library).stat().st_mtime_ns == made, "it is built once"
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InfrastructureError, match="no /dev/udmabuf, and what stands in for it cannot be built"):
        shared_memory_library(tmp_path / "new")
    monkeypatch.setattr("os.access", lambda *_: True)
    assert shared_memory_library(tmp_path / "new") == ""


def test_kernel_devices_are_read_from_sysfs(tmp_path: Path) -> None:
    (tmp_path / "bus/msm").mkdir(parents=True)
    (tmp_path / "drm/renderD128/device").mkdir(parents=True)
    (tmp_path / "drm/renderD128/device/driver").symlink_to(tmp_path / "bus/msm")
    assert kernel_devices(tmp_path / "drm") == {"renderD128": "msm"}


def test_variants_add_to_a_drivers_environment() -> None:
    llvmpipe = DRIVERS["llvmpipe"]
    assert llvmpipe.variant_environment("") == {"RUSTICL_FEATURES": "fp16,fp64"}
    assert llvmpipe.variant_environment("no_variants")["RUSTICL_DEBUG"] == "no_variants"
    with pytest.raises(UsageError, match="--variant loud"):
        llvmpipe.variant_environment("loud")


def test_a_rule_of_vulkan_that_zink_breaks_is_a_failure_if_the_layer_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zink = DRIVERS["zink"]
    assert zink.faults("validation") == ("VUID-",)
    assert zink.faults("") == ()
    asked = zink.variant_environment("validation")
    monkeypatch.setattr("runner.drivers.registry.VULKAN_FOLDERS", ())
    monkeypatch.setenv("VK_ADD_LAYER_PATH", f"/nowhere:{tmp_path}")
    assert missing_layers(asked) == ["VK_LAYER_KHRONOS_validation"]
    (tmp_path / "layer.json").write_text('{"layer": {"name": "VK_LAYER_KHRONOS_validation"}}')
    assert missing_layers(asked) == []
    assert missing_layers({}) == []


def test_half_precision_is_asked_for_if_that_mesa_does_not_enable_it_by_itself() -> None:
    llvmpipe, msm = DRIVERS["llvmpipe"], DRIVERS["freedreno"]
    features = [llvmpipe.variant_environment("", mesa)["RUSTICL_FEATURES"] for mesa in ("22.3", "25.3", "26.2", "27.0")]
    assert features == ["fp16,fp64", "fp16,fp64", "fp64", "fp64"]
    assert msm.variant_environment("", "26.2")["RUSTICL_FEATURES"] == ""


def test_a_library_says_its_release_and_which_variables_it_knows(tmp_path: Path) -> None:
    library, icd = tmp_path / "libRusticlOpenCL.so.1", tmp_path / "rusticl.icd"
    library.write_bytes(b"\x7fELF\0LLVM 22.1.8\0%s 26.3.0-devel (git-0123abc) build \0no_variants\0RUSTICL_DEBUG\0")
    icd.write_text(f"{library}\n")
    assert library_of(icd) == library
    assert release_in(library) == "26.3"
    variables = {"RUSTICL_DEBUG": "no_variants,no_reuse_context", "RUSTICL_CL_VERSION": "1.2", "LP_NUM_THREADS": "2"}
    assert unknown_words(library, variables) == ["RUSTICL_CL_VERSION", "no_reuse_context"]
    icd.write_text("libOther.so.7\n")
    assert library_of(icd) is None


@pytest.mark.root
def test_the_installed_library_is_found_by_its_name_and_is_of_the_release_that_the_device_states() -> None:
    library = library_of(find_icd({}))
    assert library
    assert release_in(library) == "25.0"
    assert unknown_words(library, {"RUSTICL_DEBUG": "no_variants,sync,validate", "RUSTICL_MAX_WORK_GROUPS": "3"}) == []


def test_a_bad_registry_is_a_usage_error(tmp_path: Path) -> None:
    path = tmp_path / "drivers.yaml"
    path.write_text("llvmpipe: {devcie: x}\n")
    with pytest.raises(UsageError, match=r"drivers\.yaml: .*devcie"):
        load_drivers(path)
    assert isinstance(DRIVERS["llvmpipe"], Driver)


def test_a_c_compiler_of_the_machine_makes_the_library_that_says_where_a_child_died(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RUNNER_CRASH_PLACE", raising=False)
    monkeypatch.setenv("RUSTICL_RUNNER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert place_library() == "", "no compiler"
    compiler = tmp_path / "cc"
    compiler.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho "$3" > "$2"\n')
    compiler.chmod(0o755)
    path = Path(place_library())
    assert path.parent == tmp_path / "cache"
    assert path.read_text() == f"{Path(__file__).parents[2] / 'ci/crash_place.c'}\n"
    compiler.write_text("#!/bin/sh\nexit 1\n")
    assert place_library() == str(path), "made once"
    path.unlink()
    assert place_library() == "", "a crash without its place is one all the same"
    monkeypatch.setenv("RUNNER_CRASH_PLACE", "/usr/lib/crash_place.so")
    assert place_library() == "/usr/lib/crash_place.so"
