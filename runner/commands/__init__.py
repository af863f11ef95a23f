"""The subcommands: one module each, of the command's name, with `add_parser` and `main`; imported when it is asked for.

`--help` of a command shows its module's docstring. A package is a command whose own commands are its modules; it has
`main` where it also does something by itself.

`ci/run --help` reads this table with sed: one line a command.
"""

import importlib
import keyword
from typing import Any

COMMANDS = {
    "run": "run the suites (the default command)",
    "list": "print the ids, of every tier",
    "changes": "what became of the cases of a release of the suites",
    "coverage": "print what the suites cover, as Markdown",
    "probe": "print what is under test",
    "run-case": "run one case, and print its output",
    "repro": "export one case as a stand-alone program",
    "report": "judge a results directory again, without a device",
    "emulate": "run any OpenCL program on an emulated GPU",
    "bench": "measure tokens or operations on each device",
    "expect": "update, check and explain the expectation files",
    "expect update": "change the files after runs",
    "expect init": "make the files of a board that has none, from its runs",
    "expect lint": "check the files; needs no device",
    "expect explain": "which entry decides about a test",
    "expect factor": "what all GPUs of a driver share",
    "bugs": "list, show and check the known bugs of drivers",
    "bugs show": "one of them, or a report of it that can be filed",
    "bugs check": "run the case of each on a driver, and say whether it is open",
    "compare-suites": "which suite shows which known bug of a target, as Markdown",
    "export": "finished runs for KCIDB or Khronos, or what expect lint finds for GitLab",
    "export cts-submission": "runs of the full CTS as the folder of a submission to Khronos",
    "export codequality": "what `runner expect lint` finds, as GitLab's Code Quality report",
    "export kcidb": "finished runs, judged by today's expectations, in KCIDB's schema 5.3",
    "deploy": "copy the runner, its packages and the suites to boards, over ssh",
    "history": "fill the history of all runs, or print it",
    "history import": "add runs; one that is there already counts once",
    "history show": "rates, signatures and seconds of each test",
    "flakes": "which flakes entries to add, change, keep or delete, and why",
    "fuzz": "run random programs beyond those of the suites, and make small what is red",
    "stress": "run one case many times, and find what its failures depend on",
    "merge": "join shards and retries into one results directory",
    "diff": "what differs between two runs: fixed, broken, slower, ...",
    "stats": "compiler statistics of the kernels of runs with --stats",
    "bisect-step": "tell `git bisect run` whether a Mesa is good",
    "junit": "JUnit of finished runs, judged by today's expectations",
    "summary": "the summary of finished runs, judged by today's expectations",
    "html": "write one HTML page about a run",
    "site": "write a static site about all runs of a history",
    "doctor": "explain what this machine has for OpenCL and tinygrad, and the next step",
}


def actions_of(name: str) -> dict[str, str]:
    """The commands of a command, as `update` of `expect`, with what each is for."""
    return {full.removeprefix(f"{name} "): text for full, text in COMMANDS.items() if full.startswith(f"{name} ")}


def module_of(name: str) -> Any:
    """The module of a command, imported."""
    parts = (f"{part}_" if keyword.iskeyword(part) else part for part in name.replace("-", "_").split())
    return importlib.import_module(".".join(("runner.commands", *parts)))
