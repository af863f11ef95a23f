"""Processes that do something other than they were asked to: each fault is in the text of the program."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mutation import Function, Mutant, api_of, of

call = api_of("process")


def _changed(words: Sequence[str], old: str, new: str) -> list[str]:
    """The command of a program, with its changed text instead of its file."""
    python, safe, path, *rest = words
    text = Path(path).read_text(encoding="utf-8")
    assert old in text
    return [python, safe, "-c", text.replace(old, new), *rest]


def _text(old: str, new: str) -> Callable[[Any], Any]:
    def run(inner: Function, words: Sequence[str], **named: Any) -> Any:
        named["may_die"] = True  # else pytest's worker would die with the program
        return inner(_changed(words, old, new), **named)

    return of(run)


def _of(name: str, cases: str, old: str, new: str) -> Mutant:
    return call(f"{name}", f"{cases}", ".processes.run_program", _text(old, new))


def _around(name: str, case: str, old: str, new: str) -> Mutant:
    place = "suites.kernels.process.surroundings.run_program"
    return call(f"around.{name}", f"{case}", place, _text(old, new))


def _nth(number: int, old: str, new: str) -> Callable[[Any], Any]:
    """One of a case's processes runs another program; the others fill the cache, or are compared with it."""

    def wrap(inner: Any) -> Any:
        begun = []

        def run(words: Sequence[str], *rest: Any) -> Any:
            begun.append(words)
            return inner(_changed(words, old, new if len(begun) == number else old), *rest)

        return run

    return wrap


def _cache(name: str, case: str, number: int, old: str, new: str) -> Mutant:
    place = "suites.kernels.process.caches.run_program"
    return call(f"cache.{name}", f"cache/{case}", place, _nth(number, old, new))


_UNCACHED = "import os; os.environ['MESA_SHADER_CACHE_DISABLE'] = '1'; "  # as one that adds nothing
_ENQUEUED = 'check("clEnqueueNDRangeKernel", enqueued)'
MUTANTS = [
    _cache("compiled_again", "taken", 2, "sinpi(x)", "cospi(x - 0.5f)"),
    _cache("argument_of_the_unused", "taken", 2, "sinpi(x); r[1] = asinpi(x)", "sinpi(neither.x); r[1] = asinpi(x)"),
    _cache("damaged_code", "damaged.half", 2, "asinpi(x)", "sinpi(x)"),
    _cache("damaged_second", "damaged.half", 3, "= atan(x)", "= x"),
    _cache("damage_kills", "damaged.half", 2, "import re\n", "import os; os._exit(134)\n"),
    _cache("other_build_takes", "other_build", 2, "import re\n", f"{_UNCACHED}import re\n"),
    _cache("other_build_errs", "other_build", 2, "sinpi(x)", "cospi(x)"),
    _of("end.nothing_computed", "end/held.normal", "x * 1664525u", "x * 1664523u"),
    _of("end.exit_code", "end/running.libc_exit", "libc.exit(0)", "libc.exit(1)"),
    _of("end.exit_code_of_os_exit", "end/mapped.os_exit", "os._exit(0)", "os._exit(1)"),
    _of("end.early", "end/waiting.thread", 'print("done", flush=True)', "pass"),
    _of("fork.child_dies", "fork/os_exit", "os._exit(7)", "os.abort()"),
    _of("fork.launch_lost", "fork/running", "FORKS[what]()\n", "FORKS[what]()\n        launch = lambda trips: None\n"),
    _of("closed.kept_value", "closed", "ctypes.c_uint32(turn + 5)", "ctypes.c_uint32(5)"),
    _of("closed.not_released", "closed", "assert not libc.dlclose", "assert libc.dlclose"),
    _of("features.no_error", "features/without_any", 'code = ask(feature["config"], config)', "code = 0"),
    _of("features.width", "features/without_any", "or width.value for", "or 1 for"),
    _of("type.another", "type/accelerator.types", "says.value & ~_CL", "says.value << 1 | _CL"),
    _of("type.no_default", "type/gpu.default", "    if not code:", "    code = -1\n    if not code:"),
    _around("value", "unusual/mask.query", "i * 1664525u", "i * 1664523u"),
    _around("rounded_up", "unusual/rounding.up.launch", "a + 0x1p-25f", "a + 0x1.8p-24f"),
    _around("comma", "unusual/numbers.query", "as_uint(0.7f)", "as_uint(0.0f)"),
    _around("refused", "unusual/closed.012.query", _ENQUEUED, 'check("clEnqueueNDRangeKernel", -5)'),
    _around("another_error", "scarce/files.4.query", _ENQUEUED, 'check("clEnqueueNDRangeKernel", -36)'),
    _around("dies", "scarce/denied.clone3.query", _ENQUEUED, "os.abort()"),
    _around("no_driver", "scarce/no_driver.query", 'say(f"{call} {code}")', 'say(f"{call} {code and -33}")'),
    _around("ends", "scarce/denied.memfd_create.query", _ENQUEUED, "os._exit(0)"),
    _around("status", "unusual/subreaper.query", 'check("status", status.value)', 'check("status", -14)'),
    call(
        "start.some_fail",
        "start/8",
        "subprocess.run",
        # Three of four, whichever numbers they have: one of eight at least.
        _text("check_launch()\nmatch", "os.getpid() * 2654435761 >> 16 & 3 and os.abort()\nmatch"),
    ),
]
