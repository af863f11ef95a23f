"""OpenMM: the forces and energy of small systems on the OpenCL platform, compared with its own Reference, in double."""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.check import Mismatch, NothingTested
from runner.device import Device

from .systems import EDGE, FORCES, PARTICLES, positions

# The tolerance of the forces, relative to the largest. OpenMM's documentation says of its precisions: single about 1e-5
# to 1e-4, double 1e-8 and less. The mesh of PME is chosen for 5e-4 on both platforms.
_ALLOWED = {"single": 2e-4, "mixed": 2e-4, "double": 1e-7}
_MESH = {"Nonbonded.PME": 2e-3, "Nonbonded.Ewald": 2e-3}


def check_compare(device: Device, *, force: str, precision: str) -> None:
    """`force`: a key of FORCES."""
    want, energy = _evaluate(force, "Reference", {})
    got, own = _evaluate(force, "OpenCL", {"Precision": precision}, device.device.name)
    allowed = max(_ALLOWED[precision], _MESH.get(force, 0))
    judge(got, want, own, energy, allowed)


def judge(got: NDArray[Any], want: NDArray[Any], own: float, energy: float, allowed: float) -> None:
    """Forces (48, 3) in kJ/mol/nm, energies in kJ/mol: `allowed` is relative to the largest force, and to both energies."""
    largest = float(np.max(np.abs(want)))
    check.true("the reference's forces are not zero", largest > 0)
    check.close("forces", got, want, atol=allowed * largest)
    check.close("energy", own, energy, atol=allowed * max(abs(energy), largest))


def _evaluate(name: str, platform: str, properties: dict[str, str], device: str = "") -> tuple[NDArray[Any], float]:
    try:
        mm: Any = import_module("openmm")
    except ImportError as error:
        raise NothingTested(f"openmm: {error}") from error
    system = mm.System()
    system.setDefaultPeriodicBoxVectors(*(EDGE * np.eye(3)))
    for _ in range(PARTICLES):
        system.addParticle(12.0)
    system.addForce(FORCES[name](mm))
    try:
        chosen = mm.Platform.getPlatformByName(platform)
        context = mm.Context(system, mm.VerletIntegrator(0.001), chosen, properties)
        if device:
            check.equal("the device", chosen.getPropertyValue(context, "DeviceName"), device, stage="api")
        context.setPositions(positions())
        state = context.getState(getForces=True, getEnergy=True)
    except mm.OpenMMException as error:
        stage = "build" if "compil" in str(error) else "enqueue"
        raise Mismatch(f"{stage}: {platform}: {' '.join(str(error).split())[:200]}") from error
    forces = state.getForces(asNumpy=True).value_in_unit(mm.unit.kilojoule_per_mole / mm.unit.nanometer)
    return np.asarray(forces), float(state.getPotentialEnergy().value_in_unit(mm.unit.kilojoule_per_mole))
