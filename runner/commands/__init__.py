"""The subcommands: one module each, named after the command, with `add_parser` and `main`; imported when needed.

`--help` of a command shows its module's docstring. A package is a command whose own commands are its modules; it has
`main` if it also does something by itself.

`ci/run --help` reads this table with sed: one line a command.
"""

import importlib
import keyword
from typing import Any

COMMANDS = {
    "run": "run the suites (default)",
    "list": "ids, and what is covered",
    "list changes": "what became of the cases of a release of the suites",
    "list coverage": "what the suites cover, as Markdown",
    "probe": "what is under test",
    "run-case": "run one case, show all",
    "repro": "one case as a program",
    "report": "judge and show a run",
    "emulate": "a program, emulated GPU",
    "bench": "the speed of devices",
    "expect": "the expectation files",
    "expect update": "change the files after runs",
    "expect init": "make the files of a board that has none, from its runs",
    "expect lint": "check the files; needs no device",
    "expect explain": "which entry decides about a test",
    "expect factor": "what all GPUs of a driver share",
    "bugs": "known bugs of drivers",
    "bugs show": "one of them, or a report of it that can be filed",
    "bugs check": "run the case of each on a driver, and say whether it is open",
    "export": "for KCIDB or GitLab",
    "export codequality": "what `runner expect lint` finds, as GitLab's Code Quality report",
    "export kcidb": "finished runs, judged by today's expectations, in KCIDB's schema 5.3",
    "deploy": "copy all to boards",
    "history": "the rates of all runs",
    "history import": "add runs; one that is there already counts once",
    "history show": "rates, signatures and seconds of each test",
    "history flakes": "which flakes entries to add, change, keep or delete, and why",
    "fuzz": "random programs",
    "stress": "run one case many times",
    "merge": "join shards and retries",
    "diff": "compare two runs",
    "stats": "compiler statistics",
    "bisect-step": "for `git bisect run`",
    "site": "a web site of all runs",
    "doctor": "explain this machine",
}
ALIASES = {  # until the release after 2026.12
    "junit": "report --as junit",
    "summary": "report --as text",
    "html": "report --as html",
    "flakes": "history flakes",
    "changes": "list changes",
    "coverage": "list coverage",
}


def actions_of(name: str) -> dict[str, str]:
    """The commands of a command, as `update` of `expect`, with the purpose of each."""
    return {full.removeprefix(f"{name} "): text for full, text in COMMANDS.items() if full.startswith(f"{name} ")}


def module_of(name: str) -> Any:
    """The module of a command, imported."""
    parts = (f"{part}_" if keyword.iskeyword(part) else part for part in name.replace("-", "_").split())
    return importlib.import_module(".".join(("runner.commands", *parts)))
