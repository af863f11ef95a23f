"""The results of another runner of the OpenCL-CTS, as one side of a comparison: a golden file of its CI, or a results file.

{"test_api": {"--wimpy": {"binary_get": "pass", ...}}, ...}     ci/*/golden.json: program, arguments, sub-test
{"cmd": "./test_api", "args": "--wimpy", "results": {"binary_get": "pass"}}     CL_CONFORMANCE_RESULTS_FILENAME
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any

from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.ids import check_id, spell
from runner.model import Attempt, Result, Status, UsageError
from runner.records.journal import Record
from runner.run_config import RunConfig
from runner.shapes import MALFORMED, read_text
from runner.verdict.report import Report, make_report

_STATUS = {"pass": Status.PASS, "fail": Status.FAIL, "skip": Status.SKIP}


def is_golden(place: Path) -> bool:
    """Whether a place is such a file, and not the results of a run."""
    return place.suffix == ".json" and place.is_file()


def load_golden(path: Path, other: Report) -> Report:
    """Its sub-tests by the ids of the other side: the row whose options its arguments contain, the most of them.

    A sub-test that the other side lacks gets the id that it would have here. A failure that both share has the message of
    the other side, because the file has none. Raises UsageError, naming the file, if it is neither.
    """
    known: dict[tuple[str, str], list[str]] = {}
    for test_id in other.record.ids:
        suite, row, *rest = test_id.split("/")
        if suite == "cts" and rest:
            known.setdefault((row.partition("+")[0], rest[-1]), []).append(test_id)
    results = {}
    try:
        for program, words, name, status in _entries(json.loads(read_text(path))):
            rows = [i for i in known.get((program, spell(name)), ()) if _options(i) <= {spell(word) for word in words}]
            plain = f"cts/{program}/{spell(name)}"
            test_id = check_id(max(rows, key=lambda i: len(_options(i)), default=plain))
            results[test_id] = Result(test_id, (Attempt(_STATUS[status], message=_message(other, test_id, status)),))
    except (OSError, *MALFORMED) as error:
        raise UsageError(f"{path}: is not a results file of the CTS, nor a golden file of its CI: {error}") from error
    record = Record(RunConfig(path.name), tuple(results), footer="", results=results)
    return make_report(record, Expectations(Target(path.name), {}), {})


def _entries(data: Mapping[str, Any]) -> Iterator[tuple[str, list[str], str, str]]:
    """Program without test_, arguments, sub-test, status."""
    golden = {data["cmd"]: {data["args"]: data["results"]}} if "cmd" in data else data
    for command, runs in golden.items():
        program = PurePath(command).name.removeprefix("test_")
        for arguments, found in runs.items():
            for name, status in found.items():
                own = [word for word in arguments.split() if not word.startswith("-")]
                # test_conversions uses this name, whichever conversion was requested.
                yield program, arguments.split(), (own[0] if name == program and len(own) == 1 else name), status


def _options(test_id: str) -> set[str]:
    return set(test_id.split("/")[1].split("+")[1:])


def _message(other: Report, test_id: str, status: str) -> str:
    result = other.record.results.get(test_id)
    return result.attempts[-1].message if status == "fail" and result else ""
