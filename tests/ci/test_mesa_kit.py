"""ci/mesa: what it writes into a checkout of Mesa, and its jobs in a pipeline of one machine."""

import hashlib
import shutil
from pathlib import Path

import pytest
import yaml

from runner.model import FileKind, UsageError
from tools.gitlab_local import git
from tools.mesa_kit.install import install
from tools.mesa_kit.trial import make_tree, run_jobs

_JOBS = "src/gallium/frontends/rusticl/suite/ci/gitlab-ci.yml"
_STEP = ".gitlab-ci/container"
# As Mesa's tree has them in 2026, as far as ci/mesa/install looks at them.
_MESA = {
    "VERSION": "26.3.0-devel\n",
    ".gitlab-ci.yml": "include:\n  - local: 'src/**/ci/gitlab-ci.yml'\n",
    f"{_STEP}/debian/test-gl.sh": 'PIGLIT_OPTS="" \\\n  . .gitlab-ci/container/build-piglit.sh\n\n# more\n',
    f"{_STEP}/gitlab-ci-inc.yml": ".container-builds-gl:\n  extends:\n    - .container-builds-piglit\n",
    ".gitlab-ci/conditional-build-image-tags.yml": "variables:\n  CONDITIONAL_BUILD_PIGLIT_TAG: 0\n",
    "src/gallium/drivers/llvmpipe/ci/gitlab-ci.yml": "llvmpipe-piglit-rusticl:\n  script: [x]\n",
    "src/freedreno/ci/gitlab-ci.yml": "a618-piglit:\n  script: [x]\n",
    "src/ci/rules.yml": ".test:\n  rules: []\n\n.rusticl-rules:\n  rules: []\n\n.use-debian/x86_64_test-gl:\n  image: x\n",
}


@pytest.fixture
def mesa(tmp_path: Path) -> Path:
    """A tree with what ci/mesa/install looks at."""
    for name, text in _MESA.items():
        (tmp_path / "mesa" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mesa" / name).write_text(text)
    return tmp_path / "mesa"


def _texts(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}


def test_a_checkout_gets_jobs_and_step_and_a_second_call_changes_nothing(mesa: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "a.whl"
    wheel.write_bytes(b"wheel")
    lines = list(install(mesa, wheel, "https://example.com/a.whl"))
    assert not [line for line in lines if line.startswith("by hand")], lines
    once = _texts(mesa)
    list(install(mesa, wheel, "https://example.com/a.whl"))
    assert _texts(mesa) == once
    assert "  . .gitlab-ci/container/build-piglit.sh\n\n####" in once[f"{_STEP}/debian/test-gl.sh"]
    assert yaml.safe_load(once[f"{_STEP}/gitlab-ci-inc.yml"])[".container-builds-gl"]["extends"] == [
        ".container-builds-rusticl-suite",
        ".container-builds-piglit",
    ]
    requirements = once[f"{_STEP}/rusticl-suite/requirements.txt"]
    assert (
        f"rusticl-runner @ https://example.com/a.whl \\\n    --hash=sha256:{hashlib.sha256(b'wheel').hexdigest()}\n"
        in requirements
    )
    assert "pyopencl==" in requirements


def test_the_tag_is_the_one_that_mesa_computes(mesa: Path, tmp_path: Path) -> None:
    """ci_tag_build_time_check: the step's script and the files that it names, one after another, by md5sum."""
    (tmp_path / "a.whl").write_bytes(b"wheel")
    list(install(mesa, tmp_path / "a.whl", ""))
    script = (mesa / _STEP / "build-rusticl-suite.sh").read_text()
    named = next(line for line in script.splitlines() if "ci_tag_build_time_check" in line)
    files = [
        f"{_STEP}/build-rusticl-suite.sh",
        *(w.strip('"').replace("$FILES", f"{_STEP}/rusticl-suite") for w in named.split()[2:]),
    ]
    digest = hashlib.md5(b"".join((mesa / name).read_bytes() for name in files)).hexdigest()
    tags = yaml.safe_load((mesa / ".gitlab-ci/conditional-build-image-tags.yml").read_text())["variables"]
    assert tags["CONDITIONAL_BUILD_RUSTICL_SUITE_TAG"] == digest


def test_a_job_beside_one_that_the_tree_lacks_is_left_out_and_named(mesa: Path) -> None:
    lines = list(install(mesa, None, ""))
    assert "left out: a750-rusticl-suite, because this tree has no a750-gl-cl" in lines
    text = (mesa / _JOBS).read_text()
    assert "\na618-rusticl-suite:" in text
    assert "\na750-rusticl-suite:" not in text


def test_a_merge_request_has_less_than_1000_lines_and_no_expectation_that_mesa_has_not_made_itself(
    mesa: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.whl").write_bytes(b"wheel")
    list(install(mesa, tmp_path / "a.whl", "https://example.com/a.whl"))
    after = _texts(mesa)
    assert 500 < sum(text.count("\n") for text in after.values()) - sum(t.count("\n") for t in _MESA.values()) < 1000
    assert not [name for name in after if name.endswith((*(f"{kind}.txt" for kind in FileKind), "device.txt"))]
    script = after[".gitlab-ci/rusticl-suite-runner.sh"]
    assert '--expectations "$EXPECTATIONS:"' in script, "Mesa's own folder before the wheel's"
    assert "--expectations-release nearest" in script


def test_a_folder_without_a_mesa_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no checkout of Mesa"):
        list(install(tmp_path, None, ""))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.root
@pytest.mark.nightly("test_gitlab.py has a pipeline of such jobs, and the tests above what these are")
def test_the_jobs_run_and_the_summary_says_which_found_what(tmp_path: Path) -> None:
    """On the root's own Mesa, as an artifact, with an expectation that is wrong."""
    source = tmp_path / "source"
    for name in (
        "meson.build",
        "VERSION",
        ".gitlab-ci/setup-test-env.sh",
        "src/gallium/drivers/llvmpipe/ci/llvmpipe-rusticl-fails.txt",
    ):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(
            "25.0.7\n" if name == "VERSION" else "section_start() { :; }; section_switch() { :; }\n" * name.endswith(".sh")
        )
    prefix = tmp_path / "prefix"
    for pattern, folder in (("*/libRusticlOpenCL.so.1.0.0", "lib"), ("*/libvulkan_lvp.so", "lib")):
        (prefix / folder).mkdir(parents=True, exist_ok=True)
        shutil.copy(next(Path("/usr/lib").glob(pattern)), prefix / folder)
    shutil.copytree("/usr/share/vulkan/icd.d", prefix / "share/vulkan/icd.d")
    list(make_tree(source, tmp_path / "work"))
    jobs = tmp_path / "work/jobs"
    fails = jobs / "src/gallium/drivers/zink/ci/zink-lavapipe-rusticl-suite-fails.txt"
    fails.write_text(fails.read_text() + "\n# wrong\nkernels/integer/abs.int,Fail,got 1 want 2\n")
    git(jobs, "commit", "-qam", "x")
    text = run_jobs(jobs, prefix, "-t kernels/integer/abs.*int", "-t piglit/program/execute/vload/vload-char-constant*")
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in text.splitlines() if line.startswith("| ")][1:]
    assert ["llvmpipe-rusticl-suite", "success", "0"] in rows
    assert ["zink-lavapipe-rusticl-suite", "failed", "1"] in rows
    assert "- `kernels/integer/abs.int,UnexpectedImprovement(Pass)`" in text
    assert "Not in this pipeline: zink-anv-adl-rusticl-suite, " in text
