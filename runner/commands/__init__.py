"""The subcommands: one module each, of the command's name, with `add_parser` and `main`; imported when it is asked for.

`ci/run --help` reads this table with sed: one line a command.
"""

COMMANDS = {
    "run": "run the suites (the default command)",
    "list": "print the ids, of every tier",
    "coverage": "print what the suites cover, as Markdown",
    "probe": "print what is under test",
    "run-case": "run one case, and see what it prints",
    "repro": "write one case as a program that needs this project no more",
    "report": "judge a results directory again, without a device",
    "bench": "measure tokens or operations on each device",
    "expect": "update, check and explain the expectation files",
    "deploy": "put the runner, its packages and the suites on boards, over ssh",
    "history": "fill the history of all runs, or print it",
    "flakes": "which flakes lines to add, change, keep, drop, and why",
    "stress": "run one case many times, and find what its failures depend on",
    "merge": "join shards and retries into one results directory",
    "diff": "what differs between two runs: fixed, broken, slower, ...",
    "stats": "what the driver's compiler made of the kernels of runs with --stats",
    "bisect-step": "tell `git bisect run` whether a Mesa is good",
    "junit": "JUnit of runs that were, judged by today's expectations",
    "summary": "the last screen of runs that were, judged by today's expectations",
    "html": "one page to look at a run with, for a browser",
    "doctor": "explain what this machine has for OpenCL and tinygrad, and the next step",
}
