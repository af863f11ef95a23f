"""How much slower a run under a sanitizer was: some of its cases again, on the Mesa that is installed."""

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from runner.cases.catalogue import Catalogue
from runner.model import Attempt, InfrastructureError, Result, Status
from runner.run.worker import Worker
from runner.run_config import RunConfig

_CASES = 24  # a second or two
_MIN_CASES = 3  # fewer prove nothing


def slowdown(config: RunConfig, results: Mapping[str, Result], loaded: Catalogue) -> str:
    """The ratio of CPU times in a sentence, which a busy machine does not change; "" if too few cases passed in both."""
    passed = sorted(i for i, result in results.items() if _passed(result))
    chosen = passed[:: max(1, len(passed) // _CASES)][:_CASES]
    if len(chosen) < _MIN_CASES:
        return ""
    with tempfile.TemporaryDirectory(prefix="runner-", ignore_cleanup_errors=True) as scratch:
        worker = Worker(replace(config, variant="", mesa_prefix="", retries=0), Path(scratch), "installed")
        try:
            worker.start()
            worker.ensure_ready()
            plain = {i: worker.run(loaded.suite_of(i), loaded.cases[i], None) for i in chosen}
        except InfrastructureError as error:
            return f"not compared with the Mesa that is installed: {error}"
        finally:
            worker.stop()
        both = [i for i in chosen if _passed(plain[i])]
        before, after = (sum(_first(r[i]).cpu_s for i in both) for r in (plain, results))
    if len(both) < _MIN_CASES or not before:
        return ""
    return f"{after / before:.1f} times the CPU time of Mesa {worker.report.driver_version} without it ({len(both)} cases)"


def _first(result: Result) -> Attempt:
    return result.attempts[0]


def _passed(result: Result) -> bool:
    """Whether it passed at once with its time recorded."""
    return bool(result.attempts) and _first(result).status is Status.PASS and bool(_first(result).cpu_s)
