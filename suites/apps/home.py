"""A program's home folder: below the run's cache, one for each child, so that no program finds another one's files."""

import os
import shutil
from pathlib import Path

from runner.check import Unsupported

_VENDORS = Path("/etc/OpenCL/vendors")


def open_home(program: str) -> tuple[Path, dict[str, str]]:
    """An empty folder to work in, and the variables of a home beside it. Two children never share them."""
    folder = Path(os.environ["XDG_CACHE_HOME"], f"{program}-{os.getpid()}")
    (folder / "work").mkdir(parents=True, exist_ok=True)
    names = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    return folder / "work", {name: str(folder) for name in names}


def gather_implementations(folder: Path, *, others: bool) -> dict[str, str]:
    """The variable that names a new folder, with the .icd file under test, and the machine's if `others` is true.

    Raises Unsupported if others are asked for and the machine has none.
    """
    icd_path, vendors = Path(os.environ["OCL_ICD_VENDORS"]), folder / "vendors"
    own = [icd_path] if icd_path.is_file() else sorted(icd_path.glob("*.icd"))
    more = [path for path in sorted(_VENDORS.glob("*.icd")) if path.name not in {one.name for one in own}]
    if others and not more:
        raise Unsupported("this machine has no second OpenCL implementation")
    vendors.mkdir(exist_ok=True)
    for path in (*own, *(more if others else ())):
        shutil.copy(path, vendors)
    return {"OCL_ICD_VENDORS": str(vendors)}
