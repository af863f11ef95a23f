"""What the server of forked.py reads once for all runs: only what is kept by a file's text, or is of the system's Mesa."""

from contextlib import suppress
from pathlib import Path

from runner import ROOT
from runner.drivers.registry import load_drivers
from runner.expectations.folder import read_files
from runner.model import InfrastructureError
from runner.run.launcher import plan_launch
from runner.run_config import RunConfig

load_drivers()
read_files(ROOT / "expectations", "llvmpipe")
with suppress(InfrastructureError):  # a machine without OpenCL
    plan_launch(RunConfig("llvmpipe")).environment(Path("/nonexistent"))
