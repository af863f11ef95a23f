"""`ci/mesa/install MESA` and `ci/mesa/try MESA`: the jobs of this project in a checkout of Mesa, and a trial of them."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from runner.commands.options import Parser
from runner.lines import tell
from runner.model import InfrastructureError, UsageError
from tools.mesa_kit.install import install
from tools.mesa_kit.trial import JOBS, make_tree, run_jobs


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit code."""
    parser = Parser(prog="ci/mesa", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(dest="action", required=True)
    own = actions.add_parser("install", help="write our files into a checkout")
    own.add_argument("mesa", metavar="MESA", help="the checkout")
    own.add_argument("--wheel", default="", metavar="FILE", help="this project's wheel, for the container step")
    own.add_argument("--url", default="", metavar="URL", help="from where that step fetches it (default: by pip's index)")
    tree = actions.add_parser("tree", help="a copy of Mesa's CI with our files in it, for a trial")
    tree.add_argument("mesa", metavar="MESA")
    tree.add_argument("folder", metavar="DIR")
    run = actions.add_parser("run", help="run the jobs of such a copy, in the root of ci/test")
    run.add_argument("folder", metavar="DIR")
    run.add_argument("prefix", metavar="PREFIX", help="a build of Mesa, as ci/mesa-build prints it")
    run.add_argument("--jobs", nargs="+", choices=JOBS, default=JOBS, metavar="JOB", help="which jobs (default: all)")
    run.add_argument("--suite", default="--tier premerge", help="what the jobs of the suites run (default: --tier premerge)")
    run.add_argument("--piglit", default="-t piglit/*", help="what piglit's job runs (default: -t piglit/*)")
    try:
        arguments = parser.parse_args(words)
        match arguments.action:
            case "install":
                wheel = Path(arguments.wheel) if arguments.wheel else None
                tell(*install(Path(arguments.mesa), wheel, arguments.url), sep="\n")
            case "tree":
                tell(*make_tree(Path(arguments.mesa), Path(arguments.folder)), sep="\n")
            case "run":
                tell(
                    run_jobs(
                        Path(arguments.folder), Path(arguments.prefix), arguments.suite, arguments.piglit, arguments.jobs
                    )
                )
    except (UsageError, InfrastructureError) as error:
        tell(f"ci/mesa: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
