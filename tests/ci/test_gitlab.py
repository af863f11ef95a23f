"""The GitLab templates: executed by gitlab-ci-local on llvmpipe, and checked against GitLab's published schema.

One file: everything that executes or checks the templates.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
import yaml
from conftest import ROOT, Mock
from gitlab_project import CI, TARGET, Project, read_rows

from emulators import FAMILIES
from runner.cases.renames import coming_release
from runner.drivers.registry import load_drivers, resolve
from runner.expectations.target import parse_name
from runner.model import ExitCode
from tools.gitlab_local import git, make_repository


def _ended(output: str) -> dict[str, str]:
    """How each job of a pipeline ended: "", "FAIL 1", "WARN 5"."""
    line = r"^(\S+(?:: \[\d/\d\])?) +finished in .*?(?:  (FAIL|WARN) (\d+))? *$"
    return {job: f"{word} {code or ''}".strip() for job, word, code in re.findall(line, output, re.M) if job != "pipeline"}


@pytest.mark.usefixtures("origin")
def test_a_pipeline_of_the_template_runs_shards_and_says_what_is_worth_what(
    project: Project, comments: tuple[str, list[tuple[str, str, str]]]
) -> None:
    output = project.ci(
        "--variable=CI_PIPELINE_SOURCE=merge_request_event",
        "--variable=CI_MERGE_REQUEST_IID=7",
        "--variable=RUSTICL_COMMENT_TOKEN=secret",
        "--variable=CI_PROJECT_ID=5",
        log=True,
    )
    ended = _ended(output)
    assert {job: how for job, how in ended.items() if not job.startswith("llvmpipe")} == {
        "again": "FAIL 1",
        "better": "WARN 5",
        "absent": "FAIL 3",
        "merge": "FAIL 1",
        "patch": "",
        "flakes": "",
        "summary": "",
    }, output
    shards = {job: how for job, how in ended.items() if job.startswith("llvmpipe")}
    assert sorted(shards) == ["llvmpipe: [1/2]", "llvmpipe: [2/2]"]
    assert sorted(shards.values()) == ["", "FAIL 1"]

    rows = [read_rows(project.folder / f"results/llvmpipe-{n}-2") for n in (1, 2)]
    merged = read_rows(project.folder / "merged")
    assert all(rows)
    assert not rows[0].keys() & rows[1].keys()
    assert rows[0] | rows[1] == merged
    assert {i for i, verdict in merged.items() if verdict == "Fail"} == {"kernels/integer/mad_sat.long"}
    assert {*merged.values()} == {"Fail", "Pass"}
    cases = list(ET.parse(project.folder / "merged/junit.xml").getroot().iter("testcase"))
    assert sorted(c.get("name", "") for c in cases) == sorted(merged)
    (red,) = [c for c in cases if c.find("failure") is not None]
    assert (red.get("name"), red.get("file")) == ("kernels/integer/mad_sat.long", "suites/kernels/integer/cases.py")
    assert "got -9223372036854775808" in (red.findtext("failure") or "")
    attachment = re.search(r"\[\[ATTACHMENT\|(.*?)]]", red.findtext("system-out") or "")
    assert attachment
    assert attachment[1] in project.artifacts("merge")

    assert {"results/again/junit.xml", "results/again/journal.jsonl"} <= project.artifacts("again")
    patch = (project.folder / "expectations.patch").read_text()
    assert "-kernels/integer/mad_sat.long,Pass" in patch
    assert "-kernels/integer/abs.char,Fail" in patch
    checkout = project.folder / "rusticl-runner"
    git(checkout, "apply", "--check", str(project.folder / "expectations.patch"))
    # The jobs share one folder here, so results/* holds the run of `better` too; that of `absent` is not evidence.
    assert f"{TARGET}: 4 runs" in (project.folder / "flakes.txt").read_text()
    assert {"flakes.txt", "history.sqlite"} <= project.artifacts("flakes")

    ((path, token, body),) = comments[1]
    assert (path, token) == ("/projects/5/merge_requests/7/notes", "secret")
    assert "mad_sat.long" in body
    assert (project.folder / "summary.md").read_text() in body.replace("\r\n", "\n")


def test_nights_run_other_jobs_than_merge_requests(project: Project) -> None:
    runs = {}
    for source, *more in (("merge_request_event",), ("schedule",), ("push",), ("schedule", "RUSTICL_CTS=build")):
        words = [f"--variable={word}" for word in (f"CI_PIPELINE_SOURCE={source}", *more)]
        listed = project.ci(*words, "--list-csv")
        names = {line.split(";")[0].strip('"').split(":")[0] for line in listed.splitlines() if ";" in line}
        runs[" ".join((source, *more))] = names - {"name"}
    nights = yaml.safe_load((CI / "gitlab/nights.yml").read_text())
    assert runs["schedule"] == {"night", "night-piglit", "night-sanitize", *nights}
    assert runs["schedule RUSTICL_CTS=build"] == {*runs["schedule"], "night-cts"}
    assert runs["push"] == set()
    assert {"llvmpipe", "merge", "summary"} <= runs["merge_request_event"]
    assert "night" not in runs["merge_request_event"]
    jobs = yaml.safe_load(project.ci("--preview"))
    assert "--tier nightly --strict-flakes" in jobs["night"]["variables"]["RUSTICL_DEPTH"]
    steps = jobs["night-sanitize"]["before_script"]
    assert steps[:-2] == jobs["night"]["before_script"]
    assert 'ci/mesa-build" --sanitize "$RUSTICL_SANITIZE"' in steps[-2]
    assert jobs["night-sanitize"]["variables"]["RUSTICL_ARGS"] == "--variant asan"


def test_logs_are_renamed_so_that_the_interface_shows_them(tmp_path: Path) -> None:
    (step,) = yaml.safe_load((CI / "gitlab/rusticl.yml").read_text())[".rusticl-test"]["after_script"]
    (tmp_path / "results/x/deep").mkdir(parents=True)
    for name in ("serial.log", "deep/a b.log", "kept.txt"):
        (tmp_path / "results/x" / name).write_text("x")
    for results in ("results/x", "not/there"):
        subprocess.run(["sh", "-ec", step], cwd=tmp_path, check=True, env={**os.environ, "RUSTICL_RESULTS": results})
    assert sorted(p.name for p in tmp_path.rglob("*.*")) == ["a b.log.txt", "kept.txt", "serial.log.txt"]


_COMPONENT = """\
stages: [build, test, .post]
include:
  - local: /templates/rusticl.yml
    inputs: {url: "file://ORIGIN", version: main, arguments: -j 1 -t kernels/integer/abs.char, expectations: own, shards: 2}
"""


@pytest.fixture
def component(project: Project) -> Project:
    """A project with the component and expectations of its own, whose branch changes a compiler."""
    (project.folder / ".gitlab-ci.yml").write_text(_COMPONENT.replace("ORIGIN", str(project.folder.parent / "origin")))
    (project.folder / "own/llvmpipe").mkdir(parents=True)
    (project.folder / "own/llvmpipe/llvmpipe-fails.txt").write_text("# head\n\nkernels/integer/abs.char,Pass\n")
    git(project.folder, "add", "-A")
    git(project.folder, "commit", "--quiet", "-m", "component")
    git(project.folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(project.folder, "checkout", "--quiet", "-b", "topic")
    return project


def _change(project: Project, name: str) -> None:
    (project.folder / name).parent.mkdir(parents=True, exist_ok=True)
    (project.folder / name).write_text("x")
    git(project.folder, "add", "-A")
    git(project.folder, "commit", "--quiet", "-m", name)


def test_the_component_runs_if_what_may_break_opencl_has_changed(component: Project) -> None:
    started = {}
    for name in ("docs/index.rst", "src/compiler/nir/nir.c"):
        _change(component, name)
        listed = component.ci("--variable=CI_PIPELINE_SOURCE=merge_request_event", "--list-csv")
        names = {line.split(";")[0].strip('"').split(":")[0] for line in listed.splitlines() if ";" in line}
        started[name] = names - {"name"}
    assert started == {"docs/index.rst": set(), "src/compiler/nir/nir.c": {"rusticl", "rusticl-report", "rusticl-lint"}}
    jobs = yaml.safe_load(component.ci("--preview"))
    assert jobs["rusticl"]["parallel"] == 2
    assert jobs["rusticl"]["variables"]["RUSTICL_DRIVER"] == "llvmpipe"
    assert jobs["rusticl"]["cache"][0]["paths"] == [".rusticl-cache/"]
    assert jobs["rusticl-report"]["artifacts"]["expose_as"] == "rusticl"
    assert jobs["rusticl-report"]["artifacts"]["paths"] == ["rusticl-report/"]


@pytest.mark.usefixtures("origin")
@pytest.mark.nightly("its jobs are those of the templates, which the pipeline above runs")
def test_the_component_brings_a_page_a_comment_and_code_quality(
    component: Project, comments: tuple[str, list[tuple[str, str, str]]]
) -> None:
    _change(component, "src/compiler/nir/nir.c")
    merge_request = ("CI_PIPELINE_SOURCE=merge_request_event", "CI_MERGE_REQUEST_IID=7", "CI_PROJECT_ID=5")
    words = [f"--variable={word}" for word in (*merge_request, "RUSTICL_COMMENT_TOKEN=secret")]
    output = component.ci(*words, log=True)
    assert set(_ended(output).values()) == {""}, output
    assert {"rusticl-report/report.html", "rusticl-report/junit.xml"} <= component.artifacts("rusticl-report")
    issues = json.loads((component.folder / "gl-code-quality-report.json").read_text())
    assert {i["location"]["path"] for i in issues} == {"own/llvmpipe/llvmpipe-fails.txt"}
    assert [path for path, _, _ in comments[1]] == ["/projects/5/merge_requests/7/notes"]


@pytest.mark.root
def test_the_comment_of_the_pipeline_before_is_changed(
    tmp_path: Path, comments: tuple[str, list[tuple[str, str, str]]]
) -> None:
    post = yaml.safe_load((CI / "gitlab/rusticl.yml").read_text())[".rusticl-summary"]["script"][1]
    variables = {"CI_API_V4_URL": comments[0], "CI_PROJECT_ID": "5", "CI_MERGE_REQUEST_IID": "7"}
    variables |= {"RUSTICL_COMMENT_TOKEN": "secret", "RUSTICL_RESULTS": "summary.md"}
    for job, text in (("a", "first"), ("a-b", "other"), ("a", "second")):
        (tmp_path / "summary.md").write_text(text)
        own = {**os.environ, **variables, "CI_JOB_NAME_SLUG": job}
        subprocess.run(["bash", "-e", "-o", "pipefail", "-c", post], cwd=tmp_path, check=True, env=own)
    notes = "/projects/5/merge_requests/7/notes"
    assert [path for path, _, _ in comments[1]] == [notes, notes, f"{notes}/301"]
    assert "second" in comments[1][2][2]


@pytest.mark.parametrize("broken", [("", ""), ("type: number", "type: numbers"), ("expose_as: ", "exposed_as: ")])
def test_the_component_is_what_gitlab_publishes_as_its_schema(tmp_path: Path, broken: tuple[str, str]) -> None:
    """Its head as it is, its jobs with the inputs' defaults in place."""
    text = (ROOT / "templates/rusticl.yml").read_text().replace(*broken)
    head, _, jobs = text.partition("\n---\n")
    for name, options in yaml.safe_load(head)["spec"]["inputs"].items():
        value = (options or {}).get("default", "x")
        jobs = jobs.replace(f"$[[ inputs.{name} ]]", value if isinstance(value, str) else json.dumps(value))
    assert "$[[" not in jobs
    (tmp_path / "head.yml").write_text(head)
    (tmp_path / "jobs.yml").write_text(jobs)
    words = ["--builtin-schema=vendor.gitlab-ci", "--data-transform=gitlab-ci", *map(str, tmp_path.glob("*.yml"))]
    done = subprocess.run([sys.executable, "-m", "check_jsonschema", *words], capture_output=True, text=True)
    assert done.returncode == any(broken), done.stdout


def test_the_component_of_a_tag_clones_that_tag() -> None:
    """Not an older one: its jobs call commands that the release before may not have."""
    head = (ROOT / "templates/rusticl.yml").read_text().partition("\n---\n")[0]
    assert yaml.safe_load(head)["spec"]["inputs"]["version"]["default"] == f"v{coming_release()}"
    for name in ("templates/rusticl.yml", "docs/gitlab-ci.md", "ci/gitlab/rusticl.yml", "ci/gitlab/nights.yml"):
        assert {*re.findall(r"\bv20\d\d[.\d]*\d", (ROOT / name).read_text())} == {f"v{coming_release()}"}


_CODE_QUALITY = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": r"^(?!\./|/)"},
                    "lines": {"required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}},
                },
            },
        },
    },
}


def test_what_lint_finds_is_a_code_quality_report(mock: Mock) -> None:
    mock.expect("fails", "# head\n\nmock/basic/absent,Fail\nmock/basic/fail,Fail\n")
    places = [word for word in mock.command() if word.startswith(("--suites", "--registry"))]
    code, output = mock.cli("export", "codequality", "--expectations=expectations", *places)
    assert code == 0, output
    issues = json.loads(output)
    jsonschema.validate(issues, _CODE_QUALITY)
    found = {(i["check_name"], i["location"]["lines"]["begin"]) for i in issues}
    assert found == {("reason", 3), ("unknown", 3), ("signature", 3), ("reason", 4), ("signature", 4)}
    assert len({i["fingerprint"] for i in issues}) == 5
    mock.expect("fails", "mock/basic/fail,Fial\n")
    code, output = mock.cli("export", "codequality", "--expectations=expectations", *places)
    assert code == 2
    assert [i["severity"] for i in json.loads(output)] == ["blocker"]


@pytest.mark.root
def test_gitlab_ci_local_that_cannot_be_installed_is_infrastructure(tmp_path: Path) -> None:
    own = {
        "RUSTICL_RUNNER_CACHE": str(tmp_path),
        "NPM_CONFIG_CACHE": str(tmp_path / "npm"),
        "NPM_CONFIG_FETCH_RETRIES": "0",
        "NPM_CONFIG_REGISTRY": "http://127.0.0.1:9",
    }
    done = subprocess.run([CI / "gitlab-ci-local", "--version"], capture_output=True, text=True, env={**os.environ, **own})
    assert done.returncode == 3
    assert "NPM_CONFIG_REGISTRY" in done.stderr
    assert not list(tmp_path.glob("gitlab-ci-local-*"))


def test_the_lock_file_names_no_registry() -> None:
    lock = (CI / "npm/package-lock.json").read_text()
    assert '"resolved"' not in lock
    assert "://" not in lock
    assert lock.count('"integrity": "sha512-') > 100


def test_the_patch_job_keeps_the_newest_nights(tmp_path: Path) -> None:
    keep, prune, _ = yaml.safe_load((CI / "gitlab/rusticl.yml").read_text())[".rusticl-patch"]["script"]
    for name in ("results/a-1-2/journal.jsonl", "results/a-2-2/journal.jsonl", "results/lost/junit.xml"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("x")
    for night in range(8, 12):
        variables = {"RUSTICL_RUNS": "results/*", "RUSTICL_NIGHTS": "3", "CI_PIPELINE_IID": str(night)}
        subprocess.run(["bash", "-ec", f"{keep}\n{prune}"], cwd=tmp_path, check=True, env={**os.environ, **variables})
    assert sorted(str(p.relative_to(tmp_path / "nights")) for p in (tmp_path / "nights").glob("*/*/*")) == [
        f"{night}/a-{n}-2/journal.jsonl" for night in ("10", "11", "9") for n in (1, 2)
    ]
    assert not list(tmp_path.glob("nights/*/lost"))


@pytest.mark.parametrize("broken", [("", ""), ("when: always", "when: sometimes"), ("script:", "skript:")])
def test_the_templates_are_what_gitlab_publishes_as_its_schema(tmp_path: Path, broken: tuple[str, str]) -> None:
    for path in sorted([*(CI / "gitlab").glob("*.yml"), *(CI / "mesa").rglob("*.yml")]):
        text = re.sub(r"\n +\w+: null\b.*", "", path.read_text())  # Mesa removes inherited keys so; no schema knows it
        text = text.replace(" .rusticl", " rusticl").replace("\n.rusticl", "\nrusticl")  # hidden jobs may hold anything
        (tmp_path / path.name).write_text(text.replace(*broken))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "check_jsonschema",
            "--builtin-schema=vendor.gitlab-ci",
            "--data-transform=gitlab-ci",
            *tmp_path.glob("*.yml"),
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == any(broken), done.stdout


def test_the_nights_cover_every_compiler_every_family_that_is_emulated_and_what_is_not_mesas() -> None:
    jobs, drivers = yaml.safe_load((CI / "gitlab/rusticl.yml").read_text()), load_drivers()

    def rows(name: str) -> Iterator[dict[str, str]]:
        for row in jobs[name]["parallel"]["matrix"]:
            words = {key: value if isinstance(value, list) else [value] for key, value in row.items()}
            yield from (dict(zip(words, chosen, strict=True)) for chosen in itertools.product(*words.values()))

    built = {(row["RUSTICL_DRIVER"], row["RUSTICL_MESA"]) for row in rows(".rusticl-compile-all")}
    for release, mesa in (("25.0", "trixie"), ("26.2", "sid")):
        layers = [parse_name(path)[0] for path in (ROOT / "expectations").glob(f"*/*-compile-mesa{release}-device.txt")]
        assert {layer.driver for layer in layers} <= {driver for driver, root in built if root == mesa}
    shims = [(name, shim) for name, driver in drivers.items() for shim in driver.shims]
    assert {name for name, _ in shims} == {driver for driver, _ in built}
    emulated = {(resolve(row["RUSTICL_DRIVER"], drivers).name, row["RUSTICL_GPU"]) for row in rows(".rusticl-emulate-all")}
    of_families = {
        (shim.emulator, gpu)
        for name, shim in shims
        for gpu in shim.gpus
        if shim.emulator and name != "zink" and (name, gpu) in emulated
    }
    assert of_families == {(name, gpu) for name, family in FAMILIES.items() for gpu in family.gpus}
    # CI_NODE_TOTAL, which --shard has by default, counts all jobs of a matrix.
    assert "--shard $RUSTICL_SHARD" in jobs[".rusticl-premerge-by-night"]["variables"]["RUSTICL_DEPTH"]
    for name in (".rusticl-compile-all", ".rusticl-emulate-all"):
        assert "--shard $RUSTICL_SHARD" in jobs[name]["variables"]["RUSTICL_DEPTH"], name
    parts = Counter((row["RUSTICL_DRIVER"], row["RUSTICL_GPU"], row["RUSTICL_MESA"]) for row in rows(".rusticl-emulate-all"))
    assert all(row["RUSTICL_SHARD"].endswith(f"/{parts[row['RUSTICL_DRIVER'], row['RUSTICL_GPU'], row['RUSTICL_MESA']]}")
               for row in rows(".rusticl-emulate-all"))  # fmt: skip
    measured = {path.name for path in (ROOT / "expectations").iterdir() if path.name in drivers}
    foreign = {name for name in measured if drivers[name].platform != "rusticl"} - {"nvidia"}
    assert {row["RUSTICL_DRIVER"] for row in rows(".rusticl-foreign")} == foreign
    known = re.search(r"not one of (.*)\" ;;", (CI / "run").read_text())
    assert known
    for name in (".rusticl-compile-all", ".rusticl-emulate-all", ".rusticl-foreign"):
        assert {row["RUSTICL_MESA"].split()[0] for row in rows(name)} <= {*known[1].split(", ")}, name


def test_the_jobs_of_a_night_leave_their_results_in_folders_of_their_own() -> None:
    templates, night = (yaml.safe_load((CI / f"gitlab/{name}.yml").read_text()) for name in ("rusticl", "nights"))
    site = night["rusticl-site"]
    assert (site["stage"], site["extends"][0], "needs" in site) == (".post", ".rusticl-site", False)
    slugs = []
    for job, body in night.items():
        of_template = templates[body["extends"]] if isinstance(body["extends"], str) else {}
        for row in of_template.get("parallel", {}).get("matrix", []):
            words = [value if isinstance(value, list) else [value] for value in row.values()]
            names = (f"{job} {' '.join(chosen)}".lower() for chosen in itertools.product(*words))
            slugs += [re.sub(r"[^a-z0-9]+", "-", name) for name in names]
    assert len(set(slugs)) == len(slugs) > 100
    assert max(map(len, slugs)) <= 63, "GitLab cuts a slug off there"


@pytest.mark.root
def test_the_scripts_of_the_jobs_are_clean(tmp_path: Path) -> None:
    for path in sorted((CI / "gitlab").glob("*.yml")):
        for name, job in yaml.safe_load(path.read_text()).items():
            for part in ("before_script", "script", "after_script"):
                # A list in the list is GitLab's way to take over another job's lines.
                if lines := [line for item in job.get(part, ()) for line in ([item] if isinstance(item, str) else item)]:
                    (tmp_path / f"{path.stem}{name}.{part}.sh").write_text("\n".join(["#!/bin/bash", *lines, ""]))
    # The variables are GitLab's.
    done = subprocess.run(
        ["shellcheck", "--severity=warning", "--exclude=SC2154", *sorted(tmp_path.iterdir())], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_only_infrastructure_is_retried_and_only_improvements_are_allowed() -> None:
    jobs = yaml.safe_load((CI / "gitlab/rusticl.yml").read_text()) | yaml.safe_load((CI / "gitlab/boards.yml").read_text())
    (outcome,) = [job for job in jobs.values() if {"retry", "allow_failure"} & job.keys()]
    assert outcome["retry"]["exit_codes"] == [ExitCode.INFRASTRUCTURE]
    assert outcome["allow_failure"] == {"exit_codes": [ExitCode.IMPROVED]}
    assert not {"always", "script_failure"} & {*outcome["retry"]["when"]}


@pytest.mark.root
@pytest.mark.nightly("its jobs are those of the project above")
def test_one_command_runs_an_example_project_of_this_clone(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    for name in ("ci", "runner", "emulators", "suites", "expectations", "tools", "templates"):
        shutil.copytree(ROOT / name, clone / name, ignore=shutil.ignore_patterns("__pycache__"))
    make_repository(clone)
    done = subprocess.run([clone / "ci/gitlab/try"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS  llvmpipe: [1/2]\nPASS  llvmpipe: [2/2]\nPASS  llvmpipe-merge\n" in done.stdout
    assert Path(done.stdout.rpartition("page: ")[2].strip()).is_file()
