"""`runner emulate --gpu a630 -- COMMAND ...`: runs any OpenCL program on an emulated GPU.

The driver compiles and launches as on a board; behind Mesa's noop drm-shim an emulator executes its submissions, and says at
the end what they were. Its findings appear on standard error at once: a fault, hazard or race is the driver's
fault, "not emulated" is a limit of the emulator.

`runner emulate --assumptions FOLDER` writes a program for each numbered assumption of docs/emulation.md that OpenCL can
settle. Run on a board, each prints a line; `runner emulate --assumptions FILE` says what a file of these lines confirms and
refutes.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from runner.commands.options import config_of
from runner.drivers.assumptions import judge, write_programs
from runner.drivers.emulator import STATISTICS, TRACE
from runner.drivers.presence import driver_emulating
from runner.lines import one_line, tell
from runner.model import ExitCode, UsageError
from runner.records.emulated import Totals, read_files, say
from runner.run.emulation import BROKEN_EXIT
from runner.run.launcher import plan_launch
from runner.run_config import add_options

_DRIVER_FAULTS = ("fault", "hazard", "race")


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the program, the emulated GPU."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = """\
exit code:
  0  the program ended with 0, and nothing was found; or all answers confirm
  1  it did not, or the driver made the GPU do what it must not; or an answer does not confirm
  3  it needs what is not emulated, or the emulator failed"""
    parser.set_defaults(mode="emulate")
    parser.add_argument("--gpu", default="", metavar="NAME", help="the GPU, such as a630; an unknown one lists them")
    parser.add_argument("--driver", default="", metavar="NAME", help="the driver (default: the one that has this GPU)")
    trace = "write there every launch, and the instructions of one work-item of it"
    parser.add_argument("--trace", default="", metavar="FILE", help=trace)
    add_options(parser, "variant", "mesa_prefix", "registry")
    both = "write a program for each assumption into this folder; or, of a file, read what a board has answered"
    parser.add_argument("--assumptions", default="", metavar="PATH", help=both)
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="the program and its arguments, behind --")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Run it with this process' own input and output, and say what the emulator counted.

    Raises UsageError for an unknown GPU or program, InfrastructureError if the driver or its emulator cannot be had.
    """
    if arguments.assumptions:
        return _settle(Path(arguments.assumptions))
    if not arguments.command:
        raise UsageError("emulate: no program; give it behind --, as in `runner emulate --gpu a630 -- clinfo`")
    config = config_of(arguments)
    driver, gpu = driver_emulating(config.gpu, config.registry, config.driver)
    config = replace(config, driver=driver.name, gpu=gpu)
    with tempfile.TemporaryDirectory(prefix="runner-emulate-") as scratch:
        folder = Path(scratch)
        plan = plan_launch(config, driver)
        if plan.root:
            raise UsageError("emulate: a program of this machine does not load a driver for ARM; leave --arch out")
        own = plan.environment(folder) | {STATISTICS: f"{folder}/emulator"}
        if arguments.trace:
            own[TRACE] = _begin_trace(Path(arguments.trace))
        try:
            process = subprocess.Popen(arguments.command, env={**os.environ, **own})
        except OSError as error:
            raise UsageError(f"{arguments.command[0]}: {error.strerror}; give a program behind --") from error
        try:
            code = process.wait()
        except KeyboardInterrupt:  # the terminal has sent it to the program, too
            code = process.wait()
        totals = read_files(folder.glob("emulator.*"))
    where = f"; trace in {arguments.trace}" if arguments.trace else ""
    ended = f"signal {-code}" if code < 0 else f"exit {code}"
    tell(f"emulated {config.gpu}, {driver.name}: {ended}; {say(totals)}{where}", file=sys.stderr)
    return _exit_code(code, totals)


def _settle(path: Path) -> ExitCode:
    """Write the programs of the assumptions into a folder, or judge a file of answers."""
    if not path.is_file():
        for line in write_programs(path):
            tell(line)
        tell("run each on a board, and give a file of all that they print: runner emulate --assumptions FILE")
        return ExitCode.GREEN
    try:
        answers = list(judge(path.read_text(encoding="utf-8", errors="replace")))
    except OSError as error:
        raise UsageError(f"--assumptions {path}: {error.strerror}") from error
    for _, line in answers:
        tell(one_line(line))
    return ExitCode.GREEN if all(agrees for agrees, _ in answers) else ExitCode.REGRESSION


def _begin_trace(path: Path) -> str:
    """An empty file, to which each process appends. Raises UsageError if it cannot be written."""
    try:
        path.write_text("", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--trace {path}: {error.strerror}; give another file") from error
    return str(path.absolute())


def _exit_code(code: int, totals: Totals) -> ExitCode:
    if code == BROKEN_EXIT or totals.get("unknown"):
        return ExitCode.INFRASTRUCTURE
    return ExitCode.REGRESSION if code or any(totals.get(kind) for kind in _DRIVER_FAULTS) else ExitCode.GREEN
