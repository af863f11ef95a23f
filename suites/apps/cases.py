"""The catalogue: `apps/<program>/...`, from tables and FILTERS, independent of what the machine has installed."""

from collections.abc import Iterator
from pathlib import Path

from runner.ids import spell
from runner.model import Case, Tier

from .filters import FILTERS

_TABLES = Path(__file__).parent / "tables"
_EXECUTE = ("execute",)
_SLOW_S = 300  # programs that compile for minutes if the machine is slow


def cases() -> Iterator[Case]:
    """One case for each hash mode, filter, operation, and test that a project ships."""
    yield from _hash_modes()
    for project in ("pyfai", "pyopencl", "silx"):
        yield from _own_tests(project)
    for tier, line in read_table("opencv"):
        name, error, far = line.split()
        params = {"operation": name, "error": float(error), "far": float(far)}
        yield Case(f"apps/opencv/{name}", "opencv.compare", params, _EXECUTE, tier)
    for tier, line in read_table("pyclesperanto"):
        name, error = line.split()
        params = {"operation": name, "error": float(error)}
        yield Case(f"apps/pyclesperanto/{name}", "pyclesperanto.compare", params, _EXECUTE, tier)
    for tier, file in read_table("darktable"):
        yield Case(f"apps/darktable/kernels/{file.removesuffix('.cl')}", "darktable.build", {"file": file}, (), tier)
    for tier, line in read_table("darktable_modules"):
        name, source, version, margin, largest, few, *settings = line.split()
        values = [value for one in settings for value in _repeated(one)]
        params = {"module": name.partition(".")[0], "source": source, "version": int(version), "margin": int(margin)}
        params |= {"largest": float(largest), "few": float(few), "settings": values}
        yield Case(f"apps/darktable/modules/{name}", "darktable_modules.compare", params, _EXECUTE, tier, None, _SLOW_S)
    for tier, line in read_table("openmm"):
        force, precision = line.split()
        needs = (*_EXECUTE, "fp64") if precision != "single" else _EXECUTE
        yield Case(
            f"apps/openmm/{force}.{precision}", "openmm.compare", {"force": force, "precision": precision}, needs, tier
        )
    for name, others in (("properties", False), ("beside_others", True)):
        yield Case(f"apps/clinfo/{name}", "tools.show_properties", {"others": others}, _EXECUTE)
    for tier, line in read_table("clpeak"):
        test, figures = line.split()
        needs = (*_EXECUTE, "fp64") if test == "compute-dp" else _EXECUTE
        params = {"test": test, "figures": int(figures), "others": False}
        yield Case(f"apps/clpeak/{test}", "tools.measure", params, needs, tier, None, _SLOW_S)
    params = {"test": "kernel-latency", "figures": 1, "others": True}
    yield Case("apps/clpeak/beside_others", "tools.measure", params, _EXECUTE, Tier.PREMERGE, None, _SLOW_S)
    for name in FILTERS:
        yield Case(f"apps/ffmpeg/{name}", "ffmpeg.compare", {"name": name}, _EXECUTE)
    for tier, line in read_table("pyvkfft"):
        kind, sizes, precision = line.split()
        name = f"{kind}.{sizes}" + (".double" if precision == "double" else "")
        params = {"kind": kind, "sizes": [int(size) for size in sizes.split("x")], "double": precision == "double"}
        needs = (*_EXECUTE, "fp64") if precision == "double" else _EXECUTE
        yield Case(f"apps/pyvkfft/{name}", "pyvkfft.compare", params, needs, tier)
    for tier, computation in read_table("reikna"):
        yield Case(f"apps/reikna/{computation}", "reikna.compare", {"computation": computation}, _EXECUTE, tier)
    for tier, line in read_table("clblast"):
        tuner, *options = line.split()
        params = {"tuner": tuner, "options": options}
        yield Case(f"apps/clblast/{tuner}", "clblast.tune", params, _EXECUTE, tier, None, _SLOW_S)


def read_table(name: str) -> Iterator[tuple[Tier, str]]:
    """The lines of a table, `TIER TEST`, without its comments."""
    for line in (_TABLES / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            tier, test = line.split(" ", 1)
            yield Tier(tier), test


def _repeated(text: str) -> list[float]:
    """The numbers of `1`, `0.5` or `8*0.0`: floats if they have a point, else integers."""
    count, _, number = text.rpartition("*")
    return [float(number) if "." in number or "e" in number else int(number)] * int(count or 1)


def _hash_modes() -> Iterator[Case]:
    """By hashcat's numbers."""
    for tier, line in read_table("hashcat"):
        mode, kernels, speed = line.split()
        params = {"mode": int(mode), "optimized": kernels == "optimized", "speed": speed}
        yield Case(f"apps/hashcat/{mode}", "hashcat.crack", params, _EXECUTE, tier, None, _SLOW_S)


def _own_tests(project: str) -> Iterator[Case]:
    """`apps/<project>/<file>/<test>`."""
    for tier, test in read_table(project):
        path, _, name = test.partition("::")
        area = path.removesuffix(".py").replace("test/", "").replace("/", ".")
        shown = name.replace("::", ".").replace("[", ".").replace("]", "")
        params = {"project": project, "test": test}
        yield Case(f"apps/{project}/{area}/{spell(shown)}", "own_tests.check_one", params, _EXECUTE, tier)
