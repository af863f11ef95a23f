"""The catalogue of piglit's profile cl: read from the installation, without running any of it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from runner.ids import to_id
from runner.importing import import_suite_module
from runner.model import Case, UsageError
from runner.sources import PIGLIT_VARIABLE, STRICT_VARIABLE

from .installation import read_profile, sanitized
from .subtests import SUBTESTS

# The only reader of annotations; piglit's own files are in its `loose` dialect.
annotation = import_suite_module(Path(__file__).resolve().parents[1] / "kernels", "programs.annotation")


def cases() -> Iterator[Case]:
    """`piglit/<name>`, with piglit's @ as /, and `piglit/<name>/<subtest>`; ids and names are one to one: runner/ids.py.

    The subtests of a test come before it, in one group: it gets the results of all of them. No cases without --piglit.
    """
    if not (source := os.environ.get(PIGLIT_VARIABLE)):
        return
    strict = {"strict": True} if os.environ.get(STRICT_VARIABLE) else {}
    for test in read_profile(Path(source)):
        group = f"piglit.{to_id(test.name, 'piglit').removeprefix('piglit/')}"
        kind, names = "binary", SUBTESTS.get(test.command[0], ()) if test.command else ()
        params: dict[str, Any] = {"command": list(test.command)}
        if test.program:
            kind, params = "program", {"file": test.program, **strict}
            try:
                names = annotation.names(Path(source, test.program))
            except UsageError as error:
                kind, names, params = "unreadable", (), {"reason": str(error)}
        for name in dict.fromkeys(names):
            test_id = to_id(f"{test.name}@{sanitized(name)}", "piglit")
            yield Case(test_id, f"{kind}.subtest", {**params, "subtest": name}, group=group)
        yield Case(to_id(test.name, "piglit"), kind, params, group=group)
