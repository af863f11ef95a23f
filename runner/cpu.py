"""CPU classes: what Mesa's code generator for CPUs (gallivm, on LLVM) makes of this machine's CPU.

llvmpipe and lavapipe generate different code on another CPU, with different faults: eight doubles are rounded by one
instruction of AVX-512, and by a fallback without it. So the class stands where other drivers have a GPU's name.
Sources in Mesa: util/u_cpu_detect.c (which features are used, and GALLIUM_OVERRIDE_CPU_CAPS), gallivm/lp_bld_misc.cpp
(what LLVM is told), gallivm/lp_bld_init_common.c (LP_NATIVE_VECTOR_WIDTH). A class has all features of those before it.
"""

import platform
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.model import InfrastructureError, UsageError
from runner.spelling import closest

# Class: its flag in /proc/cpuinfo.
_FLAGS = {
    "sse2": "sse2",
    "sse3": "pni",
    "ssse3": "ssse3",
    "sse4.1": "sse4_1",
    "avx": "avx",
    "avx2": "avx2",
    "avx512": "avx512f",
}
# Mesa does not tell LLVM of AVX512-FP16: LLVM derives it from the CPU's name, and the name from Intel's family and model
# (TargetParser/Host.cpp): Sapphire, Emerald and Granite Rapids, Granite Rapids D. The flag avx512_fp16 does not count: a
# virtual machine may show it with another model, or hide it and show the model.
_FP16 = {("6", "143"), ("6", "207"), ("6", "173"), ("6", "174")}
NEON = "neon"
CLASSES = (*_FLAGS, "avx512fp16", NEON)
# The class that remains under each value of the variable; its "avx" takes away only AVX-512.
_OVERRIDE = "GALLIUM_OVERRIDE_CPU_CAPS"
_LEFT = {"sse2": "sse2", "sse3": "sse3", "ssse3": "ssse3", "sse4.1": "sse4.1", "avx": "avx2"}
_WIDTH = "LP_NATIVE_VECTOR_WIDTH"


@dataclass(frozen=True, slots=True)
class Cpu:
    """A CPU as the kernel describes it."""

    model: str = ""
    flags: frozenset[str] = frozenset()
    machine: str = "x86_64"
    number: tuple[str, str] = ("", "")  # family and model

    @property
    def name(self) -> str:
        """Its class; "" if Mesa does not know its vector instructions."""
        if self.machine in ("aarch64", "arm64"):
            return NEON
        found = ""
        for name, flag in _FLAGS.items():
            if flag not in self.flags:
                break
            found = name
        return "avx512fp16" if found == "avx512" and self.number in _FP16 else found


def read_cpu(path: Path = Path("/proc/cpuinfo")) -> Cpu:
    """This machine's CPU."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    lines = (line.partition(":") for line in text.partition("\n\n")[0].splitlines())
    fields = {name.strip(): value.strip() for name, _, value in lines}
    flags = frozenset(fields.get("flags", fields.get("Features", "")).split())
    number = (fields.get("cpu family", ""), fields.get("model", ""))
    return Cpu(fields.get("model name", ""), flags, platform.machine(), number)


def vector_flags(cpu: Cpu) -> tuple[str, ...]:
    """The flags that decide about generated code, sorted."""
    wanted = re.compile(r"sse|ssse|pni|avx|fma|f16c|amx|bmi|asimd|sve|fphp|neon")
    return tuple(sorted(flag for flag in cpu.flags if wanted.match(flag)))


def class_of(cpu: Cpu, environment: Mapping[str, str]) -> str:
    """The class that Mesa uses: the CPU's own, without the features that its variables take away.

    A width of vectors that is not the class's own stands behind it: `avx2_128`.
    """
    own = cpu.name
    left = _LEFT.get(environment.get(_OVERRIDE, ""), own)
    if left in _reachable(cpu):
        own = left
    width = environment.get(_WIDTH, "")
    return f"{own}_{width}" if own and width.isdigit() and width != _own_width(own) else own


def class_environment(wanted: str, cpu: Cpu) -> dict[str, str]:
    """The variables by which Mesa treats this CPU as one of a class; none if it is one already.

    Raises UsageError for an unknown class, InfrastructureError for one that this CPU cannot stand for.
    """
    name, _, width = wanted.partition("_")
    if name not in CLASSES or (width and width not in ("128", "256", "512")):
        raise UsageError(f"--gpu {wanted}: no such class of CPU{closest(name, CLASSES)}; known: {', '.join(CLASSES)}")
    own = {_WIDTH: width} if width else {}
    if name == cpu.name:
        return own
    for value, left in _LEFT.items():
        if left == name and name in _reachable(cpu):
            return {_OVERRIDE: value, **own}
    raise InfrastructureError(
        f"--gpu {wanted}: this CPU is {cpu.name or 'of an unknown class'} ({cpu.model}); Mesa's own overrides make it "
        f"{', '.join(_reachable(cpu)) or 'nothing else'}; run on a CPU of that class, or leave --gpu out"
    )


def measured_classes(gpus: Collection[str]) -> tuple[str, ...]:
    """The classes in the GPU tokens of expectation files, weakest first."""
    names = {part for gpu in gpus for part in gpu.split("_") if part in CLASSES}
    return tuple(sorted(names, key=_rank))


def _rank(name: str) -> int:
    return CLASSES.index(name) if name in CLASSES else -1


def _reachable(cpu: Cpu) -> list[str]:
    """The classes that Mesa's variable leaves of a CPU: it knows those of x86 only."""
    return [left for left in _LEFT.values() if _rank(left) < _rank(cpu.name) < _rank(NEON)]


def _own_width(name: str) -> str:
    return "256" if _rank("avx") <= _rank(name) < _rank(NEON) else "128"
