"""The bodies of the area, by kind."""

from __future__ import annotations

from . import job, threads

BODIES = {
    "thread.job": job.check_job,
    "thread.pipeline": threads.check_pipeline,
    "thread.parts": threads.check_parts,
    "thread.waiters": threads.check_waiters,
    "thread.references": threads.check_references,
}
