"""`runner export codequality`: the findings of `runner expect lint`, as GitLab's Code Quality report.

Exit code 0, 2 if the file cannot be parsed.
"""

import argparse

from runner.commands.expect import lint
from runner.model import ExitCode

add_parser = lint.add_parser


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print it."""
    arguments.form = "codequality"
    code = lint.main(arguments)
    return ExitCode.GREEN if code is ExitCode.REGRESSION else code
