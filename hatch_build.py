"""What the wheel has beside the package: the man page, and completion for bash, zsh and fish, from the commands' parsers."""

from __future__ import annotations

import sys
import textwrap
import time
from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.utils import get_reproducible_timestamp

# By shell, or man: where it looks for a command's file, below the prefix of an installation.
PLACES = {
    "bash": "share/bash-completion/completions/{}",
    "fish": "share/fish/vendor_completions.d/{}.fish",
    "man": "share/man/man1/{}.1",
    "zsh": "share/zsh/site-functions/_{}",
}
_WHAT = "conformance and regression suite for Rusticl, Mesa's OpenCL"
_COMPLETED = {"DIR": "directory", "FILE": "file", "RESULTS": "directory"}  # by metavar, as shtab calls it


def make_parser(name: str) -> ArgumentParser:
    """All commands' parsers as one."""
    sys.path.insert(0, str(Path(__file__).parent))
    from runner.commands import COMMANDS, actions_of, module_of

    top = ArgumentParser(name, description=f"{_WHAT[0].upper()}{_WHAT[1:]}.")
    groups = {"": top.add_subparsers(title="commands", metavar="COMMAND")}
    for command, text in COMMANDS.items():
        group, _, word = command.rpartition(" ")
        parser = groups[group].add_parser(word, help=text, description=f"{text[0].upper()}{text[1:]}.")
        module = module_of(command)
        if hasattr(module, "main"):
            module.add_parser(parser)
        if actions_of(command):
            groups[command] = parser.add_subparsers(dest="action")
    return top


def _known_words() -> dict[str, list[str]]:
    """By an argument's name, what it takes: drivers, GPUs, areas."""
    from runner.cases.catalogue import load
    from runner.drivers.registry import load_drivers
    from runner.model import Tier

    drivers = load_drivers().values()
    areas = {"/".join(test_id.split("/")[:2]) for test_id in load(Path(__file__).parent / "suites").cases}
    return {
        "driver": [driver.name for driver in drivers if not driver.absent],
        "gpu": [gpu for driver in drivers for shim in driver.shims for gpu in shim.gpus],
        "tier": [*map(str, Tier)],
        "include": sorted(areas),
        "exclude": sorted(areas),
    }


def _complete(parser: ArgumentParser, name: str, words: dict[str, list[str]]) -> None:
    import shtab

    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for other in action.choices.values():
                _complete(other, name, words)
        elif action.dest in words:
            action.choices = words[action.dest]
        elif action.dest in ("id", "test_id"):
            action.complete = shtab.cmd(f"{name} list")  # type: ignore[attr-defined]
        elif str(action.metavar) in _COMPLETED:
            action.complete = getattr(shtab, _COMPLETED[str(action.metavar)].upper())  # type: ignore[attr-defined]


def write_file(kind: str, name: str) -> str:
    """The man page, or the completion of one shell."""
    parser = make_parser(name)
    if kind != "man":
        import shtab

        _complete(parser, name, _known_words())
        run = parser._subparsers._group_actions[0].choices["run"]  # type: ignore[union-attr, index, call-overload]
        for action in run._actions[1:]:  # its options, after --help, are the command's own: `runner --driver NAME`
            parser._add_action(action)
        return str(shtab.complete(parser, shell=kind))
    from runner import VERSION
    from runner.commands.options import EXIT_CODES

    date = time.strftime("%Y-%m-%d", time.gmtime(get_reproducible_timestamp()))
    head = f'.TH {name.upper()} 1 {date} "rusticl-runner {VERSION}"\n.SH NAME\n{name} \\- {_roff(_WHAT)}\n.SH SYNOPSIS\n'
    head += f".B {name} --driver\nNAME [options]\n.br\n.B {name}\nCOMMAND [options]\n"
    return head + "".join(_sections(parser, name)) + f".SH EXIT STATUS\n{_roff(EXIT_CODES)}\n"


def _sections(parser: ArgumentParser, name: str) -> Iterator[str]:
    """In roff: what a command is for, its arguments, and those of its own commands."""
    yield f".SH {_roff(name)}\n{_roff(parser.description or '')}\n"
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for word, other in action.choices.items():
                yield from _sections(other, f"{name} {word}")
            continue
        takes = "" if action.nargs == 0 else f" \\fI{_roff(_argument(action))}\\fR"
        yield f".TP\n\\fB{_roff(', '.join(action.option_strings))}\\fR{takes}\n{_roff((action.help or '') % vars(action))}\n"


def _argument(action: Action) -> str:
    return str(action.metavar or "|".join(map(str, action.choices or [action.dest.upper()])))


def _roff(text: str) -> str:
    """Plain text, whose lines are no requests."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    lines = textwrap.wrap(escaped, 78, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"\\&{line}" if line[0] in ".'" else line for line in lines)


class CustomBuildHook(BuildHookInterface[Any]):
    """Hatchling finds it by this name."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files, and say where they go: of an editable install, too."""
        del version
        self._files = TemporaryDirectory()  # goes with the hook
        for kind, place in PLACES.items():
            for name in ("runner", "rusticl-runner"):
                path = Path(self._files.name, f"{kind}-{name}")
                path.write_text(write_file(kind, name), encoding="utf-8")
                build_data["shared_data"][str(path)] = place.format(name)
