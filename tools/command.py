"""A command of a checkout, `python3 -m tools.NAME`: like the runner's, with its own options."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence

from runner.commands.options import Parser
from runner.lines import tell
from runner.model import UsageError
from runner.sources import announce


def run(
    name: str,
    text: str | None,
    add_parser: Callable[[ArgumentParser], None],
    main: Callable[[Namespace], int],
    words: Sequence[str],
) -> int:
    """Parse the words and run the command; returns the exit code, 2 if the words are wrong."""
    parser = Parser(prog=f"python3 -m tools.{name}", description=text)
    add_parser(parser)
    try:
        arguments = parser.parse_args(words)
        announce(arguments)
        return main(arguments)
    except UsageError as error:
        tell(f"{name}: {error}", file=sys.stderr)
        return 2
