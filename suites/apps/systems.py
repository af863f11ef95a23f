"""OpenMM: small systems of one force each, made here; their forces and energy on OpenCL and on the Reference platform."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

PARTICLES = 48
EDGE = 2.4  # nm, of the periodic box


def positions() -> NDArray[np.float64]:
    """(48, 3) in nm: a jittered lattice, so that no two particles are nearer than 0.2 nm."""
    grid = np.stack(np.meshgrid(*[np.arange(4)] * 3, indexing="ij"), -1).reshape(-1, 3)[:PARTICLES]
    return grid * 0.45 + 0.3 + np.random.default_rng(3).uniform(-0.12, 0.12, (PARTICLES, 3))


def _charges(index: int) -> tuple[float, float, float]:
    """Charge in e, sigma in nm, epsilon in kJ/mol; the charges add up to 0."""
    return (0.5 if index % 2 else -0.5), 0.25 + 0.01 * (index % 5), 0.3 + 0.1 * (index % 3)


def _bonds(mm: Any) -> Any:
    force = mm.HarmonicBondForce()
    for i in range(PARTICLES - 1):
        force.addBond(i, i + 1, 0.2 + 0.01 * (i % 7), 500 + 20 * i)
    return force


def _angles(mm: Any) -> Any:
    force = mm.HarmonicAngleForce()
    for i in range(PARTICLES - 2):
        force.addAngle(i, i + 1, i + 2, 1.2 + 0.05 * (i % 9), 30 + i)
    return force


def _torsions(mm: Any) -> Any:
    force = mm.PeriodicTorsionForce()
    for i in range(PARTICLES - 3):
        force.addTorsion(i, i + 1, i + 2, i + 3, 1 + i % 4, 0.3 * (i % 5), 2 + 0.1 * i)
    return force


def _ryckaert(mm: Any) -> Any:
    force = mm.RBTorsionForce()
    for i in range(PARTICLES - 3):
        force.addTorsion(i, i + 1, i + 2, i + 3, 1.0, 0.2 * i, -0.3, 0.5, 0.1, -0.7)
    return force


def _cmap(mm: Any) -> Any:
    force, angles = mm.CMAPTorsionForce(), np.arange(12) * np.pi / 6
    force.addMap(12, (np.sin(angles)[:, None] * np.cos(2 * angles)[None] * 3).ravel().tolist())
    for i in range(PARTICLES - 4):
        force.addTorsion(0, i, i + 1, i + 2, i + 3, i + 1, i + 2, i + 3, i + 4)
    return force


def _nonbonded(method: str) -> Callable[[Any], Any]:
    def make(mm: Any) -> Any:
        force = mm.NonbondedForce()
        force.setNonbondedMethod(getattr(mm.NonbondedForce, method))
        force.setCutoffDistance(1.0)
        for i in range(PARTICLES):
            force.addParticle(*_charges(i))
        for i in range(0, PARTICLES - 1, 2):
            force.addException(i, i + 1, 0.1, 0.25, 0.2)
        return force

    return make


def _gbsa(mm: Any) -> Any:
    force = mm.GBSAOBCForce()
    for i in range(PARTICLES):
        force.addParticle(_charges(i)[0], 0.12 + 0.005 * (i % 4), 0.8)
    return force


def _gay_berne(mm: Any) -> Any:
    force = mm.GayBerneForce()
    force.setNonbondedMethod(mm.GayBerneForce.CutoffNonPeriodic)
    force.setCutoffDistance(1.0)
    for i in range(PARTICLES):
        force.addParticle(0.2, 0.5, (i + 1) % PARTICLES, (i + 2) % PARTICLES, 0.11, 0.1, 0.13, 1.0, 1.2, 0.9)
    return force


def _custom_bond(mm: Any) -> Any:
    force = mm.CustomBondForce("d * (1 - exp(-a * (r - r0)))^2 + sin(3 * r)")
    for name in ("d", "a", "r0"):
        force.addPerBondParameter(name)
    for i in range(PARTICLES - 1):
        force.addBond(i, i + 1, [5 + 0.1 * i, 3.0, 0.4])
    return force


def _custom_angle(mm: Any) -> Any:
    force = mm.CustomAngleForce("k * (cos(theta) - c)^2 + log(1 + theta)")
    force.addPerAngleParameter("k")
    force.addGlobalParameter("c", 0.3)
    for i in range(PARTICLES - 2):
        force.addAngle(i, i + 1, i + 2, [4 + 0.2 * i])
    return force


def _custom_torsion(mm: Any) -> Any:
    force = mm.CustomTorsionForce("k * (1 + cos(n * theta - 0.4)) + sqrt(1 + theta^2)")
    force.addPerTorsionParameter("k")
    force.addPerTorsionParameter("n")
    for i in range(PARTICLES - 3):
        force.addTorsion(i, i + 1, i + 2, i + 3, [1 + 0.1 * i, 1 + i % 3])
    return force


def _custom_external(mm: Any) -> Any:
    force = mm.CustomExternalForce("k * (x^2 + 2 * y^2) * exp(-z) + atan(x * y)")
    force.addPerParticleParameter("k")
    for i in range(PARTICLES):
        force.addParticle(i, [1 + 0.1 * i])
    return force


def _custom_nonbonded(mm: Any) -> Any:
    force = mm.CustomNonbondedForce("e * ((s / r)^9 - (s / r)^6) + erfc(r) / r; e = sqrt(e1 * e2); s = 0.5 * (s1 + s2)")
    for name in ("s", "e"):
        force.addPerParticleParameter(name)
    force.setNonbondedMethod(mm.CustomNonbondedForce.CutoffPeriodic)
    force.setCutoffDistance(1.0)
    for i in range(PARTICLES):
        force.addParticle(_charges(i)[1:])
    return force


def _custom_gb(mm: Any) -> Any:
    force = mm.CustomGBForce()
    force.addPerParticleParameter("q")
    force.addPerParticleParameter("r0")
    force.addComputedValue("b", "r02 * exp(-r * r01)", mm.CustomGBForce.ParticlePairNoExclusions)
    force.addEnergyTerm("q * q * b", mm.CustomGBForce.SingleParticle)
    force.addEnergyTerm("q1 * q2 / sqrt(r^2 + b1 * b2)", mm.CustomGBForce.ParticlePair)
    for i in range(PARTICLES):
        force.addParticle([_charges(i)[0], 0.4 + 0.02 * (i % 6)])
    return force


def _custom_hbond(mm: Any) -> Any:
    force = mm.CustomHbondForce("exp(-distance(d1, a1)) * cos(angle(d2, d1, a1)) * (1 + dihedral(d2, d1, a1, a2)^2)")
    for i in range(0, PARTICLES - 4, 4):
        force.addDonor(i, i + 1, -1, [])
        force.addAcceptor(i + 2, i + 3, -1, [])
    return force


def _custom_centroid(mm: Any) -> Any:
    force = mm.CustomCentroidBondForce(3, "distance(g1, g2)^2 + 2 * angle(g1, g2, g3)")
    for i in range(0, PARTICLES, 4):
        force.addGroup(list(range(i, i + 4)), [1.0, 2.0, 1.0, 0.5])
    for i in range(PARTICLES // 4 - 2):
        force.addBond([i, i + 1, i + 2], [])
    return force


def _custom_compound(mm: Any) -> Any:
    force = mm.CustomCompoundBondForce(4, "0.5 * distance(p1, p3)^2 + dihedral(p1, p2, p3, p4) * angle(p2, p3, p4)")
    for i in range(PARTICLES - 3):
        force.addBond([i, i + 1, i + 2, i + 3], [])
    return force


def _custom_many(mm: Any) -> Any:
    angles = "t1 = angle(p1, p2, p3); t2 = angle(p2, p3, p1); t3 = angle(p3, p1, p2)"
    sides = "r12 = distance(p1, p2); r13 = distance(p1, p3); r23 = distance(p2, p3)"
    energy = "c * (1 + 3 * cos(t1) * cos(t2) * cos(t3)) / (r12 * r13 * r23)^3"
    force = mm.CustomManyParticleForce(3, f"{energy}; {angles}; {sides}")
    force.addGlobalParameter("c", 0.01)
    force.setNonbondedMethod(mm.CustomManyParticleForce.CutoffNonPeriodic)
    force.setCutoffDistance(0.8)
    for _ in range(PARTICLES):
        force.addParticle([])
    return force


FORCES: dict[str, Callable[[Any], Any]] = {
    "HarmonicBond": _bonds,
    "HarmonicAngle": _angles,
    "PeriodicTorsion": _torsions,
    "RBTorsion": _ryckaert,
    "CMAPTorsion": _cmap,
    "Nonbonded.NoCutoff": _nonbonded("NoCutoff"),
    "Nonbonded.CutoffNonPeriodic": _nonbonded("CutoffNonPeriodic"),
    "Nonbonded.CutoffPeriodic": _nonbonded("CutoffPeriodic"),
    "Nonbonded.Ewald": _nonbonded("Ewald"),
    "Nonbonded.PME": _nonbonded("PME"),
    "GBSAOBC": _gbsa,
    "GayBerne": _gay_berne,
    "CustomBond": _custom_bond,
    "CustomAngle": _custom_angle,
    "CustomTorsion": _custom_torsion,
    "CustomExternal": _custom_external,
    "CustomNonbonded": _custom_nonbonded,
    "CustomGB": _custom_gb,
    "CustomHbond": _custom_hbond,
    "CustomCentroidBond": _custom_centroid,
    "CustomCompoundBond": _custom_compound,
    "CustomManyParticle": _custom_many,
}
