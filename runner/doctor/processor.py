"""The class that llvmpipe and lavapipe give the CPU, and those that they can be made to give it."""

from collections.abc import Mapping

from runner.cpu import CLASSES, Cpu, class_environment, class_of, read_cpu, vector_flags
from runner.doctor.finding import Section, find
from runner.model import InfrastructureError


def examine_processor(environment: Mapping[str, str], cpu: Cpu | None = None) -> Section:
    """The CPU's model and flags, its class in expectation files, and the classes that --gpu can show here."""
    cpu = cpu or read_cpu()
    own = class_of(cpu, environment)
    name = " ".join(filter(None, (cpu.model, cpu.machine)))
    if not own:
        return Section("CPU", (find("cpu-unknown", name=name),))
    findings = [find("cpu", name=name, own=own)]
    if own != cpu.name:
        findings.append(find("cpu-by-variables", own=own, name=cpu.name))
    findings.append(find("cpu-flags", flags=" ".join(vector_flags(cpu))))
    if others := [c for c in CLASSES if c != cpu.name and _can_show(c, cpu)]:
        findings.append(find("cpu-stands-for", classes=", ".join(others), last=others[-1]))
    return Section("CPU", tuple(findings))


def _can_show(name: str, cpu: Cpu) -> bool:
    try:
        class_environment(name, cpu)
    except InfrastructureError:
        return False
    return True
