"""junit.xml in the shape that GitLab reads: text inside the elements, attachments, unique names."""

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from xml.etree.ElementTree import Element

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from runner.model import UsageError, Verdict
from runner.output.evidence import show_evidence
from runner.output.files import log_path, page_link, replacing, wants_log
from runner.output.repeat import next_commands
from runner.records.configurations import folder_of
from runner.records.evidence import parse_events
from runner.verdict.report import Report, ReportRow

# Characters that XML 1.0 cannot hold, whatever a driver printed.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NOT_FAILURES = (Verdict.SKIP, Verdict.EXPECTED_FAIL, Verdict.KNOWN_FLAKE, Verdict.FLAKE)
_OUTPUT_CHARS = 8000
# Limits for the evidence of a case, and of all cases: GitLab parses no report of more than about ten MB.
_MAX_CHARS, _MAX_TOTAL_CHARS, _MIN_CHARS = 16 << 10, 6 << 20, 1 << 10
_MODES = {"emulate": "emulated: no device, its launches were executed by an emulator", "compile": "compile: nothing was run"}
_IDENTITY = """
platform device driver_version mesa llvm libclc libclc_version kernel cpu cpu_class cpu_flags icd library build_id loaders
packages tinygrad emulator
"""


def write_junit(reports: Mapping[str, Report], path: Path, folder: Path | None, *, files: bool = False) -> None:
    """Write a testsuite for each report and a testcase for each row, one a line. `files`: each with the file that makes it.

    The keys of `reports` tell several reports apart: the names of their suites and, before a dot, of their classes
    begin with them; "" for a single one. `folder` is the results directory where the logs lie, in a folder for
    each of several configurations, or None.
    """
    xml = JUnitXml("rusticl")
    for label, report in reports.items():
        target = report.target
        suite = TestSuite(
            "-".join(filter(None, ("rusticl", label or target.driver, *([] if label else [target.gpu, target.mode]))))
        )
        for name, value in identity(report).items():
            suite.add_property(name, _clean(value))
        telling = sum(bool(row.evidence) for row in report.rows)
        most_chars = max(_MIN_CHARS, min(_MAX_CHARS, _MAX_TOTAL_CHARS // max(1, telling)))
        prefix = f"{label}." if label else ""
        place = folder and folder_of(folder, report.record.configuration)
        # As elements, and counted here: the library makes an object of each again to count it.
        cases = [_testcase(report, row, place, prefix, most_chars) for row in report.rows]
        for case, row in zip(cases, report.rows, strict=True):
            case.tail = "\n"
            if files:  # GitLab reads it; Jenkins' schema has no such attribute
                case.set("file", _file_of(row.id.split("/", 1)[0], row.kind.split(".", 1)[0], report.record.config.suites))
        suite.timestamp, suite.hostname = report.record.begun, report.record.host
        suite._elem.extend(cases)
        counts = Counter(child.tag for case in cases for child in case)
        suite.tests, suite.errors = len(cases), counts["error"]
        suite.failures, suite.skipped = counts["failure"], counts["skipped"]
        suite.time = round(sum(row.duration_s for row in report.rows), 3)
        xml.add_testsuite(suite)
    with replacing(path) as part:
        xml.write(str(part))


def label_reports(reports: Sequence[Report]) -> dict[str, Report]:
    """A short, unique label for each of several reports; "" for a single one that is not a configuration.

    Raises UsageError if they cannot be distinguished: GitLab drops a testcase whose name another one has.
    """
    if len(reports) == 1 and not reports[0].record.configuration:
        return {"": reports[0]}
    for names in (
        [_join(r.target.driver, r.record.configuration) for r in reports],
        [_join(r.target.driver, r.target.gpu, r.target.mode, r.record.config.variant) for r in reports],
        [_join(r.target.name, r.record.config.variant, r.record.config.tier) for r in reports],
    ):
        if len(set(names)) == len(names):
            return dict(zip(names, reports, strict=True))
    raise UsageError(
        f"these are {len(reports)} runs of the same target that are not shards of one another; make a report of each"
    )


def _join(*words: str) -> str:
    return "-".join(filter(None, words)).replace(".", "_")  # a dot would begin a new part of the class


def identity(report: Report) -> dict[str, str]:
    """The target, as names and values."""
    config, device = report.record.config, report.record.device
    own = {
        "driver": report.target.driver,
        "gpu": report.target.gpu,
        "mode": _MODES.get(config.mode, ""),
        "variant": config.variant,
        "tier": config.tier,
        "shard": f"{config.shard[0]}/{config.shard[1]}",
        "seed": str(config.seed),
    }
    if device:
        lists = {"cpu_flags": " ".join(device.cpu_flags), "loaders": " ".join(device.loaders)}
        lists["packages"] = ", ".join(device.packages)
        own |= {name: getattr(device, name) for name in _IDENTITY.split()} | lists
        own["rusticl_features"] = device.environment.get("RUSTICL_FEATURES", "")
        own |= {k.lower(): v for k, v in device.environment.items() if k.startswith(("LP_", "GALLIVM_", "GALLIUM_"))}
    return {k: v for k, v in own.items() if v}


def _testcase(report: Report, row: ReportRow, folder: Path | None, prefix: str, most_chars: int) -> Element:
    area = row.id.rpartition("/")[0]
    # The library's own element: lxml's if that is installed, as in the root of the suite apps, and the two do not mix.
    case = TestCase(row.id, prefix + (area or "runner").replace("/", "."), round(row.duration_s, 3))
    element: Element = case._elem
    if row.verdict is Verdict.PASS:
        return element
    text = f"{row.verdict}: {row.message}"
    result: Error | Failure | Skipped
    if row.verdict in _NOT_FAILURES and not report.is_red(row):
        result = Skipped(_clean(text))
    elif row.verdict is Verdict.ERROR:
        result = Error(_clean(text), "Error")
    else:
        result = Failure(_clean(text), str(row.verdict))
    evidence = show_evidence(parse_events(row.evidence), most_chars) if row.evidence else ""
    if not isinstance(result, Skipped):
        commands = next_commands(report, row.id) if row.result else []
        if folder and (link := page_link(report, folder, row.id)):
            commands = [*commands, ("page", link)]
        text += "".join(f"\n{label}: {command}" for label, command in commands)
        text = f"{text}\n\n{evidence}".rstrip()
    result.text = _clean(text)
    case.result = [result]
    if wants_log(row):
        assert row.result
        output = row.result.attempts[-1].output[-min(_OUTPUT_CHARS, most_chars) :]
        if isinstance(result, Skipped) and evidence:  # GitLab does not show its text
            output = f"{output}\n{evidence}"
        if folder and (log := folder / log_path(row)).exists():
            # GitLab wants the path from the project's folder.
            attachment = os.path.relpath(log, os.environ.get("CI_PROJECT_DIR", os.curdir))
            output = f"[[ATTACHMENT|{attachment}]]\n{output}"
        case.system_out = _clean(output)
    return element


@lru_cache(maxsize=1024)
def _file_of(suite: str, area: str, suites: str) -> str:
    """Where a case is made, as a path in the repository: the cases.py of its area, or its suite's."""
    inner = f"{suite}/{area}" if area.isidentifier() and Path(suites, suite, area, "cases.py").is_file() else suite
    return f"suites/{inner}/cases.py"


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
