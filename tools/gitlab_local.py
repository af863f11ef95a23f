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
    """Call git as somebody without settings; returns what it prints."""
    return subprocess.run((*_GIT, *words), cwd=folder, check=True, capture_output=True, text=True).stdout


def make_repository(folder: Path, project: str = "") -> None:
    """Commit what is in a folder; `project` makes it a clone of one of a server, which gitlab-ci-local asks for."""
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
    """Run jobs in a folder's repository, with nothing of a CI that this runs in; returns what gitlab-ci-local prints.

    `words` are its arguments, `environment` is added to one's own, `log` has its messages in the text. Raises TimeoutExpired
    after `limit` seconds.
    """
    home = folder.parent / "home"  # not the user's: its shells are login shells, and a profile may put another python3 first
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
