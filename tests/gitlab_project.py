"""A project that includes the GitLab template, and what its pipelines do on this machine."""

import http.server
import json
import os
import re
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from runner.cpu import class_of, read_cpu
from tools.gitlab_local import make_repository, run_pipeline

ROOT = Path(__file__).parent.parent


CI = ROOT / "ci"


# Where ci/cache.sh looks, before any fixture names another folder.
_CACHE = os.environ.get("RUSTICL_RUNNER_CACHE") or str(
    Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "rusticl-runner")
)


_PIPELINE = """\
include: [{local: rusticl.yml}, {local: nights.yml}]
stages: [test, report, .post]
variables: {RUSTICL_RUNNER_URL: "file://ORIGIN", RUSTICL_DRIVER: llvmpipe, RUSTICL_ARGS: -j 1 -t kernels/integer/mad_sat.*}
llvmpipe: {extends: [.rusticl-software, .rusticl-merge-request], stage: test, parallel: 2}
again: {extends: [.rusticl-software, .rusticl-merge-request], stage: test}
better:
  extends: [.rusticl-software, .rusticl-merge-request]
  stage: test
  variables: {RUSTICL_ARGS: -j 1 -t kernels/integer/abs.char}
  artifacts: {paths: [dmesg.log]}
absent:
  extends: [.rusticl-software, .rusticl-merge-request]
  stage: test
  variables: {RUSTICL_DRIVER: iris}
night: {extends: [.rusticl-software, .rusticl-nightly], stage: test}
night-piglit: {extends: .rusticl-piglit, stage: test, parallel: 2}
night-sanitize: {extends: .rusticl-sanitize, stage: test}
night-cts: {extends: .rusticl-cts, stage: test, parallel: 2}
merge:
  extends: [.rusticl-merge, .rusticl-merge-request]
  stage: report
  needs: [llvmpipe]
  variables: {RUSTICL_RUNS: results/llvmpipe-?-2}
patch: {extends: [.rusticl-patch, .rusticl-merge-request], stage: report, needs: [llvmpipe, again, better]}
flakes: {extends: [.rusticl-flakes, .rusticl-merge-request], stage: report, needs: [llvmpipe, again]}
summary:
  extends: [.rusticl-summary, .rusticl-merge-request]
  stage: .post
  needs: [merge]
  variables: {RUSTICL_RUNS: merged}
"""


TARGET = f"llvmpipe-{class_of(read_cpu(), os.environ)}-mesa25.0"
# Wrong expectations: on 25.0 mad_sat.long fails, as a broader file says, and abs passes.
_WRONG = """
# Wrong, for the tests.
kernels/integer/mad_sat.long,Pass

# Wrong, for the tests.
kernels/integer/abs.char,Fail,value: abs
"""


@dataclass
class Project:
    """A project that includes the template, and what its pipelines do."""

    folder: Path
    api: str

    def ci(self, *words: str, log: bool = False) -> str:
        """Call gitlab-ci-local; returns what it prints, with its log or without."""
        tools = self.folder.parent / "tools"
        return run_pipeline(
            self.folder,
            *words,
            variables={"CI_API_V4_URL": self.api, "CI_PROJECT_DIR": str(self.folder), "RUSTICL_RUNNER_CACHE": _CACHE},
            environment={"PATH": f"{os.environ['PATH']}:{tools}", "RUSTICL_RUNNER_CACHE": _CACHE},
            log=log,
            limit=400,
        )

    def artifacts(self, job: str) -> set[str]:
        """The files that a job would upload."""
        folder = self.folder / ".gitlab-ci-local/artifacts" / job
        return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def comments() -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """An address that takes what a job posts, and keeps path, token and body."""
    taken: list[tuple[str, str, str]] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            taken.append((self.path, self.headers["PRIVATE-TOKEN"], body))
            self.send_response(201)
            self.end_headers()

        do_PUT = do_POST

        def do_GET(self) -> None:
            """A page of the comments as GitLab lists them, each with its number; the project's own are not on the first."""
            texts = [re.split(r"\r\n--", body.split("\r\n\r\n", 1)[1])[0] for _, _, body in taken]
            notes: list[dict[str, object]] = [{"id": 201 + n, "type": None, "body": "another's"} for n in range(100)]
            notes += [{"id": 301 + n, "type": None, "body": t, "author": {"id": 5}} for n, t in enumerate(texts)]
            query = parse_qs(urlsplit(self.path).query)
            first, each = int(query.get("page", ["1"])[0]) - 1, int(query["per_page"][0])
            notes = notes[first * each : (first + 1) * each]
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(notes, separators=(",", ":")).encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", taken
        server.shutdown()


@pytest.fixture
def project(tmp_path: Path, comments: tuple[str, list[tuple[str, str, str]]]) -> Project:
    """A repository with a pipeline. Its jobs clone this project from beside it."""
    own, tools = tmp_path / "project", tmp_path / "tools"
    own.mkdir()
    (own / ".gitlab-ci.yml").write_text(_PIPELINE.replace("ORIGIN", str(tmp_path / "origin")))
    for name in ("rusticl.yml", "nights.yml"):
        shutil.copyfile(CI / "gitlab" / name, own / name)
    shutil.copytree(CI / "gitlab", own / "ci/gitlab")
    shutil.copytree(ROOT / "templates", own / "templates")
    make_repository(own, "group/project")
    tools.mkdir()
    if not shutil.which("awk"):
        (tools / "awk").symlink_to("/usr/bin/mawk")  # Debian's maintainer scripts make that link; none has run here
    return Project(own, comments[0])


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """This project, with expectations that are wrong about two tests."""
    folder = tmp_path / "origin"
    for name in ("ci", "runner", "emulators", "suites", "expectations"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / f"expectations/llvmpipe/{TARGET}-fails.txt").open("a", encoding="utf-8") as file:
        file.write(_WRONG)
    make_repository(folder)
    return folder


def read_rows(results: Path) -> dict[str, str]:
    """The verdicts of results.csv."""
    return dict(line.split(",")[:2] for line in (results / "results.csv").read_text().splitlines())
