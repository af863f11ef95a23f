"""The class of a CPU: what Mesa takes it for, what stands for another, and what a run says if it was never measured."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from runner.cpu import CLASSES, Cpu, class_environment, class_of, measured_classes, read_cpu
from runner.drivers.presence import check_identity
from runner.drivers.registry import cpu_environment, load_drivers
from runner.expectations.target import Target, covers
from runner.model import DeviceReport, InfrastructureError, UsageError
from runner.run_config import RunConfig

_SSE = frozenset({"sse2", "pni", "ssse3", "sse4_1"})
_AVX2 = _SSE | {"avx", "avx2", "fma", "f16c"}
XEON = Cpu("a Xeon", _AVX2 | {"avx512f"}, number=("6", "143"))
DRIVERS = load_drivers()


@pytest.mark.parametrize(
    ("flags", "name"),
    [
        ({"sse2"}, "sse2"),
        (_SSE, "sse4.1"),
        (_SSE | {"avx"}, "avx"),
        (_AVX2, "avx2"),
        (_AVX2 | {"avx512f"}, "avx512"),
        ({"avx2"}, ""),
    ],
)
def test_a_cpu_is_of_the_class_up_to_which_it_has_every_flag(flags: frozenset[str], name: str) -> None:
    assert Cpu("", frozenset(flags)).name == name


def test_avx512_fp16_is_used_if_llvm_knows_the_cpu_by_its_model_whatever_its_flags_say() -> None:
    assert XEON.name == "avx512fp16"  # a virtual machine may hide the flag
    shown = XEON.flags | {"avx512_fp16"}
    assert replace(XEON, flags=shown, number=("6", "167")).name == "avx512"  # or show it with another model
    assert replace(XEON, flags=_AVX2).name == "avx2"


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        ({}, "avx512fp16"),
        ({"GALLIUM_OVERRIDE_CPU_CAPS": "avx"}, "avx2"),  # Mesa takes AVX-512 away, and nothing else
        ({"GALLIUM_OVERRIDE_CPU_CAPS": "sse4.1"}, "sse4.1"),
        ({"GALLIUM_OVERRIDE_CPU_CAPS": "nonsense"}, "avx512fp16"),
        ({"LP_NATIVE_VECTOR_WIDTH": "256"}, "avx512fp16"),
        ({"LP_NATIVE_VECTOR_WIDTH": "128"}, "avx512fp16_128"),
        ({"GALLIUM_OVERRIDE_CPU_CAPS": "sse4.1", "LP_NATIVE_VECTOR_WIDTH": "256"}, "sse4.1_256"),
    ],
)
def test_mesas_variables_decide_what_the_cpu_is_taken_for(environment: dict[str, str], name: str) -> None:
    assert class_of(XEON, environment) == name


def test_the_variables_for_a_class_make_mesa_take_the_cpu_for_it() -> None:
    shown = ["sse2", "sse3", "ssse3", "sse4.1", "avx2", "avx512fp16"]
    for name in shown:
        assert class_of(XEON, class_environment(name, XEON)) == name
    for name in set(CLASSES) - set(shown):
        with pytest.raises(InfrastructureError, match=re.escape("this CPU is avx512fp16 (a Xeon)")):
            class_environment(name, XEON)
    assert class_of(XEON, class_environment("avx2_128", XEON)) == "avx2_128"
    with pytest.raises(UsageError, match=r"no such class of CPU; closest: 'avx2'"):
        class_environment("avx22", XEON)
    with pytest.raises(InfrastructureError, match=r"sse4\.1; run on a CPU of that class"):
        class_environment("avx512", Cpu("a laptop", _AVX2))


def test_mesas_variable_makes_no_x86_of_an_arm() -> None:
    arm = Cpu("a phone", frozenset({"asimd"}), "aarch64")
    assert class_of(arm, {"GALLIUM_OVERRIDE_CPU_CAPS": "avx"}) == "neon"
    with pytest.raises(InfrastructureError, match="Mesa's own overrides make it nothing else"):
        class_environment("avx2", arm)


def test_a_cpu_is_read_from_the_first_block_of_cpuinfo(tmp_path: Path) -> None:
    path = tmp_path / "cpuinfo"
    first = "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 167\nmodel name\t: A CPU\nflags\t\t: sse2 pni\n"
    path.write_text(first + "\nprocessor\t: 1\nflags\t\t: avx\n")
    assert replace(read_cpu(path), machine="x86_64") == Cpu("A CPU", frozenset({"sse2", "pni"}), number=("6", "167"))
    assert Cpu("", frozenset({"asimd"}), "aarch64").name == "neon"
    assert read_cpu(tmp_path / "none").flags == frozenset()


def test_a_name_covers_what_is_an_underscore_longer() -> None:
    assert covers("lavapipe", "lavapipe_avx2")
    assert covers("avx2", "avx2_128")
    assert covers("a6xx", "a630")
    assert not covers("avx", "avx2")
    assert not covers("lavapipe_avx2", "lavapipe")
    assert not covers("avx512", "avx512fp16")


def test_the_class_is_the_gpu_of_drivers_that_compute_on_the_cpu() -> None:
    llvmpipe = DeviceReport(platform="rusticl", device="llvmpipe (LLVM 19.1.7, 256 bits)", mesa="25.0.7", cpu_class="avx2")
    assert DRIVERS["llvmpipe"].target(RunConfig("llvmpipe"), llvmpipe).name == "llvmpipe-avx2-mesa25.0"
    lavapipe = replace(llvmpipe, device=f"zink Vulkan 1.4({llvmpipe.device} (MESA_LLVMPIPE))")
    named = RunConfig("zink", "lavapipe")
    assert DRIVERS["zink"].target(named, lavapipe).name == "zink-lavapipe_avx2-mesa25.0"
    assert check_identity(DRIVERS["zink"], named, lavapipe) == ""
    assert "which is avx2" in check_identity(DRIVERS["llvmpipe"], RunConfig("llvmpipe", "avx512"), llvmpipe)
    nvidia = replace(llvmpipe, device="zink Vulkan 1.4(NVIDIA H100 (NVIDIA_PROPRIETARY))")
    assert DRIVERS["zink"].target(RunConfig("zink"), nvidia).gpu == "nvidia"
    assert [DRIVERS["zink"].cpu_class(gpu) for gpu in ("lavapipe_avx2", "lavapipe", "nvidia", "nvk_164")] == [
        "avx2",
        "",
        "",
        "",
    ]


def test_a_class_without_the_rest_of_its_name_says_what_it_is_called() -> None:
    with pytest.raises(UsageError, match=re.escape("--gpu sse4.1: zink calls that class of CPU lavapipe_sse4.1")):
        cpu_environment(DRIVERS["zink"], "sse4.1", XEON)
    assert cpu_environment(DRIVERS["zink"], "lavapipe_sse4.1", XEON) == {"GALLIUM_OVERRIDE_CPU_CAPS": "sse4.1"}
    assert cpu_environment(DRIVERS["freedreno"], "a630", XEON) == {}


def test_classes_that_files_speak_of_are_named_weakest_first() -> None:
    assert measured_classes({"", "lavapipe_avx512", "lavapipe_sse4.1", "nvidia", "avx2_128"}) == ("sse4.1", "avx2", "avx512")
    assert Target("llvmpipe", "avx2", mesa="25.0").applies_to(Target("llvmpipe", "avx2_128", mesa="25.0"))
