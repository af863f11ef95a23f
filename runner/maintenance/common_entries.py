"""Entries that all measured GPUs of a driver share, and the edits that move them to the driver's common file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runner.expectations.files import parse_file
from runner.expectations.folder import SUITE_LINE
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target, layer_of, parse_name
from runner.ids import is_glob
from runner.maintenance.document import Block, edit
from runner.maintenance.patch import FileChange, change_of
from runner.model import Expectation, FileKind


@dataclass(frozen=True, slots=True)
class Shared:
    """An entry that every measured GPU's layer has, and the common layer does not."""

    entry: Expectation
    gpus: tuple[Target, ...]


def find_shared(texts: Mapping[Path, str], driver: str) -> dict[Target, list[Shared]]:
    """By common layer, the entries that each GPU of it has: the same status, signature, bug and kind."""
    layers: dict[Target, dict[FileKind, dict[str, Expectation]]] = {}
    for path, text in texts.items():
        layer, kind = parse_name(path)
        own = layers.setdefault(layer, {kind: {} for kind in FileKind})  # a floor file also shows that a GPU was measured
        if kind != "device":
            own[FileKind(kind)] = {e.key: e for e in parse_file(text, FileKind(kind), str(path)).entries}
    offers: dict[Target, list[Shared]] = {}
    for common in {replace(layer, gpu="") for layer in layers if layer.driver == driver and layer.gpu}:
        gpus = tuple(sorted((t for t in layers if t.gpu and replace(t, gpu="") == common), key=lambda t: t.gpu))
        taken = {pattern for own in layers.get(common, {}).values() for pattern in own}
        for kind in FileKind:
            first, *others = (layers[gpu][kind] for gpu in gpus)
            for pattern, entry in first.items() if others else ():
                same = [own[pattern] for own in others if pattern in own and _alike(own[pattern], entry)]
                if len(same) == len(others) and pattern not in taken and _is_safe(texts, gpus, common, pattern):
                    offers.setdefault(common, []).append(Shared(_sum([entry, *same]), gpus))
    return offers


def _alike(a: Expectation, b: Expectation) -> bool:
    return (a.statuses, a.signature, a.bug) == (b.statuses, b.signature, b.bug)


def _sum(entries: Sequence[Expectation]) -> Expectation:
    """The entry of all GPUs; a flake's rate is that of all executions."""
    rates = [e.rate for e in entries if e.rate]
    total = (sum(k for k, _ in rates), sum(n for _, n in rates)) if rates else None
    return replace(entries[0], rate=total)


def _is_safe(texts: Mapping[Path, str], gpus: Sequence[Target], common: Target, pattern: str) -> bool:
    """True if no layer between the two would come before the moved entry."""
    if is_glob(pattern):
        return True
    for gpu in gpus:
        for entry in Expectations(gpu, texts).entries_of(pattern):
            if common.rank < layer_of(entry).rank < gpu.rank:
                return False
    return True


def moved(folder: Path, texts: Mapping[Path, str], offers: Mapping[Target, Sequence[Shared]]) -> dict[Path, FileChange]:
    """The files of one driver after the entries of `find_shared` were moved."""
    changes: dict[Path, FileChange] = {}
    for common, shared in offers.items():
        for kind in FileKind:
            moved = [s.entry for s in shared if s.entry.kind is kind]
            if not moved:
                continue
            for gpu in shared[0].gpus:
                path = folder / gpu.path(kind)
                changes[path] = change_of(path, edit(texts[path], kind, str(path), {e.pattern for e in moved}))
            path = folder / common.path(kind)
            reasons: dict[str, list[Expectation]] = {}
            for entry in moved:
                reasons.setdefault(entry.reason, []).append(entry)
            blocks = [Block((reason,) if reason else (), tuple(own)) for reason, own in reasons.items()]
            gpu_names = ", ".join(t.gpu for t in shared[0].gpus)
            head = f"# What all GPUs of {common.driver} share. Measured: {gpu_names}; their own files state on what.\n"
            text = texts.get(path, f"{head}{SUITE_LINE}\n")
            changes[path] = change_of(path, edit(text, kind, str(path), add=blocks))
    return changes
