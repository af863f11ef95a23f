"""What decides which Python code runs in a run: the project's and its packages', whatever the user's environment says."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from runner import ROOT

_KEPT = ("PYTHONPATH", "PYTHONNOUSERSITE")  # the first is looked through below
# Words and plug-ins of the user's own pytest; sessions here say themselves what they load.
_PYTEST = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")


def isolate() -> None:
    """Have neither this process nor those that it starts import from the current folder or by the user's variables.

    PYTHONPATH alone is kept, less what in it is not absolute: the project and its packages come by it in a root and on a
    board. A json.py, a yaml.py or a runner/ in the current folder is a file as any other.
    """
    here = os.path.realpath(os.curdir)
    if not sys.flags.safe_path:  # `python -m runner`, without -P
        sys.path[:] = [p for p in sys.path if p and (os.path.realpath(p) != here or Path(p).resolve() == ROOT.resolve())]
    for name in [n for n in os.environ if n.startswith("PYTHON") and n not in _KEPT]:
        del os.environ[name]
    for name in _PYTEST:
        os.environ.pop(name, None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ["PYTHONSAFEPATH"] = "1"
    if "PYTHONPATH" in os.environ:
        folders = os.environ["PYTHONPATH"].split(os.pathsep)
        os.environ["PYTHONPATH"] = os.pathsep.join(p for p in folders if p.startswith("/"))  # an empty one is the current
