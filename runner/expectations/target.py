"""What the name of an expectation file means: which targets it applies to, and which of two files is more specific.

    expectations/<all|driver>/<all|driver>[-gpu][-MODE][-variant][-mesaX.Y][-libclcN][-tinygradX.Y]-<kind>.txt

with kind fails, flakes, skips or device. A file applies if every token of its name does; of two that apply, the rightmost
token on which they differ makes the more specific one, whose entries win. In gpu an x at the end stands for a digit, as in
Mesa's own names: a6xx is every Adreno of three digits that begins with 6; and a name also holds for longer ones that
continue with an underscore: lavapipe for lavapipe_avx2; several are joined by +: skl+kbl. A mode is compile or emulate.
Entries measured in one are read in no other, nor on a device; a file without a mode is read in both, by a compile run only
the entries about builds. A variant finds what other runs do not look for, or is another compiler; its runs read the files
without a variant, too. For a driver that computes on the CPU, the CPU's class (runner/cpu.py) is the GPU, or its end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from runner.model import DeviceReport, Expectation, UsageError
from runner.releases import series_of

ALL = "all"
MODES = ("compile", "emulate")  # of --mode: those without a device
JUDGED_VARIANTS = (
    "asan",
    "tsan",
    "checks",
    "validation",
    "gl_sharing",
    "aco",
    "llvm",
    "spillall",
    "expandrpt",
    "nopreamble",
    "no8",
    "no16",
    "wave32",
)  # of --variant: those that have expectations of their own
DRIVER_PATTERN = re.compile(r"[a-z0-9_]+")
_TOKENS = re.compile(
    rf"(?P<driver>{DRIVER_PATTERN.pattern})"
    rf"(?:-(?!(?:{'|'.join(MODES)})-|(?:{'|'.join(JUDGED_VARIANTS)})-|mesa\d|libclc\d|tinygrad\d)(?P<gpu>[a-z0-9_.+]+))?"
    rf"(?:-(?P<mode>{'|'.join(MODES)}))?(?:-(?P<variant>{'|'.join(JUDGED_VARIANTS)}))?"
    r"(?:-mesa(?P<mesa>\d+\.\d+))?(?:-libclc(?P<libclc>\d+))?(?:-tinygrad(?P<tinygrad>\d+\.\d+))?"
    r"-(?P<kind>fails|flakes|skips|device)\.txt"
)
_VERSIONS = ("mesa", "libclc", "tinygrad")
_EQUAL = ("mode", "variant", *_VERSIONS)  # tokens that must match exactly


@dataclass(frozen=True, slots=True)
class Target:
    """What a run ran on, as far as file names can express it; for a file, what its name says.

    In a file's name "" stands for any, and the driver `all` for every one; a run on a device has the mode "".
    """

    driver: str
    gpu: str = ""
    mode: str = ""
    mesa: str = ""
    libclc: str = ""
    tinygrad: str = ""
    variant: str = ""

    @classmethod
    def of(cls, driver: str, gpu: str, device_report: DeviceReport) -> Target:
        """From a device's report. A development build 26.3.0-devel is mesa 26.3."""
        return cls(
            driver, gpu, "", _series(device_report.mesa), device_report.libclc_version, _series(device_report.tinygrad)
        )

    @staticmethod
    def mode_of(mode: str | None) -> str:
        """The token of a --mode."""
        return mode if mode in MODES else ""

    @property
    def name(self) -> str:
        """The beginning of file names: `freedreno-a630-mesa25.0`."""
        return "".join(
            (
                self.driver,
                f"-{self.gpu}" if self.gpu else "",
                f"-{self.mode}" if self.mode else "",
                f"-{self.variant}" if self.variant else "",
                f"-mesa{self.mesa}" if self.mesa else "",
                f"-libclc{self.libclc}" if self.libclc else "",
                f"-tinygrad{self.tinygrad}" if self.tinygrad else "",
            )
        )

    @property
    def rank(self) -> tuple[float, ...]:
        """If two apply to one target, the greater one is more specific."""
        # The last token of a name first: so tuples compare by the rightmost token on which two files differ.
        return (
            bool(self.tinygrad),
            bool(self.libclc),
            bool(self.mesa),
            bool(self.variant),
            bool(self.mode),
            len(_names(self.gpu)[0].rstrip("x")) / len(_names(self.gpu)),
            self.driver != ALL,
        )

    def applies_to(self, other: Target) -> bool:
        """True if this file's name holds for a target, or wherever another file's does."""
        return (
            self.driver in (ALL, other.driver)
            and covers(self.gpu, other.gpu)
            and all(getattr(self, name) in ("", getattr(other, name)) for name in _EQUAL)
        )

    def includes_later(self, other: Target) -> bool:
        """True if another layer is for the same driver and GPU, and of the same releases or later ones."""
        releases = {name: getattr(other, name) for name in _VERSIONS}
        return replace(self, **releases).applies_to(other) and all(
            series_of(getattr(self, name)) <= series_of(later) for name, later in releases.items()
        )

    def overlaps(self, other: Target) -> bool:
        """True if there may be a target that both files apply to."""
        return (
            (self.driver == other.driver or ALL in (self.driver, other.driver))
            and bool(_common(self.gpu, other.gpu))
            and all(
                getattr(self, name) == getattr(other, name) or not (getattr(self, name) and getattr(other, name))
                for name in _EQUAL
            )
        )

    def intersection(self, other: Target) -> Target:
        """The layer with the tokens of both, if they meet: it applies if both do, and then wins."""
        own = {name: getattr(self, name) or getattr(other, name) for name in _EQUAL}
        driver = other.driver if self.driver == ALL else self.driver
        return Target(driver, "+".join(_common(self.gpu, other.gpu)), **own)

    def path(self, kind: str) -> Path:
        """The file of a kind, below the expectations folder."""
        return Path(self.driver) / f"{self.name}-{kind}.txt"


def parse_name(path: Path) -> tuple[Target, str]:
    """What a file's name says, and its kind. Raises UsageError for a name that says nothing."""
    found = _TOKENS.fullmatch(path.name)
    if not found or found["driver"] != path.parent.name:
        raise UsageError(
            f"{path}: not an expectation file's name; use "
            f"{path.parent.name}[-gpu][-compile|-emulate][-variant][-mesaX.Y][-libclcN][-tinygradX.Y]-{{fails,flakes,skips}}.txt"
        )
    return Target(
        found["driver"],
        found["gpu"] or "",
        found["mode"] or "",
        found["mesa"] or "",
        found["libclc"] or "",
        found["tinygrad"] or "",
        found["variant"] or "",
    ), found["kind"]


def parse_layer(name: str) -> Target:
    """A layer by its name, `zink-lavapipe-mesa25.0`. Raises UsageError."""
    return parse_name(Path(name.split("-", 1)[0]) / f"{name}-fails.txt")[0]


def layer_of(entry: Expectation) -> Target:
    """The layer of an entry's file."""
    return parse_name(Path(entry.source.rsplit(":", 1)[0]))[0]


def is_read(entry: Expectation, layer: Target, target: Target) -> bool:
    """True if a run on a target reads this entry of a file that applies: a compile run has no values to compare."""
    return target.mode != "compile" or bool(layer.mode) or entry.signature.startswith("build:")


@cache
def covers(name: str, gpu: str) -> bool:
    """True if the gpu token of a file's name stands for a GPU, or for all that another token stands for."""
    if "+" in name or "+" in gpu:
        return all(any(covers(own, other) for own in _names(name)) for other in _names(gpu))
    stem = name.rstrip("x")
    digits = len(name) - len(stem)
    return not name or bool(re.fullmatch(rf"{re.escape(stem)}[0-9x]{{{digits}}}(_.*)?", gpu))


def _names(gpu: str) -> list[str]:
    return gpu.split("+")


def _common(gpu: str, other: str) -> list[str]:
    """A token for what both tokens stand for."""
    pairs = [(a, b) for a in _names(gpu) for b in _names(other) if covers(a, b) or covers(b, a)]
    return list(dict.fromkeys(b if covers(a, b) else a for a, b in pairs))


def _series(version: str) -> str:
    found = re.match(r"\d+\.\d+", version)
    return found[0] if found else ""
