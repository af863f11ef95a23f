"""Whether the programs of bugs that only an emulated GPU shows do show them, in a root that has its driver, and whether
those of the assumptions are compiled to the instructions that they are about, and answer as the emulator assumes:

    ci/in-root --mesa sid python3 -P tests/emulated_programs.py [NUMBER... | assumptions]
    ci/in-root python3 -P tests/emulated_programs.py        # those of 25.0, on what ci/mesa-build has built

ci/test's own root has no driver that is emulated.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from runner.drivers.assumptions import Table, judge, load_assumptions, write_programs  # noqa: E402
from runner.expectations.bugs import Bug, load_bugs  # noqa: E402
from runner.expectations.sightings import Listing, find_sightings, load_listings  # noqa: E402
from runner.expectations.target import Target  # noqa: E402

ANY = {"freedreno": "a630", "iris": "tgl", "panfrost": "g52", "radeonsi": "navi31"}  # if the file is one of all GPUs


def is_emulated_only(bug: Bug, listings: Sequence[Listing]) -> bool:
    """Whether files of emulated GPUs name it, and no others."""
    layers = [listing.layer for listing in listings if listing.named[bug.number]]
    return bool(layers) and all(layer.mode == "emulate" for layer in layers)


def emulated_programs(mesa: str = "") -> list[tuple[Bug, Target]]:
    """Each bug with a program that only layers of emulated GPUs name, with one of these layers, of this release."""
    listings = load_listings(ROOT / "expectations")
    found = []
    for bug in load_bugs(ROOT / "bugs").values():
        if bug.program and is_emulated_only(bug, listings):
            seen = [listing.layer for listing, _ in find_sightings(bug, listings)]
            here = [layer for layer in seen if not mesa or layer.mesa in ("", mesa)]
            found += [(bug, layer) for layer in sorted(here, key=lambda layer: (layer.variant, layer.gpu))[:1]]
    return found


def release_here() -> str:
    """The release of the root's Mesa, as 26.2."""
    packages = dict(line.split()[:2] for line in Path("/packages.txt").read_text(encoding="utf-8").splitlines())
    return ".".join(packages["mesa-opencl-icd"].split(".")[:2])


def assumptions(folder: Path, family: str, table: Table) -> int:
    """The number of a family's programs that do not show what they should."""
    list(write_programs(folder))
    gpu = {"adreno": "a630", "mali": "g52"}[family]
    loop = f'for p in "$0"/{family}_*.py; do echo "== $p" >> "$EMULATOR_TRACE"; python3 "$p"; done'
    own = ["emulate", "--gpu", gpu, "--trace", str(folder / "trace"), "--", "sh", "-c", loop, str(folder)]
    command = [sys.executable, "-P", "-m", "runner.cli", *own]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    traces = dict(part.split(".py\n", 1) for part in (folder / "trace").read_text(encoding="utf-8").split("== ")[1:])
    rows = [row for row in table.rows if not row.unsettled]
    wrong = 0
    for row, (agrees, line) in zip(rows, judge(done.stdout), strict=True):
        lacks = [name for name in row.instructions if name not in traces[f"{folder}/{family}_{row.number:02}"]]
        print(f"{line}{f'; NO {lacks}' if lacks else ''}", flush=True)
        wrong += not agrees or bool(lacks)
    return wrong


def main(numbers: list[str]) -> int:
    wrong = 0
    if not numbers or numbers == ["assumptions"]:
        with tempfile.TemporaryDirectory() as folder:
            wrong += sum(
                assumptions(Path(folder), *own) for own in load_assumptions().items() if own[1].mesa == release_here()
            )
    for bug, layer in emulated_programs(release_here()):
        if numbers and str(bug.number) not in numbers:
            continue
        gpu = re.sub("a(6|x)xx", "a630", layer.gpu.split("+")[0]).replace("a7xx", "a750") or ANY[layer.driver]
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
