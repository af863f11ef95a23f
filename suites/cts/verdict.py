"""The verdict of a CTS program on a sub-test: by its results file, its exit code, and its output."""

import re
from collections.abc import Mapping

from runner import check
from runner.check import Mismatch, NothingTested, Unsupported
from runner.program import Ended

# The most informative lines of a failure, in this order.
_REASONS = (
    re.compile(r"^ERROR\b|^Error\b"),
    re.compile(r"\bgot\b", re.IGNORECASE),
    re.compile(r"\berror\b|\bfailed\b|\bfailure\b|mismatch|expected|differ|do not match|did not|invalid", re.IGNORECASE),
    re.compile(r"FAIL"),
)
_MAX_LINE_CHARS = 2000  # characters of a line that are searched
_SOURCE = re.compile(r"\S*/(?=test_(?:conformance|common)/)")  # the folder of the build's source
_SKIPS = re.compile(
    r"skip|not support|unsupported|not available|not reported|not implemented|not executed|can ?not run|extension not found",
    re.IGNORECASE,
)
# Lines around a skip that test nothing. Only those that were seen: tested parts print such lines too.
_ANNOUNCES = re.compile(
    r"-+"
    r"|Running mipmapped [\w ]+ (?:read|write)-only tests\.\.\."
    r"|Maximal number of sub-devices on device \w+ is 0\."
    r"|Testing on all device \w+ finished"
    r"|Running test for (?:baseline|actual) results.*"
    r"|WARNING: could not detect any out-of-order execution .*, so this test is not a valid test .*"
    r"|Testing with (?:waitlist-based|clEnqueue\w+) .*"
)
_MISSING = re.compile(r"^(?:File|ERROR: SPIRV file) (\S+) not found")  # the CTS' own files


def judge(name: str, ended: Ended, results: Mapping[str, str]) -> None:
    """Return if the sub-test passed; raise for any other result (fail, skip, or none)."""
    result = results.get(name, "")
    printed = f"{ended.output}\n{ended.errors}"
    lines = _own_lines(name, printed)
    if result == "skip":
        raise Unsupported(f"cts: {_first(lines, (_SKIPS,)) or 'skip'}")
    if result == "fail":
        if missing := next(filter(None, map(_MISSING.match, lines)), None):
            raise NothingTested(f"cts: the build lacks {missing[1]}")
        # The sub-test's own lines first, then stderr, which some use, and the queue that did not finish after a pass.
        reason = _first(lines, _REASONS) or _first(printed.splitlines(), _REASONS) or "no reason is printed"
        raise Mismatch(f"api: {reason}")
    if result != "pass":
        if ended.code:
            raise Mismatch(
                f"api: exit code {ended.code} before a verdict: {_first(lines, _REASONS) or 'no reason is printed'}"
            )
        raise NothingTested(f"cts: it ends without a verdict of {name}")
    if ended.code and "fail" not in results.values():  # else it is that of another sub-test, which ran as well
        raise Mismatch(f"api: its results say pass, and its exit code is {ended.code}: {_first(lines, _REASONS)}")
    if skipped := skipped_by_itself(lines):
        raise Unsupported(f"hollow: {skipped}")
    check.true(f"{name} passes", True, stage="api")


def skipped_by_itself(lines: list[str]) -> str:
    """The first line that mentions a skip, if each line does so or only announces something: the pass tested nothing."""
    skips = [line for line in lines if _SKIPS.search(line)]
    return skips[0] if skips and all(_SKIPS.search(line) or _ANNOUNCES.fullmatch(line) for line in lines) else ""


def _own_lines(name: str, text: str) -> list[str]:
    """The lines between `NAME...` and the verdict, which are the sub-test's own; all if there is no such line."""
    lines = [line.strip() for line in text.splitlines()]
    begin = lines.index(f"{name}...") + 1 if f"{name}..." in lines else 0
    ends = {f"{name} passed", f"{name} FAILED"}
    end = next((i for i in range(begin, len(lines)) if lines[i] in ends), len(lines))
    return [line for line in lines[begin:end] if line]


def _first(lines: list[str], patterns: tuple[re.Pattern[str], ...]) -> str:
    """The line that matches the first pattern with any match, with paths relative to the CTS' source."""
    return _SOURCE.sub(
        "", next((line for pattern in patterns for line in lines if pattern.search(line)), "")[:_MAX_LINE_CHARS]
    ).strip()[:200]
