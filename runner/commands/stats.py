"""`runner stats RESULTS [NEW]`: compiler statistics of the kernels of a run, or what changed since another run.

As Mesa's shader-db reports it for graphics: totals over the kernels that both have, over those that differ, how many were
helped and hurt, and which; and the kernels whose disassembly changed while no number did. Only kernels of the same source
are compared. RESULTS is a results directory, a folder of the shards of one run, or artifacts.zip.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from runner.analysis.kernel_stats import Corpus, KernelComparison, KernelDifference, Total, compare, load, sum_up
from runner.commands.options import add_form
from runner.compiler_stats.listing import Kernel
from runner.lines import one_line, tell
from runner.model import ExitCode, UsageError
from runner.output.markdown import cell, code, columns, count, details, shorten_list, table
from runner.run_config import at_least


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: one run, or two."""
    parser.add_argument("old", type=Path, metavar="RESULTS", help="a run with --stats")
    parser.add_argument("new", type=Path, nargs="?", metavar="NEW", help="and a later one, to compare with it")
    add_form(parser, "text", "markdown", "json")
    most = "the N most changed kernels of each metric (default 10)"
    parser.add_argument("--limit", type=at_least(1), default=10, metavar="N", help=most)


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print the statistics of a run, or what changed between two."""
    old, new, form, limit = arguments.old, arguments.new, arguments.form, arguments.limit
    one = load(old)
    if new is None:
        tell({"text": _text, "markdown": _markdown, "json": _json}[form](one, sum_up(one.kernels.values())))
        return ExitCode.GREEN
    other = load(new)
    if one.driver != other.driver:
        raise UsageError(f"{old} is of {one.driver}, {new} of {other.driver}: their compilers count different things")
    comparison = compare(one.kernels, other.kernels)
    if form == "json":
        tell(_compared_json(one, other, comparison))
    else:
        tell((_compared_text if form == "text" else _compared_markdown)(one, other, comparison, limit))
    return ExitCode.GREEN


def _label(kernel: Kernel) -> str:
    return one_line(" ".join(filter(None, [kernel.id, kernel.name, kernel.variant])))


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def _percent(old: float, new: float) -> str:
    return f"{100 * (new - old) / old:+.2f}%" if old else ("0.00%" if new == old else "new")


def _headline(corpus: Corpus) -> str:
    programs = len({k.source for k in corpus.kernels.values()})
    return f"{count(len(corpus.kernels), 'kernel')} of {count(programs, 'program')}, compiled in {corpus.compile_s:.1f} s"


def _total_rows(totals: Sequence[Total]) -> list[list[str]]:
    head = ["metric", "kernels", "total", "mean", "worst"]
    return [head] + [[t.metric, _number(t.kernels), _number(t.total), f"{t.mean:,.1f}", _number(t.worst)] for t in totals]


def _text(corpus: Corpus, totals: Sequence[Total]) -> str:
    rows = columns(_total_rows(totals))
    where = ["  worst in", *(f"  {_label(t.where) if t.worst else '-'}" for t in totals)]
    return "\n".join([corpus.device, _headline(corpus), *(a + b for a, b in zip(rows, where, strict=True))])


def _markdown(corpus: Corpus, totals: Sequence[Total]) -> str:
    rows = _total_rows(totals)
    where = ["worst in", *(cell(_label(t.where)) if t.worst else "" for t in totals)]
    return "\n\n".join(
        [f"**{_headline(corpus)}**", code(corpus.device), table([[*row, w] for row, w in zip(rows, where, strict=True)])]
    )


def _json(corpus: Corpus, totals: Sequence[Total]) -> str:
    names = ("kernels", "total", "mean", "worst")
    metrics = {t.metric: {**{name: getattr(t, name) for name in names}, "where": _label(t.where)} for t in totals}
    facts = {"device": corpus.device, "kernels": len(corpus.kernels), "compile_s": round(corpus.compile_s, 3)}
    return json.dumps({**facts, "metrics": metrics}, indent=1)


def _compared_line(comparison: KernelComparison) -> str:
    words = [count(comparison.shared, "shared kernel")]
    words += [f"{len(own)} {name}" for name, own in (("lost", comparison.lost), ("gained", comparison.gained)) if own]
    words += [f"{comparison.rewritten} of another source, not compared"] if comparison.rewritten else []
    old_s, new_s = comparison.compile_s
    return f"{', '.join(words)}; compile time {old_s:.1f} s -> {new_s:.1f} s ({_percent(old_s, new_s)})"


def _difference_rows(comparison: KernelComparison) -> list[list[str]]:
    rows = [["metric", "old", "new", "change", "affected: old", "new", "change", "helped", "HURT"]]
    for own in comparison.differences:
        if own.changes:
            numbers = [w for a, b in ((own.old, own.new), own.affected) for w in (_number(a), _number(b), _percent(a, b))]
            rows.append([own.metric, *numbers, str(own.helped), str(own.hurt)])
    return rows


def _unchanged(comparison: KernelComparison) -> str:
    return ", ".join(own.metric for own in comparison.differences if not own.changes) or "none"


def _code_line(comparison: KernelComparison) -> str:
    if not comparison.coded:
        return "code: no shared kernel has its disassembly in both"
    changed, alone = comparison.recoded, len(comparison.unnumbered)
    return f"code: {changed} of {count(comparison.coded, 'kernel')} changed, {alone} of them in no number"


def _named_kernels(comparison: KernelComparison) -> Sequence[tuple[str, Sequence[Kernel]]]:
    own = comparison
    return (("CODE ONLY", own.unnumbered), ("LOST", own.lost), ("GAINED", own.gained))


def _change_rows(own: KernelDifference, limit: int) -> list[list[str]]:
    return [
        ["HURT" if c.is_hurt else "helped", _number(c.old), "->", _number(c.new), _percent(c.old, c.new), _label(c.kernel)]
        for c in own.changes[:limit]
    ]


def _compared_text(old: Corpus, new: Corpus, comparison: KernelComparison, limit: int) -> str:
    lines = [f"old: {old.device}", f"new: {new.device}", _compared_line(comparison)]
    lines += [*columns(_difference_rows(comparison)), f"unchanged: {_unchanged(comparison)}", _code_line(comparison)]
    for own in comparison.differences:
        if rows := _change_rows(own, limit):
            lines.append(f"{own.metric}: {len(rows)} of {count(len(own.changes), 'changed kernel')}")
            numbers = columns([row[:-1] for row in rows])
            lines += [f"  {line}  {row[-1]}" for line, row in zip(numbers, rows, strict=True)]
    for name, kernels in _named_kernels(comparison):
        lines += [f"{name}: {text}" for text in shorten_list([_label(k) for k in kernels], limit)]
    return "\n".join(lines)


def _compared_markdown(old: Corpus, new: Corpus, comparison: KernelComparison, limit: int) -> str:
    parts = [f"**{_compared_line(comparison)}**", f"- old: {code(old.device)}\n- new: {code(new.device)}"]
    parts += [table(_difference_rows(comparison)), f"unchanged: {_unchanged(comparison)}", _code_line(comparison)]
    for own in comparison.differences:
        if rows := _change_rows(own, limit):
            body = [["", "old", "", "new", "change", "kernel"], *([*row[:-1], cell(row[-1])] for row in rows)]
            parts.append(details(f"{own.metric}: {len(rows)} of {count(len(own.changes), 'changed kernel')}", table(body)))
    for name, kernels in _named_kernels(comparison):
        if kernels:
            listed = (f"- {text}" for text in shorten_list([code(_label(k)) for k in kernels], limit))
            parts.append(details(f"{name}: {len(kernels)}", "\n".join(listed)))
    return "\n\n".join(parts)


def _compared_json(old: Corpus, new: Corpus, comparison: KernelComparison) -> str:
    def metric(own: KernelDifference) -> dict[str, Any]:
        totals = {"old": own.old, "new": own.new, **dict(zip(("affected_old", "affected_new"), own.affected, strict=True))}
        changes = [{**_named(c.kernel), "old": c.old, "new": c.new} for c in own.changes]
        return {**totals, "helped": own.helped, "hurt": own.hurt, "changes": changes}

    return json.dumps(
        {
            "old": old.device,
            "new": new.device,
            "shared": comparison.shared,
            "rewritten": comparison.rewritten,
            "compile_s": dict(zip(("old", "new"), comparison.compile_s, strict=True)),
            "metrics": {own.metric: metric(own) for own in comparison.differences},
            "code": {
                "shared": comparison.coded,
                "changed": comparison.recoded,
                "alone": [_named(k) for k in comparison.unnumbered],
            },
            "lost": [_named(k) for k in comparison.lost],
            "gained": [_named(k) for k in comparison.gained],
        },
        indent=1,
    )


def _named(kernel: Kernel) -> dict[str, str]:
    return {"id": kernel.id, "name": kernel.name, "variant": kernel.variant, "source": kernel.source}
