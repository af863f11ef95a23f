"""The configuration of a run: each field once, with its option and with everything that depends on it.

One file: the command line, `--resume`, `runner merge` and the command that repeats a case are made from these fields.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, Field, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from runner import ROOT
from runner.ids import read_globs
from runner.model import Tier
from runner.shapes import as_tuple, make
from runner.spelling import closest

_MAX_NUMBER = 10**9  # of any number that is given
NEAREST = "nearest"
BASE = "base"  # the name of the usual configuration, beside variants
_MAX_SHARDS = 1000  # GitLab's `parallel` goes to 200


@dataclass(frozen=True, slots=True)
class Option:
    """How the command line sets a field, and which commands need it again."""

    help: str
    flags: tuple[str, ...] = ()  # if they are not --name-of-the-field
    metavar: str | None = None
    parse: Callable[[str], Any] | None = None  # of a word; bool: the option has no value; None: the word itself
    choices: tuple[str, ...] | None = None
    repeatable: bool = False
    usual: Callable[[], str] | None = None  # the default on the command line, if it is not the field's
    path: bool = False  # it must exist
    holds: tuple[str, ...] = ()  # the files that must lie in that folder
    on_boards: bool = False  # with --on, that path is one there
    one_case: bool = False  # a case depends on it: a command that runs one case takes it
    resume: bool = False  # a run goes on only with the same
    merge: bool = False  # the parts of one run have the same


def _option(default: Any, help: str, **more: Any) -> Any:
    return field(default=default, metadata={"option": Option(help, **more)})


# Decides about every attempt: of a single case, of the rest of a run, of another part of it.
_SAME = {"one_case": True, "resume": True, "merge": True}
# An existing folder that decides what a case does.
_FOLDER: dict[str, Any] = {"metavar": "DIR", "path": True, "one_case": True}


def positive(kind: type[int] | type[float]) -> Callable[[str], float]:
    """A parser of numbers above 0."""

    def parse(text: str) -> float:
        value = kind(text)
        if not 0 < value <= _MAX_NUMBER:  # refuses NaN, too
            raise argparse.ArgumentTypeError(f"{text} is not positive, or above {_MAX_NUMBER}")
        return value

    parse.__name__ = kind.__name__
    return parse


def at_least(least: int) -> Callable[[str], int]:
    """A parser of whole numbers from `least` on."""

    def parse(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{text} is negative" if least == 0 else f"{text}: at least {least}")
        if value > _MAX_NUMBER:
            raise argparse.ArgumentTypeError(f"{text}: {_MAX_NUMBER} at most")
        return value

    parse.__name__ = "int"
    return parse


def tier_of(text: str) -> Tier:
    """The tier of a name."""
    try:
        return Tier(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: not one of {', '.join(Tier)}{closest(text, map(str, Tier))}") from None


def _shard(text: str) -> tuple[int, int]:
    try:
        index, total = map(int, text.split("/"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: write I/N, as 1/4") from None
    if not 1 <= index <= total:
        raise argparse.ArgumentTypeError(f"{text}: I must be 1 to N")
    if total > _MAX_SHARDS:
        raise argparse.ArgumentTypeError(f"{text}: N is {_MAX_SHARDS} at most")
    return index, total


def _shard_of_ci() -> str:
    index, total = os.environ.get("CI_NODE_INDEX"), os.environ.get("CI_NODE_TOTAL")
    return f"{index}/{total}" if index and total else "1/1"


def _release(text: str) -> str:
    if text != NEAREST and not re.fullmatch(r"\d+\.\d+", text):
        raise argparse.ArgumentTypeError(f"{text!r}: give a release, as 26.2, or {NEAREST}")
    return text


def _folders(text: str) -> str:
    return ":".join(str(Path(part).absolute() if part else ROOT / "expectations") for part in _parts(text))


def _parts(places: str) -> list[str]:
    return [places] if Path(places).exists() else places.split(":")


def folders_in(places: str | Path) -> list[Path]:
    """The folders of --expectations: one, or several separated by colons, the first of which decides."""
    return [Path(part) for part in _parts(str(places))]


@dataclass(frozen=True, slots=True)
class RunConfig:
    """One run as the command line asked for it; every process of the run has the same."""

    driver: str = _option(MISSING, "the driver under test: llvmpipe, zink, msm, panfrost, iris, ...", **_SAME)
    gpu: str = _option(
        "",
        "the GPU that must be found, such as a630 (default: from the device's name); of a run also several, as a630,a660; "
        "without a device also all",
        **_SAME,
    )
    variant: str = _option(
        "",
        "another configuration of the driver, such as no_variants; of a run also several, as base,no_variants, where base "
        "is the usual one",
        **_SAME,
    )
    mode: str = _option(
        "execute",
        "without a device, with --gpu NAME: emulate: an emulator executes what the driver compiles and launches; "
        "compile: the driver's own compiler under a shim, nothing runs",
        choices=("execute", "emulate", "compile"),
        **_SAME,
    )
    tier: Tier = _option(Tier.PREMERGE, "how much to run; cumulative (default premerge)", parse=tier_of, merge=True)
    include: tuple[str, ...] = _option(
        (),
        "only these: a glob, an id (of whatever tier), a folder as kernels/integer, or @FILE with one of them a line (@-: "
        "standard input); repeatable",
        flags=("-t",),
        metavar="GLOB",
        parse=read_globs,
        repeatable=True,
        merge=True,
    )
    exclude: tuple[str, ...] = _option(
        (), "not these, likewise", flags=("-x",), metavar="GLOB", parse=read_globs, repeatable=True, merge=True
    )
    shard: tuple[int, int] = _option(  # index from 1, total
        (1, 1),
        "run the I-th of N parts (default: CI_NODE_INDEX/CI_NODE_TOTAL, else all)",
        metavar="I/N",
        parse=_shard,
        usual=_shard_of_ci,
    )
    jobs: int = _option(
        1,
        "workers (default: cores), or workers on each board (default: 1)",
        flags=("-j", "--jobs"),
        metavar="N",
        parse=positive(int),
    )
    retries: int = _option(2, "most repeats of an unexpected result (default 2)", metavar="N", parse=at_least(0))
    timeout_scale: float = _option(
        1.0, "multiplies every deadline", metavar="X", parse=positive(float), one_case=True, merge=True
    )
    evidence: str = _option(
        "unexpected",
        "whose program, launches and wrong elements are kept: of unexpected results (by their repeat), or of all that fail",
        choices=("unexpected", "all"),
    )
    max_fails: int = _option(0, "stop after this many regressions (default: never)", metavar="N", parse=at_least(0))
    seed: int = _option(0, "seeds the inputs that cases draw (default 0)", metavar="N", parse=int, **_SAME)
    strict_flakes: bool = _option(False, "an unknown flake is red", parse=bool, merge=True)
    results: str = _option("results", "where the results go (default results)", metavar="DIR", usual=lambda: "results")
    stats: bool = _option(False, "keep the compiler statistics of each kernel, for `runner stats`", parse=bool, resume=True)
    history: str = _option(
        "", "add the run to this history, and divide it into --shard by the durations in it", metavar="FILE"
    )
    suites: str = _option("", "where the suites are", usual=lambda: str(ROOT / "suites"), **_FOLDER)
    expectations: str = _option(
        "",
        "if they are (default: the project's); OWN: is your own folder before the project's, A:B one before another",
        metavar="DIR",
        parse=_folders,
        usual=lambda: str(ROOT / "expectations"),
        path=True,
        one_case=True,
    )
    expectations_release: str = _option(
        "",
        "read the files of this release of Mesa, as 26.2, whatever the one under test is; nearest: those of the nearest one "
        "that was measured, if the one under test was not",
        metavar="RELEASE",
        parse=_release,
        one_case=True,
    )
    expectations_mesa: str = _option(
        "",
        "judge piglit's tests by Mesa's own lists: the folder ci of a driver, or DIR/DEVICE as Mesa's GPU_VERSION",
        metavar="PATH",
        parse=lambda text: str(Path(text).absolute()),
        one_case=True,
    )
    registry: str = _option("", "another drivers.yaml", metavar="FILE", path=True, one_case=True)
    gpt2_weights: str = _option(
        "",
        "the published GPT-2: config.json, model.safetensors, vocab.json, merges.txt",
        holds=("config.json", "model.safetensors", "vocab.json", "merges.txt"),
        on_boards=True,
        **_FOLDER,
    )
    repro: str = ""  # the folder for the one case of `runner repro`
    mesa_prefix: str = _option(
        "",
        "the Mesa under test: an installed build, a meson build directory or an unpacked artifact",
        on_boards=True,
        **_FOLDER,
    )
    tinygrad_prefix: str = _option(
        "",
        "another tinygrad than the installed one, as pip install --target DIR leaves it",
        on_boards=True,
        **_FOLDER,
        resume=True,
    )
    tinygrad_src: str = _option(
        "", "a checkout of tinygrad, to test with: its tests become the suite upstream", **_FOLDER, resume=True
    )
    piglit: str = _option(
        "",
        "an installation of piglit, for -t 'piglit/*' (default of ci/run: that of the release of --mesa)",
        **_FOLDER,
        resume=True,
    )
    cts: str = _option("", "a build folder of OpenCL-CTS, for -t 'cts/*' (ci/cts-build)", **_FOLDER, resume=True)
    cts_full: bool = _option(False, "the CTS in full: without its wimpy mode and small images", parse=bool, **_SAME)
    strict: bool = _option(
        False,
        "of piglit's programs: NaN, infinities and tolerances count as they are written, a write beyond a buffer is red; "
        "of an emulated device: so is a read of a register or of memory that nothing has written",
        parse=bool,
        **_SAME,
    )
    on: tuple[str, ...] = _option(
        (), "run on this board, over ssh, after `runner deploy HOST`; repeatable", metavar="HOST[:FOLDER]", repeatable=True
    )
    board_wait_s: int = _option(
        180,
        "how long to wait for a board that was there and went away, if none is left (default 180)",
        flags=("--board-wait",),
        metavar="SECONDS",
        parse=at_least(0),
    )
    ssh_config: str = _option("", "used instead of ~/.ssh/config", metavar="FILE", path=True)
    recycle_after: int = 500  # cases a child runs before it is replaced
    rss_recycle_bytes: int = 2 << 30  # a child that has grown beyond this is replaced between cases
    memory_limit_mib: int = _option(
        6144,
        "kill a case that uses more memory than this (default 6144)",
        flags=("--memory-limit",),
        metavar="MIB",
        parse=positive(int),
        one_case=True,
    )

    @property
    def has_device(self) -> bool:
        """False if a noop drm-shim stands in for the kernel driver, and for the device."""
        return self.mode == "execute"

    @property
    def executes(self) -> bool:
        """False if launches are not executed."""
        return self.mode != "compile"

    @property
    def timeout_factor(self) -> float:
        """The factor for all deadlines: an emulated GPU is slow, which is not a Timeout of the driver."""
        return self.timeout_scale * (4 if self.mode == "emulate" else 1)

    def to_json(self) -> dict[str, Any]:
        """The inverse of `from_json`."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunConfig:
        """A configuration that went through JSON."""
        values = dict(data)
        for name in ("include", "exclude", "shard", "on"):
            values[name] = as_tuple(values.get(name, ()))
        return make(cls, {**values, "tier": Tier(values["tier"])})

    def difference(self, other: RunConfig, names: tuple[str, ...]) -> str:
        """The first of the fields in which another configuration differs, or ""."""
        return next((name for name in names if getattr(self, name) != getattr(other, name)), "")


def _options() -> Iterator[tuple[Field[Any], Option]]:
    for own in fields(RunConfig):
        if "option" in own.metadata:
            yield own, own.metadata["option"]


OPTIONS = {own.name: option for own, option in _options()}
ONE_CASE = tuple(name for name, option in OPTIONS.items() if option.one_case)
RESUME = tuple(name for name, option in OPTIONS.items() if option.resume)
MERGE = tuple(name for name, option in OPTIONS.items() if option.merge)
WHOLE = tuple(name for name in OPTIONS if name not in ("results", "history", "jobs"))
JUDGED_BY = ("suites", "expectations")


def flags_of(name: str) -> tuple[str, ...]:
    """The options that give a field."""
    return OPTIONS[name].flags or (f"--{name.replace('_', '-')}",)


def add_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """Give a parser the options of some fields; an option that is not given becomes None, or ()."""
    for name in names:
        option = OPTIONS[name]
        # One parsed word may stand for several.
        action = "extend" if option.parse else "append"
        more: dict[str, Any] = {"action": action, "default": []} if option.repeatable else {}
        if option.parse is bool:
            more = {"action": "store_const", "const": True}
        elif option.parse:
            more["type"] = option.parse
        if option.usual:
            more["default"] = option.usual()
        if option.metavar:
            more["metavar"] = option.metavar
        if option.choices:
            more["choices"] = list(option.choices)
        parser.add_argument(*flags_of(name), dest=name, help=option.help, **more)


def words_of(config: RunConfig, names: Collection[str] = ONE_CASE) -> list[str]:
    """The options of a command that runs one case as this configuration does, or those of other fields."""
    words: list[str] = []
    for own, option in _options():
        value = getattr(config, own.name)
        usual = (own.default, option.usual() if option.usual else own.default)
        local = option.path and not option.on_boards  # with --on the board has its own
        if own.name not in names or value in usual or (config.on and local and names is ONE_CASE):
            continue
        flag = flags_of(own.name)[-1]
        if own.name == "shard":
            words += [flag, "/".join(map(str, value))]
        elif isinstance(value, bool):
            words.append(flag)
        else:
            words += [word for each in (value if isinstance(value, tuple) else (value,)) for word in (flag, str(each))]
    return words
