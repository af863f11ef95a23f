"""`runner --driver NAME --variant base,no_variants --gpu a630,a660`, or --gpu all: several configurations in one run.

They run one after another, have one journal, and reports of their own in a folder of their name beside it.
"""

import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from runner.drivers.registry import Driver, driver_of
from runner.lines import tell
from runner.model import ExitCode, InfrastructureError, UsageError
from runner.output.reports import judge_record, write_whole
from runner.records.configurations import check_configuration, configurations_in
from runner.records.journal import NAME, Journal, read
from runner.run.job import PlannedRun, cpu_s, make_plan, prepared, run_plan
from runner.run_config import BASE, RunConfig
from runner.verdict.report import Report

ALL = "all"


def expand(config: RunConfig) -> dict[str, RunConfig]:
    """The configurations that --gpu and --variant name, each by its name; "" for a single one.

    Raises UsageError for --gpu all without --mode compile or emulate, because a machine only has the GPUs that it has.
    """
    driver = driver_of(config)
    gpus = _every_gpu(driver, config) if config.gpu == ALL else _words("gpu", config.gpu)
    variants = _words("variant", config.variant)
    found = {}
    for gpu in gpus:
        for variant in variants:
            name = "-".join([gpu] * (gpu != config.gpu) + [variant] * (variant != config.variant))
            own = replace(config, gpu=gpu, variant="" if variant == BASE else variant)
            driver.variant_environment(own.variant)  # raises UsageError for an unknown one
            found[name] = replace(own, results=str(Path(config.results, name))) if name else own
    return found


def run_all(configurations: Mapping[str, RunConfig], folder: Path, resume: bool) -> ExitCode:
    """Run one configuration after another; returns the worst exit code.

    A GPU that this Mesa lacks by the registry is left out and reported if all of them are asked for; the first run shows
    which Mesa it is. One that cannot run does not stop the others.
    """
    plans: dict[str, PlannedRun] = {}
    for name, config in configurations.items():
        known = next(iter(plans.values())).known if plans else None
        if plan := make_plan(config, resume, known):
            plans[name] = plan
    if not plans:
        return ExitCode.GREEN
    with prepared(folder, resume):
        if resume:
            _compare(folder, plans)
        else:
            _begin(folder, plans)
        return _run_each(folder, plans)


def _every_gpu(driver: Driver, config: RunConfig) -> list[str]:
    known = driver.gpus_of(config.mode)
    if config.has_device or not known:
        raise UsageError(
            f"--gpu all: needs --mode compile and a driver with shims, and {driver.name} has "
            f"{', '.join(driver.gpus_of('compile')) or 'none'}; or --mode emulate, for "
            f"{', '.join(driver.gpus_of('emulate')) or 'none of them'}"
        )
    return known


def _words(option: str, text: str) -> list[str]:
    """The words of a list with commas, each once; [""] if the option is not given."""
    words = list(dict.fromkeys(text.split(",")))
    if len(words) > 1:
        for word in words:
            try:
                check_configuration(word)
            except ValueError as error:
                raise UsageError(f"--{option} {text}: {word!r} is not a name") from error
    return words


def _begin(folder: Path, plans: Mapping[str, PlannedRun]) -> None:
    """Write the request of each, so that a run that is killed knows what it has not begun."""
    for name, plan in plans.items():
        with Journal(folder / NAME, name) as journal:
            journal.write("header", **plan.header, configurations=list(plans))


def _compare(folder: Path, plans: Mapping[str, PlannedRun]) -> None:
    begun = configurations_in(folder)
    if {*begun} - plans.keys() or plans.keys() - {*configurations_in(folder, left_out=True)}:
        names = ", ".join(begun) or "of one only"
        raise UsageError(f"{folder}: was run with other configurations ({names}); give the same to --resume")
    if all(read(folder / name).finished for name in begun):
        raise UsageError(f"{folder}: that run is finished; run without --resume")


def _run_each(folder: Path, plans: Mapping[str, PlannedRun]) -> ExitCode:
    reports: dict[str, Report] = {}
    absent: dict[str, str] = {}
    for name, plan in plans.items():
        mesa = next((report.record.device.mesa for report in reports.values() if report.record.device), "")
        if why := _why_left_out(plans, plan, mesa):
            absent[name] = why
            with Journal(folder / NAME, name) as journal:
                journal.write("left_out", reason=why)
        else:
            interrupted = any(report.exit_code == ExitCode.INTERRUPTED for report in reports.values())
            reports[name] = _run_one(name, plan, interrupted)
    return write_whole(folder, reports, absent)


def _run_one(name: str, plan: PlannedRun, interrupted: bool) -> Report:
    """Run what is left of one configuration; if it cannot run, or the run has been stopped, report what there is."""
    if not interrupted and not read(plan.folder).finished:
        tell(f"== {plan.config.driver} {name}", file=sys.stderr)
        try:
            return run_plan(plan, resume=True, begun_s=time.monotonic(), spent_s=cpu_s())
        except InfrastructureError as error:
            tell(f"runner: {name}: {error}", file=sys.stderr)
    return judge_record(plan.folder, replace(read(plan.folder), config=plan.config), plan.known)


def _why_left_out(plans: Mapping[str, PlannedRun], plan: PlannedRun, mesa: str) -> str:
    """Why a GPU is left out if all are asked for; "" if it is not."""
    driver = plan.driver
    if plan.config.has_device or not {*driver.gpus_of(plan.config.mode)} <= {own.config.gpu for own in plans.values()}:
        return ""
    shim = next((shim for shim in driver.shims if plan.config.gpu in shim.gpus), None)
    if not shim or shim.is_in(mesa):
        return ""
    return f"not in Mesa {mesa}: known {f'since Mesa {shim.since}' if shim.since else f'until Mesa {shim.until}'}"
