"""The known bugs of drivers, one file each: bugs/NNNN-words.yaml. Entries of expectation files name them by their numbers.

Where a bug is seen is not in its file: the entries that name it say so. docs/bugs.md explains the keys.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from runner.expectations.target import Target, parse_layer
from runner.model import UsageError
from runner.run_config import folders_in
from runner.shapes import as_tuple, make, read_text
from runner.yaml_loader import load_yaml

_NAME = re.compile(r"([0-9]{4})-[a-z0-9-]+\.yaml")
# The project of a bug is the first of these in its `where` or title, unless its file says `project`; and its tracker.
PROJECTS = {
    "SPIRV-LLVM-Translator": (
        "https://github.com/KhronosGroup/SPIRV-LLVM-Translator/issues",
        r"SPIRV-LLVM-Translator|llvm-spirv",
    ),
    "SPIRV-Tools": ("https://github.com/KhronosGroup/SPIRV-Tools/issues", r"^SPIRV-Tools"),
    "libclc": ("https://github.com/llvm/llvm-project/issues?q=label%3Alibclc", r"^libclc|a step of libclc's"),
    "PoCL": ("https://github.com/pocl/pocl/issues", r"^PoCL"),
    "Intel": ("", r"^Intel's OpenCL"),
    "tinygrad": ("https://github.com/tinygrad/tinygrad/issues", r"^tinygrad"),
    "Mesa": (
        "https://gitlab.freedesktop.org/mesa/mesa/-/issues",
        r"mesa|rusticl|gallium|gallivm|llvmpipe|lavapipe|\bnir\b|u_printf|(src|api|core|drivers|auxiliary|compiler)/|\.rs\b",
    ),
    "LLVM": ("https://github.com/llvm/llvm-project/issues", r"\bLLVM\b|\bclang\b"),
    "the application": ("", r"hashcat|pyopencl|silx|OpenMM|darktable|OpenCV"),
}
_UPSTREAM = re.compile(r"unreported|(reported|declined) https://\S+|fixed in \S.*")


@dataclass(frozen=True, slots=True)
class Bug:
    """One file. `case` is the test that shows it best, `gone` names the layers since which it is no longer seen."""

    number: int
    path: Path
    title: str
    clause: str
    says: str  # what the clause requires
    case: str
    upstream: str
    signature: str = ""  # of the case's message
    where: str = ""  # the file and the function that are at fault, as far as known
    note: str = ""
    project: str = ""
    prints: dict[str, str] = field(default_factory=dict)  # what its program prints: `wrong`, and `right` on another driver
    gone: tuple[Target, ...] = ()

    @property
    def program(self) -> Path | None:
        """The stand-alone program that shows it, or None."""
        programs = (self.path.parent / "programs" / f"{self.number:04}{end}" for end in (".py", ".c"))
        return next((path for path in programs if path.is_file()), None)

    @property
    def owner(self) -> str:
        """The project that would fix it, a key of PROJECTS; "" if nobody knows yet."""
        texts = (self.where, self.title)
        found = (name for text in texts for name, (_, words) in PROJECTS.items() if re.search(words, text))
        return self.project or next(found, "")

    @property
    def search(self) -> list[str]:
        """Words to look for in a tracker: the names in its `where` and its case."""
        names = re.findall(r"\b\w+\.(?:c|h|cl|cpp|py|rs)\b|\b[a-z]+_\w+\b", f"{self.where} {self.title}")
        return list(dict.fromkeys([*names, self.case.rpartition("/")[2].partition(".")[0]]))[:8]

    def is_gone_from(self, layer: Target) -> bool:
        """Whether the layer is of a release in which it was no longer seen."""
        return any(gone.includes_later(layer) for gone in self.gone)


def bugs_folder(expectations: str | Path) -> Path:
    """Where the bugs of an expectations folder are: beside it; of several folders the last one is the project's."""
    return folders_in(expectations)[-1].resolve().parent / "bugs"


def load_bugs(folder: Path, numbers: Collection[int] | None = None) -> dict[int, Bug]:
    """The bugs of a folder by number, all or these; none if it is not there. Raises UsageError for a bad file."""
    bugs: dict[int, Bug] = {}
    for path in sorted(folder.glob("*.yaml")):
        if numbers is not None and (named := _NAME.fullmatch(path.name)) and int(named[1]) not in numbers:
            continue
        bug = _load_bug(path)
        other = bugs.setdefault(bug.number, bug)
        if other is not bug:
            raise UsageError(f"{path}:1: {other.path.name} has the number {bug.number} too; take the next free one")
    return bugs


def search_bugs(bugs: Iterable[Bug], word: str) -> list[Bug]:
    """The bugs that contain a word anywhere, or in the name of their file."""
    fields = ("title", "clause", "says", "case", "signature", "where", "note")
    texts = {bug.number: " ".join((bug.path.name, *(getattr(bug, name) for name in fields))).lower() for bug in bugs}
    return [bug for bug in bugs if word.lower() in texts[bug.number]]


def find_bug(folder: Path, number: int) -> Bug:
    """The bug of a number. Raises UsageError if there is none."""
    for path in folder.glob(f"{number:04}-*.yaml"):
        return _load_bug(path)
    raise UsageError(f"no bug {number} in {folder}; see `runner bugs`")


def _load_bug(path: Path) -> Bug:
    named = _NAME.fullmatch(path.name)
    if not named:
        raise UsageError(f"{path}:1: is not called NNNN-words.yaml; rename it")
    try:
        data = load_yaml(read_text(path))
        gone = tuple(parse_layer(name) for name in as_tuple(data.pop("gone", ())))
        bug = make(Bug, {**data, "number": int(named[1]), "path": path, "gone": gone})
        if bug.project not in ("", *PROJECTS):
            raise ValueError(f"project: {bug.project!r}; known: {', '.join(PROJECTS)}")
        if not _UPSTREAM.fullmatch(bug.upstream):
            raise ValueError(f"upstream: {bug.upstream!r}; write unreported, reported or declined LINK, or fixed in RELEASE")
    except (OSError, ValueError, TypeError, AttributeError, RecursionError, yaml.YAMLError, UsageError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise UsageError(f"{path}:{line}: {' '.join(str(error).split())}; docs/bugs.md has the keys") from error
    return bug
