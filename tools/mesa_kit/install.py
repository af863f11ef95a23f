"""Put the jobs and the container step of this project into a checkout of Mesa.

It copies ci/mesa/tree, writes the hashed requirements of the container step and its tag, and names the step where Mesa's
scripts and includes need it. It leaves out whatever a tree does not have, and says so. The wheel has the expectations.
"""

import hashlib
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from runner import ROOT, VERSION
from runner.model import UsageError

_TREE = ROOT / "ci/mesa/tree"
_JOBS = "src/gallium/frontends/rusticl/suite/ci/gitlab-ci.yml"
_STEP = ".gitlab-ci/container/build-rusticl-suite.sh"
_FILES = ".gitlab-ci/container/rusticl-suite"
_SOURCES = ("render_node.c", "crash_place.c")  # of ci/; the step builds them
_TAG = "RUSTICL_SUITE_TAG"


@dataclass(frozen=True, slots=True)
class _Insertion:
    """Our lines around a line of Mesa's, in the first of these files that the tree has."""

    files: tuple[str, ...]
    line: str  # a regular expression for the whole line
    after: str
    before: str = ""
    needless: str = ""  # if the file has this, no line is needed


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


def install(mesa: Path, wheel: Path | None, url: str) -> Iterator[str]:
    """Write everything; yields a line for each step. Raises UsageError if the folder is not a checkout of Mesa."""
    if not (mesa / "VERSION").is_file():
        raise UsageError(f"{mesa}: no checkout of Mesa: it has no file VERSION")
    shutil.copytree(_TREE, mesa, dirs_exist_ok=True)
    (mesa / _FILES).mkdir(exist_ok=True)
    for name in _SOURCES:
        shutil.copyfile(ROOT / "ci" / name, mesa / _FILES / name)
    text, left_out = without_unknown((_TREE / _JOBS).read_text(encoding="utf-8"), defined_names(mesa))
    (mesa / _JOBS).write_text(text, encoding="utf-8")
    yield f"{_JOBS}: {text.count('RUSTICL_SUITE_DRIVER:')} jobs"
    yield from (f"left out: {name}, because this tree has no {missing}" for name, missing in left_out.items())
    if wheel:
        yield from write_requirements(mesa, wheel, url)
    else:
        yield f"{_FILES}/requirements.txt: left as it is; --wheel FILE writes it"
    yield from insert(mesa)
    yield "next: bump DEBIAN_TEST_GL_TAG in .gitlab-ci/image-tags.yml, and git diff"


def defined_names(mesa: Path) -> set[str]:
    """The jobs that a tree's own CI defines, hidden ones included."""
    files = [mesa / ".gitlab-ci.yml", *mesa.glob(".gitlab-ci/**/*.yml"), *mesa.glob("src/**/ci/*.yml")]
    texts = (path.read_text(encoding="utf-8") for path in files if path.is_file() and path != mesa / _JOBS)
    return {name for text in texts for name in re.findall(r"^([.\w][^#\n]*?):\s*(?:#.*)?$", text, re.MULTILINE)}


def without_unknown(text: str, names: set[str]) -> tuple[str, dict[str, str]]:
    """The text of the jobs that extend known names, and the missing names of the others by job. A blank line ends a job."""
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


class _Loader(yaml.SafeLoader):
    """Knows `!reference`."""


def _reference(loader: yaml.SafeLoader, node: yaml.Node) -> list[str]:
    assert isinstance(node, yaml.SequenceNode)
    return [str(word) for word in loader.construct_sequence(node)]


_Loader.add_constructor("!reference", _reference)


def write_requirements(mesa: Path, wheel: Path, url: str) -> Iterator[str]:
    """The locked packages and this project's wheel, each with its hash; and the tag that Mesa computes from these files."""
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
