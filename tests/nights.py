"""Journals as runs write them, from results made by hand."""

from dataclasses import asdict, replace
from pathlib import Path

from conftest import MOCK

from runner.model import Attempt, DeviceReport, Result, Status
from runner.records import journal
from runner.records.journal import Journal
from runner.run_config import RunConfig

_P, _F, _C, _S = Status.PASS, Status.FAIL, Status.CRASH, Status.SKIP


class Nights:
    """Journals as runs write them, from results made by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0

    def run(
        self,
        results: dict[str, tuple[Status, ...]],
        mesa: str = "25.0.7",
        footer: str = "",
        variant: str = "",
        ci_job: str = "",
        cpu_class: str = "",  # of a run of llvmpipe, else it is one of the mock
        unlikely: tuple[str, ...] = (),
    ) -> Path:
        self.count += 1
        folder = self.folder / f"night{self.count}"
        folder.mkdir(parents=True)
        config = RunConfig("mock", registry=str(MOCK / "drivers.yaml"), variant=variant)
        device = DeviceReport(device="mock", mesa=mesa, driver_version=mesa, unlikely=unlikely)
        if cpu_class:
            config = RunConfig("llvmpipe", variant=variant)
            device = replace(device, platform="rusticl", device="llvmpipe (LLVM 19.1.7, 256 bits)", cpu_class=cpu_class)
        with Journal(folder / journal.NAME) as writer:
            writer.write(
                "header",
                config=config.to_json(),
                ids=list(results),
                suites="s",
                expectations="e",
                begun=f"2026-01-{self.count:02}T00:00:00+00:00",
                ci_job=ci_job,
            )
            writer.write("device", report=asdict(device))
            for test_id, statuses in results.items():
                attempts = tuple(
                    Attempt(s, 0.5 + self.count / 1000, "" if s is _P else f"{s} here", nth_in_child=n + 1)
                    for n, s in enumerate(statuses)
                )
                writer.write("result", **Result(test_id, attempts).to_json())
            writer.write("footer", reason=footer, wall_s=1.0)
        return folder
