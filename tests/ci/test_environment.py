"""No secret of a CI job's environment is in anything that a run leaves."""

import random
import re
import string
import subprocess
from pathlib import Path

import pytest
from conftest import MOCK, ROOT, Mock

from runner.child.environment import HIDDEN, mask, passed, recorded
from runner.run import watchdog

_DRAW = random.Random(18)
_BY_NAME = """
RUSTICL_COMMENT_TOKEN RUSTICL_UPLOAD RUSTICL_API MESA_TOKEN MESA_X VK_SECRET SIGNING_KEY DB_PWD INTEL_LICENCE
ZINK_COOKIE SENTRY_DSN FD_CREDENTIAL DOCKER_AUTH_CONFIG OCL_ICD_SECRET OPENCL_VENDOR_KEY CI_JOB_TOKEN
CI_REGISTRY_PASSWORD CI_JOB_JWT GITLAB_TOKEN AWS_SECRET_ACCESS_KEY HF_TOKEN NPM_PAT LD_LIBRARY_PATHX
DEVICE_PASSPHRASE GPU_API_KEY
"""  # below the prefixes that drivers read, too


def _draw(length: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(_DRAW.choices(alphabet, k=length)) + "aZ9"


def _secrets() -> dict[str, tuple[str, str]]:
    """Fifty variables: name -> its value, and the part of it that must be nowhere."""
    found: dict[str, tuple[str, str]] = {}
    for name in _BY_NAME.split():
        part = _draw(12, string.ascii_lowercase)
        found[name] = (part, part)
    for number in range(2):  # recognisable only by their form, under names that say nothing
        for kind, value in {
            "URL": "https://user:{}@example.com/x.git",
            "AT": "https://user:p@ss{}@example.com/x.git",
            "QUERY": "https://example.com/x?a=b&private_token={}&c=d",
            "SIGNED": "https://example.com/x?X-Amz-Signature={}",
            "BEARER": "accept: x; bearer {}",
            "OPTION": "client --password {} x",
            "GITLAB": "glpat-{}",
            "GITHUB": "ghp_{}",
            "PYPI": "pypi-{}",
            "LONG": "{}{}",
        }.items():
            part = _draw(20)
            found[f"PLAIN_{kind}_{number}"] = (value.format(part, part), part)
    # In a variable that is recorded.
    for name, value in {
        "RUSTICL_DEBUG": "{}",
        "MESA_DEBUG": "https://bot:{}@example.com",
        "GALLIVM_DEBUG": "glpat-{}",
        "LP_DEBUG": "PRIVATE-TOKEN: {}",
        "VK_LOADER_DEBUG": "ghp_{}",
    }.items():
        part = _draw(40)
        found[name] = (value.format(part), part)
    assert len(found) == 50
    return found


def _leaks(folder: Path, secrets: dict[str, tuple[str, str]]) -> set[tuple[str, str]]:
    files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert files
    return {
        (name, path.name) for path, data in files.items() for name, (_, part) in secrets.items() if part.encode() in data
    }


def test_fifty_secrets_of_the_environment_are_in_no_file_that_a_run_leaves(tmp_path: Path, mock: Mock) -> None:
    secrets = _secrets()
    mock.environment |= {name: value for name, (value, _) in secrets.items()}
    case = "kernels/math/half/exp"
    results = tmp_path / "out/results"
    code, output = mock.cli(
        "--driver", "llvmpipe", "-t", case, "--tier", "nightly", "-j", "1", "--stats", "--results", str(results)
    )
    assert code == 0, output
    for words in (
        ("html", str(results), "--output", str(tmp_path / "out/page.html")),
        ("summary", str(results)),
        ("repro", "--driver", "llvmpipe", case, str(tmp_path / "out/repro")),
    ):
        code, text = mock.cli(*words)
        assert code == 0, text
        output += text
    (tmp_path / "out/output").write_text(output)
    assert not _leaks(tmp_path / "out", secrets)
    assert '"RUSTICL_FEATURES"' in (results / "journal.jsonl").read_text()  # what decides about the test is there


def test_a_driver_that_prints_its_environment_prints_no_secret(mock: Mock) -> None:
    secrets = _secrets()
    mock.environment |= {name: value for name, (value, _) in secrets.items()} | {"MOCK_ENVIRONMENT": "1"}
    mock.run("-t", "mock/environment/print")
    assert "MOCK_ENVIRONMENT=1" in (mock.results / "logs/mock/environment/print.txt").read_text()
    assert not _leaks(mock.results, secrets)


@pytest.mark.parametrize(
    "text",
    [
        *("X-Api-Key: {}", "x-auth-token: {}", "Cookie: session={}", "https://h/p?sv=1&sig={}%3D", "https://h/p?key={}"),
        *("PASSPHRASE={}", "SSH_PRIVATE_KEY={}", "export PASS={}", "https://h/?access_key={}", "CI_JOB_JWT={}"),
        *('"password": "{}"', "{{'token': '{}'}}", "password: {}", '{{"auths":{{"r":{{"auth":"{}"}}}}}}', "--api-key {}"),
        *("curl -u user:{} https://h", "https:\\/\\/u:{}@h", "sk_live_{}", "dop_v1_{}", "SG.{}.x", "ya29.{}", "GR1348941{}"),
    ],
)
def test_a_secret_is_masked_however_it_is_written(text: str) -> None:
    secret = "s3cr3tvaluethatnobodymaysee"
    assert secret not in mask(text.format(secret))
    assert passed({"LP_DEBUG": text.format(secret)}) == {}


def test_a_secret_with_slashes_is_masked_and_a_path_is_not() -> None:
    assert mask("a wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY") == f"a {HIDDEN}"
    path = "/opt/Mesa25/lib/x86/libRusticlOpenCL/abcd"
    assert mask(path) == path


@pytest.mark.parametrize(
    "value",
    [
        "/home/user/.cache/rusticl-runner/trixie-amd64-0123456789ab/usr/lib/x86_64-linux-gnu/libRusticlOpenCL.so.1",
        "no_variants,program",
        "llvmpipe:0",
        "fp16,fp64",
        "/builds/mesa/mesa/install/share/vulkan/icd.d/lvp_icd.x86_64.json",
    ],
)
def test_what_drivers_are_told_is_shown_as_it_is(value: str) -> None:
    assert mask(value) == value
    assert recorded({"RUSTICL_DEBUG": value}) == {"RUSTICL_DEBUG": value}
    assert passed({"RUSTICL_DEBUG": value}) == {"RUSTICL_DEBUG": value}


def test_a_child_gets_what_a_list_names_and_nothing_else() -> None:
    system = {
        "PATH": "/bin",
        "HOME": "/home/u",
        "VK_ADD_LAYER_PATH": "/layer",
        "EMULATOR_TRACE": "f",
        "ACO_DEBUG": "nosched",
    }
    odd = {"X": "1", "MESA_X": "1", "DEPLOY_KEY_2": "1", "BUILD_NUMBER": "7", "RUNNER_TOKEN": "1"}
    assert passed(system | odd) == system
    assert passed(system | odd, ["X"]) == system | {"X": "1"}
    assert passed(odd | {"RUNNER_PASSES": "X, MESA_X"}) == {"X": "1", "MESA_X": "1"}
    assert passed({"RUNNER_PASSES": "X", "X": "glpat-abcdefgh12345678"}) == {}


def test_every_variable_that_the_documentation_sets_before_a_run_reaches_the_driver() -> None:
    from runner.child.environment import _RECORDED, _SYSTEM_VARIABLES

    texts = [path.read_text() for path in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"))]
    named = {
        n
        for text in texts
        for line in re.findall(r"^(?:export )?([A-Z_0-9]+=.*ci/run .*)$", text, re.MULTILINE)
        for n in re.findall(r"\b([A-Z][A-Z0-9_]+)=", line.partition("ci/run")[0])
    }
    assert named
    # Of ci/run itself.
    assert named - _SYSTEM_VARIABLES - _RECORDED - {"DEBIAN_MIRROR", "APT_CONFIG", "PIP_INDEX_URL"} == set()


def test_what_is_printed_to_repeat_a_case_by_hand_shows_no_secret(mock: Mock) -> None:
    secret = _draw(40)
    mock.environment |= {"MOCK_SAYS": f"glpat-{secret}"}
    code, output = mock.cli(
        "run-case",
        "--driver=mock",
        f"--registry={MOCK / 'drivers.yaml'}",
        f"--suites={MOCK / 'suites'}",
        "--variant=validation",
        "mock/basic/pass",
    )
    assert code == 0, output
    assert "export MOCK_SAYS=" in output, output
    assert secret not in output


def test_every_variable_that_the_registry_sets_is_recorded() -> None:
    from runner.child.environment import _RECORDED

    text = (ROOT / "runner/drivers/drivers.yaml").read_text()
    assert set(re.findall(r"\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+): ", text)) <= _RECORDED


def test_the_watchdogs_list_of_processes_shows_no_secret_of_a_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog, "_DUMP_S", 0.0)
    monkeypatch.setattr("runner.run.watchdog.shutil.which", lambda _: None)
    secret = _draw(20)
    process = subprocess.Popen(["sh", "-c", "read a", "--token", secret, f"https://u:{secret}@h"], stdin=subprocess.PIPE)
    try:
        monkeypatch.setattr(watchdog, "tree", lambda own: [own, process.pid])
        watchdog.write_stacks(tmp_path / "log", tmp_path)
    finally:
        process.communicate()
    log = (tmp_path / "log").read_text()
    assert f"--- {process.pid}: sh -c read a {HIDDEN}" in log
    assert secret not in log
