"""`runner bench gpt2`, `runner bench ops`: how fast each device is, as tables that can be compared."""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from runner.bench import table
from runner.child.environment import passed
from runner.commands.options import add_form, add_places, config_of
from runner.drivers.emulator import STATISTICS
from runner.drivers.presence import driver_emulating, missing_device
from runner.drivers.registry import Driver, driver_of
from runner.lines import read_given, tell
from runner.model import ExitCode, InfrastructureError, UsageError
from runner.records.emulated import read_files
from runner.run.launcher import plan_launch
from runner.run_config import RunConfig, add_options, at_least
from runner.shapes import MALFORMED

# tinygrad's own, by the value of DEV.
_CPU = {"CPU, clang": "CPU:CLANG", "CPU, LLVM": "CPU:LLVM"}
_TIMEOUT_S = 1800.0


@dataclass(frozen=True, slots=True)
class BenchConfig:
    """The command line's options. `size` is tiny or 124M; `output` and `compare` are files, or ""."""

    what: str
    drivers: tuple[str, ...] = ()
    emulated: tuple[str, ...] = ()  # GPUs
    cpu: bool = True
    size: str = "tiny"
    tokens: int = 20
    small: bool = False
    form: str = "text"
    output: str = ""
    compare: str = ""


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the benchmark, the devices."""
    parser.set_defaults(driver="")
    parser.add_argument("what", choices=["gpt2", "ops"])
    names, which = "NAME[,NAME]", "an OpenCL device, by its driver; repeatable"
    parser.add_argument("--driver", "--devices", dest="drivers", action="append", default=[], metavar=names, help=which)
    which = "an emulated GPU, as a630: whether it is right, and what it executed; it has no speed; repeatable"
    parser.add_argument("--emulated", action="append", default=[], metavar="GPU[,GPU]", help=which)
    parser.add_argument("--no-cpu", dest="cpu", action="store_false", help="leave out tinygrad's own CPU back ends")
    size = "gpt2: the suite's small model, or the shape of the published one with seeded weights"
    parser.add_argument("--size", choices=["tiny", "124M"], default="tiny", help=size)
    # Three tokens are too noisy, and quartiles need several.
    parser.add_argument("--tokens", type=at_least(8), default=20, metavar="N", help="gpt2: how many (default 20)")
    parser.add_argument("--small", action="store_true", help="ops: sizes that only show that it works")
    add_form(parser, "text", "markdown", "json")
    parser.add_argument("--output", default="", metavar="FILE", help="write there, instead of printing")
    old = "print what has changed beyond noise since this --format json"
    parser.add_argument("--compare", default="", metavar="FILE", help=old)
    add_places(parser)
    add_options(parser, "gpt2_weights", "mesa_prefix", "registry", "timeout_scale", "seed")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Measure each option in a process of its own and print the table; REGRESSION if one failed, INFRASTRUCTURE if a
    driver's device is not here.

    Raises UsageError for an unknown driver, an unreadable --compare or an --output that cannot be written.
    """
    values = {k: v for k, v in vars(arguments).items() if k in BenchConfig.__dataclass_fields__}
    for name in ("drivers", "emulated"):
        values[name] = tuple(each for words in values[name] for each in words.split(","))
    bench, config = BenchConfig(**values), config_of(arguments, in_part=("gpt2_weights",))  # tokens are numbers there
    options = list(_options(bench, config))
    if not options:
        raise UsageError("bench: nothing to measure: give --driver or --emulated, or leave --no-cpu out")
    old = _read(bench.compare) if bench.compare else None
    record: dict[str, Any] = {
        "bench": bench.what,
        "begun": datetime.now(UTC).isoformat(timespec="seconds"),
        "size": config.gpt2_weights or bench.size if bench.what == "gpt2" else "small" if bench.small else "full",
        "options": [],
    }
    if old and (refusal := table.comparable(old, record)):
        raise UsageError(f"--compare {bench.compare}: {refusal}")
    for name, option, driver, dev in options:
        tell(f"measuring {name}", file=sys.stderr)
        record["options"].append({"name": name, **_measure(bench, option, driver, dev)})
    text = table.write(record, bench.form)
    if bench.output:
        try:
            Path(bench.output).write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--output {bench.output}: {error.strerror}") from error
    else:
        tell(text)
    if old:
        changes = table.compare(old, record)
        tell(*changes, sep="\n", file=sys.stdout if bench.form != "json" else sys.stderr)
    if any("failed" in option for option in record["options"]):
        return ExitCode.REGRESSION
    asked = [option for option in record["options"] if option["name"] not in _CPU]
    return ExitCode.INFRASTRUCTURE if any("absent" in option for option in asked) else ExitCode.GREEN


def _options(bench: BenchConfig, config: RunConfig) -> Iterator[tuple[str, RunConfig, Driver, str]]:
    """Name, configuration, driver and DEV of each row."""
    if bench.cpu:
        for name, dev in _CPU.items():
            yield name, config, Driver("cpu", opencl=False), dev
    for name in bench.drivers:
        own = replace(config, driver=name)
        driver = driver_of(own)
        yield driver.name, own, driver, "CL"
    for gpu in bench.emulated:
        driver, _ = driver_emulating(gpu, config.registry)
        yield f"{gpu}, emulated", replace(config, driver=driver.name, gpu=gpu, mode="emulate"), driver, "CL"


def _measure(bench: BenchConfig, config: RunConfig, driver: Driver, dev: str) -> dict[str, Any]:
    if driver.opencl and (absent := missing_device(driver, config.mode)):
        return {"absent": absent}
    with tempfile.TemporaryDirectory(prefix="runner-bench-") as scratch:
        folder = Path(scratch)
        try:
            plan = plan_launch(config, driver)
            environment = plan.environment(folder / "cache") | {STATISTICS: str(folder / "emulator")}
            emulator = plan.setup["emulator"]
        except InfrastructureError as error:
            return {"absent": str(error)}
        request, answer = folder / "request.json", folder / "answer.json"
        # An emulated device has no speed, so it is not measured at length.
        wanted = asdict(replace(bench, small=True) if emulator else bench)
        asked = {"bench": wanted, "config": config.to_json(), "opencl": driver.opencl, "emulator": emulator}
        request.write_text(json.dumps(asked), encoding="utf-8")
        command = [sys.executable, "-m", "runner.bench.child", str(request), str(answer)]
        kept = {name: value for name, value in passed(os.environ, driver.passes).items() if name != "OCL_ICD_FILENAMES"}
        process = subprocess.Popen(
            command,
            env=kept | environment | {"DEV": dev},
            stdout=sys.stderr,  # the driver's output is not part of the table
            start_new_session=True,
        )
        try:
            code = process.wait(_TIMEOUT_S * config.timeout_factor)
        except subprocess.TimeoutExpired:
            return {"failed": f"no answer in {_TIMEOUT_S * config.timeout_factor:.0f} s"}
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if code or not answer.is_file():
            return {"failed": signal.Signals(-code).name if code < 0 else f"exit {code}"}
        found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
        return table.without_times(found, read_files(folder.glob("emulator.*"))) if emulator else found


def _read(path: str) -> dict[str, Any]:
    try:
        return table.parse(json.loads(read_given(Path(path))))
    except MALFORMED as error:
        raise UsageError(
            f"--compare {path}: no record of bench: {error!r}; give what --format json --output wrote"
        ) from error
