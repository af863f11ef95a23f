"""Judged runs as kernelci.org's database takes them: kcidb-io's schema, version 5.3.

A Mesa is a checkout, its runs on one machine are a build, a row a test; a known bug is an issue, and a test that shows it an
incident. The schema: kcidb_io/schema/v05_03.py of the package kcidb-io.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from runner.expectations.bugs import Bug
from runner.lines import plain
from runner.model import DeviceReport, Verdict
from runner.output.repeat import run_command
from runner.verdict.report import Report, ReportRow

ORIGIN = "rusticl"
ORIGIN_PATTERN = re.compile(r"[a-z0-9_]+")  # the schema's
_EXCERPT_CHARS = 4000  # 16,384 at most in the schema


def kcidb_data(reports: Iterable[Report], bugs: Mapping[int, Bug], origin: str) -> dict[str, Any]:
    """One document, plain JSON data; the same runs give the same ids."""
    names = ("checkouts", "builds", "tests", "issues", "incidents")
    found: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in names}
    for report in reports:
        device = report.record.device or DeviceReport()
        checkout = f"{origin}:mesa-{device.driver_version or device.mesa or 'unknown'}"
        build = f"{origin}:{_digest([checkout, report.target.name, device.build_id, device.device])}"
        found["checkouts"][checkout] = {
            "id": checkout,
            "origin": origin,
            "git_commit_name": f"mesa-{device.mesa or 'unknown'}",
        }
        found["builds"][build] = {
            "id": build,
            "checkout_id": checkout,
            "origin": origin,
            "architecture": re.sub(r"[^a-z0-9_]", "_", device.machine.lower()),
            "compiler": f"LLVM {device.llvm}",
            "config_name": report.target.name,
            "misc": {"packages": list(device.packages), "build_id": device.build_id, "libclc": device.libclc},
        }
        run = _digest([report.record.begun, report.record.config.to_json(), device.device])
        for row in report.rows:
            test = f"{origin}:{run}:{row.id}"
            found["tests"][test] = _test(report, row, device) | {"id": test, "build_id": build, "origin": origin}
            if row.verdict is Verdict.EXPECTED_FAIL and row.entry and row.entry.bug in bugs:
                issue = f"{origin}:bug-{row.entry.bug}"
                found["issues"].setdefault(issue, _issue(bugs[row.entry.bug]) | {"id": issue, "origin": origin})
                incident = {"origin": origin, "issue_id": issue, "issue_version": 1, "test_id": test, "present": True}
                found["incidents"][test] = {"id": f"{test}:{row.entry.bug}", **incident}
    document = {"version": {"major": 5, "minor": 3}, **{name: list(own.values()) for name, own in found.items()}}
    shown: dict[str, Any] = plain(document)
    return shown


def _test(report: Report, row: ReportRow, device: DeviceReport) -> dict[str, Any]:
    path = re.sub(r"[^a-zA-Z0-9_-]+", ".", row.id).strip(".")
    config = report.record.config
    job = {"ci_job": report.record.ci_job} if report.record.ci_job else {}
    return {
        "path": f"{ORIGIN}.{path}",
        "status": _status(row.verdict),
        "start_time": report.record.begun,
        "duration": round(row.duration_s, 3),
        "environment": {
            "comment": f"{device.full_name}, {device.cpu}",
            "misc": {"kernel": device.kernel, "emulated": bool(device.emulator)},
        },
        "misc": {"case": row.id, "verdict": str(row.verdict), "command": run_command(config), **job},
        **({"log_excerpt": row.message[:_EXCERPT_CHARS]} if row.message else {}),
    }


def _issue(bug: Bug) -> dict[str, Any]:
    link = re.search(r"https://\S+", bug.upstream)
    return {
        "version": 1,
        "report_subject": bug.title,
        "comment": f"{bug.clause}: {bug.says}",
        "culprit": {"code": True, "tool": False, "harness": False},
        **({"report_url": link[0]} if link else {}),
    }


def _status(verdict: Verdict) -> str:
    """What happened; whether that was expected stands beside it."""
    match verdict:
        case Verdict.PASS | Verdict.IMPROVED_PASS:
            return "PASS"
        case Verdict.SKIP | Verdict.IMPROVED_SKIP:
            return "SKIP"
        case Verdict.MISSING:
            return "MISS"
        case Verdict.ERROR:
            return "ERROR"
        case Verdict.FAIL | Verdict.CRASH | Verdict.TIMEOUT | Verdict.EXPECTED_FAIL | Verdict.IMPROVED_FAIL:
            return "FAIL"
        case Verdict.FLAKE | Verdict.KNOWN_FLAKE:
            return "FAIL"
        case _:
            assert_never(verdict)


def _digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]
