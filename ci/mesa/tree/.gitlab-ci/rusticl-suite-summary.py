#!/usr/bin/env python3
"""Which jobs of this pipeline found what, and how long they took: those of rusticl-runner, and those beside them.

Arguments are pairs JOB=JOB: the one of rusticl-runner, and the one that runs piglit on the same machine, or nothing. Both
keep results/**/failures.csv, a line `name,status` for each unexpected result. GitLab's API needs no token for a public
project. Prints Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

_SHOWN = 10  # of the failures of a job
_FAILURES = ("results/rusticl-suite/failures.csv", "results/failures.csv")


@dataclass
class Job:
    """A job, or all of its `parallel` parts."""

    name: str
    statuses: list[str] = field(default_factory=list)
    seconds: float = 0
    failures: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """In one word; red if a part is."""
        return next(
            (s for s in ("failed", "running", "manual", "canceled", "skipped") if s in self.statuses), self.statuses[0]
        )

    @property
    def row(self) -> str:
        """As a line of the table."""
        return f"| {self.name} | {self.verdict} | {len(self.failures)} | {self.seconds:.0f} |"


def get(path: str) -> bytes:
    """What GitLab answers; b"" if there is no such thing."""
    url = f"{os.environ['CI_API_V4_URL']}/projects/{os.environ['CI_PROJECT_ID']}/{path}"
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return b""
        raise


def jobs_of_pipeline() -> dict[str, list[dict]]:
    """The pipeline's jobs by name, without what `parallel` adds to it."""
    found: dict[str, list[dict]] = {}
    for page in range(1, 100):
        jobs = json.loads(get(f"pipelines/{os.environ['CI_PIPELINE_ID']}/jobs?per_page=100&page={page}") or "[]")
        for job in jobs:
            found.setdefault(re.sub(r" \d+/\d+$", "", job["name"]), []).append(job)
        if len(jobs) < 100:
            break
    return found


def read(name: str, jobs: dict[str, list[dict]]) -> Job:
    """What a job says, with all of its parts."""
    job = Job(name)
    for part in jobs.get(name, []):
        job.statuses.append(part["status"])
        job.seconds += part["duration"] or 0
        if part["status"] == "failed":
            texts = (get(f"jobs/{part['id']}/artifacts/{path}") for path in _FAILURES)
            job.failures += next(filter(None, texts), b"").decode().split()
    return job


def summary(pairs: list[str]) -> str:
    """The table, then the failures of each job."""
    jobs = jobs_of_pipeline()
    found = [read(name, jobs) for pair in pairs for name in pair.split("=") if name]
    ran = [job for job in found if job.statuses]
    lines = ["| job | verdict | unexpected results | seconds |", "|---|---|---:|---:|", *(job.row for job in ran)]
    if absent := [job.name for job in found if not job.statuses]:
        lines += ["", f"Not in this pipeline: {', '.join(absent)}"]
    for job in found:
        if job.failures:
            more = len(job.failures) - _SHOWN
            lines += ["", f"{job.name}:", "", *(f"- `{failure}`" for failure in job.failures[:_SHOWN])]
            lines += [f"- and {more} more"] if more > 0 else []
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", help="a file for the same text")
    parser.add_argument("pairs", nargs="+", metavar="JOB=JOB")
    arguments = parser.parse_args()
    text = summary(arguments.pairs)
    sys.stdout.write(text)
    if arguments.output:
        Path(arguments.output).write_text(text, encoding="utf-8")
