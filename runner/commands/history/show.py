"""`runner history show`: for each target and Mesa release the tests, with their runs, failures, signatures and seconds."""

import argparse
import statistics

from runner.commands.options import add_history, add_target, driver_name_of
from runner.ids import chosen_pattern
from runner.lines import one_line, tell
from runner.model import ExitCode, Status
from runner.records.history import History
from runner.verdict.intervals import rate_text
from runner.verdict.judge import BAD


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the history, and the part of it to show."""
    add_history(parser)
    add_target(parser)


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print it."""
    patterns = [chosen_pattern(glob) for glob in arguments.include]
    with History(arguments.history) as history:
        for runs in history.series(driver_name_of(arguments), arguments.gpu):
            target, variant = runs[-1].series
            tell(
                f"{target.name}{f' --variant {variant}' if variant else ''}: {len(runs)} runs, "
                f"{runs[0].begun[:10]} to {runs[-1].begun[:10]}"
            )
            wanted = [i for i in history.statuses(runs) if not patterns or any(p.fullmatch(i) for p in patterns)]
            for test_id, executions in history.executions(runs, wanted).items():
                ran = [e for e in executions if e.status is not Status.SKIP]
                bad = [e for e in ran if e.status in BAD]
                if not ran:
                    tell(f"  {test_id}: skipped in {len(executions)} runs")
                    continue
                seconds = statistics.median(e.duration_s for e in ran)
                words = "|".join(s for s in Status if any(e.status is s for e in bad))
                tell(
                    f"  {test_id}: {len({e.run.id for e in ran})} runs, failed {rate_text(len(bad), len(ran))} "
                    f"{words}{' ' * bool(words)}{seconds:.3f} s"
                )
                for message in dict.fromkeys(e.message for e in bad):
                    tell(f"    {sum(e.message == message for e in bad)} x {one_line(message)}")
    return ExitCode.GREEN
