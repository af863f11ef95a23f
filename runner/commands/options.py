"""The commands' common options, and a parser that suggests what was meant."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from runner.lines import tell
from runner.model import UsageError
from runner.run_config import ONE_CASE, OPTIONS, RunConfig, add_options, folders_in
from runner.spelling import closest

_PATH_VARIABLES = (
    *("OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES"),
    *("RUNNER_RENDER_NODE", "RUNNER_ARM64_ROOT"),
)
HISTORY = "history.sqlite"
EXIT_CODES = """\
exit codes: 0 green, 1 regressions, 2 usage or a bad file, 3 infrastructure (no
device, the wrong one, a lost one), 4 nothing executed, 5 only improvements (the
expectations are stale), 130 interrupted
"""


class Parser(argparse.ArgumentParser):
    """Raises UsageError, with the closest option for an unknown one."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Look at the words before anything else: a missing option may only be misspelt."""
        for word in args or ():
            name = word.partition("=")[0]
            if word == "--":
                break
            if name.startswith("--") and not self._subparsers and not self._knows(name):
                raise UsageError(f"no option {name}{closest(name, self._option_string_actions)}; see `{self.prog} --help`")
        return super().parse_known_args(args, namespace)

    def _knows(self, name: str) -> bool:
        return any(known.startswith(name) for known in self._option_string_actions)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            raise UsageError(f"no command {value!r}{closest(value, action.choices)}; see `{self.prog} --help`")
        super()._check_value(action, value)

    def error(self, message: str) -> NoReturn:
        """A wrong word ends the command as every other wrong usage does."""
        raise UsageError(f"{message}; see `{self.prog} --help`")


def add_actions(parser: argparse.ArgumentParser, actions: Mapping[str, str], *, required: bool) -> None:
    """The commands of a command, for its help; the first word after its name chooses one, without this parser."""
    if actions and not required:  # it takes arguments of its own
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        parser.epilog = "commands:\n" + "".join(f"    {name:10} {text}\n" for name, text in actions.items())
    elif actions:
        listed = parser.add_subparsers(dest="action", required=True, prog=parser.prog)
        for name, text in actions.items():
            listed.add_parser(name, help=text)


def add_places(parser: argparse.ArgumentParser) -> None:
    """Options: the places of the suites."""
    add_options(parser, "suites", "tinygrad_src", "piglit", "strict", "cts", "cts_full")


def add_device(parser: argparse.ArgumentParser) -> None:
    """Options: everything that decides what a case does."""
    add_options(parser, *ONE_CASE)


def add_judged_by(parser: argparse.ArgumentParser) -> None:
    """Options: the suites and the expectations by which finished runs are judged."""
    add_places(parser)
    add_options(parser, "expectations")


def add_results(parser: argparse.ArgumentParser) -> None:
    """Options: several runs."""
    where = "results directories, folders of them, or artifacts.zip"
    parser.add_argument("results", nargs="+", type=Path, metavar="RESULTS", help=where)


def add_expectations(parser: argparse.ArgumentParser) -> None:
    """Options: the expectation files, and the registry with their drivers."""
    add_options(parser, "expectations", "registry")


def add_history(parser: argparse.ArgumentParser) -> None:
    """Options: the file of the history."""
    parser.add_argument("--history", type=Path, default=HISTORY, metavar="FILE", help=f"the history (default {HISTORY})")


def add_target(parser: argparse.ArgumentParser) -> None:
    """Options: the part of the history that counts."""
    add_target_filter(parser)
    add_options(parser, "registry", "include")


def add_target_filter(parser: argparse.ArgumentParser) -> None:
    """Options: the runs that count, of several."""
    parser.add_argument("--driver", default="", help="only runs of this driver")
    parser.add_argument("--gpu", default="", help="and of this GPU")


def add_drivers(parser: argparse.ArgumentParser, which: str) -> None:
    """Options: the drivers whose expectation files count."""
    parser.add_argument("--driver", action="append", default=[], help=f"{which} only; repeatable")


def add_form(parser: argparse.ArgumentParser, *forms: str) -> None:
    """Options: the form of the output, by default the first one."""
    parser.add_argument("--format", dest="form", choices=list(forms), default=forms[0])


def places_of(arguments: argparse.Namespace) -> tuple[Path, Path]:
    """The folders of `add_judged_by`."""
    return Path(arguments.suites).resolve(), Path(arguments.expectations).resolve()


def say_judged_by(arguments: argparse.Namespace) -> None:
    """Say whose expectations judge a run, which may have been made, and judged, elsewhere."""
    tell(f"judged by {arguments.expectations}", file=sys.stderr)


def driver_name_of(arguments: argparse.Namespace) -> str:
    """The name in the registry of the driver of `add_target`, or ""."""
    from runner.drivers.registry import load_drivers, resolve

    return resolve(arguments.driver, load_drivers(arguments.registry)).name if arguments.driver else ""


def _check_variables() -> None:
    """Raise UsageError for a variable whose file is missing: loaders go on without it, and silently."""
    for name in _PATH_VARIABLES:
        for word in os.environ.get(name, "").split(":"):
            if "/" in word and not Path(word).exists():
                raise UsageError(f"{name}={os.environ[name]}: {word}: no such file or folder")


def _default_driver(arguments: argparse.Namespace) -> str:
    """That of ci/run, if none is given. Raises UsageError elsewhere, with those that this machine can run."""
    from runner.drivers.presence import runnable
    from runner.drivers.registry import load_drivers

    if default := os.environ.get("RUNNER_DRIVER"):
        return default
    found = ", ".join(runnable(load_drivers(arguments.registry))) or "none: no OpenCL is installed, see `runner doctor`"
    raise UsageError(f"give --driver NAME; with what is installed, this machine can run: {found}")


def _resolved(name: str, path: Path, on_boards: bool, missing: bool, in_part: bool) -> str:
    """The path of a field, or its several paths, absolute. Raises UsageError if one does not exist."""
    from runner.drivers.mesa_prefix import fault_of

    option = f"--{name.replace('_', '-')} {path}"
    if on_boards and OPTIONS[name].on_boards:
        if not path.is_absolute():
            raise UsageError(f"{option}: is a path on the boards; give an absolute one")
        return str(path)
    paths = folders_in(path) if name == "expectations" else [path]
    if absent := [each for each in paths if not each.exists() and not missing]:
        raise UsageError(f"--{name.replace('_', '-')} {absent[0]}: no such file or folder")
    wanted = () if in_part else OPTIONS[name].holds
    if lacking := [each for each in wanted if not (path / each).is_file()]:
        raise UsageError(f"{option}: has no {', no '.join(lacking)}")
    if name == "mesa_prefix" and not missing and (fault := fault_of(path)):
        raise UsageError(fault)
    return ":".join(str(each.resolve()) for each in paths)


def config_of(arguments: argparse.Namespace, missing: Sequence[str] = (), in_part: Sequence[str] = ()) -> RunConfig:
    """The run that was asked for. Raises UsageError for paths that lead nowhere, except those in `missing`.

    The folders in `in_part` may be incomplete.
    """
    from runner.releases import version_in

    values = {k: v for k, v in vars(arguments).items() if k in RunConfig.__dataclass_fields__ and v is not None}
    if "driver" not in values:
        values["driver"] = _default_driver(arguments)
    for name in ("include", "exclude", "on"):
        values[name] = tuple(values.get(name, ()))
    values.setdefault("jobs", 1 if values["on"] else os.cpu_count() or 1)
    for name in (name for name, option in OPTIONS.items() if option.path and values.get(name)):
        values[name] = _resolved(name, Path(values[name]), bool(values["on"]), name in missing, name in in_part)
    if not values["on"]:
        _check_variables()
    if values["on"] and any(values.get(name) for name in ("piglit", "cts", "expectations_mesa")):
        raise UsageError("--piglit, --cts, --expectations-mesa: not with --on; run on the board itself")
    tinygrad = values.get("tinygrad_src") or values.get("tinygrad_prefix")
    if values["on"] and values.get("tinygrad_src"):
        raise UsageError("--tinygrad-src: not with --on; run on the board itself, or give --tinygrad-prefix")
    if tinygrad and not values["on"] and not version_in(Path(tinygrad)):
        raise UsageError(f"{tinygrad}: has no tinygrad that states its version; give a checkout, or what pip installed")
    return RunConfig(**values)
