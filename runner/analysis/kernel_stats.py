"""The kernels of a run with their compiler statistics, and what changed between two runs of the same sources."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.compiler_stats.formats import MORE
from runner.compiler_stats.listing import NAME, Kernel, read
from runner.drivers.registry import driver_of
from runner.model import UsageError
from runner.output.terminal import describe
from runner.records import journal
from runner.records.artifacts import opened_artifacts

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The kernels of one results directory."""

    driver: str
    device: str  # for display
    kernels: Mapping[Key, Kernel]

    @property
    def compile_s(self) -> float:
        """Of all its programs, each once."""
        return sum({k.source: k.compile_s for k in self.kernels.values()}.values())


@dataclass(frozen=True, slots=True)
class Total:
    """One metric over the kernels of a corpus."""

    metric: str
    kernels: int
    total: float
    worst: float
    where: Kernel  # with the worst value

    @property
    def mean(self) -> float:
        """The mean over the kernels that have the metric."""
        return self.total / self.kernels


@dataclass(frozen=True, slots=True)
class MetricChange:
    """One metric of a kernel that two corpora have."""

    metric: str
    kernel: Kernel
    old: float
    new: float

    @property
    def is_hurt(self) -> bool:
        """True if the new value is worse: larger, except for metrics of which more is better."""
        return (self.new > self.old) is not (self.metric in MORE)

    @property
    def weight(self) -> tuple[float, float]:
        """The sort key of changes: first the ratio of the two values, then their difference."""
        factor = abs(math.log(self.new / self.old)) if self.old > 0 and self.new > 0 else math.inf
        return factor, abs(self.new - self.old)


@dataclass(frozen=True, slots=True)
class KernelDifference:
    """One metric over the kernels that two corpora have: totals, of all and of those that differ."""

    metric: str
    old: float
    new: float
    changes: tuple[MetricChange, ...]  # the greatest first

    @property
    def affected(self) -> tuple[float, float]:
        """The old and the new total over the kernels that changed."""
        return sum(c.old for c in self.changes), sum(c.new for c in self.changes)

    @property
    def hurt(self) -> int:
        """How many kernels became worse."""
        return sum(c.is_hurt for c in self.changes)

    @property
    def helped(self) -> int:
        """How many kernels became better."""
        return len(self.changes) - self.hurt


@dataclass(frozen=True, slots=True)
class KernelComparison:
    """Two corpora. `lost` and `gained` have no counterpart; `rewritten` have one of another source.

    `coded` are the shared kernels whose code is known in both, `recoded` those of them whose code changed; of these,
    `unnumbered` are equal in every metric.
    """

    shared: int
    differences: tuple[KernelDifference, ...]
    lost: tuple[Kernel, ...]
    gained: tuple[Kernel, ...]
    rewritten: int
    compile_s: tuple[float, float]  # of the programs that both have
    coded: int
    recoded: int
    unnumbered: tuple[Kernel, ...]


def load(place: Path) -> Corpus:
    """The kernels of a results directory, of the shards of a run or of artifacts. Raises UsageError without any."""
    kernels: dict[Key, Kernel] = {}
    with opened_artifacts(place) as runs:
        records = [journal.read(run) for run in runs]
        if len(names := {record.configuration for record in records}) > 1:
            raise UsageError(f"{place}: is of several configurations; give one, as {place / min(names)}")
        for run in runs:
            if (run / NAME).exists():
                kernels = read(run) | kernels
    if not kernels:
        raise UsageError(f"{place}: holds no statistics; run with --stats (docs/add-a-driver.md)")
    record = next((r for r in records if r.device), records[0])
    return Corpus(driver_of(record.config).name, describe(record.device) if record.device else "", kernels)


def sum_up(kernels: Iterable[Kernel]) -> list[Total]:
    """Each metric over the kernels that have it, in the order in which the compiler prints them."""
    own: dict[str, list[tuple[float, Kernel]]] = {}
    for kernel in kernels:
        for metric, value in kernel.metrics.items():
            own.setdefault(metric, []).append((value, kernel))
    totals = []
    for metric in _ordered(own):
        worst, where = (min if metric in MORE else max)(own[metric], key=lambda pair: pair[0])
        totals.append(Total(metric, len(own[metric]), sum(value for value, _ in own[metric]), worst, where))
    return totals


def compare(old: Mapping[Key, Kernel], new: Mapping[Key, Kernel]) -> KernelComparison:
    """What changed in the kernels of the same source and name; pure."""
    shared = [key for key in new if key in old]
    metrics = dict.fromkeys(m for key in shared for m in new[key].metrics if m in old[key].metrics)
    differences = []
    for metric in _ordered(metrics):
        pairs = [
            (new[key], old[key].metrics[metric], new[key].metrics[metric])
            for key in shared
            if metric in old[key].metrics and metric in new[key].metrics
        ]
        changes = [MetricChange(metric, kernel, a, b) for kernel, a, b in pairs if a != b]
        changes.sort(key=lambda c: c.weight, reverse=True)
        differences.append(
            KernelDifference(metric, sum(a for _, a, _ in pairs), sum(b for _, _, b in pairs), tuple(changes))
        )
    coded = [key for key in shared if old[key].code and new[key].code]
    recoded = [key for key in coded if old[key].code != new[key].code]
    numbered = {change.kernel.key for own in differences for change in own.changes}
    places = [{(k.id, k.name, k.variant) for k in corpus.values()} for corpus in (old, new)]
    lost = [k for key, k in old.items() if key not in new]
    gained = [k for key, k in new.items() if key not in old]
    return KernelComparison(
        len(shared),
        tuple(differences),
        tuple(k for k in lost if (k.id, k.name, k.variant) not in places[1]),
        tuple(k for k in gained if (k.id, k.name, k.variant) not in places[0]),
        sum((k.id, k.name, k.variant) in places[0] for k in gained),
        tuple(sum({key[0]: own[key].compile_s for key in shared}.values()) for own in (old, new)),  # type: ignore[arg-type]
        len(coded),
        len(recoded),
        tuple(new[key] for key in recoded if key not in numbered),
    )


def _ordered(metrics: Iterable[str]) -> list[str]:
    """The most interesting counts of the compiler first, Rusticl's answers for every driver last."""
    names = list(metrics)
    last = [m for m in ("private_bytes", "work_group_items") if m in names]
    first = [m for m in ("instructions",) if m in names]
    return [*first, *(m for m in names if m not in (*first, *last)), *last]
