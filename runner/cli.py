"""The command line. Nothing heavy is imported before it is known what to do, so that --help is quick."""

import contextlib
import gc
import io
import itertools
import os
import shlex
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from runner import ROOT, VERSION
from runner.commands import ALIASES, COMMANDS, actions_of, module_of
from runner.commands.options import EXIT_CODES, Parser, add_actions
from runner.lines import one_line, tell
from runner.model import ExitCode, InfrastructureError, UsageError
from runner.sources import announce
from runner.spelling import closest

_KEPT = ("PYTHONPATH", "PYTHONNOUSERSITE")  # of Python's variables; the first is looked through
# Words and plug-ins of the user's own pytest; the sessions here name what they load.
_PYTEST = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")
_TOP = [f"  {name:11} {text:25}" for name, text in COMMANDS.items() if " " not in name]
_HALF = (len(_TOP) + 1) // 2
_HELP = f"""\
usage: runner --driver NAME [options]
       runner COMMAND [options]

Conformance and regression suite for Rusticl, Mesa's OpenCL.

{"".join(f"{''.join(pair).rstrip()}{chr(10)}" for pair in itertools.zip_longest(_TOP[:_HALF], _TOP[_HALF:], fillvalue=""))}
  -h, --help   this text; `runner COMMAND --help` says what a command takes
  --version    the runner's version

{EXIT_CODES}\
old names: {", ".join(ALIASES)}
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    _isolate()
    # Journals and files make many objects that stay: the collector would look through them again and again.
    gc.set_threshold(100_000)
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in ("-h", "--help"):
        tell(_HELP, end="")
        return ExitCode.GREEN
    if words == ["--version"]:
        tell(f"runner {VERSION}")
        return ExitCode.GREEN
    if words[0].startswith("-"):
        words.insert(0, "run")
    words[:1] = ALIASES.get(words[0], words[0]).split()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may know fewer characters than a driver prints
    try:
        _refuse_encodings(words)
        code = _run(words)
        _flush_output()
        return code
    except UsageError as error:
        tell(f"runner: {error}", file=sys.stderr)
        return 128 if words[0] == "bisect-step" else ExitCode.USAGE  # git takes 1 to 127 as a bad commit
    except InfrastructureError as error:
        tell(f"runner: {error}", file=sys.stderr)
        return ExitCode.INFRASTRUCTURE
    except BrokenPipeError:
        _close_output()  # the reader of a pipe has gone; say nothing more
        return ExitCode.INFRASTRUCTURE if words[0] in ("run", "merge") else ExitCode.GREEN
    except KeyboardInterrupt:
        tell("runner: interrupted", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except Exception as error:
        _explain(error, words)
        with contextlib.suppress(InfrastructureError, BrokenPipeError):
            _flush_output()
        return 128 if words[0] == "bisect-step" else ExitCode.INFRASTRUCTURE


def _isolate() -> None:
    """Have neither this process nor those that it starts import from the current folder or by the user's variables.

    Only PYTHONPATH is kept, without its relative entries: the project and its packages are found by it in a root and on a
    board. A json.py, a yaml.py or a runner/ in the current folder is then like any other file.
    """
    here = os.path.realpath(os.curdir)
    if not sys.flags.safe_path:  # `python -m runner`, without -P
        sys.path[:] = [p for p in sys.path if p and (os.path.realpath(p) != here or Path(p).resolve() == ROOT.resolve())]
    for name in [n for n in os.environ if n.startswith("PYTHON") and n not in _KEPT]:
        del os.environ[name]
    for name in _PYTEST:
        os.environ.pop(name, None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ["PYTHONSAFEPATH"] = "1"
    if "PYTHONPATH" in os.environ:
        folders = os.environ["PYTHONPATH"].split(os.pathsep)
        os.environ["PYTHONPATH"] = os.pathsep.join(p for p in folders if p.startswith("/"))  # an empty one is the current


def _flush_output() -> None:
    """Raises InfrastructureError if the file that it goes to cannot be written."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _close_output()
        raise InfrastructureError(f"standard output: {error.strerror}; make room, and repeat the command") from error


def _close_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # else Python complains of it at its end


def _refuse_encodings(words: Sequence[str]) -> None:
    """Refuse names that are not in UTF-8: pytest, JSON and XML cannot carry them. Raises UsageError."""
    try:
        here = str(Path.cwd())
    except OSError as error:
        raise UsageError("the current folder has been deleted; go to another one") from error
    for word in (*words, here, str(ROOT)):
        try:
            word.encode()
        except UnicodeEncodeError:
            raise UsageError(f"{word}: is not in UTF-8; rename it, or reach it by a link whose name is") from None


def _explain(error: Exception, words: Sequence[str]) -> None:
    """Say what was attempted and what to do, and put the traceback into a file: an unforeseen error is a bug."""
    text = "".join(traceback.format_exception(error))
    what = one_line(str(error)) or type(error).__name__
    try:
        where = f"the traceback is in {_write_traceback(text, words)}; report it with that file"
    except OSError as refusal:
        where = f"the traceback could not be written ({refusal.strerror}); make room, and repeat the command"
    tell(
        f"runner: failed at `runner {shlex.join(words)}`: {type(error).__name__}: {what}\n"
        f"runner: this is a fault of the runner or of the machine, and no verdict; {where}",
        file=sys.stderr,
    )


def _write_traceback(text: str, words: Sequence[str]) -> Path:
    """In the results directory, which a CI job keeps, else in a new file for temporary use."""
    for folder in _results_of(words):
        if folder.is_dir():
            path = folder / "traceback.txt"
            break
    else:
        fd, name = tempfile.mkstemp(prefix="runner-traceback-", suffix=".txt")
        os.close(fd)
        path = Path(name)
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
    return path


def _results_of(words: Sequence[str]) -> list[Path]:
    """The results directories that a command line names, even if it is wrong otherwise."""
    names = [value for word, value in itertools.pairwise(words) if word == "--results"]
    names += [word.partition("=")[2] for word in words if word.startswith("--results=")]
    return [Path(name) for name in names or (["results"] if words[0] == "run" else [])]


def _set_results_aside(words: Sequence[str]) -> None:
    """A run that ends at its command line does not leave results of another that seem to be its own."""
    from runner.records.earlier_run import set_aside

    for folder in _results_of(words):
        with contextlib.suppress(UsageError):  # of a run that goes on, or of none
            set_aside(folder)


def _run(words: Sequence[str]) -> int:
    name = words[0]
    if name not in COMMANDS:
        raise UsageError(f"no command {name!r}{closest(name, (*COMMANDS, '--help', '--version'))}; see `runner --help`")
    if words[1:2] and words[1] in actions_of(name):
        name = " ".join(words[:2])
    module = module_of(name)
    parser = Parser(prog=f"runner {name}", description=module.__doc__)
    if hasattr(module, "main"):
        module.add_parser(parser)
    add_actions(parser, actions_of(name), required=not hasattr(module, "main"))
    try:
        arguments = parser.parse_args(words[1 + name.count(" ") :])
    except UsageError:
        if name == "run" and "--resume" not in words:
            _set_results_aside(words)
        raise
    if action := getattr(arguments, "action", None):
        raise UsageError(f"{action}: comes first, as `runner {name} {action}`")
    announce(arguments)
    code: int = module.main(arguments)  # an ExitCode, or git's own of bisect-step
    return code


if __name__ == "__main__":
    sys.exit(main())
