"""The installed copy: `runner`, `suites` and `expectations` lie below this package, where they hide nobody's modules.

In a checkout, and after `pip install -e`, they lie beside it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> int:
    """Run the command line, with the folder that holds `runner` first on the path: here, and in every child."""
    here = Path(__file__).resolve().parent
    root = str(here if (here / "runner").is_dir() else here.parent)
    sys.path.insert(0, root)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    if Path(sys.argv[0]).name == "rusticl-runner":  # the only name that a distribution gives it
        os.environ.setdefault("RUNNER_COMMAND", "rusticl-runner")
    from runner.cli import main

    return main()
