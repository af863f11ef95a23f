"""GitLab's pipelines on this machine: gitlab-ci-local in a folder that is made a repository for it."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from runner import ROOT
from runner.cache_folder import cache_folder

_GIT = ("git", "-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "gc.auto=0")


def git(folder: Path, *words: str) -> str:
    """Call git without any user's settings; returns its output."""
    return subprocess.run((*_GIT, *words), cwd=folder, check=True, capture_output=True, text=True).stdout


def make_repository(folder: Path, project: str = "") -> None:
    """Commit the content of a folder; `project` makes it a clone of a server's project, as gitlab-ci-local requires."""
    for words in (["init", "--quiet", "-b", "main"], ["add", "-A"], ["commit", "--quiet", "-m", "x"]):
        git(folder, *words)
    if project:
        git(folder, "remote", "add", "origin", f"git@gitlab.example.com:{project}.git")
        git(folder, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")


def run_pipeline(
    folder: Path,
    *words: str,
    variables: Mapping[str, str],
    environment: Mapping[str, str],
    log: bool,
    limit: int | None = None,
) -> str:
    """Run jobs in a folder's repository, without the variables of a CI around it; returns gitlab-ci-local's output.

    `words` are its arguments, `environment` is added to the current one, `log` includes its messages in the output. Raises
    TimeoutExpired after `limit` seconds.
    """
    home = folder.parent / "home"  # not the user's: it starts login shells, and a profile may put another python3 first
    home.mkdir(exist_ok=True)
    arguments = (*(f"--variable={name}={value}" for name, value in variables.items()), *words)
    predefined = [found[1] for word in arguments if (found := re.match(r"--variable=(CI_\w+)=", word))]
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CI", "GITLAB", "PYTEST"))}
    done = subprocess.run(
        [
            str(ROOT / "ci/gitlab-ci-local"),
            "--force-shell-executor",
            "--shell-executor-no-image",
            "--concurrency=1",  # the jobs share one folder
            "--no-json-schema-validation",
            f"--home={home}",
            f"--ignore-predefined-vars={','.join(predefined)}",  # set here: no warning
            *arguments,
        ],
        cwd=folder,
        env={**kept, "HOME": str(home), "RUSTICL_RUNNER_CACHE": str(cache_folder()), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if log else None,
        text=True,
        errors="replace",
        timeout=limit,
    )
    return re.sub("\x1b\\[[0-9;]*m", "", done.stdout)
