"""One case executed many times under changed conditions, and the factors that its failures may depend on."""

import contextlib
import itertools
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runner.cases.catalogue import Catalogue, Suite
from runner.model import Attempt, Case, InfrastructureError, Status, UsageError
from runner.run.worker import Worker
from runner.run_config import RunConfig
from runner.verdict.intervals import Factor
from runner.verdict.judge import BAD

_ORDERS = 8  # different orders of other cases
_BEFORE = 10  # other cases in one
_CACHE_S = 0.5  # Mesa writes its shader cache in the background
# A busy process that ends with this one, however that ends.
_BUSY = "import os, sys\nwhile os.getppid() == int(sys.argv[1]): pass"


@dataclass(frozen=True, slots=True)
class Perturbation:
    """The conditions of one planned execution."""

    fresh: bool  # first case of a child; else the child that is there goes on
    order: int  # 0, or the seed of other cases that run before it in a fresh child
    warm_cache: bool  # the case's kernels are already in the shader cache
    busy: bool  # while processes keep the CPUs busy


@dataclass(frozen=True, slots=True)
class Sample:
    """One execution, and the conditions that it really had."""

    attempt: Attempt
    plan: Perturbation
    before: tuple[str, ...]  # the cases that its child had run

    @property
    def failed(self) -> bool:
        """True if the execution did not pass."""
        return self.attempt.status in BAD


def plans(n: int) -> Iterator[Perturbation]:
    """`n` plans: all combinations of conditions equally often, in a fixed shuffled order."""
    shuffle = random.Random(n)
    orders = itertools.cycle(range(1, _ORDERS + 1))
    cells = list(itertools.product(("fresh", "on", "order"), (False, True), (False, True)))
    planned = 0
    while planned < n:
        shuffle.shuffle(cells)
        for child, cache, busy in cells[: n - planned]:
            yield Perturbation(child == "fresh", next(orders) if child == "order" else 0, cache, busy)
            planned += 1


def factors(samples: Sequence[Sample]) -> list[Factor]:
    """Failures by child process, cache, load and order, and by each case that had run before in the same child, itself
    included.
    """
    others = sorted({i for s in samples for i in s.before})
    counted = [
        Factor.count("child", (("fresh" if s.attempt.nth_in_child == 1 else "warm", s.failed) for s in samples)),
        Factor.count("shader cache", (("warm" if s.plan.warm_cache else "cold", s.failed) for s in samples)),
        Factor.count("load", (("busy" if s.plan.busy else "idle", s.failed) for s in samples)),
        Factor.count("order", ((f"seed {s.plan.order}", s.failed) for s in samples if s.plan.order)),
    ]
    after = [Factor.count(f"after {i}", (("yes" if i in s.before else "no", s.failed) for s in samples)) for i in others]
    return [factor for factor in (*counted, *after) if len(factor.levels) > 1]


class RepeatedCase:
    """The worker with its child, and the two shader caches that a child may begin with.

    A child begins with the cache of a start-up only, or with the one that an execution of the case has left.
    """

    def __init__(self, config: RunConfig, scratch: Path, suite: Suite, case: Case, loaded: Catalogue, load: int) -> None:
        self._suite, self._case, self._loaded, self._load = suite, case, loaded, load
        self._worker = Worker(config, scratch)
        self._cache = scratch / "w0/cache"
        self._cold, self._warm = scratch / "cold", scratch / "warm"
        self._child = 0
        self._before: list[str] = []  # the cases that the child has run
        self._seed_is_warm = False
        self._has_run = False  # whether the child's cache holds the case's kernels
        self._worker.start()
        self._worker.ensure_ready()
        start = scratch / "start"
        if start.is_dir():
            shutil.copytree(start, self._cold)
        else:  # no driver of Mesa
            self._cold.mkdir()
        assert self._worker.expectations
        expected = self._worker.expectations
        area = case.id.rsplit("/", 1)[0]
        self._others = [
            other
            for i, other in loaded.cases.items()
            # A case that is known to fail may end the child, and begin another.
            if i != case.id and i.startswith(f"{area}/") and not expected.skip(i) and not next(expected.entries_of(i), None)
        ]

    def stop(self) -> None:
        """End the child."""
        self._worker.stop()

    def execute(self, plan: Perturbation) -> Sample:
        """One execution, as planned; the sample holds the conditions that it had, because a child may have died before."""
        if plan.fresh or plan.order:
            self._begin(plan.warm_cache)
        for other in self._order(plan.order):
            self._worker.ensure_ready()
            attempt = self._worker.run(self._loaded.suite_of(other.id), other, None).attempts[-1]
            if attempt.status is not Status.SKIP:
                self._note(attempt)
                self._before.append(other.id)
        self._worker.ensure_ready()
        with _busy(self._load if plan.busy else 0):
            attempt = self._worker.run(self._suite, self._case, None, last=True).attempts[-1]
        if attempt.status is Status.ERROR:
            raise InfrastructureError(f"{self._case.id}: harness error: {attempt.message}")
        if attempt.status is Status.SKIP:
            raise UsageError(f"{self._case.id}: {attempt.message}; there is nothing to repeat")
        self._note(attempt)
        actual = replace(plan, order=plan.order if self._others else 0, warm_cache=self._has_run)
        sample = Sample(attempt, actual, tuple(self._before))
        self._has_run = True
        self._before.append(self._case.id)
        if attempt.status not in BAD and not self._warm.exists():
            time.sleep(_CACHE_S)
            with contextlib.suppress(shutil.Error):  # a file that it renames meanwhile is compiled again
                shutil.copytree(self._cache, self._warm)
        return sample

    def _begin(self, warm_cache: bool) -> None:
        warm = warm_cache and self._warm.exists()
        self._worker.seed = self._warm if warm else self._cold
        self._worker.start()
        self._worker.ensure_ready()
        self._child, self._before = 0, []
        self._seed_is_warm = self._has_run = warm

    def _note(self, attempt: Attempt) -> None:
        """Forget what an earlier child had run, if this attempt was planned in another one."""
        if attempt.child != self._child:
            if self._child:  # the last one died, or was too old: the worker began this one
                self._before, self._has_run = [], self._seed_is_warm
            self._child = attempt.child

    def _order(self, seed: int) -> list[Case]:
        if not seed:
            return []
        return random.Random(seed).sample(self._others, min(_BEFORE, len(self._others)))


@contextlib.contextmanager
def _busy(processes: int) -> Iterator[None]:
    running = [
        subprocess.Popen([sys.executable, "-c", _BUSY, str(os.getpid())], stdin=subprocess.DEVNULL) for _ in range(processes)
    ]
    try:
        yield
    finally:
        for process in running:  # the supervisor may have ended them already, with a dead child's orphans
            process.kill()
            process.wait()
