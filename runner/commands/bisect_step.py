"""`runner bisect-step`: one step of `git bisect run` over Mesa, decided by some tests.

Exit code 0 if every test passed, 1 if one failed, crashed or hung, 125 if this Mesa cannot be tested (no build or
device, a skip, another failure), 128 for an error that every commit would have.
"""

import argparse
import enum
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from runner.cases import catalogue
from runner.commands.options import add_device, config_of
from runner.ids import read_globs
from runner.lines import one_line, tell
from runner.model import InfrastructureError, Result, Tier, UsageError, Verdict
from runner.run.one_case import opened_worker
from runner.run.worker import ProbeFailure
from runner.run_config import RunConfig, at_least
from runner.verdict.judge import BAD as BAD_STATUSES
from runner.verdict.judge import judge


class Commit(enum.IntEnum):
    """The meaning of an exit code to `git bisect run` (man git-bisect)."""

    GOOD = 0
    BAD = 1
    UNTESTABLE = 125


_WORDS = {Commit.GOOD: "good", Commit.BAD: "bad", Commit.UNTESTABLE: "cannot be tested"}


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the tests, the device."""
    add_device(parser)
    which = "a test or a glob; repeatable"
    parser.add_argument("-t", dest="include", action="extend", type=read_globs, required=True, metavar="ID", help=which)
    what = "part of the message of the failure that is looked for"
    parser.add_argument("--signature", default="", metavar="TEXT", help=what)
    often = "repeats, for what fails now and then (default 1)"
    parser.add_argument("-n", type=at_least(1), default=1, metavar="N", help=often)


def main(arguments: argparse.Namespace) -> Commit:
    """Run the tests `-n` times, or until one is bad, and return an exit code for `git bisect run`.

    The results count, whatever the expectations say. Bad: an attempt of a test ended in Fail, Crash or Timeout, with
    `--signature` in its message. Good: every attempt of every test passed. Untestable: neither; a test was skipped, or
    failed in another way, or the harness did, or the driver did not come up (but one that dies with it in start-up is
    bad). A commit that does not build, so that its Mesa is not there, is one that git skips. Raises UsageError; then the
    command ends with 128, and git with the bisection.
    """
    config = replace(config_of(arguments, missing=("mesa_prefix",)), expectations="")
    signature = arguments.signature
    if config.mesa_prefix and not Path(config.mesa_prefix).is_dir():
        return _say(Commit.UNTESTABLE, f"{config.mesa_prefix}: is not there; its build failed")
    try:
        return _run(config, arguments.include, signature, arguments.n)
    except UsageError:
        raise
    except ProbeFailure as error:
        return _say(Commit.BAD if signature and signature in str(error) else Commit.UNTESTABLE, str(error))
    except InfrastructureError as error:
        return _say(Commit.UNTESTABLE, str(error))
    except Exception:  # Python would exit with 1, which is bad: a fault of the runner must not blame a commit
        traceback.print_exc()
        return _say(Commit.UNTESTABLE, "the harness failed (above)")


def _run(config: RunConfig, globs: Sequence[str], signature: str, runs: int) -> Commit:
    loaded = catalogue.load(Path(config.suites))
    ids = catalogue.select(loaded, globs, tier=Tier.NIGHTLY) * runs
    codes = {Commit.GOOD}
    with opened_worker(config) as worker:
        for number, test_id in enumerate(ids, 1):
            worker.ensure_ready()
            result = worker.run(loaded.suite_of(test_id), loaded.cases[test_id], None, last=number == len(ids))
            codes.add(_weigh(result, signature))
            if Commit.BAD in codes:
                return Commit.BAD
    return max(codes)  # no test is bad; one that could not be tested may be


def _weigh(result: Result, signature: str) -> Commit:
    """What one result says about the commit."""
    judgement = judge(result, None)
    what = f"{judgement.verdict}: {result.id}: {one_line(judgement.message)}".rstrip(": ")
    match judgement.verdict:
        case Verdict.PASS:
            return _say(Commit.GOOD, what)
        case Verdict.SKIP | Verdict.ERROR:
            return _say(Commit.UNTESTABLE, what)
        case _:
            bad = [a.message for a in result.attempts if a.status in BAD_STATUSES]
            if any(signature in message for message in bad):
                return _say(Commit.BAD, what)
            return _say(Commit.UNTESTABLE, f"{what} (without {signature!r}: another failure)")


def _say(code: Commit, why: str) -> Commit:
    tell(f"{_WORDS[code]}: {why}", flush=True)
    return code
