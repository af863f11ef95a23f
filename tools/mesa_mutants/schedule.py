"""The runs: which ones, in which order, and how many at once."""

import random
import re
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from pathlib import Path

from runner.child.libraries import build_id
from runner.model import UsageError
from tools.mesa_mutants.outcomes import BASE, TIERS, Outcome, Outcomes, is_shown, lines
from tools.mesa_mutants.pack import Pack
from tools.mesa_mutants.runs import Run, globs_of_words, run, say
from tools.mesa_mutants.table import Change, Target

FIRST = 3  # red cases that are kept, and after which a run ends
# Workers of one run: several small runs use many cores better than one large one, but the full tier must not take days.
_WORKERS = {"premerge": 2, "full": 4}
_AFTER = re.compile(r"\(only after (\S+)\)")


class Schedule:
    """Runs the changes of a pack, with `jobs` workers in all, and starts nothing more after `minutes` (0: no limit)."""

    def __init__(
        self,
        pack: Pack,
        outcomes: Outcomes,
        globs: Sequence[str],
        jobs: int,
        minutes: int,
        seed: int,
        *,
        target: Callable[[Change], Target] = lambda change: change.target,
        most: int = FIRST,
    ) -> None:
        self._pack, self._outcomes, self._globs, self._jobs, self._seed = pack, outcomes, globs, jobs, seed
        self._target, self._most, self._lock = target, most, threading.Lock()
        self._deadline_s = time.monotonic() + 60 * minutes if minutes else float("inf")
        self._base_id = build_id(pack.base)

    def run_all(self, changes: Sequence[Change], last_tier: str) -> None:
        """Premerge on all of them; then the full tier on those that premerge did not show."""
        for tier in TIERS[: TIERS.index(last_tier) + 1]:
            left = [c for c in changes if self._is_wanted(c, tier)]
            # In the table's order, the deadline would always cut off its last groups.
            random.Random(self._seed).shuffle(left)
            for target in dict.fromkeys(map(self._target, left)):
                self._run_base(target, tier)
            with ThreadPoolExecutor(max(1, self._jobs // _WORKERS[tier])) as pool:
                for done in [pool.submit(self._run_change, change, tier) for change in left]:
                    done.result()

    def _is_wanted(self, change: Change, tier: str) -> bool:
        if change.struck or not self._pack.has(change) or self._outcomes.find(change, tier):
            return False
        return not any(is_shown(change, self._outcomes, t) for t in TIERS)

    def _run_base(self, target: Target, tier: str) -> None:
        """Record the cases that are red without any change: they show no change."""
        name = f"{BASE}-{target.name}"
        latest = self._outcomes.latest(name, tier)
        if (latest and latest.digest == self._base_id) or time.monotonic() > self._deadline_s:
            return
        with tempfile.TemporaryDirectory(prefix="mesa-mutants-") as scratch:
            library = self._pack.library(None, Path(scratch, "base.so"))
            result = run(library, target, tier, self._globs, self._jobs, Path(scratch, "run"), self._pack.shims)
        if not result.cases:  # else each change would be green
            raise UsageError(f"{name}: {result.note}")
        self._keep(Outcome(name, self._base_id, tier, first=result.red, red=len(result.red)), result, self._base_id)

    def _run_change(self, change: Change, tier: str) -> None:
        target, jobs, shims = self._target(change), min(self._jobs, _WORKERS[tier]), self._pack.shims
        with tempfile.TemporaryDirectory(prefix="mesa-mutants-") as scratch:
            library = self._pack.library(change, Path(scratch, "new.so"))
            pieces = self._pieces(change, tier)
            for number in count():
                if time.monotonic() > self._deadline_s:
                    return
                known, run_in = self._red_anyway(target, tier), Path(scratch, str(number))
                globs, shard = pieces[0]
                result = run(library, target, tier, globs, jobs, run_in, shims, known=known, most=self._most, shard=shard)
                red = [row for row in result.red if row[0] not in known]
                if self._is_red_anyway(red, target, tier, Path(scratch, f"base-{number}")):
                    continue
                pieces.pop(0)
                if red or not pieces:
                    break
        first = tuple(red[:FIRST])
        named = any(change.names(f"{test_id} {message}") for test_id, message in first)
        built = self._pack.builds.find(change)
        outcome = Outcome(change.id, change.digest, tier, first=first, red=len(red), named=named)
        self._keep(outcome, result, built.build_id if built else "")

    def _pieces(self, change: Change, tier: str) -> list[tuple[Sequence[str], str]]:
        """Globs and shard of the runs of a change, up to the first run that is red.

        Most changes are shown by many cases, so that a twentieth of all is enough, and most others by a case whose id has
        one of their words.
        """
        everything = (self._globs, "")
        if tier != TIERS[0]:
            return [everything]
        named = globs_of_words(change.shows, self._globs)
        return [(self._globs, "1/20"), *([(named, "")] if named else []), everything]

    def _red_anyway(self, target: Target, tier: str) -> list[str]:
        base = self._outcomes.latest(f"{BASE}-{target.name}", tier)
        return [test_id for test_id, _ in base.first] if base else []

    def _is_red_anyway(self, red: Sequence[tuple[str, str]], target: Target, tier: str, scratch: Path) -> bool:
        """True if one of these is also red without the change, by itself or after the case that its message names.

        The base's run may have run it after other cases; from now on it counts as red in the base.
        """
        if not red:
            return False
        before = [found[1] for _, message in red if (found := _AFTER.search(message))]
        library = self._pack.library(None, scratch.with_suffix(".so"))
        globs = [*(test_id for test_id, _ in red), *before]
        result = run(library, target, tier, globs, 1, scratch, self._pack.shims)
        with self._lock:
            base = self._outcomes.latest(f"{BASE}-{target.name}", tier)
            if not base or not result.red:
                return False
            first = tuple(dict([*base.first, *result.red]).items())
            self._outcomes.add(replace(base, first=first, red=len(first)))
        return any(test_id in dict(red) for test_id, _ in result.red)

    def _keep(self, outcome: Outcome, result: Run, wanted: str) -> None:
        note = result.note
        if result.build_id and result.build_id != wanted:
            note = f"another library was loaded: {result.build_id}, not {wanted}"
        cpu_s, wall_s = round(result.cpu_s, 1), round(result.wall_s, 1)
        outcome = replace(outcome, build_id=result.build_id, note=note, cases=result.cases, cpu_s=cpu_s, wall_s=wall_s)
        self._outcomes.add(outcome)
        for line in lines(outcome):
            say(line)
