"""Whether the programs of bugs that only an emulated GPU shows do show them, in a root that has its driver:

    ci/in-root --mesa sid python3 -P tests/emulated_programs.py [NUMBER...]

ci/test's own root has no driver that is emulated.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from runner.expectations.bugs import Bug, load_bugs  # noqa: E402
from runner.expectations.sightings import find_sightings, load_listings  # noqa: E402
from runner.expectations.target import Target  # noqa: E402


def emulated_programs() -> list[tuple[Bug, Target]]:
    """Each bug with a program that no layer but those of emulated GPUs names, and one of these."""
    listings = load_listings(ROOT / "expectations")
    found = []
    for bug in load_bugs(ROOT / "bugs").values():
        layers = [listing.layer for listing, _ in find_sightings(bug, listings)]
        if bug.program and layers and all(layer.mode == "emulate" for layer in layers):
            found.append((bug, layers[0]))
    return found


def main(numbers: list[str]) -> int:
    wrong = 0
    for bug, layer in emulated_programs():
        if numbers and str(bug.number) not in numbers:
            continue
        gpu = layer.gpu.replace("a6xx", "a630").replace("a7xx", "a750")
        command = [sys.executable, "-P", "-m", "runner.cli", "emulate", "--gpu", gpu, "--", sys.executable, str(bug.program)]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        shown = bug.prints["wrong"] in done.stdout and bug.prints["right"] not in done.stdout
        print(f"{bug.number} on {gpu}: {'shown' if shown else 'NOT SHOWN'}", flush=True)
        if not shown:
            print(done.stdout)
            wrong += 1
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
