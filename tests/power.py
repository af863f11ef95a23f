"""Which tier and which cases catch each mutant: `ci/in-root --mesa +test python3 -P tests/power.py [-j N] [AREA...]`.

A mutant of tests/mutants/ (AREA: a file of it) runs on the cases of premerge that llvmpipe passes: those of its glob, then
those of the same area, up to the second red one. If none is red, it runs on the rest of its glob, up to the first.
Prints Markdown: by area, how many premerge catches, how many both tiers catch together, and how many premerge cases are
the only ones to catch one, which earns them their place; then these cases, with their cost, and what escapes premerge.
Exit code 1 if a mutant escapes both tiers.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import local
from typing import Any

_HERE = Path(__file__).parent
sys.path[:0] = [str(_HERE), str(_HERE.parent)]

from conftest import opencl_environment  # noqa: E402
from mutation import SUITES, UNFIT, Mutant, applied, areas, is_red, mutants_of, passing  # noqa: E402  # beside this file

from runner.importing import import_suite_module  # noqa: E402
from runner.model import Case, DeviceReport, Tier  # noqa: E402
from runner.output.markdown import code, table  # noqa: E402


@dataclass(slots=True)
class Caught:
    """The result of one mutant."""

    area: str
    name: str
    premerge: list[tuple[str, float]] = field(default_factory=list)  # its red cases, two at most, and their seconds
    full: str = ""  # the first red one of the rest, if none of premerge is
    error: str = ""  # why it could not be run


def main(words: Sequence[str]) -> int:
    """Run the mutants and print the figures; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "-j", "--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes (default: one a processor)"
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="one JSON line each; what is there is not run again")
    parser.add_argument("areas", nargs="*", metavar="AREA", help="files of tests/mutants (default: all)")
    arguments = parser.parse_args(words)
    done = [Caught(**json.loads(line)) for line in _lines(arguments.save)]
    known = {caught.name for caught in done}
    chosen = [Caught(area, mutant.name) for area in arguments.areas or areas() for mutant in mutants_of(area)]
    chosen = [caught for caught in chosen if caught.name not in known]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch, ThreadPoolExecutor(arguments.jobs) as pool:
        for future in as_completed([pool.submit(_run_in_process, caught, scratch) for caught in chosen]):
            done.append(future.result())
            print(f"{len(done) - len(known)} of {len(chosen)}: {done[-1].name}", file=sys.stderr)
            if arguments.save:
                with arguments.save.open("a") as file:
                    file.write(f"{json.dumps(asdict(done[-1]))}\n")
    print("\n".join(_report(done)))
    return int(any(not (caught.premerge or caught.full) for caught in done))


def _lines(saved: Path | None) -> list[str]:
    return saved.read_text().splitlines() if saved and saved.exists() else []


def _run_in_process(caught: Caught, scratch: str) -> Caught:
    """Have this thread's process run one mutant. If it dies or hangs, the running case has caught it."""
    case, start_s, in_premerge = "", 0.0, True
    while len(caught.premerge) < 2 and not caught.full and not caught.error:
        try:
            line = _process(scratch)
            line.send((caught.area, caught.name, [c for c, _ in caught.premerge]))
            while (word := line.recv() if line.poll(_DEADLINE_S) else None) != ("done",):
                if word is None:
                    raise EOFError
                if word[0] == "case":
                    _, case, in_premerge = word
                    start_s = time.monotonic()
                elif word[0] == "red" and in_premerge:
                    caught.premerge.append((case, time.monotonic() - start_s))
                elif word[0] == "red":
                    caught.full = case
                else:
                    caught.error = word[1]
            return caught
        except (EOFError, OSError):
            _own.process.kill()
            del _own.line
            if not case:
                caught.error = "the process ended before its first case"
            elif in_premerge:
                caught.premerge.append((case, time.monotonic() - start_s))
            else:
                caught.full = case
    return caught


_DEADLINE_S = 120  # of a case
_own = local()  # each thread's process, with the device open


def _process(scratch: str) -> Connection:
    if not hasattr(_own, "line"):
        context = get_context("spawn")
        _own.line, theirs = context.Pipe()
        _own.process = context.Process(target=_serve, args=(theirs, scratch), daemon=True)
        _own.process.start()
        theirs.close()
    line: Connection = _own.line
    return line


def _serve(line: Connection, scratch: str) -> None:
    """In a process: open the device, and run the mutants that are asked for."""
    os.environ.update(opencl_environment(Path(tempfile.mkdtemp(dir=scratch))))
    from runner.child.probe import open_device  # after the environment

    device, report = open_device(None)
    while True:
        area, name, known = line.recv()
        try:
            (mutant,) = (mutant for mutant in mutants_of(area) if mutant.name == name)
            _run(mutant, device, DeviceReport.from_json(report), known, line)
        except Exception as error:  # the harness's own: the others go on
            line.send(("error", f"{type(error).__name__}: {error}"))
        line.send(("done",))


def _run(mutant: Mutant, device: Any, report: DeviceReport, known: Sequence[str], line: Connection) -> None:
    """One mutant, on all cases except those known to catch it; yields each case as it begins, and those that are red."""
    suite, area = mutant.cases.split("/")[:2]
    body = import_suite_module(SUITES / suite, "run").run
    own = passing(mutant.cases, report)
    near = {c.id: c for c in [*own, *passing(f"{suite}/{area}/*", report)] if c.tier is Tier.PREMERGE}
    rest = [c for c in own if c.tier is not Tier.PREMERGE]

    def look(cases: Iterable[Case], wanted: int) -> int:
        """How many of these are red; stops at `wanted`."""
        found = 0
        for case in cases:
            line.send(("case", case.id, case.tier is Tier.PREMERGE))
            if _is_caught(body, device, case):
                line.send(("red",))
                found += 1
                if found == wanted:
                    break
        return found

    with applied(mutant):
        if not look((c for c in near.values() if c.id not in known), 2 - len(known)) and not known:
            look(rest, 1)


def _is_caught(body: Any, device: Any, case: Case) -> bool:
    """Whether the case is red; a case that the mutant does not fit is not."""
    try:
        return is_red(body, device, case)
    except UNFIT:
        return False


def _report(done: Iterable[Caught]) -> Iterable[str]:
    by_area: dict[str, list[Caught]] = defaultdict(list)
    for caught in sorted(done, key=lambda c: c.name):
        by_area[caught.area].append(caught)
        by_area["all"].append(caught)
    rows = [["area", "mutants", "premerge", "premerge and full", "only catchers"]]
    for area, of_area in sorted(by_area.items(), key=lambda item: (item[0] == "all", item[0])):
        caught_by = [sum(bool(c.premerge) for c in of_area), sum(bool(c.premerge or c.full) for c in of_area)]
        shares = [f"{count} ({count / len(of_area):.1%})" for count in caught_by]
        rows.append([area, str(len(of_area)), *shares, str(len(_only_catchers(of_area)))])
    yield table(rows, "---:")
    rows = [["alone", "cost", "in catching"]]
    for case, (took, names) in _only_catchers(by_area["all"]).items():
        rows.append([code(case), f"{1000 * took:.0f} ms", ", ".join(map(code, names))])
    yield "\n" + table(rows)
    rows = [["escapes premerge", "caught by"]]
    for c in by_area["all"]:
        if not c.premerge:
            rows.append([code(c.name), c.error or (code(c.full) if c.full else "nothing")])
    yield "\n" + table(rows)


def _only_catchers(done: Sequence[Caught]) -> dict[str, tuple[float, list[str]]]:
    """The cases of premerge that are the only ones to catch something: their least seconds, and the mutants."""
    cases: dict[str, tuple[float, list[str]]] = {}
    for caught in done:
        if len(caught.premerge) == 1:
            case, took = caught.premerge[0]
            least, names = cases.get(case, (took, []))
            cases[case] = min(least, took), [*names, caught.name]
    return cases


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
