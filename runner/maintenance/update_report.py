"""The report of an update of expectation files: on the terminal, and as a commit message."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.maintenance.common_entries import find_shared
from runner.maintenance.document import TODO
from runner.maintenance.evidence import all_tests
from runner.maintenance.patch import FileChange
from runner.maintenance.plan import Plan


def summary(plans: Sequence[Plan], refused: Sequence[str], changes: Mapping[Path, FileChange]) -> str:
    """What was changed and what was left, for the terminal."""
    lines = [f"refused: {why}" for why in refused]
    for plan in plans:
        tests = len(all_tests(plan.runs))
        lines.append(f"{plan.layer.name}: {len(plan.runs)} runs, {tests} tests, {len(plan.edits)} entries change")
        lines += [f"  {text}" for text in plan.edits]
        lines += [f"  left: {text}" for text in plan.notes]
    lines += [f"{path}: {'new' if change.before is None else 'changed'}" for path, change in sorted(changes.items())]
    if any(plan.add[kind] for plan in plans for kind in plan.add):
        lines.append(f'write the reason at each "{TODO}", then `runner expect lint`')
    return "\n".join(lines)


def message(plans: Sequence[Plan]) -> str:
    """The commit message: what changes, and the runs that show it."""
    changed = [plan for plan in plans if plan.edits]
    counts = {s: sum(t.startswith(s) for plan in changed for t in plan.edits) for s in "+~-"}
    words = [f"{counts[s]} {w}" for s, w in (("+", "new"), ("~", "changed"), ("-", "gone")) if counts[s]]
    lines = [f"expectations: {', '.join(plan.layer.name for plan in changed)}: {', '.join(words)}"]
    for plan in changed:
        device = plan.runs[-1].record.device
        assert device
        lines += ["", f"{plan.layer.name} on {device.device or plan.layer.driver}:", *(f"  {t}" for t in plan.edits)]
        lines += ["", "Runs:"]
        for run in plan.runs:
            config, own = run.record.config, run.record.device
            assert own
            lines.append(
                f"  {run.record.begun} {run.key}: {own.driver_version or own.mesa or 'no version'}, {config.tier} "
                f"shard {config.shard[0]}/{config.shard[1]}, {len(run.results)} results"
            )
    return "\n".join(lines) + "\n"


def offers_of(plans: Sequence[Plan], texts: Mapping[Path, str]) -> list[str]:
    """The new entries that every measured GPU of a driver has now."""
    new = {entry.pattern for plan in plans for own in plan.add.values() for entry, _ in own}
    new |= {pattern for plan in plans for own in plan.replace.values() for pattern in own}
    report = []
    for driver in sorted({plan.layer.driver for plan in plans}):
        for common, shared in find_shared(texts, driver).items():
            if common_now := [s for s in shared if s.entry.pattern in new]:
                gpus = ", ".join(t.gpu for t in common_now[0].gpus)
                report.append(
                    f"{len(common_now)} of these entries are common to {gpus}: `runner expect factor --driver {driver}` "
                    f"offers them to {common.name}"
                )
    return report
