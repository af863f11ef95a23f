"""`python3 -m tools.deqp import`: converts deqp-runner's files and results.csv to this project's, and back.

A regex that no glob can express becomes the known ids that it matches, below a comment `# deqp-runner: REGEX`, from
which --back restores it. A line that cannot be converted at all is kept only in such a comment. Both are reported.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from runner.expectations.files import format_entry, parse_file
from runner.expectations.target import Target, parse_name
from runner.ids import glob_pattern, is_glob, to_id, to_name
from runner.lines import tell
from runner.maintenance.patch import FileChange, write
from runner.model import Attempt, DeviceReport, FileKind, Result, Status, UsageError
from runner.records import journal
from runner.records.journal import Journal
from runner.run_config import RunConfig
from tools.deqp.files import EFFECTIVE, Baseline, Line, Regex, parse_baseline, parse_regex, read_lines
from tools.deqp.names import to_glob, to_regex

_MARK = "deqp-runner: "
_MAX_S = 1e9
_WORDS = {
    "Pass": (Status.PASS,),
    "Warn": (Status.PASS,),
    "Skip": (Status.SKIP,),
    "Fail": (Status.FAIL,),
    "Crash": (Status.CRASH,),
    "Timeout": (Status.TIMEOUT,),
    "ExpectedFail": (Status.FAIL,),
    # The csv does not say how a flake failed.
    "Flake": (Status.FAIL, Status.PASS),
    "KnownFlake": (Status.FAIL, Status.PASS),
    "Missing": (),
}


def convert(arguments: argparse.Namespace) -> int:
    """Write the files in the other form, and print what it cannot express. Raises UsageError."""
    layer, _ = parse_name(Path(arguments.layer.split("-", 1)[0]) / f"{arguments.layer}-fails.txt")
    inputs = {kind: [Path(p) for p in getattr(arguments, kind)] for kind in FileKind}
    folder, results = Path(arguments.folder), Path(arguments.results) if arguments.results else None
    if not results and not any(inputs.values()):
        raise UsageError("nothing to import; give --fails, --flakes, --skips or --results")
    if arguments.back:
        notes = _back(inputs, results, layer, arguments.suite, folder)
    else:
        notes = _forward(inputs, results, layer, arguments.suite, folder)
    tell("\n".join(notes) if notes else "nothing is lost")
    return 0


def _forward(inputs: dict[FileKind, list[Path]], results: Path | None, layer: Target, suite: str, folder: Path) -> list[str]:
    rows = _read_csv(results) if results else []
    baselines = [(p, parse_baseline(line)) for p in inputs[FileKind.FAILS] for line in read_lines(p)]
    flakes = [(p, parse_regex(line)) for p in inputs[FileKind.FLAKES] for line in read_lines(p)]
    skips = [(p, parse_regex(line)) for p in inputs[FileKind.SKIPS] for line in read_lines(p)]
    all_names = sorted({b.name for _, b in baselines} | {name for name, _, _ in rows})
    notes: list[str] = []
    texts = {
        FileKind.FAILS: _import_fails(baselines, flakes, suite, notes),
        FileKind.FLAKES: _import_regexes(flakes, all_names, suite, ",Fail|Crash|Timeout", notes),
        FileKind.SKIPS: _import_regexes(skips, all_names, suite, "", notes),
    }
    changes = {folder / layer.path(kind): FileChange(None, texts[kind]) for kind in FileKind if inputs[kind]}
    for path, change in changes.items():
        if path.exists():
            raise UsageError(f"{path}: is there already; give another DIR")
        parse_file(change.after, FileKind(path.stem.rsplit("-", 1)[1]), str(path))
    write(changes)
    if results:
        status = {b.name: b.status for _, b in baselines if b.status in EFFECTIVE}
        _write_journal(folder / "results", rows, layer, suite, status, notes)
    return notes


def _import_fails(
    baselines: Sequence[tuple[Path, Baseline]], flakes: Sequence[tuple[Path, Regex]], suite: str, notes: list[str]
) -> str:
    out: list[str] = []
    kept: list[str] = []
    seen: set[str] = set()
    for path, entry in baselines:
        where = f"{path}:{entry.line.number}"
        if entry.name in seen:
            why = "is there twice, which deqp-runner refuses"
        elif entry.status not in EFFECTIVE:
            why = f"{entry.status or 'no status'} excuses nothing"
        elif by := next((r.line.number for _, r in flakes if r.matches(entry.name)), None):
            why = f"the flakes file covers it (line {by}), and so deqp-runner never checks it"
        else:
            why = ""
        seen.add(entry.name)
        if why:
            notes.append(f"{where}: {entry.line.text}: {why}: kept as a comment")
            kept.append(f"# {_MARK}{entry.line.text}")
            continue
        if entry.extra:
            notes.append(f"{where}: {entry.line.text}: deqp-runner does not read {entry.extra!r}: left out")
        out += _with_reason(entry.line.reason, f"{to_id(entry.name, suite)},{entry.status}", out)
    return "".join(f"{line}\n" for line in [*out, *([""] if kept and out else []), *kept])


def _import_regexes(
    regexes: Sequence[tuple[Path, Regex]], all_names: Sequence[str], suite: str, rest: str, notes: list[str]
) -> str:
    out: list[str] = []
    seen: set[str] = set()
    above: list[str] | None = None  # the reason that covers the next line
    for path, regex in regexes:
        where, text = f"{path}:{regex.line.number}", regex.line.text
        names = [n for n in all_names if regex.matches(n)]
        ids = {to_id(n, suite) for n in names}
        glob = to_glob(regex, suite)
        if glob and {i for n in all_names if glob_pattern(glob).fullmatch(i := to_id(n, suite))} == ids:
            lines = [glob]
            mark = [] if to_regex(glob, suite) == text else [f"# {_MARK}{text}"]
        else:
            lines, mark = sorted(ids), [f"# {_MARK}{text}"]
            what = (
                f"becomes the {len(ids)} known tests that it matches" if ids else "matches no known test: kept as a comment"
            )
            notes.append(f"{where}: {text}: no glob can express that; {what}{'' if ids else ' (--results gives names)'}")
        new = [f"{line}{rest}" for line in lines if line not in seen]
        seen.update(lines)
        reason = [f"# {regex.line.reason}"] if regex.line.reason else []
        if mark or reason != above:  # a comment covers the lines up to the next blank one
            out += [*([""] if out else []), *reason, *mark]
        out += new
        above = None if mark else reason
    return "".join(f"{line}\n" for line in out)


def _with_reason(reason: str, line: str, before: list[str]) -> Iterator[str]:
    """The line, below its reason if it differs from the previous line's."""
    last = next((text for text in reversed(before) if text.startswith("#") or not text), "")
    if last != (f"# {reason}" if reason else ""):
        yield from ["", f"# {reason}"] if reason else [""]
    yield line


def _back(inputs: dict[FileKind, list[Path]], results: Path | None, layer: Target, suite: str, folder: Path) -> list[str]:
    notes: list[str] = []
    changes: dict[Path, FileChange] = {}
    for kind in FileKind:
        out: list[str] = []
        for path in inputs[kind]:
            out += _export(path, kind, suite, notes)
        if inputs[kind]:
            changes[folder / f"{layer.name}-{kind}.txt"] = FileChange(None, "".join(f"{line}\n" for line in out))
    if results:
        record = journal.read(results)
        rows = [(to_name(i, suite), *_word(record.results.get(i))) for i in record.ids]
        text = "".join(f"{name},{word},{seconds:.6f}\n" for name, word, seconds in sorted(rows))
        changes[folder / "results.csv"] = FileChange(None, text)
    write(changes)
    return notes


def _export(path: Path, kind: FileKind, suite: str, notes: list[str]) -> Iterator[str]:
    """The lines of one of our files in deqp-runner's form."""
    covering: Regex | None = None
    for line in parse_file(path.read_text(encoding="utf-8"), kind, str(path)).lines:
        entry = line.entry
        if entry is None:
            covering = None
            if line.text.startswith(f"# {_MARK}"):
                text = line.text[len(_MARK) + 2 :]
                covering = parse_regex(Line(0, text, "")) if kind is not FileKind.FAILS else None
                yield text
            else:
                yield line.text
            continue
        if kind is FileKind.FAILS:
            if entry.signature:
                notes.append(f"{entry.source}: deqp-runner compares no message: {entry.signature!r} is left out")
            (status,) = entry.statuses
            yield f"{to_name(entry.pattern, suite)},{status}"
            continue
        if kind is FileKind.FLAKES and (entry.rate or len(entry.statuses) < len(EFFECTIVE)):
            own = format_entry(entry).split(",", 1)[1]
            notes.append(f"{entry.source}: deqp-runner takes any status at any rate for a flake: {own!r} is left out")
        if covering and (is_glob(entry.pattern) or covering.matches(to_name(entry.pattern, suite))):
            continue
        yield to_regex(entry.pattern, suite)


def _read_csv(path: Path) -> list[tuple[str, str, float]]:
    """(name, word, seconds) of each line; a name may contain commas, as the CTS's do. Raises UsageError with the line."""
    rows: dict[str, tuple[str, str, float]] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        fields = line.rsplit(",", 2)
        try:
            name, word, seconds = fields[0], fields[1], float(fields[2])
            if not 0 <= seconds < _MAX_S:
                raise ValueError(f"{fields[2]} are no seconds")
            if _raw(word) not in _WORDS:
                raise ValueError(f"unknown status {word!r}")
            if name in rows:
                raise ValueError(f"{name!r} stands there twice")
        except (IndexError, ValueError) as error:
            raise UsageError(f"{path}:{number}: {error}; a line of results.csv is name,status,seconds") from error
        rows[name] = name, word, seconds
    return [*rows.values()]


def _raw(word: str) -> str:
    return word.removeprefix("UnexpectedImprovement(").rstrip(")") if "(" in word else word


def _write_journal(
    folder: Path,
    rows: Sequence[tuple[str, str, float]],
    layer: Target,
    suite: str,
    baseline: dict[str, str],
    notes: list[str],
) -> None:
    """A results directory with the csv's results; each output contains the csv's word."""
    if (folder / journal.NAME).exists():
        raise UsageError(f"{folder}: holds a run already; give another DIR")
    folder.mkdir(parents=True, exist_ok=True)
    ids = [to_id(name, suite) for name, _, _ in rows]
    config = RunConfig(layer.driver, layer.gpu, mode=layer.mode or "execute", results=str(folder))
    device = DeviceReport(
        platform="deqp-runner", device=layer.name, mesa=layer.mesa, libclc_version=layer.libclc, tinygrad=layer.tinygrad
    )
    with Journal(folder / journal.NAME) as out:
        out.write("header", config=config.to_json(), ids=ids, suites="", expectations="", begun="")
        out.write("device", report=asdict(device))
        for test_id, (name, word, seconds) in zip(ids, rows, strict=True):
            statuses = _WORDS[_raw(word)]
            if word == "ExpectedFail" and name in baseline:
                statuses = (Status(baseline[name]),)
            attempts = tuple(Attempt(s, seconds * (not n), output=_MARK + word) for n, s in enumerate(statuses))
            if attempts:
                out.write("result", **Result(test_id, attempts).to_json())
        out.write("footer", reason="", wall_s=sum(seconds for *_, seconds in rows))
    vague = sum(word in ("Flake", "KnownFlake", "Warn") for _, word, _ in rows)
    if vague:
        notes.append(
            f"{vague} results are flakes or warnings, about which the csv has no more: "
            "a flake counts as a failure and a pass, a warning as a pass; the words are kept"
        )


def _word(result: Result | None) -> tuple[str, float]:
    if result is None:
        return "Missing", 0.0
    first = result.attempts[0]
    if first.output.startswith(_MARK):
        return first.output[len(_MARK) :], first.duration_s
    bad = [a.status for a in result.attempts if a.status is not Status.PASS]
    flaky = len(bad) < len(result.attempts) and bad
    return "Flake" if flaky else bad[-1] if bad else Status.PASS, sum(a.duration_s for a in result.attempts)
