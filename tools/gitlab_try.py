"""`ci/gitlab/try`: an example project that includes the template of ci/gitlab, and its pipeline on this machine."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence

from runner import ROOT
from runner.cache_folder import cache_folder
from runner.lines import tell
from tools.gitlab_local import make_repository, run_pipeline

_PIPELINE = """\
include: [{{local: rusticl.yml}}]
stages: [test, report]
variables:
  {{RUSTICL_RUNNER_URL: "file://{root}", RUSTICL_RUNNER_REF: {branch}, RUSTICL_DRIVER: llvmpipe, RUSTICL_ARGS: {arguments}}}
llvmpipe: {{extends: [.rusticl-software, .rusticl-merge-request], stage: test, parallel: 2}}
llvmpipe-merge: {{extends: [.rusticl-page, .rusticl-merge-request], stage: report, needs: [llvmpipe]}}
"""
_SHOWN = re.compile(r" *(?:PASS|FAIL|WARN) +\S.*|.*(?:selected cases executed|took \d+ s).*")


def _branch() -> str:
    """The branch of this clone, whose last commit the jobs use; main if none is checked out."""
    command = ["git", "-C", str(ROOT), "symbolic-ref", "--short", "--quiet", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip() or "main"


def main(words: Sequence[str]) -> int:
    """Make the project, run its jobs, and print their results and artifacts; returns the exit code."""
    folder = cache_folder() / "gitlab-try/project"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    arguments = " ".join(words or ["-t", "kernels/integer/mad_sat.*"])  # the template splits them at spaces
    (folder / ".gitlab-ci.yml").write_text(_PIPELINE.format(root=ROOT, branch=_branch(), arguments=f'"{arguments}"'))
    shutil.copyfile(ROOT / "ci/gitlab/rusticl.yml", folder / "rusticl.yml")
    make_repository(folder, "group/project")
    tools = folder.parent / "tools"
    tools.mkdir(exist_ok=True)
    if not shutil.which("awk") and not (tools / "awk").exists():
        (tools / "awk").symlink_to("/usr/bin/mawk")  # Debian's maintainer scripts make it, and have not run in the root
    text = run_pipeline(
        folder,
        "--variable=CI_PIPELINE_SOURCE=merge_request_event",
        variables={"CI_PROJECT_DIR": str(folder), "RUSTICL_RUNNER_CACHE": str(cache_folder())},
        environment={"PATH": f"{os.environ['PATH']}:{tools}"},
        log=True,
    )
    (folder.parent / "log.txt").write_text(text, encoding="utf-8")
    ended = [line.strip() for line in text.splitlines() if _SHOWN.fullmatch(line)]
    tell(*ended, sep="\n")
    pages = sorted((folder / ".gitlab-ci-local/artifacts").rglob("report.html"))
    tell(f"log: {folder.parent / 'log.txt'}", *(f"page: {page}" for page in pages), sep="\n")
    return 0 if pages and not any(line.startswith("FAIL") for line in ended) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
