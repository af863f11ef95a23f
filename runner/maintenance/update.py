"""The new texts of expectation files after runs, from plans."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.expectations.files import floor_text
from runner.expectations.folder import SUITE_LINE
from runner.expectations.resolution import Expectations
from runner.expectations.target import parse_name
from runner.maintenance.document import TODO, Block, edit
from runner.maintenance.evidence import all_tests
from runner.maintenance.patch import FileChange, change_of
from runner.maintenance.plan import Plan
from runner.model import Expectation, FileKind, UsageError

_NUMBERS = re.compile(r"0x[0-9a-fA-F.]+(p[+-]?\d+)?|\d+")


def changes_of(plans: Sequence[Plan], folder: Path, texts: Mapping[Path, str]) -> dict[Path, FileChange]:
    """Each file that the plans change, or begin."""
    changes = {}
    for plan in plans:
        for kind in (FileKind.FAILS, FileKind.FLAKES):
            path = folder / plan.layer.path(kind)
            before = texts.get(path)
            text = before
            if _is_bare(before) and plan.add[kind]:
                text = _head(kind, plan)
            if text is None:
                continue
            after = edit(text, kind, str(path), plan.remove[kind], plan.replace[kind], _blocks(plan.add[kind]))
            if after != before:
                changes[path] = change_of(path, after)
    return changes


def first_files(
    plans: Sequence[Plan], folder: Path, texts: Mapping[Path, str], changes: Mapping[Path, FileChange]
) -> dict[Path, FileChange]:
    """The floor of a new board, and its fails file if nothing failed. Raises UsageError if it has files."""
    first = {}
    for plan in plans:
        fails, floor = (folder / plan.layer.path(kind) for kind in (FileKind.FAILS, "device"))
        own = (path for path in texts if parse_name(path)[0] == plan.layer and not _is_bare(texts[path]))
        if there := next(own, None):
            raise UsageError(f"{there}: is there already; use `runner expect update`")
        device = plan.runs[-1].record.device
        assert device
        first[floor] = FileChange(None, f"{floor_text(device)}\n")
        if fails not in changes:
            first[fails] = change_of(fails, _head(FileKind.FAILS, plan))
    return first


def _is_bare(text: str | None) -> bool:
    """True for no file, and for one that is only a head which says that nothing was measured."""
    return not text or (": nothing yet" in text and all(line.startswith("#") for line in text.split("\n") if line.strip()))


def _blocks(new: Sequence[tuple[Expectation, str]]) -> list[Block]:
    """One block for entries that fail alike: a person then writes one reason for all."""
    alike: dict[tuple[object, ...], list[Expectation]] = {}
    for entry, reason in new:
        folder, name = entry.pattern.rsplit("/", 1)
        own_words = "|".join(map(re.escape, sorted(name.split("."), key=len, reverse=True)))
        message = _NUMBERS.sub("#", re.sub(own_words, "", entry.signature))
        shape = (folder, *sorted(entry.statuses), message)
        alike.setdefault((reason,) if reason else ("", *shape), []).append(entry)
    return [Block((str(key[0]) or TODO,), tuple(entries)) for key, entries in alike.items()]


def _head(kind: FileKind, plan: Plan) -> str:
    """The head of a new file: its content, and on what it was measured."""
    device = plan.runs[-1].record.device
    assert device
    what = {"fails": "Expected failures", "flakes": "Known flakes", "skips": "Not run"}[kind]
    form = {"fails": "id,Status[,signature]", "flakes": "id-or-glob,Status[|Status],k/n", "skips": "an id or a glob"}[kind]
    versions = ", ".join(
        filter(
            None,
            (
                f"Mesa {device.driver_version or device.mesa}" if device.mesa else device.driver_version,
                f"LLVM {device.llvm}" if device.llvm else "",
                f"libclc {device.libclc_version}" if device.libclc_version else "",
            ),
        )
    )
    measured = ", ".join(filter(None, (device.full_name or plan.layer.driver, versions, device.machine)))
    return (
        f"# {what}. Measured: {measured}.\n{SUITE_LINE}\n"
        f"# An entry is {form}; the comment above it is the reason. See docs/expectations.md.\n"
    )


def check_texts(plans: Sequence[Plan], texts: Mapping[Path, str]) -> None:
    """Raise UsageError if the new files would not load: before any is written."""
    for plan in plans:
        new = Expectations(plan.runs[-1].target, texts)
        for test_id in all_tests(plan.runs):
            new.find(test_id)
