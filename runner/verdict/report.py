"""The verdict of a run, from its journal and the expectations only: rows, counts, exit code, csv files."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from runner.expectations.resolution import Expectations, skip_reason
from runner.expectations.target import Target
from runner.model import EXCHANGED, DeviceReport, ExitCode, Expectation, FileKind, Result, Status, Verdict
from runner.records.journal import Record
from runner.verdict.judge import BAD, MANY_REGRESSIONS, SEVERITY, another_way, deciding, is_beyond_rate, judge, rate_of_entry


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One row of results.csv: a case, or a finding about the device (`floor/...`, `probe`)."""

    id: str
    verdict: Verdict
    message: str = ""
    result: Result | None = None
    entry: Expectation | None = None  # the entry that decided
    evidence: str = ""  # the lines of runner/records/evidence.py
    kind: str = ""  # of the case: its area's folder and its body

    @property
    def duration_s(self) -> float:
        """Seconds of all attempts together."""
        return sum(a.duration_s for a in self.result.attempts) if self.result else 0.0


@dataclass(frozen=True, slots=True)
class Report:
    """A judged run: its rows, counts and notes."""

    record: Record
    target: Target
    rows: tuple[ReportRow, ...]
    warnings: tuple[str, ...] = ()
    not_run: int = 0  # selected, and the run ended before them
    fatal: str = ""  # why the run could not go on: infrastructure
    unmeasured: str = ""  # this class of CPU, if the expectations speak of others only
    is_new: bool = False  # a driver that has no expectation files yet
    counts: Counter[Verdict] = field(default_factory=Counter)

    def is_red(self, row: ReportRow) -> bool:
        """True if a row makes the run red; flakes do so in a strict run."""
        return row.verdict.is_red(self.record.config.strict_flakes)

    @property
    def red(self) -> list[ReportRow]:
        """The rows that make the run red."""
        return self.of(*(verdict for verdict in self.counts if verdict.is_red(self.record.config.strict_flakes)))

    def of(self, *verdicts: Verdict) -> list[ReportRow]:
        """The rows with one of these verdicts."""
        return [row for row in self.rows if row.verdict in verdicts] if any(map(self.counts.get, verdicts)) else []

    @property
    def exit_code(self) -> ExitCode:
        """The first that holds of 130, 3 (if what is tested was exchanged), 1, 3, 4, 5 and 0, as the README has them."""
        if self.record.footer == "interrupted":
            return ExitCode.INTERRUPTED
        if self.fatal.startswith(EXCHANGED):  # nobody knows which of the two the red rows belong to
            return ExitCode.INFRASTRUCTURE
        if self.red:
            return ExitCode.REGRESSION
        if self.fatal or self.counts[Verdict.ERROR] or not self.record.finished:
            return ExitCode.INFRASTRUCTURE
        if self.record.ids and not any(row.result and row.verdict is not Verdict.SKIP for row in self.rows):
            return ExitCode.NOTHING_RAN
        return ExitCode.IMPROVED if self.of(Verdict.IMPROVED_PASS, Verdict.IMPROVED_FAIL) else ExitCode.GREEN


def make_report(record: Record, expectations: Expectations, kinds: Mapping[str, str]) -> Report:
    """Judge a whole record. `kinds` are the catalogue's; an id that is no longer there is judged too."""
    rows: list[ReportRow] = []
    not_run = 0
    results = record.all_results
    fatal = record.footer or "" if record.footer not in (None, "", "interrupted") else ""
    probe = fatal.startswith("probe: ")
    if probe:
        rows.append(ReportRow("probe", Verdict.CRASH, fatal))
    # A run that asks for an older OpenCL gives up capabilities on purpose.
    held = record.device is not None and "RUSTICL_CL_VERSION" not in record.device.environment
    for capability, source in expectations.floor.items() if held else ():
        assert record.device
        if capability not in (*record.device.features, *record.device.extensions):
            rows.append(
                ReportRow(f"floor/{capability}", Verdict.FAIL, f"value: the device lost {capability!r}, listed in {source}")
            )
    for test_id in record.ids:
        result = results.get(test_id)
        if reason := skip_reason(test_id, expectations, record.config.tier) if record.device else "":
            entry = expectations.skip(test_id) or expectations.find(test_id)
            rows.append(ReportRow(test_id, Verdict.SKIP, reason, entry=entry))
        elif result:
            entry = deciding(result.attempts, expectations.find(test_id))
            judgement = judge(result, entry, expectations.floor)
            evidence = record.evidence.get(test_id, "")
            rows.append(
                ReportRow(test_id, judgement.verdict, judgement.message, result, entry, evidence, kinds.get(test_id, ""))
            )
        elif record.finished:
            rows.append(ReportRow(test_id, Verdict.MISSING, "selected, and no worker brought a result"))
        else:
            not_run += 1
    rows = list(_judge_together(rows))
    return Report(
        record,
        expectations.target,
        tuple(rows),
        tuple(_notes(rows, expectations, kinds)),
        not_run,
        "" if probe else fatal,
        _unmeasured(expectations, record.device),
        expectations.is_new,
        Counter(row.verdict for row in rows),
    )


def _judge_together(rows: Sequence[ReportRow]) -> Iterator[ReportRow]:
    """The rows again: red if no test that a flakes entry covers passes, and its rate does not expect that."""
    counts: dict[str, Counter[bool]] = {}  # by entry: attempts that failed (True) and passed
    for row in rows:
        entry = row.entry
        if row.verdict in (Verdict.KNOWN_FLAKE, Verdict.PASS) and row.result and entry and entry.kind is FileKind.FLAKES:
            tried = (a.status in BAD for a in row.result.attempts if a.status in (*BAD, Status.PASS))
            counts.setdefault(entry.source, Counter()).update(tried)
    for row in rows:
        entry = row.entry
        count = counts.get(entry.source) if entry and row.verdict is Verdict.KNOWN_FLAKE else None
        if row.result and entry and count and not count[False] and is_beyond_rate(count[True], 0, entry):
            worst = max((a.status for a in row.result.attempts if a.status in BAD), key=SEVERITY.index)
            why = f"{row.message} (nothing passes under this entry, {count[True]} attempts; {rate_of_entry(entry)})"
            yield replace(row, verdict=Verdict(worst), message=why)
        else:
            yield row


def _unmeasured(expectations: Expectations, device: DeviceReport | None) -> str:
    own, measured = device.cpu_class if device else "", expectations.measured_cpus
    if not measured or not own or own not in expectations.target.gpu or own.partition("_")[0] in measured:
        return ""
    others = f"{measured[0]}, the only class of CPU" if len(measured) == 1 else f"{', '.join(measured)}, the classes of CPU"
    return f"{others} measured with Mesa {expectations.target.mesa}; this one is {own}"


def _notes(rows: Sequence[ReportRow], expectations: Expectations, ids: Iterable[str]) -> Iterator[str]:
    yield from expectations.findings(ids)
    for row in rows:
        known = row.entry if row.verdict is Verdict.EXPECTED_FAIL else None
        if row.result and known and (other := another_way(row.result.attempts, known)):
            yield f"doubtful: {row.id} failed in the known way when it was repeated, but at first: {other}"
    attempts = [len(row.result.attempts) for row in rows if row.result and row.verdict.is_red()]
    confirmed = sum(n > 1 for n in attempts)
    if confirmed >= MANY_REGRESSIONS and 1 in attempts:
        yield f"{confirmed} regressions confirmed without a flake: later ones were not repeated"


def cpu_seconds(report: Report) -> float:
    """The CPU time of all attempts, except those that died."""
    return sum(a.cpu_s for r in report.rows if r.result for a in r.result.attempts)


def executed(report: Report) -> int:
    """How many cases were executed."""
    return sum(1 for r in report.rows if r.result and any(a.status is not Status.SKIP for a in r.result.attempts))
