"""Real programs: a wrong answer of each kind is red, and a root without the programs says what to do."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Mock
from mutation import SUITES

from runner import check
from runner.cases import catalogue
from runner.importing import import_suite_module
from runner.model import Tier
from runner.program import Ended

_ROW = "|  {} | 80 | 64 1 1 | 64 1 | 4096 1 | {} | 0.74 ms | 0.1 | {} |"
_RIGHT = (_ROW.format("ref", "OK", "reference OK"), _ROW.format(1, "OK  88 ms", "results match"))


def apps(name: str) -> Any:
    return import_suite_module(SUITES / "apps", name)


def refused(judge: Any, *args: Any) -> str:
    with pytest.raises(check.Mismatch) as caught:
        judge(*args)
    return str(caught.value)


def test_hashcat_is_judged_by_the_password_that_it_finds() -> None:
    judge = apps("hashcat").judge
    judge(Ended(0, "b4b9:hashcat\n", ""), "hashcat")
    assert refused(judge, Ended(0, "b4b9:hashcot\n", ""), "hashcat").startswith("value: not so: hashcat is found")
    assert refused(judge, Ended(0, "", ""), "hashcat").startswith("value: not so")
    assert refused(judge, Ended(1, "", ""), "hashcat") == "value: the example's password is not taken for right"
    assert refused(judge, Ended(255, "", "* Device #1: ATTENTION! OpenCL kernel self-test failed.\n"), "x").startswith(
        "value: exit 255: * Device #1: ATTENTION! OpenCL kernel self-test failed."
    )
    assert refused(judge, Ended(255, "", "clBuildProgram(): CL_BUILD_PROGRAM_FAILURE\n"), "x").startswith(
        "build: exit 255: clBuild"
    )


def test_hashcats_example_is_read_and_its_absence_is_an_error() -> None:
    read = apps("hashcat").read_example
    text = 'hashcat (v6.2.6) starting in hash-info mode\n\n{ "0": { "example_hash": "8743", "example_pass": "hashcat" } }\n'
    assert read(Ended(0, text, "")) == {"example_hash": "8743", "example_pass": "hashcat"}
    for broken in ("", "no such mode", "{ 0"):
        with pytest.raises(check.NothingTested):
            read(Ended(255, broken, "Invalid hash-type"))


def test_a_tuner_is_judged_by_every_variant() -> None:
    judge = apps("clblast").judge
    judge(Ended(0, "\n".join(_RIGHT), ""))
    wrong = _ROW.format(2, "OK  88 ms", "results mismatch")
    assert (
        refused(judge, Ended(0, "\n".join((*_RIGHT, wrong)), "")) == "value: variant 2 (64 1 1): OK  88 ms: results mismatch"
    )
    unbuilt = _ROW.format(3, "compilation error", "compilation error")
    assert refused(judge, Ended(0, "\n".join((*_RIGHT, unbuilt)), "")).startswith("build: variant 3")
    assert refused(judge, Ended(0, _RIGHT[0], "")).startswith("value: not so: variants were compared")
    assert refused(judge, Ended(1, "\n".join(_RIGHT), "CL_OUT_OF_RESOURCES")) == "enqueue: exit 1: CL_OUT_OF_RESOURCES"


def test_opencv_is_judged_by_the_distance_from_the_cpus() -> None:
    judge = apps("opencv").judge
    result = {"alike": True, "error": 1.0, "far": 0.0, "spread": 200.0}
    judge(result, 1.0, 0.0)
    assert "largest distance from the CPU's" in refused(judge, result, 0.5, 0.0)
    assert "not all zero" in refused(judge, {**result, "spread": 0.0}, 1.0, 0.0)
    assert "one shape" in refused(judge, {**result, "alike": False}, 1.0, 0.0)
    judge({**result, "error": 255.0, "far": 0.004}, 0.0, 0.01)
    assert "largest distance" in refused(judge, {**result, "error": 255.0, "far": 0.02}, 0.0, 0.01)


def test_opencv_that_goes_on_on_the_cpu_is_red() -> None:
    read, answer = apps("opencv").read_answer, '{"device": "GPU", "alike": true}'
    assert read(Ended(0, answer, ""), "GPU")["alike"]
    refusal = "OpenCL error CL_INVALID_WORK_GROUP_SIZE (-54) during call: clEnqueueNDRangeKernel('reduce', dims=1) sync=true"
    message = "enqueue: CL_INVALID_WORK_GROUP_SIZE: clEnqueueNDRangeKernel('reduce', dims=1)"
    assert refused(read, Ended(0, f"{refusal}\n{answer}", ""), "GPU") == message
    assert refused(read, Ended(1, answer, "no"), "GPU") == "enqueue: exit 1: no"
    assert refused(read, Ended(0, answer, "error: x\nCL_BUILD_PROGRAM_FAILURE"), "GPU").startswith("build: ")


def test_frames_are_judged_plane_by_plane() -> None:
    ffmpeg, own = apps("ffmpeg"), apps("filters").Filter("x", margin=1)
    frames = np.random.default_rng(1).integers(0, 255, 2 * 8 * 4 * 3 // 2).astype(np.uint8)
    planes = ffmpeg.split(frames, 8, 4)
    assert {name: plane.shape for name, plane in planes.items()} == {"Y": (2, 4, 8), "U": (2, 2, 4), "V": (2, 2, 4)}
    luma = planes["Y"]
    ffmpeg.judge("Y", luma, luma, own)
    edge, inner = luma.copy(), luma.copy()
    edge[:, 0, :] ^= 0x80
    inner[1, 2, 3] ^= 0x80
    ffmpeg.judge("Y", edge, luma, own)
    assert refused(ffmpeg.judge, "Y", inner, luma, own).startswith("value: largest distance in Y")
    assert "values beyond whole frames" in refused(ffmpeg.split, frames[:-1], 8, 4)


def test_clinfo_is_judged_by_its_lines_and_clpeak_by_its_figures() -> None:
    tools, facts = apps("tools"), {"Device Name": "llvmpipe (LLVM 19)"}
    output = "  Device Name                    llvmpipe (LLVM 19)\n  Error Correction support    No\n"
    tools.judge_properties(Ended(0, output, ""), facts)
    assert "clinfo says Device Name" in refused(tools.judge_properties, Ended(0, output, ""), {"Device Name": "lavapipe"})
    failed = output + "  Max clock frequency   <printDeviceInfo:0: get CL_DEVICE_MAX : error -30>\n"
    assert refused(tools.judge_properties, Ended(0, failed, ""), facts).startswith("api: Max clock frequency <printDevice")
    assert "exit code" in refused(tools.judge_properties, Ended(1, output, ""), facts)
    figures = "    Clock frequency : 300 MHz\n\n    Integer compute (GIOPS)\n      int   : 1.51\n      int2  : {}\n"
    tools.judge_figures(Ended(0, figures.format("2.94"), ""), 2)
    for wrong in ("0.00", "inf", "-1", "nan"):
        assert "int2 is a number above 0" in refused(tools.judge_figures, Ended(0, figures.format(wrong), ""), 2)
    assert "figures" in refused(tools.judge_figures, Ended(0, figures.format("2.94"), ""), 3)


def test_forces_are_judged_against_the_largest_and_the_energy_too() -> None:
    judge, want = apps("openmm").judge, np.array([[1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]])
    judge(want + 1e-5, want, 10.0001, 10.0, 1e-4)
    assert refused(judge, want + 1e-3, want, 10.0, 10.0, 1e-4).startswith("value: forces")
    assert refused(judge, want, want, 10.01, 10.0, 1e-4).startswith("value: energy")
    assert "not zero" in refused(judge, want * 0, want * 0, 0.0, 0.0, 1e-4)


def test_a_projects_own_test_has_the_outcome_that_pytest_gives_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = apps("own_tests")
    folder = tmp_path / "pyopencl/test"
    folder.mkdir(parents=True)
    (folder / "helper.py").write_text("VALUE = 4\n")
    (folder / "test_x.py").write_text(
        "import pytest\nfrom helper import VALUE\n"
        "def test_right(): assert VALUE == 4\n"
        "def test_wrong(): assert VALUE == 5\n"
        "def test_skips(): pytest.skip('no images')\n"
        "def test_refused(): raise RuntimeError('BUILD_PROGRAM_FAILURE\\n\\nBuild on <device>:\\n\\nlog\\nx.cl: error: x')\n"
    )
    monkeypatch.setenv("RUNNER_APPS", str(tmp_path))

    def judge(name: str) -> None:
        own.check_one(None, project="pyopencl", test=f"test_x.py::{name}")

    judge("test_right")
    assert refused(judge, "test_wrong").startswith("value: assert 4 == 5")
    assert refused(judge, "test_refused") == "build: x.cl: error: x"
    with pytest.raises(check.Unsupported, match="no images"):
        judge("test_skips")
    for lost in ("test_gone", "test_righ"):
        with pytest.raises(check.NothingTested):
            judge(lost)


def test_a_test_is_known_by_its_name_without_the_device() -> None:
    shorten = apps("own_tests").shorten
    device = "<context factory for <pyopencl.Device 'llvmpipe (LLVM 19.1.7, 256 bits)' on 'rusticl'>>"
    assert shorten(f"test_array.py::test_stack[{device}-1-C]") == "test_array.py::test_stack[1-C]"
    assert shorten(f"test_array.py::test_basic[{device}]") == "test_array.py::test_basic"


def test_the_kernels_of_a_source_are_known_by_name() -> None:
    source = "// kernel void no(\n#define K \\\n  kernel void macro(\nkernel void\n  a(int x) {}\n"
    source += "__kernel void b (int y) {}\n/* kernel void c( */"
    assert apps("darktable").named(source) == {"a", "b"}


def test_the_catalogue_is_as_large_as_it_says_and_its_sample_small() -> None:
    _, cases = catalogue.load_suite(SUITES / "apps")
    programs = {case.id.split("/")[1] for case in cases}
    assert len(programs) >= 11
    assert len(cases) >= 600
    modes = [case for case in cases if case.kind == "hashcat.crack"]
    assert len(modes) > 300
    assert 25 <= sum(case.tier is Tier.PREMERGE for case in modes) <= 35


def test_without_the_programs_a_case_is_skipped_with_what_to_do(mock: Mock) -> None:
    code, output = mock.cli("--driver", "llvmpipe", f"--results={mock.results}", "-t", "apps/hashcat/1000", "-j", "1")
    assert code == 4, output
    assert "ci/run --with-apps" in output + (mock.results / "journal.jsonl").read_text()


_HASHCAT = """#!/bin/sh
case "$*" in
    *--hash-info*) echo '{ "0": { "example_hash": "8743", "example_pass": "hashcat" } }' ;;
    *--hash-type=29411\\ *--self-test-disable*) echo 8743:hashcat ;;
    *--self-test-disable*) exit 255 ;;
    *--hash-type=0\\ *) echo 8743:hashcat ;;
    *--hash-type=10\\ *) exit 1 ;;
    *--hash-type=11\\ *) kill -SEGV $$ ;;
esac
"""


def test_a_program_is_a_process_whose_answer_and_death_are_the_cases(
    mock: Mock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin/hashcat"
    program.parent.mkdir()
    program.write_text(_HASHCAT)
    program.chmod(0o755)
    monkeypatch.setenv("RUNNER_APPS", str(tmp_path))
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin")
    globs = [word for mode in (0, 10, 11, 29411) for word in ("-t", f"apps/hashcat/{mode}")]
    own = ("--driver", "llvmpipe", f"--results={mock.results}", "-j", "1", "--retries", "0", "--tier", "nightly")
    code, output = mock.cli(*own, *globs)
    assert code == 1, output
    verdicts = {"0": "Pass", "10": "Fail", "11": "Crash", "29411": "Pass"}  # VeraCrypt's, without the self-test
    assert mock.rows() == {f"apps/hashcat/{mode}": verdict for mode, verdict in verdicts.items()}, output


def test_a_transform_is_judged_by_its_own_size_and_precision() -> None:
    fft = apps("pyvkfft")
    own = fft.Transform("c2c", (60,), False)
    _, want = fft.example(own, np.random.default_rng(1))
    fft.judge(want.astype(np.complex64), want, own)
    near = want.copy()
    near[1, 2] += 1e-3 * np.max(np.abs(want))
    assert refused(fft.judge, near, want, own).startswith("value: distance, of the largest element[1, 2]: got")
    for number in (1, 2, 3, 4):  # each inverts itself or its partner, up to a factor: 2 (n - 1), 2 n or 2 (n + 1)
        back = {2: 3, 3: 2}.get(number, number)
        for kind, factor in (("dct", 14 if number == 1 else 16), ("dst", 18 if number == 1 else 16)):
            product = fft.trigonometric(f"{kind}{back}", 8) @ fft.trigonometric(f"{kind}{number}", 8)
            assert np.allclose(product, factor * np.eye(8))


def test_a_computation_of_integers_is_judged_to_the_bit() -> None:
    judge = apps("reikna").judge
    judge(np.array([1, 2], np.int32), np.array([1, 2], np.int32))
    assert refused(judge, np.array([1, 3], np.int32), np.array([1, 2], np.int32)).startswith("value: result")
    judge(np.array([1.000001, 2]), np.array([1.0, 2.0]))
    assert refused(judge, np.array([1.0001, 2]), np.array([1.0, 2.0])).startswith("value: distance")


def test_a_module_of_darktable_is_judged_only_if_it_ran_and_by_the_cpus_image(tmp_path: Path) -> None:
    own = apps("darktable_modules")
    image = own.make_image()
    own.write_pfm(tmp_path / "x.pfm", image)
    own.judge(own.read_pfm(tmp_path / "x.pfm"), image, 0, 1e-3, 0)
    wrong = image.copy()
    wrong[3, 4, 1] += 0.01
    own.judge(wrong, image, 5, 1e-3, 0)
    own.judge(wrong, image, 3, 0.02, 0)
    own.judge(wrong, image, 3, 1e-3, 0.001)
    assert refused(own.judge, wrong, image, 3, 1e-3, 0).startswith("value: distance from the CPU's[0, 1, 1]")
    assert own.pack_settings([1.0, 2, -1]) == "0000803f02000000ffffffff"
    told = "opencl PREFERENCE=ON is AVAILABLE and ENABLED.\n DEVICE: 0: 'gpu'\n[export] processed `levels' on {}, blended\n"
    own.require_device(told.format("GPU"), "levels", "gpu")
    failed = "1.2 [opencl] could not enqueue kernel\n" + told.format("CPU")
    assert refused(own.require_device, failed, "levels", "gpu") == (
        "enqueue: levels ran on the CPU: [opencl] could not enqueue kernel"
    )
    with pytest.raises(check.Unsupported):
        own.require_device("is NOT AVAILABLE", "levels", "gpu")
    broken = "[dt_opencl_device_init] failed to compile program `basic.cl'!\nis NOT AVAILABLE"
    told_so = "build: darktable does not take the device: it does not compile basic.cl"
    assert refused(own.require_device, broken, "levels", "gpu") == told_so
