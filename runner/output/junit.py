"""junit.xml in the shape that GitLab reads: text inside the elements, attachments, unique names."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from runner.model import Verdict
from runner.output.evidence import show_evidence
from runner.output.files import log_path, replacing, wants_log
from runner.output.repeat import next_commands
from runner.records.evidence import parse_events
from runner.verdict.report import Report, Row

# What XML 1.0 cannot hold, whatever a driver printed.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_QUIET = (Verdict.SKIP, Verdict.EXPECTED_FAIL, Verdict.KNOWN_FLAKE, Verdict.FLAKE)
_END = "</testsuite>"
_SPECIAL = re.compile('[&<>"\t\n\r]')
_QUOTED = {'"': "&quot;", "\t": "&#09;", "\n": "&#10;", "\r": "&#13;"}
_OUTPUT_CHARS = 8000
# Of the evidence of a case, and of all cases of a run: GitLab parses no report of more than some ten MB.
_MOST_CHARS, _ALL_CHARS, _LEAST_CHARS = 16 << 10, 6 << 20, 1 << 10
_IDENTITY = """
platform device driver_version mesa llvm libclc libclc_version kernel cpu cpu_class cpu_flags icd library build_id loaders
packages tinygrad
"""


def write_junit(reports: Mapping[str, Report], path: Path, folder: Path | None) -> None:
    """Write one testsuite a report and one testcase a row.

    The keys of `reports` tell several reports apart: the names of their suites and, before a dot, of their classes
    begin with them; "" for one alone. `folder` is the results directory where the logs lie, or None.
    """
    xml = JUnitXml("rusticl")
    texts = []
    for label, report in reports.items():
        target = report.target
        suite = TestSuite("-".join(filter(None, ("rusticl", label or target.driver, "" if label else target.gpu))))
        for name, value in identity(report).items():
            suite.add_property(name, _clean(value))
        telling = sum(bool(row.evidence) for row in report.rows)
        most_chars = max(_LEAST_CHARS, min(_MOST_CHARS, _ALL_CHARS // max(1, telling)))
        prefix = f"{label}." if label else ""
        cases = [_testcase(report, row, folder, prefix, most_chars) for row in report.rows]
        counts = Counter(child.tag for case in cases if not isinstance(case, str) for child in case)
        suite.tests, suite.errors = len(cases), counts["error"]
        suite.failures, suite.skipped = counts["failure"], counts["skipped"]
        suite.time = round(sum(row.duration_s for row in report.rows), 3)
        # As text behind the suite's properties: the library takes half a second for what is 0.05 s so.
        texts.append("".join(case if isinstance(case, str) else _as_text(case) for case in cases))
        xml._elem.append(suite._elem)
    *before, end = _as_text(xml._elem).split(_END)
    body = "".join(f"{head}{cases}{_END}" for head, cases in zip(before, texts, strict=True))
    with replacing(path) as part:
        part.write_text(f"<?xml version='1.0' encoding='utf-8'?>\n{body}{end}", encoding="utf-8")


def identity(report: Report) -> dict[str, str]:
    """What was under test, as name and value."""
    config, device = report.record.config, report.record.device
    own = {
        "driver": report.target.driver,
        "gpu": report.target.gpu,
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


def _testcase(report: Report, row: Row, folder: Path | None, prefix: str, most_chars: int) -> Element | str:
    """A row as an element; as its text where it passes, which most do."""
    classname = prefix + (row.id.rpartition("/")[0] or "runner").replace("/", ".")
    time_s = round(row.duration_s, 3)
    file = _file_of(row.id.split("/", 1)[0], row.kind.split(".", 1)[0], report.record.config.suites)
    if row.verdict is Verdict.PASS:
        return f"<testcase{_attributes({'name': row.id, 'classname': classname, 'time': str(time_s), 'file': file})} />"
    # The library's own element: lxml's where that is installed, as in the root of the suite apps, and the two do not mix.
    case = TestCase(row.id, classname, time_s)
    element: Element = case._elem
    element.set("file", file)
    text = f"{row.verdict}: {row.message}"
    result: Error | Failure | Skipped
    if row.verdict in _QUIET and not report.is_red(row):
        result = Skipped(_clean(text))
    elif row.verdict is Verdict.ERROR:
        result = Error(_clean(text), "Error")
    else:
        result = Failure(_clean(text), str(row.verdict))
    commands = "".join(f"\n{label}: {command}" for label, command in next_commands(report, row.id)) if row.result else ""
    evidence = show_evidence(parse_events(row.evidence), most_chars) if row.evidence else ""
    result.text = _clean(text if isinstance(result, Skipped) else f"{text}{commands}\n\n{evidence}".rstrip())
    case.result = [result]
    if wants_log(row):
        assert row.result
        output = row.result.attempts[-1].output[-min(_OUTPUT_CHARS, most_chars) :]
        if isinstance(result, Skipped) and evidence:  # whose text GitLab does not show
            output = f"{output}\n{evidence}"
        if folder and (log := folder / log_path(row)).exists():
            # GitLab wants the path from the project's folder.
            attachment = os.path.relpath(log, os.environ.get("CI_PROJECT_DIR", os.curdir))
            output = f"[[ATTACHMENT|{attachment}]]\n{output}"
        case.system_out = _clean(output)
    return element


def _as_text(element: Element) -> str:
    """As the library writes it, which looks for name spaces and takes several times as long."""
    inner = escape(element.text or "") + "".join(map(_as_text, element))
    return f"<{element.tag}{_attributes(dict(element.items()))}" + (f">{inner}</{element.tag}>" if inner else " />")


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(
        f' {name}="{escape(value, _QUOTED) if _SPECIAL.search(value) else value}"' for name, value in values.items()
    )


@lru_cache(maxsize=1024)
def _file_of(suite: str, area: str, suites: str) -> str:
    """Where a case is made, as a path in the repository: the cases.py of its area, or its suite's."""
    inner = f"{suite}/{area}" if area.isidentifier() and Path(suites, suite, area, "cases.py").is_file() else suite
    return f"suites/{inner}/cases.py"


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
