"""`runner doctor` on a machine's nodes, back ends and packages."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT
from test_doctor import find_finding

from runner.doctor import enable, nodes, opencl
from runner.doctor.backends import examine_kernel_backends
from runner.doctor.children import ask
from runner.doctor.finding import Level, advice, install_step
from runner.drivers.machine import kernel_devices
from runner.drivers.registry import load_drivers

_RUSTICL = "libRusticlOpenCL.so.1"


def _make_node(root: Path, name: str, kernel: str, mode: int) -> None:
    """A render node as files: dev/dri/NAME, and its entry in sys/class/drm."""
    for folder in (root / "dev/dri", root / f"sys/class/drm/{name}/device", root / f"sys/bus/drivers/{kernel}"):
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
    good = find_finding(findings, "renderD128")
    assert good.level is Level.OK
    assert "kernel driver msm, qcom,adreno; Mesa: RUSTICL_ENABLE=freedreno" in good.text
    closed = find_finding(findings, "renderD129")
    assert closed.level is Level.PROBLEM
    assert "cannot be opened: Permission denied" in closed.text
    assert "RUSTICL_ENABLE=radeonsi" in closed.text
    assert "udev rule" in closed.step
    away = find_finding(findings, "renderD130")
    assert "is not there, and the kernel has it" in away.text
    assert "no driver of Rusticl's own" in away.text
    assert find_finding(findings, "kgsl-3d0").level is Level.OK


def test_a_node_of_a_group_that_the_user_is_not_in_is_joined_by_usermod(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _make_node(tmp_path, "renderD128", "i915", 0o660)
    monkeypatch.setattr(os, "getegid", lambda: 54321)  # this process's groups are the node's own
    monkeypatch.setattr(os, "getgroups", list)
    monkeypatch.setattr(nodes, "_name", lambda *_: "render")
    found = nodes.find_nodes(tmp_path)
    finding = nodes.examine_nodes(found, {found[0].path: "Permission denied"}, load_drivers()).findings[0]
    assert finding.step.startswith("usermod -aG render $USER")
    assert "RUSTICL_ENABLE=iris" in finding.text


def test_the_back_ends_that_are_only_looked_at_find_their_hardware(tmp_path: Path) -> None:
    node = tmp_path / "sys/devices/virtual/kfd/kfd/topology/nodes/1"
    for folder in (node, tmp_path / "dev"):
        folder.mkdir(parents=True)
    (node / "properties").write_text("cpu_cores_count 0\ngfx_target_version 110000\n")
    for name in ("kfd", "kgsl-3d0", "nvidiactl", "nvidia-uvm", "nvidia0"):
        (tmp_path / "dev" / name).touch()
    findings = examine_kernel_backends({}, tmp_path)
    assert "usable: gfx1100" in find_finding(findings, "AMD by KFD").text
    for name in ("AMD by KFD", "QCOM", "NV:"):
        assert find_finding(findings, name).level is Level.OK
    opened = {str(tmp_path / "dev" / name): "Permission denied" for name in ("kfd", "kgsl-3d0", "nvidiactl")}
    findings = examine_kernel_backends(opened, tmp_path)
    for name in ("AMD by KFD", "QCOM", "NV:"):
        assert "not usable: " in find_finding(findings, name).text
        assert "Permission denied" in find_finding(findings, name).text
    (tmp_path / "dev/nvidia-uvm").unlink()
    assert find_finding(examine_kernel_backends({}, tmp_path), "NV:").text == "NV: not usable: no /dev/nvidia-uvm"


@pytest.mark.root
def test_zink_without_a_node_is_known_to_run_with_the_runners_own(tmp_path: Path) -> None:
    if kernel_devices():
        pytest.skip("this machine has a render node")
    icd = tmp_path / "rusticl.icd"
    icd.write_text(f"{_RUSTICL}\n")
    drivers, environment = load_drivers(), {"RUSTICL_ENABLE": "zink"}
    answer = ask(opencl.ask_alone([icd], environment, drivers, tmp_path), 30)[str(icd)]
    finding = enable.examine_enable("zink", drivers, [], opencl.rusticl_devices(answer)).findings[1]
    assert "(with the render node that the runner supplies)" in finding.text
    assert finding.step == "runner --driver zink"


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


def test_every_advice_is_given_somewhere() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "runner/doctor").glob("*.py"))
    assert not [name for name in advice() if f'"{name}"' not in sources]
    assert not [name for name in re.findall(r'\bfind\("([^"]+)"', sources) if name not in advice()]
