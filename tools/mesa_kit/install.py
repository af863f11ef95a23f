"""Put the jobs, the container step and the expectations of this project into a checkout of Mesa.

Copies ci/mesa/tree; writes the expectations of each of its jobs as Mesa has them, a set of files for a device, from
expectations/; writes the hashed requirements of the container step, and its tag; and names the step where Mesa's scripts
and includes want it. What a tree does not have is left out, and said.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from runner import ROOT, VERSION
from runner.cases import catalogue
from runner.expectations.files import format_entry
from runner.expectations.folder import SUITE_LINE, read_files
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target, parse_name
from runner.model import Expectation, Kind, UsageError
from runner.releases import nearest_series, series_of

_TREE = ROOT / "ci/mesa/tree"
_JOBS = "src/gallium/frontends/rusticl/suite/ci/gitlab-ci.yml"
_STEP = ".gitlab-ci/container/build-rusticl-suite.sh"
_FILES = ".gitlab-ci/container/rusticl-suite"
_SOURCES = ("render_node.c", "crash_place.c")  # of ci/, which the step builds
_TAG = "RUSTICL_SUITE_TAG"


@dataclass(frozen=True, slots=True)
class _Insertion:
    """Lines of ours around a line of Mesa's own, in the first of these files that the tree has."""

    files: tuple[str, ...]
    line: str  # a regular expression for the whole line
    after: str
    before: str = ""
    needless: str = ""  # where the file has this, it needs nothing


_INSERTIONS = (
    _Insertion(
        (".gitlab-ci/container/debian/test-gl.sh", ".gitlab-ci/container/debian/x86_64_test-gl.sh"),
        r" *\. \.gitlab-ci/container/build-piglit\.sh",
        after=f"\n############### Install rusticl-runner\n\n. {_STEP}\n",
    ),
    _Insertion(
        (".gitlab-ci/container/gitlab-ci-inc.yml",),
        r"\.container-builds-gl:\n  extends:",
        before=f"""\
.container-builds-rusticl-suite:
  variables:
    {_TAG}: "${{CONDITIONAL_BUILD_{_TAG}}}"
    CI_BUILD_COMPONENTS_RUSTICL_SUITE: rusticl-suite

""",
        after="    - .container-builds-rusticl-suite\n",
    ),
    _Insertion(
        (".gitlab-ci.yml",),
        r" *- local: 'src/gallium/frontends/rusticl/ci/gitlab-ci\.yml'",
        after=f"  - local: '{_JOBS}'\n",
        needless="src/**/ci/gitlab-ci.yml",
    ),
)


@dataclass(frozen=True, slots=True)
class Job:
    """A job of ours, with the device that it runs on."""

    name: str
    driver: str
    gpu: str
    files: str  # path and beginning of the names of its expectations, below Mesa's folder


def install(mesa: Path, wheel: Path | None, url: str) -> Iterator[str]:
    """Write everything; yields what was done, a line each. Raises UsageError for a folder that is no Mesa."""
    try:
        release = ".".join(map(str, series_of((mesa / "VERSION").read_text(encoding="utf-8"))))
    except (OSError, ValueError) as error:
        raise UsageError(f"{mesa}: no checkout of Mesa: {error}") from error
    shutil.copytree(_TREE, mesa, dirs_exist_ok=True)
    (mesa / _FILES).mkdir(exist_ok=True)
    for name in _SOURCES:
        shutil.copyfile(ROOT / "ci" / name, mesa / _FILES / name)
    text, left_out = without_unknown((_TREE / _JOBS).read_text(encoding="utf-8"), defined_names(mesa))
    (mesa / _JOBS).write_text(text, encoding="utf-8")
    jobs = jobs_of(text)
    yield f"{_JOBS}: {len(jobs)} jobs"
    yield from (f"left out: {name}, because this tree has no {missing}" for name, missing in left_out.items())
    ids = catalogue.load(ROOT / "suites").cases
    for job in jobs:
        yield from write_expectations(job, ids, release, mesa)
    if wheel:
        yield from write_requirements(mesa, wheel, url)
    else:
        yield f"{_FILES}/requirements.txt: left as it is; --wheel FILE writes it"
    yield from insert(mesa)
    yield "next: bump DEBIAN_TEST_GL_TAG in .gitlab-ci/image-tags.yml, and git diff"


def defined_names(mesa: Path) -> set[str]:
    """The jobs, hidden ones too, that a tree's own CI defines."""
    files = [mesa / ".gitlab-ci.yml", *mesa.glob(".gitlab-ci/**/*.yml"), *mesa.glob("src/**/ci/*.yml")]
    texts = (path.read_text(encoding="utf-8") for path in files if path.is_file() and path != mesa / _JOBS)
    return {name for text in texts for name in re.findall(r"^([.\w][^#\n]*?):\s*(?:#.*)?$", text, re.MULTILINE)}


def without_unknown(text: str, names: set[str]) -> tuple[str, dict[str, str]]:
    """The jobs that extend what is there, as text, and what the others lack, by name. A blank line ends a job."""
    there = set(names)
    left_out: dict[str, str] = {}
    kept = []
    for block in text.split("\n\n"):
        for name, job in (yaml.load(block, _Loader) or {}).items():
            if missing := next((word for word in _wanted(job) if word not in there), ""):
                left_out[name] = missing
                break
            there.add(name)
        else:
            kept.append(block)
    return "\n\n".join(kept), left_out


def _wanted(job: dict[str, Any]) -> Iterator[str]:
    extends = job.get("extends", [])
    yield from [extends] if isinstance(extends, str) else extends
    yield from (rule[0] for rule in job.get("rules", []) if isinstance(rule, list))  # a !reference


def jobs_of(text: str) -> list[Job]:
    """The jobs of ours that run the suites."""
    found = []
    for name, job in yaml.load(text, _Loader).items():
        own = job.get("variables", {})
        if "RUSTICL_SUITE_DRIVER" in own:
            files = f"{own['RUSTICL_SUITE_FOLDER']}/{own['RUSTICL_SUITE']}"
            found.append(Job(name, own["RUSTICL_SUITE_DRIVER"], own.get("RUSTICL_SUITE_GPU", ""), files))
    return found


class _Loader(yaml.SafeLoader):
    """Knows `!reference`."""


def _reference(loader: yaml.SafeLoader, node: yaml.Node) -> list[str]:
    assert isinstance(node, yaml.SequenceNode)
    return [str(word) for word in loader.construct_sequence(node)]


_Loader.add_constructor("!reference", _reference)


def write_expectations(job: Job, ids: Iterable[str], release: str, mesa: Path) -> Iterator[str]:
    """A job's files: for each case the entry that decides there. The nearest measured release stands for one without."""
    texts = read_files(ROOT / "expectations", job.driver)
    layers = [layer for layer, _ in map(parse_name, texts)]
    measured = {layer.mesa for layer in layers if layer.mesa and not layer.mode}
    nearest = nearest_series(measured, release)
    found = Expectations(Target(job.driver, job.gpu, mesa=nearest, tinygrad=_tinygrad()), texts)
    head = f"# {job.name}: what rusticl-runner {VERSION} expects of Mesa {nearest}, by ci/mesa/install.\n{SUITE_LINE}\n"
    entries = decisive(found, ids)
    for kind in Kind:
        path = mesa / f"{job.files}-{kind}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(head + "".join(_blocks(entry for entry in entries if entry.kind is kind)), encoding="utf-8")
    (mesa / f"{job.files}-device.txt").write_text("".join(f"{line}\n" for line in sorted(found.floor)), encoding="utf-8")
    yield f"{job.files}-*.txt: {len(entries)} entries, of Mesa {nearest}"


def decisive(found: Expectations, ids: Iterable[str]) -> list[Expectation]:
    """The entries that decide, each with the id of its case instead of a glob."""
    entries = []
    for test_id in sorted(ids):
        if entry := found.skip(test_id) or found.find(test_id):
            entries.append(Expectation(test_id, entry.kind, entry.statuses, entry.signature, entry.rate, entry.reason))
    return entries


def _blocks(entries: Iterable[Expectation]) -> Iterator[str]:
    by_reason: dict[str, list[Expectation]] = {}
    for entry in entries:
        by_reason.setdefault(entry.reason, []).append(entry)
    for reason, group in by_reason.items():
        lines = textwrap.wrap(reason, 118, break_long_words=False, break_on_hyphens=False)
        yield "".join(("\n", *(f"# {line}\n" for line in lines), *(f"{format_entry(entry)}\n" for entry in group)))


def _tinygrad() -> str:
    found = re.search(r"^tinygrad==(\d+\.\d+)", (ROOT / "ci/requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else ""


def write_requirements(mesa: Path, wheel: Path, url: str) -> Iterator[str]:
    """The locked packages and this project's wheel, each with its hash; and the tag that Mesa makes of these files."""
    try:
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    except OSError as error:
        raise UsageError(
            f"--wheel {wheel}: {error.strerror}; `python3 -m pip wheel --no-deps -w dist .` builds it"
        ) from error
    own = f"rusticl-runner @ {url}" if url else f"rusticl-runner=={VERSION}"
    text = f"{(ROOT / 'ci/requirements.lock').read_text(encoding='utf-8')}{own} \\\n    --hash=sha256:{digest}\n"
    requirements = mesa / _FILES / "requirements.txt"
    requirements.write_text(text, encoding="utf-8")
    yield f"{requirements.relative_to(mesa)}: {own}"
    tags = mesa / ".gitlab-ci/conditional-build-image-tags.yml"
    if not tags.is_file():
        yield f"left out: {_TAG}, because this tree has no {tags.name}"
        return
    hashed = [mesa / _STEP, requirements, *(mesa / _FILES / name for name in _SOURCES)]
    tag = hashlib.md5(b"".join(path.read_bytes() for path in hashed)).hexdigest()  # as Mesa's setup-test-env.sh does
    line = f"  CONDITIONAL_BUILD_{_TAG}: {tag}\n"
    kept = [own for own in tags.read_text(encoding="utf-8").splitlines(keepends=True) if f"_{_TAG}:" not in own]
    tags.write_text("".join([*kept, line]), encoding="utf-8")
    yield f"{tags.relative_to(mesa)}: CONDITIONAL_BUILD_{_TAG}"


def insert(mesa: Path) -> Iterator[str]:
    """Name our files in Mesa's own."""
    for own in _INSERTIONS:
        path = next((mesa / name for name in own.files if (mesa / name).is_file()), None)
        text = path.read_text(encoding="utf-8") if path else ""
        if own.after.strip() in text or (own.needless and own.needless in text):
            continue
        if path and (found := re.search(rf"^{own.line}\n", text, re.MULTILINE)):
            before, line, after = text[: found.start()], found[0], text[found.end() :]
            path.write_text(before + own.before + line + own.after + after, encoding="utf-8")
            yield f"{path.relative_to(mesa)}: + {own.after.strip().splitlines()[-1]}"
        else:
            yield f"by hand: after {own.line!r} in one of {', '.join(own.files)}: {own.after.strip()}"
