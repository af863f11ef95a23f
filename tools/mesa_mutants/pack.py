"""A folder of builds: the unchanged Rusticl, each changed one as its difference from that, and the outcome of each."""

import shutil
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from runner.child.libraries import build_id
from runner.model import InfrastructureError, UsageError
from tools.mesa_mutants.deltas import apply_delta, make_delta
from tools.mesa_mutants.outcomes import Outcome, Outcomes, lines
from tools.mesa_mutants.places import MovedError
from tools.mesa_mutants.runs import say
from tools.mesa_mutants.source_tree import SourceTree, side_by_side
from tools.mesa_mutants.table import Change, locate


class Pack:
    """The folder; on another machine only `library` is needed."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.base = folder, folder / "base.so"
        self.builds = Outcomes(folder / "builds.jsonl")

    def fill(self, tree: SourceTree, changes: Sequence[Change], jobs: int) -> None:
        """Build the missing ones, `jobs` at a time. Raises InfrastructureError if Mesa cannot be built at all."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="mesa-mutants-") as scratch:
            new = Path(scratch, "new.so")
            if complaint := tree.make(None, new).complaint:
                raise InfrastructureError(f"Mesa cannot be built: {complaint}")
            self._keep_base(new)
            for shim in tree.shims:
                shutil.copyfile(shim, self._folder / shim.name)
            # A reverted file is built again with the next change, so the changes of one file follow each other.
            left = [c for c in sorted(changes, key=lambda c: c.file) if not c.struck and not self.builds.find(c)]
            free: SimpleQueue[SourceTree] = SimpleQueue()

            def build(change: Change) -> None:
                own = free.get()
                try:
                    self._build(own, change, Path(scratch, f"{own.folder.name}.so"))
                finally:
                    free.put(own)

            with side_by_side(tree, min(jobs, len(left))) as trees, ThreadPoolExecutor(len(trees)) as pool:
                for own in trees:
                    free.put(own)
                for done in [pool.submit(build, change) for change in left]:
                    done.result()

    def _keep_base(self, new: Path) -> None:
        if not self.base.exists():
            self.base.write_bytes(new.read_bytes())
        elif build_id(self.base) != build_id(new):
            raise UsageError(f"{self._folder}: has builds of another Mesa; give another folder, or delete it")

    def _build(self, tree: SourceTree, change: Change, new: Path) -> None:
        place = locate(change, tree.source)
        outcome = Outcome(change.id, change.digest, place=place, built=False)
        try:
            result = tree.make(change, new)
            same = result.library is not None and build_id(new) == build_id(self.base)
            own = build_id(new) if result.library else ""
            if result.library and not same:
                self._delta(change).write_bytes(make_delta(self.base.read_bytes(), new.read_bytes()))
            outcome = Outcome(
                change.id,
                change.digest,
                place=place,
                built=result.library is not None,
                build_id=own,
                same_code=same,
                note=result.complaint,
                wall_s=round(result.seconds, 1),
            )
        except (MovedError, OSError):
            pass
        self.builds.add(outcome)
        for line in lines(outcome):
            say(line)

    def _delta(self, change: Change) -> Path:
        return self._folder / f"{change.id}-{change.digest}.zst"

    @property
    def shims(self) -> list[Path]:
        """The libraries that replace a kernel driver."""
        return sorted(self._folder.glob("lib*_noop_drm_shim.so"))

    def has(self, change: Change) -> bool:
        """True if there is a library with this change, and it differs from the base."""
        return self._delta(change).exists()

    def library(self, change: Change | None, target: Path) -> Path:
        """Write a library, that of the base for None; returns its path."""
        base = self.base.read_bytes()
        target.write_bytes(apply_delta(base, self._delta(change).read_bytes()) if change else base)
        return target
