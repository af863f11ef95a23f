"""What a mutant is: a device that errs in one small way, made from the real one at its border to the suites."""

import functools
import importlib
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.cases import catalogue
from runner.child import blame
from runner.drivers.registry import target_of
from runner.expectations.folder import read_files
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.ids import glob_pattern
from runner.importing import import_suite_module
from runner.model import Case, DeviceReport
from runner.run_config import RunConfig

SUITES = Path(__file__).parent.parent / "suites"
_EXPECTATIONS = SUITES.parent / "expectations"
Function = Callable[..., Any]


class NotApplied(Exception):
    """The mutant changed nothing: its pattern or its place is out of date."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault and the cases that must see it: it is caught if at least one of them turns red.

    `place` is what `wrap` replaces, as a dotted name (`pyopencl.enqueue_copy`); `suites.NAME.` begins a
    module of a suite.
    """

    name: str
    cases: str
    place: str
    wrap: Callable[[Function], Function]


def compiler(name: str, cases: str, pattern: str, replacement: str) -> Mutant:
    """A compiler that gives other code: the source is changed before the build (`re.sub`, every match)."""
    return Mutant(name, cases, "runner.device.Device.build", _source(pattern, replacement))


def compiler_of(area: str, cases: str = "") -> Callable[[str, str, str, str], Mutant]:
    """`compiler` for an area of the kernel suite: without the beginning of names and cases' ids."""
    return lambda name, case, *change: compiler(f"{area}/{name}", f"kernels/{cases or area}/{case}", *change)


def faults_of(area: str) -> Callable[[str, str, str, str], Mutant]:
    """`compiler_of` for mutants whose names are their cases' and a fault's."""

    def make(cases: str, fault: str, pattern: str, replacement: str) -> Mutant:
        return compiler_of(area)(f"{cases.removesuffix('.*').removesuffix('*')}.{fault}", cases, pattern, replacement)

    return make


_OPERANDS = [rf"(p{k}\[i\]|vload\d+\(i, p{k}\))" for k in range(3)]


def builtin_call(area: str, case: str, fault: str, operands: int, instead: str) -> Mutant:
    """The call of a case's builtin becomes another expression of its operands \\1, \\2 and \\3."""
    builtin = case.rpartition("/")[2].partition(".")[0].removesuffix("_nan")
    pattern = rf"\b{builtin}\({', '.join(_OPERANDS[:operands])}\)"
    return compiler_of(area)(f"{builtin}.{fault}", case, pattern, instead)


def builtin_name(area: str, case: str, fault: str, instead: str) -> Mutant:
    """A case's builtin becomes its neighbour."""
    builtin = case.rpartition("/")[2].partition(".")[0]
    return compiler_of(area)(f"{builtin}.{fault}", case, rf"\b{builtin}\(", f"{instead}(")


def generated(name: str, cases: str, pattern: str, replacement: str) -> Mutant:
    """A compiler that gives other code for tinygrad's kernels: those in which the pattern stands are changed."""

    def wrap(inner: Function) -> Function:
        return lambda self, source: inner(self, re.sub(pattern, replacement, source))

    return Mutant(name, cases, "tinygrad.runtime.ops_cl.CLCompiler.compile", wrap)


def values(name: str, cases: str, change: Callable[[NDArray[Any]], None]) -> Mutant:
    """A device that leaves other values: `change` edits each array that is copied to the host, in place."""
    return Mutant(name, cases, "runner.device.Device.copy", _result(change))


def api(name: str, cases: str, place: str, wrap: Callable[[Function], Function]) -> Mutant:
    """A call that does something else: pyopencl's own, or a function of the suite that makes it."""
    return Mutant(name, cases, place, wrap)


def api_of(
    area: str, cases: str = "", folder: str = ""
) -> Callable[[str, str, str, Callable[[Function], Function]], Mutant]:
    """`api` for an area of the kernel suite, as `compiler_of`; a place that begins with a point is in the area's folder."""

    def call(name: str, case: str, place: str, wrap: Callable[[Function], Function]) -> Mutant:
        where = f"suites.kernels.{folder or area}{place}" if place.startswith(".") else place
        return api(f"{area}/{name}", f"kernels/{cases or area}/{case}", where, wrap)

    return call


def methods_of(area: str) -> Callable[[str, str, str, Callable[[Function], Function]], Mutant]:
    """`api` for a method of tinygrad's Tensor."""
    place = "tinygrad.tensor.Tensor"
    return lambda what, cases, name, wrap: api(f"tinygrad/{area}/{what}", f"tinygrad/{cases}", f"{place}.{name}", wrap)


def of(change: Callable[..., Any]) -> Callable[[Function], Function]:
    """A function whose arguments or answer are changed: `change` gets it and all its arguments."""
    return lambda inner: lambda *args, **named: change(inner, *args, **named)


@dataclass(frozen=True, slots=True)
class MutantGroup:
    """What the mutants of a family share: the beginning of their names, and of their cases' ids (by default the same)."""

    name: str
    cases: str = ""

    def code(self, name: str, case: str, pattern: str, replacement: str) -> Mutant:
        """`generated`."""
        return generated(f"{self.name}/{name}", f"{self.cases or self.name}/{case}", pattern, replacement)

    def call(self, name: str, case: str, place: str, wrap: Callable[[Function], Function]) -> Mutant:
        """`api`."""
        return api(f"{self.name}/{name}", f"{self.cases or self.name}/{case}", place, wrap)

    def method(self, name: str, case: str, method: str, change: Callable[..., Any]) -> Mutant:
        """A method of tinygrad's Tensor that does something else, as `of` has it."""
        return self.call(name, case, f"tinygrad.Tensor.{method}", of(change))


@contextmanager
def applied(mutant: Mutant) -> Iterator[None]:
    """Have the mutant in this process. Raises NotApplied if nothing ever reached it."""
    reached = False

    def count(inner: Function) -> Function:
        wrapped = mutant.wrap(inner)

        def outer(*args: Any, **kwargs: Any) -> Any:
            nonlocal reached
            reached = True
            return wrapped(*args, **kwargs)

        return outer

    _forget_kernels()
    try:
        with patched(mutant.place, count):
            yield
    finally:
        _forget_kernels()
    if not reached:
        raise NotApplied(f"{mutant.name}: no case of {mutant.cases} came to {mutant.place}")


@contextmanager
def patched(place: str, wrap: Callable[[Function], Function]) -> Iterator[None]:
    """Replace what stands at a dotted name."""
    path, _, name = place.rpartition(".")
    owner = resolve(path)
    inner = getattr(owner, name)
    setattr(owner, name, wrap(inner))
    try:
        yield
    finally:
        setattr(owner, name, inner)


def passing(glob: str, device_report: DeviceReport) -> list[Case]:
    """The cases of a glob that this device is expected to pass."""
    target = target_of(RunConfig("llvmpipe"), device_report)
    known = _expectations(target)
    able, pattern = {*device_report.features, *device_report.extensions}, glob_pattern(glob)
    return [
        c
        for c in cases_of(glob.split("/", 1)[0])
        if pattern.fullmatch(c.id) and set(c.requires) <= able and not known.find(c.id) and not known.skip(c.id)
    ]


@functools.cache  # a process of pytest asks hundreds of times
def cases_of(suite: str) -> list[Case]:
    """All cases of a suite of the project."""
    return catalogue.load_suite(SUITES / suite)[1]


@functools.cache
def _expectations(target: Target) -> Expectations:
    return Expectations(target, read_files(_EXPECTATIONS, "llvmpipe"))


class Slip(Exception):
    """A body raised an exception that the child counts as an error of the suite."""


# The exception of a case that the mutant does not fit: an error of the harness if the mutant names the case.
UNFIT = (check.NothingTested, NotApplied, Slip)


def is_red(run: Function, device: Any, case: Case) -> bool:
    """Whether a case sees the mutant that is applied. Raises what is in UNFIT."""
    device.begin(case, 0)
    try:
        run(device, case)
    except UNFIT:
        raise
    except check.Unsupported:
        return False
    except check.Mismatch:
        return True
    except Exception as error:
        if not blame.is_answer(error):
            raise Slip(f"{case.id}: {blame.describe(error)}") from error
        return True
    return False


def areas() -> list[str]:
    """The files of mutants/, by name."""
    return sorted(path.stem for path in (Path(__file__).parent / "mutants").glob("[a-z]*.py"))


def mutants_of(area: str) -> list[Mutant]:
    """The mutants of one file, in order."""
    mutants: list[Mutant] = importlib.import_module(f"mutants.{area}").MUTANTS
    return mutants


def resolve(path: str) -> Any:
    """A module or class by its dotted name."""
    first, *rest = path.split(".")
    if first == "suites":
        return import_suite_module(SUITES / rest[0], ".".join(rest[1:]))
    owner = importlib.import_module(first)
    for name in rest:
        owner = getattr(owner, name, None) or importlib.import_module(f"{owner.__name__}.{name}")
    return owner


def _forget_kernels() -> None:
    """Have tinygrad compile again: it keeps each kernel of the process."""
    if realize := sys.modules.get("tinygrad.engine.realize"):
        realize.runtime_cache.clear()


def _source(pattern: str, replacement: str) -> Callable[[Function], Function]:
    def wrap(inner: Function) -> Function:
        def build(self: Any, source: str, options: str = "") -> Any:
            changed = re.sub(pattern, replacement, source)
            if changed == source:
                raise NotApplied(f"{pattern!r} matches nothing in:\n{source}")
            return inner(self, changed, options)

        return build

    return wrap


def _result(change: Callable[[NDArray[Any]], None]) -> Callable[[Function], Function]:
    def wrap(inner: Function) -> Function:
        def copy(self: Any, target: Any, source: Any, **where: Any) -> None:
            inner(self, target, source, **where)
            if isinstance(target, np.ndarray) and target.size:
                change(target)

        return copy

    return wrap
