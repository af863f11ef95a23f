"""junit.xml in the shape that GitLab reads: text inside the elements, attachments, unique names."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from runner.model import Verdict
from runner.output.files import log_path, replacing, wants_log
from runner.verdict.report import Report, Row

# What XML 1.0 cannot hold, whatever a driver printed.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_QUIET = (Verdict.SKIP, Verdict.EXPECTED_FAIL, Verdict.KNOWN_FLAKE, Verdict.FLAKE)
_OUTPUT_CHARS = 8000
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
    for label, report in reports.items():
        target = report.target
        suite = TestSuite("-".join(filter(None, ("rusticl", label or target.driver, "" if label else target.gpu))))
        for name, value in identity(report).items():
            suite.add_property(name, _clean(value))
        # one by one is quadratic
        suite.add_testcases([_testcase(report, row, folder, f"{label}." if label else "") for row in report.rows])
        xml.add_testsuite(suite)
    with replacing(path) as part:
        xml.write(str(part))


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
        own |= {name: lists.get(name) or getattr(device, name) or "" for name in _IDENTITY.split()}
        own["rusticl_features"] = device.environment.get("RUSTICL_FEATURES", "")
        own |= {k.lower(): v for k, v in device.environment.items() if k.startswith(("LP_", "GALLIVM_", "GALLIUM_"))}
    return {k: v for k, v in own.items() if v}


def _testcase(report: Report, row: Row, folder: Path | None, prefix: str) -> TestCase:
    area, _, name = row.id.rpartition("/")
    classname = prefix + (area or "runner").replace("/", ".")
    case = TestCase(name=name, classname=classname, time=round(row.duration_s, 3))
    case._elem.set("file", f"suites/{row.id.split('/', 1)[0]}/cases.py")
    if row.verdict is Verdict.PASS:
        return case
    text = _clean(f"{row.verdict}: {row.message}")
    result: Error | Failure | Skipped
    if row.verdict in _QUIET and not report.is_red(row):
        result = Skipped(text)
    elif row.verdict is Verdict.ERROR:
        result = Error(text, "Error")
    else:
        result = Failure(text, str(row.verdict))
    result.text = text
    case.result = [result]
    if wants_log(row):
        assert row.result
        output = _clean(row.result.attempts[-1].output)[-_OUTPUT_CHARS:]
        if folder and (log := folder / log_path(row)).exists():
            # GitLab wants the path from the project's folder.
            attachment = os.path.relpath(log, os.environ.get("CI_PROJECT_DIR", os.curdir))
            output = f"[[ATTACHMENT|{attachment}]]\n{output}"
        case.system_out = output
    return case


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
