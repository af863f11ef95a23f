"""`runner probe`: what is under test, as text, as JSON, or as the content of a floor file."""

import argparse
import json
from dataclasses import asdict

from runner.commands.options import add_device, config_of
from runner.expectations.files import floor_text
from runner.lines import tell
from runner.model import DeviceReport, ExitCode
from runner.run.one_case import opened_worker


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the device, the form."""
    add_device(parser)
    parser.add_argument("--json", dest="form", action="store_const", const="json", default="text")
    floor = "in the format of expectations/<driver>/<driver>-device.txt"
    parser.add_argument("--floor", dest="form", action="store_const", const="floor", help=floor)


def main(arguments: argparse.Namespace) -> ExitCode:
    """Open the device and print its report."""
    with opened_worker(config_of(arguments)) as worker:
        report = worker.report
    tell({"text": _text, "json": _json, "floor": floor_text}[arguments.form](report))
    return ExitCode.GREEN


def _text(report: DeviceReport) -> str:
    lines = []
    for name, value in asdict(report).items():
        if isinstance(value, dict):
            lines += [f"{name}:", *(f"  {k:24} {v}" for k, v in value.items())]
        else:
            lines.append(f"{name:18} {' '.join(value) if isinstance(value, tuple) else value}")
    return "\n".join(lines)


def _json(report: DeviceReport) -> str:
    return json.dumps(asdict(report), indent=2)
