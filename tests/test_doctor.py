"""The doctor on real Rusticl, and on what is broken: libraries that die, hang and are none, nodes that are closed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import ROOT, Mock

from runner.doctor import enable, nodes, opencl, vulkan
from runner.doctor.children import Question, ask
from runner.doctor.finding import Finding, Level, install_step
from runner.doctor.kernel_backends import examine_kernel_backends
from runner.drivers.registry import kernel_devices, load_drivers

_RUSTICL = "libRusticlOpenCL.so.1"
_SOURCE = """
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int broken(void) { BROKEN; return 0; }
void *clGetExtensionFunctionAddress(const char *name) { return (void *)broken; }
int clGetPlatformIDs(unsigned n, void *p, unsigned *count) { return broken(); }
void *vk_icdGetInstanceProcAddr(void *instance, const char *name) { broken(); return 0; }
"""
_WEBGPU = """
void *wgpuCreateInstance(void *d) { return 0; }
void wgpuInstanceRequestAdapter(void) {}
unsigned wgpuGetVersion(void) { return 22; }
"""
Compile = Callable[[str, str], Path]


@pytest.fixture(scope="module")
def compile_library(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    """Make lib<name>.so of C source."""
    folder = tmp_path_factory.mktemp("libraries")

    def compile(name: str, source: str) -> Path:
        library = folder / f"lib{name}.so"
        subprocess.run(
            ["clang", "-shared", "-fPIC", "-w", "-x", "c", "-", "-o", library],
            input=source.encode(),
            check=True,
        )
        return library

    return compile


def _broken(compile_library: Compile, name: str, what: str) -> Path:
    return compile_library(name, _SOURCE.replace("BROKEN", what))


def _find(findings: tuple[Finding, ...] | list[Finding], part: str) -> Finding:
    found = [f for f in findings if part in f.text]
    assert len(found) == 1, (part, findings)
    return found[0]


def test_the_report_says_what_to_enable_and_what_tinygrad_can_use(mock: Mock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUSTICL_ENABLE", raising=False)
    monkeypatch.delenv("OCL_ICD_VENDORS", raising=False)
    code, output = mock.cli("doctor", "--format", "json")
    report = json.loads(output)
    assert code == 0 and any(name.startswith("llvmpipe") for name in report["usable"]), output
    lines = {f["text"]: f for findings in report["sections"].values() for f in findings}
    text = "\n".join(lines)
    icd = next(t for t in lines if "rusticl.icd names" in t)
    assert f"names {_RUSTICL}: /usr/lib" in icd and "build id " in icd
    assert "RUSTICL_ENABLE=llvmpipe would give llvmpipe" in text
    unset = next(f for t, f in lines.items() if "RUSTICL_ENABLE is not set" in t)
    assert unset["level"] == "problem" and unset["step"] == "export RUSTICL_ENABLE=llvmpipe"
    assert "CPU by clang: usable" in text and "CPU by LLVM: usable" in text and "METAL: not looked at" in text
    for name in ("QCOM", "AMD by KFD", "AMD by PCI", "AMD by USB", "NV", "NV by PCI", "CUDA", "WEBGPU"):
        assert f"{name}: " in text
    if any("Clover" in t for t in lines):  # Mesa had it until 25.1
        assert "Clover is dead" in text and "without a device" in text


def test_what_is_broken_is_named_and_stops_nothing(mock: Mock, compile_library: Compile, tmp_path: Path) -> None:
    vendors = tmp_path / "vendors"
    vendors.mkdir()
    (tmp_path / "text.so").write_text("not a library\n" * 100)
    libraries = {
        "rusticl": _RUSTICL,
        "gone": "libGone.so.1",
        "other": "libc.so.6",
        "text": tmp_path / "text.so",
        "dies": _broken(compile_library, "dies", "abort()"),
        "sleeps": _broken(compile_library, "sleeps", "sleep(1000)"),
    }
    for name, library in libraries.items():
        (vendors / f"{name}.icd").write_text(f"{library}\n")
    mock.environment = {
        "OCL_ICD_VENDORS": str(vendors),
        "RUSTICL_ENABLE": "lvmpipe",
        "PATH": str(tmp_path),
        "WEBGPU_PATH": str(compile_library("webgpu", _WEBGPU)),
    }
    begun = time.monotonic()
    code, output = mock.cli("doctor")
    assert code == 3 and time.monotonic() - begun < 60, output
    lines = output.splitlines()

    def line(part: str) -> str:
        return next((one for one in lines if part in one), f"no {part!r} in {output}")

    assert "does not load: libGone.so.1: cannot open" in line("gone.icd names")
    assert "does not load" in line("text.icd names") and "invalid ELF header" in line("text.icd names")
    assert "dies of SIGABRT, and with it every OpenCL program" in line("dies.icd names")
    assert "gives no answer within" in line("sleeps.icd names") and "(hangs)" in line("sleeps.icd names")
    assert "build id" in line("rusticl.icd names") and "has no platform" in line("other.icd names")
    assert "closest: 'llvmpipe'" in line("'lvmpipe' is no driver of Rusticl")
    assert "no clang on PATH" in line("CPU by clang: not usable")
    assert "no clang on PATH" in line("CPU by LLVM: not usable")
    assert "wgpu-native and not Dawn" in line("WEBGPU: not usable") and "it lacks wgpu" in line("WEBGPU:")
    assert "no device opens" in lines[-1]


def test_the_words_of_rusticl_enable_mean_what_rusticl_makes_of_them(tmp_path: Path) -> None:
    drivers = load_drivers()
    values = [
        "llvmpipe",
        "lp",
        "swrast",
        "llvmpipe:0",
        "lvmpipe,lp",
        " llvmpipe",
        "LLVMPIPE",
        "llvmpipe:",
        "lvmpipe",
        "",
    ]
    answers = ask({v: Question(("icd", _RUSTICL), {"RUSTICL_ENABLE": v}) for v in values}, 30)
    for value, answer in answers.items():
        devices = opencl.rusticl_devices(answer)
        section = enable.examine_enable(value, drivers, devices, devices)
        matched = [f for f in section.findings if f.level is Level.OK]
        assert bool(matched) == bool(devices), (value, devices, section)
        if value.endswith(":"):
            assert "'' is no number of a device" in _find(section.findings, "matches none").text
        if " " in value or value.isupper():
            assert "closest: 'llvmpipe'" in _find(section.findings, "no driver of Rusticl").text


def test_a_child_that_works_is_waited_for_and_one_that_waits_is_not(compile_library: Compile, tmp_path: Path) -> None:
    working = "while (clock() < CLOCKS_PER_SEC); exit(7)"  # a second of processor time
    icds = []
    for name, what in {"works": working, "waits": "pause()", "needless": "for (;;)"}.items():
        icds.append(tmp_path / f"{name}.icd")
        icds[-1].write_text(f"{_broken(compile_library, name, what)}\n")
    questions = opencl.ask_alone(icds, {}, load_drivers(), tmp_path)
    works, waits, needless = map(str, icds)
    questions[needless] = replace(questions[needless], optional=True)
    answers = ask(questions, patience_s=0.7)
    assert answers[works].died == "ends with exit code 7 and no answer"
    assert "(hangs)" in answers[waits].died and "gives no answer" in answers[needless].died
    assert float(answers[waits].died.split()[4]) < 10


def test_a_vulkan_driver_that_dies_is_named(compile_library: Compile, tmp_path: Path) -> None:
    library = _broken(compile_library, "vulkan", "abort()")
    bad, text = tmp_path / "bad.json", tmp_path / "text.json"
    bad.write_text(
        json.dumps({"file_format_version": "1.0.0", "ICD": {"library_path": str(library), "api_version": "1.3.0"}})
    )
    text.write_text("no json")
    good = next(Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json"))
    environment = {"VK_DRIVER_FILES": f"{good}:{bad}:{text}"}
    answer = ask({"vulkan": Question(("vulkan",), environment)})["vulkan"]
    findings = vulkan.examine_vulkan(environment, answer).findings
    assert "dies of SIGABRT" in _find(findings, "the Vulkan loader with all drivers").text
    assert "dies of SIGABRT" in _find(findings, f"{bad}: its driver").text
    assert not [f for f in findings if f"{good}: its driver" in f.text]
    assert _find(findings, "text.json").level is Level.PROBLEM


def _make_node(root: Path, name: str, kernel: str, mode: int) -> None:
    """A render node as files: dev/dri/NAME, and its entry in sys/class/drm."""
    for folder in (
        root / "dev/dri",
        root / f"sys/class/drm/{name}/device",
        root / f"sys/bus/drivers/{kernel}",
    ):
        folder.mkdir(parents=True, exist_ok=True)
    (root / "dev/dri" / name).touch()
    (root / "dev/dri" / name).chmod(mode)
    (root / f"sys/class/drm/{name}/device/driver").symlink_to(root / f"sys/bus/drivers/{kernel}")
    (root / f"sys/class/drm/{name}/device/uevent").write_text(f"DRIVER={kernel}\nOF_COMPATIBLE_0=qcom,adreno\n")


# A root without its power over modes (CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH): as any other user.
_PLAIN_USER = """
import ctypes, os, sys
for capability in (1, 2):
    ctypes.CDLL(None).prctl(24, capability)  # PR_CAPBSET_DROP
os.execv(sys.executable, [sys.executable, "-m", "runner.doctor.probes", "1", "nodes", *sys.argv[1:]])
"""


def test_a_node_that_may_not_be_opened_names_the_group(tmp_path: Path) -> None:
    _make_node(tmp_path, "renderD128", "msm", 0o660)
    _make_node(tmp_path, "renderD129", "amdgpu", 0o000)
    _make_node(tmp_path, "renderD130", "unheard", 0o600)
    (tmp_path / "dev/dri/renderD130").unlink()
    (tmp_path / "dev/kgsl-3d0").touch()
    found = nodes.find_nodes(tmp_path)
    paths = [n.path for n in found if n.path]
    done = subprocess.run([sys.executable, "-c", _PLAIN_USER, *paths], capture_output=True, text=True, cwd=ROOT, check=True)
    findings = nodes.examine_nodes(found, json.loads(done.stdout), load_drivers()).findings
    good = _find(findings, "renderD128")
    assert good.level is Level.OK and "kernel driver msm, qcom,adreno; Mesa: RUSTICL_ENABLE=freedreno" in good.text
    closed = _find(findings, "renderD129")
    assert closed.level is Level.PROBLEM and "cannot be opened: Permission denied" in closed.text
    assert "RUSTICL_ENABLE=radeonsi" in closed.text and "udev rule" in closed.step
    away = _find(findings, "renderD130")
    assert "is not there, and the kernel has it" in away.text and "no driver of Rusticl's own" in away.text
    assert _find(findings, "kgsl-3d0").level is Level.OK


def test_a_node_of_a_group_that_the_user_is_not_in_is_joined_by_usermod(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _make_node(tmp_path, "renderD128", "i915", 0o660)
    monkeypatch.setattr(nodes.os, "getegid", lambda: 54321)  # this process's groups are the node's own
    monkeypatch.setattr(nodes.os, "getgroups", list)
    monkeypatch.setattr(nodes, "_name", lambda lookup, number: "render")
    found = nodes.find_nodes(tmp_path)
    finding = nodes.examine_nodes(found, {found[0].path: "Permission denied"}, load_drivers()).findings[0]
    assert finding.step.startswith("usermod -aG render $USER") and "RUSTICL_ENABLE=iris" in finding.text


def test_the_back_ends_that_are_only_looked_at_find_their_hardware(tmp_path: Path) -> None:
    node = tmp_path / "sys/devices/virtual/kfd/kfd/topology/nodes/1"
    for folder in (node, tmp_path / "dev"):
        folder.mkdir(parents=True)
    (node / "properties").write_text("cpu_cores_count 0\ngfx_target_version 110000\n")
    for name in ("kfd", "kgsl-3d0", "nvidiactl", "nvidia-uvm", "nvidia0"):
        (tmp_path / "dev" / name).touch()
    findings = examine_kernel_backends({}, tmp_path)
    assert "usable: gfx1100" in _find(findings, "AMD by KFD").text
    for name in ("AMD by KFD", "QCOM", "NV:"):
        assert _find(findings, name).level is Level.OK
    opened = {str(tmp_path / "dev" / name): "Permission denied" for name in ("kfd", "kgsl-3d0", "nvidiactl")}
    findings = examine_kernel_backends(opened, tmp_path)
    for name in ("AMD by KFD", "QCOM", "NV:"):
        assert "not usable: " in _find(findings, name).text and "Permission denied" in _find(findings, name).text
    (tmp_path / "dev/nvidia-uvm").unlink()
    assert _find(examine_kernel_backends({}, tmp_path), "NV:").text == "NV: not usable: no /dev/nvidia-uvm"


def test_zink_without_a_node_is_known_to_run_with_the_runners_own(tmp_path: Path) -> None:
    if kernel_devices():
        pytest.skip("this machine has a render node")
    icd = tmp_path / "rusticl.icd"
    icd.write_text(f"{_RUSTICL}\n")
    drivers, environment = load_drivers(), {"RUSTICL_ENABLE": "zink"}
    answer = ask(opencl.ask_alone([icd], environment, drivers, tmp_path), 30)[str(icd)]
    finding = enable.examine_enable("zink", drivers, [], opencl.rusticl_devices(answer)).findings[1]
    assert "(with the render node that the runner supplies)" in finding.text and finding.step == "runner --driver zink"


@pytest.mark.parametrize(
    ("system", "command"),
    [
        ("ID=debian\n", "apt install mesa-opencl-icd"),
        ('ID=linuxmint\nID_LIKE="ubuntu debian"\n', "apt install mesa-opencl-icd"),
        ("ID=fedora\n", "dnf install"),
        ("ID=postmarketos\nID_LIKE=alpine\n", "apk add mesa-rusticl"),
        ("ID=arch\n", "pacman -S"),
        ("ID=beos\n", "install Mesa's OpenCL"),
    ],
)
def test_the_packages_are_those_of_the_distribution(
    system: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RUNNER_ROOT_PACKAGES", raising=False)
    (tmp_path / "os-release").write_text(system)
    assert install_step(tmp_path / "os-release").startswith(command)
