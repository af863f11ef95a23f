"""The frozen types that cross a border of the program, and their JSON form.

Standard library only: every other module may import this one, in every process.

One file: the types name each other, and everything names them.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any

from runner.shapes import as_tuple, make

TestId = str
_MARK = re.compile(r"(?:bug ([0-9]+)|waived|pending)(?=:|$)")  # the beginning of an entry's reason
EXCHANGED = "exchanged: "  # begins the reason of a run that ended because what it tests was exchanged
BUILD_MARK = "@@runner "  # begins a line in a child's output that says what is being built


class Status(enum.StrEnum):
    """What happened to one attempt: a fact. ERROR means that the test suite is broken, not the driver."""

    PASS = "Pass"
    FAIL = "Fail"
    CRASH = "Crash"
    TIMEOUT = "Timeout"
    SKIP = "Skip"
    ERROR = "Error"


class Tier(enum.StrEnum):
    """When a case runs; cumulative, in this order."""

    PREMERGE = "premerge"
    FULL = "full"
    NIGHTLY = "nightly"

    @staticmethod
    def premerge_if(premerge: bool) -> Tier:
        """The tier of a case that only some of its family share: PREMERGE, else FULL."""
        return Tier.PREMERGE if premerge else Tier.FULL

    def includes(self, other: Tier) -> bool:
        """True if a run of this tier runs the cases of `other`."""
        return _RANKS[other] <= _RANKS[self]


_RANKS = {tier: rank for rank, tier in enumerate(Tier)}


class How(enum.StrEnum):
    """How an attempt was made."""

    WARM = "warm"  # in the worker's long-lived child
    ALONE = "alone"  # first and only case of a fresh child
    REPLAY = "replay"  # in a fresh child, after the cases that the first attempt's child had run before
    LATE = "late"  # in any child, which died between this case and the next


@dataclass(frozen=True, slots=True)
class Case:
    """One test. `params` is plain JSON data that the suite's body reads; `kind` names that body."""

    id: TestId
    kind: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    requires: tuple[str, ...] = ()
    tier: Tier = Tier.PREMERGE
    group: str | None = None
    timeout_s: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data, as the request to a child has it."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"params": dict(self.params)}


@dataclass(frozen=True, slots=True)
class DeviceReport:
    """What is under test, as the child that opened it saw it. Versions are "" if unknown."""

    platform: str = ""
    platform_version: str = ""
    device: str = ""
    device_version: str = ""
    driver_version: str = ""
    mesa: str = ""
    llvm: str = ""
    libclc: str = ""  # sha256 of the SPIR-V library, first 16 digits
    libclc_version: str = ""
    packages: tuple[str, ...] = ()  # of the implementation, with exact versions, if they are known
    kernel: str = ""
    machine: str = ""
    cpu: str = ""  # the name of its processor
    cpu_class: str = ""  # what Mesa's code generator for CPUs takes it for (runner/cpu.py)
    cpu_flags: tuple[str, ...] = ()  # those that decide about generated code
    icd: str = ""  # the .icd file the loaders were pinned to
    library: str = ""  # the OpenCL implementation that is mapped into the child
    build_id: str = ""
    loaders: tuple[str, ...] = ()  # every ICD loader in the child; all show the same device
    tinygrad: str = ""
    extensions: tuple[str, ...] = ()
    features: tuple[str, ...] = ()  # what `Case.requires` may name
    limits: Mapping[str, int] = field(default_factory=dict)
    unlikely: tuple[str, ...] = ()  # answers of the device that are allowed, but unlikely (runner/child/unlikely.py)
    environment: Mapping[str, str] = field(default_factory=dict)
    emulator: str = ""  # what executed the launches if there is no device: family and digest of its sources

    @property
    def full_name(self) -> str:
        """The device by its own name, and what it is not."""
        software = " (lavapipe: Vulkan on the CPU, no GPU)" if "(MESA_LLVMPIPE)" in self.device else ""
        return f"{self.device}{software}{f' (EMULATED by {self.emulator}: no GPU)' if self.emulator else ''}"

    @property
    def identity(self) -> dict[str, str]:
        """By name, what is equal whenever the same thing was tested: on boards, workers, shards of a run."""
        return {name: getattr(self, name) for name in (*_KIND, *_BUILD, "tinygrad", "emulator")}

    @property
    def kind(self) -> tuple[str, ...]:
        """What an expectation can depend on: the parts of the identity that do not change from night to night."""
        return tuple(getattr(self, name) for name in _KIND)

    @property
    def build(self) -> tuple[str, ...]:
        """Which build of the driver it is, and of the emulator if one executes it."""
        return (*(getattr(self, name) for name in _BUILD), *filter(None, [self.emulator]))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> DeviceReport:
        """The inverse of `dataclasses.asdict`, for data that went through JSON."""
        values = dict(data)
        for name in ("packages", "loaders", "extensions", "features", "cpu_flags", "unlikely"):
            values[name] = as_tuple(values.get(name, ()))
        return make(cls, values)


_KIND = ("platform", "device", "llvm", "libclc", "cpu_class")
_BUILD = ("driver_version", "mesa", "build_id")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One execution of a case, as its supervisor saw it."""

    status: Status
    duration_s: float = 0.0
    message: str = ""  # stage first: "value: ...", "build: ...", "SIGSEGV: ..."
    output: str = ""  # what the case printed, cut in the middle
    how: How = How.WARM
    child: int = 0  # the worker's children are numbered from 1
    nth_in_child: int = 0  # from 1
    signal: str = ""
    exit_code: int | None = None
    board: str = ""  # the host of --on that it ran on
    unmet: tuple[str, ...] = ()  # of a SKIP: what the case requires and the device lacks
    cpu_s: float = 0.0  # the child's, and of the programs that it waited for; 0 if it died

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data: its status, how it was made, and each field that is not at its default."""
        values = {name: getattr(self, name) for name in _DEFAULTS}
        return {n: v for n, v in values.items() if n in ("status", "how") or v != _DEFAULTS[n]}


_DEFAULTS = {field.name: field.default for field in fields(Attempt)}


@dataclass(frozen=True, slots=True)
class Result:
    """All attempts of one case, in order."""

    id: TestId
    attempts: tuple[Attempt, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data, the inverse of `from_json`."""
        return {"id": self.id, "attempts": [attempt.to_json() for attempt in self.attempts]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        """A result from plain JSON data, as the journal holds it. Raises ValueError for one without an attempt."""
        attempts = [
            make(Attempt, {**a, "status": Status(a["status"]), "how": How(a["how"]), "unmet": as_tuple(a.get("unmet", ()))})
            for a in as_tuple(data["attempts"])
        ]
        if not attempts:
            raise ValueError(f"{data['id']} has no attempt")
        if not isinstance(data["id"], str):
            raise TypeError(f"id: {str(data['id'])[:60]!r} is of the wrong type")
        return cls(data["id"], tuple(attempts))


class FileKind(enum.StrEnum):
    """The kind of an expectation file: the last word of its name."""

    FAILS = "fails"
    FLAKES = "flakes"
    SKIPS = "skips"


@dataclass(frozen=True, slots=True)
class Expectation:
    """An entry of an expectation file that covers a test."""

    pattern: str  # an exact id, or a glob: in flakes, in skips, and in fails of a family
    kind: FileKind
    statuses: frozenset[Status] = frozenset()  # one in fails, one or more in flakes, none in skips
    signature: str = ""  # a substring of the message of every bad attempt
    rate: tuple[int, int] | None = None  # a flake's k failures in n runs
    reason: str = ""  # the comment above it
    source: str = ""  # path:line
    any_values: bool = False  # the signature's numbers come from inputs other than the run's
    others: tuple[Expectation, ...] = ()  # those about families, which may decide in its place

    @property
    def is_family(self) -> bool:
        """True for a glob in a fails file: it decides only about tests that fail with its signature."""
        return self.kind is FileKind.FAILS and not {"*", "?"}.isdisjoint(self.pattern)

    @property
    def key(self) -> str:
        """What a file may have only once: a pattern, or, for a family, a pattern with its signature."""
        return f"{self.pattern},{self.signature}" if self.is_family else self.pattern

    @property
    def mark(self) -> str:
        """What its comment begins with: `bug 17`, `waived`, `pending`, or ""."""
        return _mark_of(self.reason)[0]

    @property
    def bug(self) -> int:
        """The number of the bug that it names, or 0."""
        return _mark_of(self.reason)[1]

    @property
    def unmarked_reason(self) -> str:
        """What its comment says behind the mark."""
        return self.reason.removeprefix(self.mark).removeprefix(": ")

    @property
    def place(self) -> str:
        """Its source in the expectations folder: driver/file:line."""
        return "/".join(self.source.split("/")[-2:])


@lru_cache(maxsize=4096)  # one comment stands above many entries
def _mark_of(reason: str) -> tuple[str, int]:
    found = _MARK.match(reason)
    return (found[0], int(found[1] or 0)) if found else ("", 0)


class Verdict(enum.StrEnum):
    """What a result means together with its expectation: derived, never stored. The words are deqp-runner's."""

    PASS = "Pass"
    FAIL = "Fail"
    CRASH = "Crash"
    TIMEOUT = "Timeout"
    SKIP = "Skip"
    MISSING = "Missing"
    EXPECTED_FAIL = "ExpectedFail"
    KNOWN_FLAKE = "KnownFlake"
    FLAKE = "Flake"
    IMPROVED_PASS = "UnexpectedImprovement(Pass)"
    IMPROVED_FAIL = "UnexpectedImprovement(Fail)"
    IMPROVED_SKIP = "UnexpectedImprovement(Skip)"
    ERROR = "Error"

    def is_red(self, strict_flakes: bool = False) -> bool:
        """True if the run must not be merged.

        An ERROR is infrastructure, an improvement is stale: neither is red.
        """
        return self in _RED or (strict_flakes and self is Verdict.FLAKE)

    @property
    def is_stale(self) -> bool:
        """True for an improvement: the expectation is out of date, the run is not red."""
        return self in (Verdict.IMPROVED_PASS, Verdict.IMPROVED_FAIL)


_RED = frozenset({Verdict.FAIL, Verdict.CRASH, Verdict.TIMEOUT, Verdict.MISSING, Verdict.IMPROVED_SKIP})


class ExitCode(enum.IntEnum):
    """How a run ended, for CI; if several hold, the one that `Report.exit_code` finds first."""

    GREEN = 0
    REGRESSION = 1
    USAGE = 2
    INFRASTRUCTURE = 3
    NOTHING_RAN = 4
    IMPROVED = 5
    INTERRUPTED = 130


class UsageError(Exception):
    """A wrong argument, file or expectation: exit code 2. The text says what to do next."""


class InfrastructureError(Exception):
    """No device, the wrong one, or a machine that failed: exit code 3. The text says what to do next."""
