"""The profile cl of a piglit installation: its tests, their names, and their commands. Standard library only."""

import ast
import gzip
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from runner.model import UsageError

PROFILE = "tests/cl.xml.gz"


@dataclass(frozen=True, slots=True)
class Test:
    """A test by its name, such as `program@execute@comma`: the program of cl-program-tester, or its own command."""

    name: str
    program: str = ""  # below the installation
    command: tuple[str, ...] = ()


def read_profile(folder: Path) -> Iterator[Test]:
    """All tests, in the profile's order. Raises UsageError, which names the file, if it is not an installation."""
    path = folder / PROFILE
    try:
        root = ElementTree.fromstring(gzip.decompress(path.read_bytes()))
        for node in root.iter("Test"):
            values = {o.attrib["name"]: ast.literal_eval(o.attrib["value"]) for o in node.iter("option")}
            name = sanitized(node.attrib["name"])
            if node.attrib["type"] == "cl_prog":
                yield Test(name, program=str(Path(values["filename"])))
            elif node.attrib["type"] == "cl":
                yield Test(name, command=tuple(map(str, values["command"])))
            else:
                raise ValueError(f"a test of the type {node.attrib['type']!r}")
    except OSError as error:
        reason = error.strerror or "is not compressed by gzip"
        raise UsageError(f"{path}: {reason}; --piglit DIR is the folder that holds piglit's bin and tests") from error
    except (KeyError, ValueError, SyntaxError, EOFError, ElementTree.ParseError) as error:
        raise UsageError(
            f"{path}: is not a profile of piglit's: {error}; see docs/piglit.md for the versions that were tried"
        ) from error


def sanitized(name: str) -> str:
    """A name as in deqp-runner's lists: without commas, which separate their columns."""
    return name.replace(",", "-")
