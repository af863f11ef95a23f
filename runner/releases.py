"""Releases of tinygrad: which one is under test, how it is made to choose OpenCL, and what a case may require of it.

Of Mesa: which of two is the older, and which is the nearest.
"""

import importlib.util
import re
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

# The variable that chooses the OpenCL back end, since that release. A wrong one is silent: tinygrad takes any device.
_CHOICES = {(0, 10): {"GPU": "1"}, (0, 11): {"DEV": "GPU"}, (0, 12): {"DEV": "CL"}}


def version_in(folder: Path) -> str:
    """The version of the tinygrad in a folder, as pip installs it there or as a checkout has it; "" for none."""
    if not (folder / "tinygrad/__init__.py").is_file():
        return ""
    from importlib import metadata  # with half of the email package: only if it is needed

    for found in metadata.distributions(name="tinygrad", path=[str(folder)]):
        return found.version
    project = folder / "pyproject.toml"
    text = project.read_text(encoding="utf-8") if project.is_file() else ""
    stated = re.search(r'^version\s*=\s*"([^"]+)"', text, re.MULTILINE)
    return stated.group(1) if stated else ""


def installed_version() -> str:
    """The version of the tinygrad that this process has imported, or would import."""
    spec = importlib.util.find_spec("tinygrad")
    if spec is None or spec.origin is None:
        return ""
    from importlib import metadata

    return version_in(Path(spec.origin).parent.parent) or metadata.version("tinygrad")


def opencl_environment(version: str) -> dict[str, str]:
    """The variable that makes that release of tinygrad use OpenCL."""
    series = series_of(version)
    return dict(_CHOICES[max((first for first in _CHOICES if first <= series), default=min(_CHOICES))])


def release_features(version: str) -> set[str]:
    """What `Case.requires` may ask of that release: `tinygrad>=0.9`, `tinygrad>=0.10`, and so on up to its own."""
    major, minor = series_of(version)
    return {f"tinygrad>={major}.{i}" for i in range(9, minor + 1)}


def training(tinygrad: Any, on: bool = True) -> AbstractContextManager[Any]:
    """The context in which that tinygrad trains, or does not: `Context(TRAINING=...)` from 0.14 on."""
    if hasattr(tinygrad.helpers, "TRAINING"):
        return tinygrad.Context(TRAINING=int(on))  # type: ignore[no-any-return]
    return tinygrad.Tensor.train(on)  # type: ignore[no-any-return]


def has_language_models() -> bool:
    """Whether tinygrad.llm.model can be imported: the wheel of 0.14.0 lacks a package that it needs."""
    spec = importlib.util.find_spec("tinygrad")
    folder = Path(spec.origin).parent / "llm" if spec and spec.origin else Path()
    model = folder / "model.py"
    needs_kernels = model.is_file() and "tinygrad.llm.kernels" in model.read_text(encoding="utf-8")
    return model.is_file() and (not needs_kernels or (folder / "kernels").is_dir())


def series_of(version: str) -> tuple[int, int]:
    """The first two numbers of a version: (25, 0) for 25.0.7-2, (0, 0) if it has none."""
    major, minor, *_ = [*map(int, re.findall(r"\d+", version)), 0, 0]
    return major, minor


def nearest_series(measured: Iterable[str], to: str) -> str:
    """The series of Mesa that is the fewest releases older or newer than another, or ""; the older of two equally near.

    Mesa has four a year, 25.0 to 25.3.
    """

    def quarter(mesa: str) -> int:
        year, number = series_of(mesa)
        return year * 4 + number

    return min(sorted(measured), key=lambda mesa: abs(quarter(mesa) - quarter(to)), default="")
