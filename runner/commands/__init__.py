"""The subcommands: one module each, of the command's name, with `add_parser` and `main`; imported when it is asked for.

`--help` of a command shows its module's docstring.

`ci/run --help` reads this table with sed: one line a command.
"""

COMMANDS = {
    "run": "run the suites (the default command)",
    "list": "print the ids, of every tier",
    "changes": "what became of the cases of a release of the suites",
    "coverage": "print what the suites cover, as Markdown",
    "probe": "print what is under test",
    "run-case": "run one case, and print its output",
    "repro": "export one case as a stand-alone program",
    "report": "judge a results directory again, without a device",
    "bench": "measure tokens or operations on each device",
    "expect": "update, check and explain the expectation files",
    "bugs": "list, show and check the known bugs of drivers",
    "compare-suites": "which suite shows which known bug of a target, as Markdown",
    "export": "finished runs for KCIDB, or what expect lint finds for GitLab",
    "deploy": "copy the runner, its packages and the suites to boards, over ssh",
    "history": "fill the history of all runs, or print it",
    "flakes": "which flakes entries to add, change, keep or delete, and why",
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
