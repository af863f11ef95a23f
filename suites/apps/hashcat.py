"""hashcat: each hash mode must find the password of its own example, whose hash the program prints."""

import json
import re
from pathlib import Path
from typing import Any

from runner import check
from runner.check import Mismatch, NothingTested
from runner.device import Device
from runner.program import Ended, run_program

from .home import open_home

# Only one candidate is tried, so tuning for throughput only costs time: no tuning, the least work per launch.
_SMALLEST = ("--kernel-accel=1", "--kernel-threads=1", "--backend-vector-width=1")
_QUIET = ("--potfile-disable", "--hwmon-disable", "--restore-disable", "--logfile-disable", "--quiet", "--force")
# Iterated modes need more than one iteration per launch. The self-test has 16 in each, so 200,000 and more are at least
# 12,500 launches, at 10 to 30 ms each on llvmpipe, which makes the kernel's state again for every launch. It tries the
# example's password on the example's hash, as the attack does, so the slowest modes run only the attack.
_SPEEDS = {"fast": ("--kernel-loops=1",), "slow": (), "slowest": ("--kernel-loops=1000", "--self-test-disable")}
_REPLACED = ("--deprecated-check-disable",)  # also runs a mode that another one has replaced
# hashcat does not always print the candidate: TOTP's is in base32; for the master key of "hashcat" it works out six
# bytes; of a PDF's two passwords it prints the result of the other.
_PRINTED = {18100: "NBQXG2DDMF2A====", 20510: "hashcat", 25400: "hashcat    (user password not set)"}
_LONGEST = 131_000  # bytes of an argument: Linux takes 128 KiB; the examples of LUKS are longer
_BUILD = re.compile(r"clBuildProgram|clLinkProgram|clCompileProgram|Kernel .* build failed")
_REASON = re.compile(r"self-test|cl[A-Z]\w+\(\)|[Kk]ernel|Skipping|No devices")


def check_crack(_: Device, *, mode: int, optimized: bool, speed: str) -> None:
    """The mode passes its self-test, and hashcat finds the password of its example."""
    folder, environment = open_home("hashcat")
    command = ["hashcat", "--hash-info", "--machine-readable", f"--hash-type={mode}"]
    example = read_example(run_program(command, folder, environment))
    password, target = example["example_pass"], example["example_hash"]
    if len(target) > _LONGEST:
        Path(folder, "hash").write_text(target, encoding="ascii")
        target = "hash"
    attack = ["--attack-mode=3", f"--session=mode{mode}", *_SMALLEST, *_QUIET, *_REPLACED]
    attack += ["-O"] * optimized + list(_SPEEDS[speed])
    words = ["hashcat", f"--hash-type={mode}", *attack, "--", target, password.replace("?", "??")]
    judge(run_program(words, folder, environment), _PRINTED.get(mode, password))


def read_example(ended: Ended) -> dict[str, Any]:
    """hashcat's description of one mode, including example_hash and example_pass."""
    start = ended.output.find("{")
    try:
        modes = json.loads(ended.output[start:]) if start >= 0 else {}
    except ValueError:
        modes = {}
    for example in modes.values():
        return dict(example)
    raise NothingTested(f"hashcat: prints no example of the mode: {ended.errors.strip()[:100]}")


def judge(ended: Ended, password: str) -> None:
    """Cracked is exit code 0 and the line HASH:PASSWORD; 1 means that no candidate fits; a negative one is an error."""
    lines = [line.strip() for line in (*ended.errors.splitlines(), *ended.output.splitlines())]
    if ended.code == 1:
        raise Mismatch("value: the example's password is not taken for right")
    if ended.code != 0:
        saying = next((line for line in lines if _REASON.search(line)), "no reason is printed")
        stage = "build" if _BUILD.search("\n".join(lines)) else "value" if "self-test" in saying else "enqueue"
        raise Mismatch(f"{stage}: exit {ended.code}: {saying[:200]}")
    found = [line.rpartition(":")[2] for line in lines if ":" in line]
    check.true(f"{password} is found", password in found)
