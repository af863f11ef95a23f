"""The stand-alone programs of bugs: short, and each shows its bug on a driver of this root if its files name it there."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import opencl_environment
from emulated_programs import is_emulated_only

from runner.expectations.bugs import Bug, load_bugs
from runner.expectations.sightings import find_sightings, load_listings

_ROOT = Path(__file__).parents[2]
_BUGS = [bug for bug in load_bugs(_ROOT / "bugs").values() if bug.program]
_LISTINGS = load_listings(_ROOT / "expectations")
_HERE = [bug for bug in _BUGS if not is_emulated_only(bug, _LISTINGS)]  # tests/emulated_programs.py runs the others
_MAX_LINES = 60


def test_every_program_has_a_bug_with_its_place_is_short_and_says_what_a_right_driver_prints() -> None:
    programs = {p for p in (_ROOT / "bugs/programs").iterdir() if p.suffix in (".py", ".c")}
    assert programs == {bug.program for bug in _BUGS}
    assert len(programs) >= 20
    for bug in _BUGS:
        assert bug.program
        assert len(bug.program.read_text().splitlines()) <= _MAX_LINES
        assert bug.prints.keys() == {"right", "wrong"}, bug.path
        assert re.search(r"\w\.(c|cc|h|cl|cpp|py|rs)\b", bug.where), f"{bug.path}: which file of the source is at fault?"


@pytest.mark.root
@pytest.mark.parametrize("bug", _HERE, ids=lambda bug: bug.path.stem)
def test_a_program_shows_its_bug(bug: Bug, tmp_path: Path) -> None:
    """The program of a bug that was seen without a device or in a later release is right on llvmpipe."""
    assert bug.program
    seen = {listing.layer.name for listing, _ in find_sightings(bug, _LISTINGS)}
    drivers = [name for name in ("llvmpipe", "zink") if seen & {f"{name}-mesa25.0", f"{name}-lavapipe-mesa25.0"}]
    if not drivers:
        assert all("-compile-" in name or "-emulate-" in name or "mesa26" in name for name in seen), seen
    expected, other = ("wrong", "right") if drivers else ("right", "wrong")
    done = subprocess.run(
        [sys.executable, bug.program],
        env=opencl_environment(tmp_path, drivers[0] if drivers else "llvmpipe"),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    died = f"died of {signal.Signals(-done.returncode).name}" if done.returncode < 0 else ""
    assert bug.prints[expected] in f"{done.stdout}{died}"
    assert bug.prints[other] not in done.stdout
    assert (done.returncode != 0) is bool(drivers)
