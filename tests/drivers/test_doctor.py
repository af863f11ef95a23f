"""The doctor on real Rusticl, and on broken machines: libraries that die, hang or are not libraries, closed nodes."""

import json
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Mock

from runner.doctor import enable, opencl, vulkan
from runner.doctor.children import Question, ask
from runner.doctor.finding import Finding, Level
from runner.drivers.registry import load_drivers

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
        subprocess.run(["clang", "-shared", "-fPIC", "-w", "-x", "c", "-", "-o", library], input=source.encode(), check=True)
        return library

    return compile


def _broken(compile_library: Compile, name: str, what: str) -> Path:
    return compile_library(name, _SOURCE.replace("BROKEN", what))


def find_finding(findings: tuple[Finding, ...] | list[Finding], part: str) -> Finding:
    found = [f for f in findings if part in f.text]
    assert len(found) == 1, (part, findings)
    return found[0]


def test_the_report_says_what_to_enable_and_what_tinygrad_can_use(mock: Mock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUSTICL_ENABLE", raising=False)
    monkeypatch.delenv("OCL_ICD_VENDORS", raising=False)
    code, output = mock.cli("doctor", "--format", "json")
    report = json.loads(output)
    assert code == 0, output
    assert any(name.startswith("llvmpipe") for name in report["usable"]), output
    lines = {f["text"]: f for findings in report["sections"].values() for f in findings}
    text = "\n".join(lines)
    icd = next(t for t in lines if "rusticl.icd names" in t)
    assert f"names {_RUSTICL}: /usr/lib" in icd
    assert "build id " in icd
    assert "RUSTICL_ENABLE=llvmpipe would give llvmpipe" in text
    unset = next(f for t, f in lines.items() if "RUSTICL_ENABLE is not set" in t)
    assert unset["level"] == "problem"
    assert unset["step"] == "export RUSTICL_ENABLE=llvmpipe"
    assert "CPU by clang: usable" in text
    assert "CPU by LLVM: usable" in text
    assert "METAL: not looked at" in text
    for name in ("QCOM", "AMD by KFD", "AMD by PCI", "AMD by USB", "NV", "NV by PCI", "CUDA", "WEBGPU"):
        assert f"{name}: " in text
    if any("Clover" in t for t in lines):  # Mesa had it until 25.1
        assert "Clover is dead" in text
        assert "without a device" in text


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
    assert code == 3, output
    assert time.monotonic() - begun < 60, output
    lines = output.splitlines()

    def line(part: str) -> str:
        return next((one for one in lines if part in one), f"no {part!r} in {output}")

    assert "does not load: libGone.so.1: cannot open" in line("gone.icd names")
    assert "does not load" in line("text.icd names")
    assert "invalid ELF header" in line("text.icd names")
    assert "dies of SIGABRT, and with it every OpenCL program" in line("dies.icd names")
    assert "gives no answer within" in line("sleeps.icd names")
    assert "(hangs)" in line("sleeps.icd names")
    assert "build id" in line("rusticl.icd names")
    assert "has no platform" in line("other.icd names")
    assert "closest: 'llvmpipe'" in line("'lvmpipe' is not a driver of Rusticl")
    assert "no clang on PATH" in line("CPU by clang: not usable")
    assert "no clang on PATH" in line("CPU by LLVM: not usable")
    assert "wgpu-native and not Dawn" in line("WEBGPU: not usable")
    assert "it lacks wgpu" in line("WEBGPU:")
    assert "no device opens" in lines[-1]


def test_the_words_of_rusticl_enable_mean_what_rusticl_makes_of_them() -> None:
    drivers = load_drivers()
    values = [*("llvmpipe", "lp", "swrast", "llvmpipe:0", "lvmpipe,lp", " llvmpipe", "LLVMPIPE", "llvmpipe:", "lvmpipe"), ""]
    answers = ask({v: Question(("icd", _RUSTICL), {"RUSTICL_ENABLE": v}) for v in values}, 30)
    for value, answer in answers.items():
        devices = opencl.rusticl_devices(answer)
        section = enable.examine_enable(value, drivers, devices, devices)
        matched = [f for f in section.findings if f.level is Level.OK]
        assert bool(matched) == bool(devices), (value, devices, section)
        if value.endswith(":"):
            assert "'' is not a number of a device" in find_finding(section.findings, "matches none").text
        if " " in value or value.isupper():
            assert "closest: 'llvmpipe'" in find_finding(section.findings, "not a driver of Rusticl").text


@pytest.mark.root
def test_a_child_that_works_is_waited_for_and_one_that_waits_is_not(compile_library: Compile, tmp_path: Path) -> None:
    working = "while (clock() < CLOCKS_PER_SEC); exit(7)"  # a second of processor time
    icds = []
    for name, what in {"works": working, "waits": "pause()", "needless": "for (;;)"}.items():
        icds.append(tmp_path / f"{name}.icd")
        icds[-1].write_text(f"{_broken(compile_library, name, what)}\n")
    questions = opencl.ask_alone(icds, {}, load_drivers(), tmp_path)
    works, waits, needless = map(str, icds)
    questions[needless] = replace(questions[needless], optional=True)
    answers = ask(questions, idle_limit_s=0.7)
    assert answers[works].died == "ends with exit code 7 and no answer"
    assert "(hangs)" in answers[waits].died
    assert "gives no answer" in answers[needless].died
    assert float(answers[waits].died.split()[4]) < 10


@pytest.mark.root
@pytest.mark.nightly("nine seconds of the processor; the test above has the same clock of one child")
def test_the_first_child_is_not_idle_while_the_others_are_being_started(
    compile_library: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    icds = [tmp_path / "first.icd", tmp_path / "second.icd"]
    for icd in icds:  # three seconds of processor time
        icd.write_text(f"{_broken(compile_library, icd.stem, 'while (clock() < 3 * CLOCKS_PER_SEC); exit(7)')}\n")
    questions = opencl.ask_alone(icds, {}, load_drivers(), tmp_path)
    start = subprocess.Popen.__init__

    def start_slowly(*words: Any, **named: Any) -> None:
        start(*words, **named)
        time.sleep(1.3)

    monkeypatch.setattr(subprocess.Popen, "__init__", start_slowly)
    assert {a.died for a in ask(questions, idle_limit_s=0.7).values()} == {"ends with exit code 7 and no answer"}


@pytest.mark.root
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
    assert "dies of SIGABRT" in find_finding(findings, "the Vulkan loader with all drivers").text
    assert "dies of SIGABRT" in find_finding(findings, f"{bad}: its driver").text
    assert not [f for f in findings if f"{good}: its driver" in f.text]
    assert find_finding(findings, "text.json").level is Level.PROBLEM
