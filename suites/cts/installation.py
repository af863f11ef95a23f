"""A build folder of the OpenCL-CTS: its programs, the rows of its lists, and the sub-tests that each program lists."""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from runner.ids import spell
from runner.model import UsageError

TESTS = "test_conformance"
_QUICK, FULL = (f"opencl_conformance_tests_{name}.csv" for name in ("quick", "full"))
_CPU = "CL_DEVICE_TYPE_CPU"  # the first column of a row that only CPUs must pass
_LIST_S = 60
# test_conversions lists only itself, but accepts the names that its --help describes; without a name it runs all 1,045.
_CONVERSIONS = "conversions"
# A word of rows that only test mipmapped images. Without them some sub-tests return at once without a message, and pass.
_MIPMAPS = "test_mipmaps"
# Words in the row of an image program that choose its sizes, so that the small images cannot be chosen.
_IMAGES, _SMALL, _SIZES = "images/", "small_images", ("max_images", "use_pitches", _MIPMAPS)
# Programs whose small sizes cost more than three random ones: two build a kernel for each; the third, with 858 parts
# in a sub-test, took 425 s of CPU time for the 96 small sizes of 2D, and 105 s for random ones; 3D has 672.
_DRAW = ("images/kernel_image_methods/", "images/samplerlessReads/", "images/kernel_read_write/")
_INTEGERS = ("uchar", "char", "ushort", "short", "uint", "int", "ulong", "long")
_REALS = ("half", "float", "double")
_ROUNDINGS = ("", "_rte", "_rtp", "_rtn", "_rtz")


@dataclass(frozen=True, slots=True)
class Subtest:
    """A sub-test as a row of the lists runs it: PROGRAM OPTIONS... NAME, with the program as a path below `TESTS`."""

    program: str
    options: tuple[str, ...]
    name: str
    quick: bool  # Khronos' quick list has it
    cpu: bool  # for CPUs only

    @property
    def result(self) -> str:
        """Its name in its results file and output."""
        return _CONVERSIONS if self.program.endswith(f"/test_{_CONVERSIONS}") else self.name

    @property
    def requires(self) -> tuple[str, ...]:
        """The features that the device must have for its row to mean anything."""
        return ("cl_khr_mipmap_image",) if _MIPMAPS in self.options else ()

    @property
    def quick_words(self) -> tuple[str, ...]:
        """The options that quick mode adds: wimpy mode; for images, all sizes below 13 x 9, not random ones."""
        small = (
            self.program.startswith(_IMAGES) and not self.program.startswith(_DRAW) and not set(_SIZES) & set(self.options)
        )
        return ("--wimpy", _SMALL) if small else ("--wimpy",)


def read_subtests(folder: Path) -> list[Subtest]:
    """Those of the quick list, then the others of the full list, then the programs that neither of them names.

    Programs that are not built are left out. Raises UsageError if it is not a build folder.
    """
    tests, names = folder / TESTS, programs_of(folder)
    rows = [(name == _QUICK, row) for name in (_QUICK, FULL) for row in read_rows(tests / name)]
    rows += [(False, ListRow("", program, (), False)) for program in sorted(names.keys() - {row.program for _, row in rows})]
    found: dict[tuple[str, tuple[str, ...], str], Subtest] = {}
    for quick, row in rows:
        for options, name in row.select(names.get(row.program, ())):
            found.setdefault((row.program, options, name), Subtest(row.program, options, name, quick, row.cpu))
    return list(found.values())


def programs_of(folder: Path) -> dict[str, tuple[str, ...]]:
    """The programs of a build, paths below `TESTS`, with their sub-tests. Raises UsageError if it is not a build."""
    tests = folder / TESTS
    built = sorted(str(path.relative_to(tests)) for path in tests.glob("**/test_*") if _is_program(path))
    if not built:
        raise UsageError(f"{tests}: no program of the CTS; --cts DIR is the folder that ci/cts-build prints")
    return {program: list_subtests(tests / program) for program in built}


def case_id(program: str, options: tuple[str, ...], name: str) -> str:
    """The id of a row's sub-test."""
    row = "+".join((PurePath(program).name.removeprefix("test_"), *map(spell, options)))
    return f"cts/{row}/{spell(name)}"


def list_subtests(program: Path) -> tuple[str, ...]:
    """The sub-tests of a program, as it lists them. No device is opened. Raises UsageError if it cannot list them."""
    try:
        done = subprocess.run(
            [program, "--list"],
            cwd=program.parent,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_LIST_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"{program} --list: {error}") from error
    names = tuple(line.strip() for line in done.stdout.splitlines() if line.startswith("\t"))
    if done.returncode or not names:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise UsageError(f"{program} --list: exit code {done.returncode}: {lines[-1] if lines else 'it lists nothing'}")
    return tuple(_conversions()) if names == (_CONVERSIONS,) else names


def _conversions() -> Iterator[str]:
    """DESTINATION[_sat][_ROUNDING]_SOURCE; nothing saturates to a floating-point type."""
    for to, saturated in [*((t, s) for t in _INTEGERS for s in ("", "_sat")), *((t, "") for t in _REALS)]:
        for rounding in _ROUNDINGS:
            yield from (f"{to}{saturated}{rounding}_{source}" for source in (*_INTEGERS, *_REALS))


def _is_program(path: Path) -> bool:
    return path.is_file() and not path.suffix and os.access(path, os.X_OK)


@dataclass(frozen=True, slots=True)
class ListRow:
    """A row of one of Khronos' lists: its name, a program and its arguments, and whether it is for CPUs only."""

    title: str
    program: str
    words: tuple[str, ...]
    cpu: bool

    def select(self, names: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
        """The sub-tests of a program that the row selects, each with the row's options: words that are not globs of names.

        Wimpy mode is not among them: the runner chooses it.
        """
        globs = [w for w in self.words if w == "all" or any(fnmatchcase(name, w) for name in names)]
        options = tuple(w for w in self.words if w not in globs and w not in ("-w", "--wimpy"))
        for name in names:
            if not globs or "all" in globs or any(fnmatchcase(name, glob) for glob in globs):
                yield options, name


def read_rows(path: Path) -> Iterator[ListRow]:
    """The rows of a list; nothing if the build has no such list."""
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        title, comma, command = line.partition("#")[0].rpartition(",")
        if comma and command.split():
            program, *words = command.split()
            cpu = title.startswith(_CPU)
            yield ListRow(title.removeprefix(_CPU).strip(" ,"), program, tuple(words), cpu)
