"""`runner deploy HOST`: copies the project and its Python packages to a board, by ssh and tar.

A board needs sshd, tar and python3 (3.11 or later). Nothing is compiled or fetched there: the wheels for its processor, libc
and Python are resolved on the host. What is up to date is not copied again. Exit code 3 if a board could not be served.
"""

import argparse
import sys
from pathlib import Path

from runner.boards.deployment import deploy_to
from runner.boards.fleet import digest_lock, parse_boards
from runner.commands.options import add_places
from runner.lines import tell
from runner.model import ExitCode, InfrastructureError


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the boards, the suites."""
    where = "FOLDER: default rusticl-runner, in the home there"
    parser.add_argument("hosts", nargs="+", metavar="HOST[:FOLDER]", help=where)
    add_places(parser)
    parser.add_argument("--ssh-config", default="", metavar="FILE", help="used instead of ~/.ssh/config")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Bring each board up to date; INFRASTRUCTURE if that failed for one of them."""
    digest_lock()  # an installed copy has no ci/, and says so here
    failed = False
    for board in parse_boards(arguments.hosts):
        try:
            deploy_to(board, Path(arguments.suites).resolve(), arguments.ssh_config)
        except InfrastructureError as error:
            failed = True
            tell(f"{board.host}: {error}", file=sys.stderr)
    return ExitCode.INFRASTRUCTURE if failed else ExitCode.GREEN
