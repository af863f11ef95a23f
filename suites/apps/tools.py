"""clinfo and clpeak: what they print about the device is complete, and agrees with the API."""

import re

from runner import check
from runner.check import Mismatch
from runner.device import Device
from runner.program import Ended, run_program

from .home import gather_implementations, open_home

_REFUSED = re.compile(r"<[^<>]*(?:error -\d+|: CL_[A-Z_]+)>")  # what clinfo prints if a query fails
_FIGURE = re.compile(r"^\s+(\S[^:]*?)\s*: (\S+)(?: us)?$")


def check_show_properties(device: Device, *, others: bool) -> None:
    """clinfo prints every property. `others`: the machine's other implementations are loaded too."""
    folder, environment = open_home("clinfo")
    if others:
        environment |= gather_implementations(folder, others=True)
    own = device.device
    facts = {"Device Name": own.name, "Max compute units": str(own.max_compute_units), "Driver Version": own.driver_version}
    judge_properties(run_program(["clinfo"], folder, environment), facts)


def judge_properties(ended: Ended, facts: dict[str, str]) -> None:
    """Exit code 0, no query failed, and each of `facts`, property and value, among the lines."""
    check.equal("exit code of clinfo", ended.code, 0, stage="api")
    refused = [line.strip() for line in ended.output.splitlines() if _REFUSED.search(line)]
    if refused:
        raise Mismatch(f"api: {' '.join(refused[0].split())}")
    lines = {" ".join(line.split()) for line in ended.output.splitlines()}
    for name, value in facts.items():
        check.true(f"clinfo says {name} {value}", f"{name} {' '.join(value.split())}" in lines, stage="api")


def check_measure(device: Device, *, test: str, figures: int, others: bool) -> None:
    """clpeak measures. `figures`: how many it prints; `others`: another implementation is loaded too."""
    folder, environment = open_home("clpeak")
    words = ["clpeak", f"--{test}"]
    if others:
        environment |= gather_implementations(folder, others=True)
        words += ["--platformName", device.device.platform.name]
    judge_figures(run_program(words, folder, environment), figures)


def judge_figures(ended: Ended, figures: int) -> None:
    """Exit code 0, and the test's number of figures, each above 0."""
    printed = ended.output.partition("Clock frequency")[2].splitlines()[1:]
    found = [match.groups() for line in printed if (match := _FIGURE.match(line))]
    lines = [line.strip() for line in (*ended.errors.splitlines(), *printed) if line.strip()]
    if ended.code:
        raise Mismatch(f"enqueue: exit {ended.code}: {lines[0][:200] if lines else 'no reason is printed'}")
    check.equal("figures", len(found), figures)
    for name, figure in found:
        check.true(f"{name} is a number above 0: {figure}", bool(re.fullmatch(r"\d+\.?\d*", figure)) and float(figure) > 0)
