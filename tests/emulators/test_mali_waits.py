"""The check of compiled kernels of Bifrost and Valhall, with one wait less: noticed, unless it is not needed."""

import shutil
from collections import Counter
from pathlib import Path

import pytest
from bare_mali import BareMali
from bare_valhall import BareValhall
from mali_drops import bifrost_drops, valhall_drops
from mali_waits import Step, bifrost_steps, lacks, valhall_steps, without

_KERNELS = Path(__file__).parent / "kernels"


class Idle:
    """A GPU that executes nothing, and lists what it is to launch."""

    def __init__(self, library: Path, gpu: str, folder: Path) -> None:
        self._trace = folder / "trace"
        self._bare = BareMali(library) if gpu == "g52" else BareValhall(library)
        self._read = bifrost_steps if gpu == "g52" else valhall_steps

    def steps(self, code: bytes) -> list[Step]:
        self._trace.write_text("", encoding="utf-8")
        self.findings(code)
        lines = self._trace.read_text(encoding="utf-8").splitlines()
        return self._read([line for line in lines if line.startswith("  ")])

    def findings(self, code: bytes) -> list[str]:
        return self._bare.launch(code + bytes(128)).hazards


@pytest.mark.parametrize(
    "path", sorted(path for gpu in ("g52", "g57") for path in _KERNELS.glob(f"{gpu}-*.hex")), ids=lambda path: path.stem
)
def test_each_wait_of_a_compiled_kernel_is_missed(
    mali_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: Path
) -> None:
    """Unless it is not needed, which walks from each message show without using the check."""
    monkeypatch.setenv("EMULATOR_EXECUTE", "0")
    monkeypatch.setenv("EMULATOR_TRACE", str(tmp_path / "trace"))
    gpu, _, _ = path.stem.partition("-")
    idle = Idle(Path(shutil.copy(mali_library, tmp_path)), gpu, tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    code = bytes.fromhex("".join(line for line in lines if not line.startswith("#")))
    steps = idle.steps(code)
    assert lacks(steps, gpu == "g52") == set()
    assert idle.findings(code) == []
    missed: Counter[str] = Counter()
    for what, n, less in (bifrost_drops if gpu == "g52" else valhall_drops)(code):
        needed = bool(lacks([*steps[:n], without(steps[n], what), *steps[n + 1 :]], gpu == "g52"))
        assert bool(idle.findings(less)) == needed, f"{what} of {n}"
        missed[what.partition(" ")[0]] += needed
    assert missed["wait"] >= 2
