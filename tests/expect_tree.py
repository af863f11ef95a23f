"""Expectation files for the tests of `runner expect update`, and the runs that it reads."""

from dataclasses import asdict
from pathlib import Path

import pytest

from runner.cli import main
from runner.model import Attempt, DeviceReport, Result, Status
from runner.records import journal
from runner.records.journal import Journal
from runner.run_config import RunConfig

_P, _F, _C, _T, _S = Status.PASS, Status.FAIL, Status.CRASH, Status.TIMEOUT, Status.SKIP


DEVICE = DeviceReport(
    platform="rusticl",
    device="FD630",
    mesa="25.0.7",
    driver_version="25.0.7-2",
    llvm="19.1",
    libclc="abc",
    libclc_version="19",
    features=("fp16",),
    extensions=("cl_khr_fp16",),
)


Outcome = tuple[Status, ...] | tuple[tuple[Status, str], ...]

KNOWN = """\
# Measured: a630

# the compiler drops a barrier, issue 7
s/a/a,Fail,value: got 1
s/a/b,Crash,SIGSEGV

# only b
s/a/c,Fail
"""


class Tree:
    """A folder with expectations for freedreno, suites of eight tests, and runs."""

    ids = tuple(f"s/a/{name}" for name in "abcdefgh")

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0
        for name in ("expectations/all", "expectations/freedreno", "suites/s"):
            (folder / name).mkdir(parents=True)
        (folder / "suites/s/suite.yaml").write_text("suite: s\n")
        (folder / "suites/s/cases.py").write_text(
            f"from runner.model import Case\ndef cases():\n    return [Case(i) for i in {self.ids!r}]\n"
        )

    def expect(self, name: str, text: str) -> Path:
        path = self.folder / "expectations" / name.split("-")[0] / f"{name}.txt"
        path.write_text(text)
        return path

    def text(self, name: str) -> str:
        return (self.folder / "expectations" / name.split("-")[0] / f"{name}.txt").read_text()

    def lines(self, name: str) -> list[str]:
        return [line for line in self.text(name).splitlines() if line and not line.startswith("#")]

    def run(
        self, device: DeviceReport = DEVICE, footer: str | None = "", variant: str = "", missing: int = 0, **results: Outcome
    ) -> str:
        """A journal of a run in which test s/a/<name> had these attempts."""
        self.count += 1
        folder = self.folder / f"run{self.count}"
        folder.mkdir()
        ids = [f"s/a/{name}" for name in results] + [f"s/a/missing{n}" for n in range(missing)]
        config = RunConfig("freedreno", variant=variant)
        with Journal(folder / journal.NAME) as out:
            out.write(
                "header",
                config=config.to_json(),
                ids=ids,
                suites="x",
                expectations="",
                begun=f"2026-01-{self.count:02}T00:00:00+00:00",
            )
            out.write("device", report=asdict(device))
            for name, outcome in results.items():
                pairs = [o if isinstance(o, tuple) else (o, "value: got 1 want 2") for o in outcome]
                attempts = tuple(Attempt(s, 0.1 + self.count, m if s is not _P else "") for s, m in pairs)
                out.write("result", **Result(f"s/a/{name}", attempts).to_json())
            if footer is not None:
                out.write("footer", reason=footer, wall_s=1.0)
        return str(folder)

    def __call__(self, *words: str) -> int:
        own = ["--expectations", str(self.folder / "expectations"), "--suites", str(self.folder / "suites")]
        if words[0] == "factor":
            own = own[:2]
        return main(["expect", words[0], *own, *words[1:]])


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)
