"""The LAVA job that ci/lava-job writes: by LAVA's own schema, and executed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from conftest import ROOT
from serial_console import CI, JOB, NONCE, host_hears

_LAVA = {
    "CI_JOB_ID": JOB,
    "CI_JOB_NAME": "it's a630: 1/2",
    "LAVA_DEVICE_TYPE": "sdm845-cheza-r3",
    "LAVA_GROUP": "mesa",
    "LAVA_KERNEL_URL": "https://example.com/Image",
    "LAVA_DTB_URL": "https://example.com/cheza.dtb",
    "LAVA_ROOTFS_URL": "https://example.com/rootfs.tar.zst",
    "LAVA_MESA_URL": "https://example.com/mesa.tar.zst",
    "RUSTICL_NONCE": NONCE,
    "RUSTICL_RESULTS": "results/a630-1-2",
    "RUSTICL_UPLOAD": """cp "$1" 'it is'.tar.gz""",
}


def _lava_job(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k not in _LAVA}
    return subprocess.run([CI / "lava-job", *words], capture_output=True, text=True, env={**kept, **_LAVA, **environment})


@pytest.mark.root
def test_the_lava_job_is_one_by_lavas_own_schema_and_runs_what_was_asked_for(tmp_path: Path) -> None:
    from lava_common.schemas import validate  # Debian's, in the root of ci/test

    show = "import json, os, sys; os.makedirs(sys.argv[-1]); json.dump(sys.argv[1:], open('seen', 'w')); sys.exit(5)"
    words = (sys.executable, "-c", show, "-t", "kernels/math/*", "it's", 'a "b" $HOME')
    text = _lava_job(*words, RUSTICL_RUNNER_ON_BOARD=str(ROOT)).stdout
    job = yaml.safe_load(text)
    validate(job)
    with pytest.raises(Exception, match="tftq"):
        validate(yaml.safe_load(text.replace("to: tftp", "to: tftq")))
    assert job["job_name"].startswith("rusticl: it's a630: 1/2")

    steps = job["actions"][2]["test"]["definitions"][0]["repository"]["run"]["steps"]
    script = "\n".join(steps).replace("/rusticl-job", f"{tmp_path}/rusticl-job")
    script = re.sub("lava-test-case .* --shell ", "", script)
    script = script.replace("/rusticl-nonce", f"{tmp_path}/rusticl-nonce")
    nonce = {"RUSTICL_NONCE_FILE": f"{tmp_path}/rusticl-nonce"}
    done = subprocess.run(["sh", "-c", script], cwd="/", capture_output=True, text=True, env={**os.environ, **nonce})
    assert yaml.safe_load((tmp_path / "seen").read_text()) == [*words[3:], "--results", "results/a630-1-2"]
    assert (tmp_path / "it is.tar.gz").exists()
    assert host_hears(done.stdout.encode())[0] == done.returncode == 5, done.stdout


def test_a_lava_job_names_the_variable_that_it_lacks() -> None:
    done = _lava_job("runner", LAVA_DEVICE_TYPE="")
    assert done.returncode == 2
    assert "LAVA_DEVICE_TYPE" in done.stderr
