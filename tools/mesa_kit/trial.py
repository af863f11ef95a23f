"""Run the jobs on one machine as far as possible: Mesa's pipeline without its devices, by gitlab-ci-local."""

import http.server
import json
import os
import re
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from runner import ROOT
from runner.lines import tell
from runner.model import InfrastructureError
from tools.gitlab_local import make_repository, run_pipeline
from tools.mesa_kit.install import install
from tools.mesa_mutants.source_tree import copy_source

JOBS = ("llvmpipe-piglit-rusticl", "llvmpipe-rusticl-suite", "zink-lavapipe-rusticl-suite")
_SUMMARY = "rusticl-suite-summary"
_PROJECT, _PIPELINE = "1", "1"


def make_tree(mesa: Path, folder: Path) -> Iterator[str]:
    """In `folder`: source/, a copy of Mesa to build, and jobs/, the jobs' tree, with our files; yields lines to print."""
    copy_source(mesa, folder / "source")
    jobs = folder / "jobs"
    shutil.rmtree(jobs, ignore_errors=True)
    for path in (mesa / "VERSION", *mesa.glob(".gitlab-ci/**/*.sh"), *mesa.glob("src/**/ci/*.txt")):
        target = jobs / path.relative_to(mesa)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    shutil.copyfile(ROOT / "ci/mesa/here.yml", jobs / ".gitlab-ci.yml")
    yield from install(jobs, None, "")
    make_repository(jobs, "mesa/mesa")


def run_jobs(jobs: Path, prefix: Path, suite: str, piglit: str, names: Sequence[str] = JOBS) -> str:
    """Run jobs, one after another, and their summary; returns it. `suite` and `piglit` select the jobs' cases."""
    variables = {
        "PREFIX": str(prefix.resolve()),
        "RUSTICL_SUITE_RUNNER": str(ROOT / "ci/run"),
        "RUSTICL_SUITE_ARGS": suite,
        "PIGLIT_ARGS": piglit,
        "RUNNER_RENDER_NODE": os.environ.get("RUNNER_RENDER_NODE", ""),
        "RUNNER_CRASH_PLACE": os.environ.get("RUNNER_CRASH_PLACE", ""),
        "FDO_CI_CONCURRENT": str(os.cpu_count() or 1),
    }
    done: list[dict[str, object]] = []
    for name in names:
        shutil.rmtree(jobs / "results", ignore_errors=True)  # else a job's artifact would contain the previous job's results
        begun = time.monotonic()
        output = _gitlab_ci_local(jobs, variables, name, "--no-artifacts-to-source", *(() if done else ("--needs",)))
        failed = re.search(rf"^ *(?:FAIL|WARN) +{name}\b", output, re.MULTILINE)
        seconds, status = time.monotonic() - begun, "failed" if failed else "success"
        done.append({"id": name, "name": name, "status": status, "duration": seconds})
        tell(f"{name}: {status}, {seconds:.0f} s", flush=True)
    with _served(jobs, done) as api:
        named = {"CI_API_V4_URL": api, "CI_PROJECT_ID": _PROJECT, "CI_PIPELINE_ID": _PIPELINE}
        output = _gitlab_ci_local(jobs, variables | named, _SUMMARY)
    try:
        return (_artifacts(jobs, _SUMMARY) / f"{_SUMMARY}.md").read_text(encoding="utf-8")
    except OSError as error:
        raise InfrastructureError(f"{_SUMMARY} wrote nothing: {error}\n{output}") from error


def _gitlab_ci_local(jobs: Path, variables: dict[str, str], *words: str) -> str:
    text = run_pipeline(jobs, *words, variables=variables, environment={}, log=True)
    (jobs.parent / f"{words[0]}.log").write_text(text, encoding="utf-8")
    return text


def _artifacts(jobs: Path, name: str) -> Path:
    return jobs / ".gitlab-ci-local/artifacts" / name


@contextmanager
def _served(jobs: Path, done: list[dict[str, object]]) -> Iterator[str]:
    """The address of the parts of GitLab's API that the summary uses: the pipeline's jobs, and a file of one."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            if path == f"/projects/{_PROJECT}/pipelines/{_PIPELINE}/jobs":
                body = json.dumps(done).encode()
            elif (found := re.fullmatch(rf"/projects/{_PROJECT}/jobs/([\w-]+)/artifacts/([\w/.-]+)", path)) and (
                file := _artifacts(jobs, found[1]) / found[2]
            ).is_file():
                body = file.read_bytes()
            else:
                self.send_error(404)
                return
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
