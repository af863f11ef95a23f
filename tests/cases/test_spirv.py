"""The suite's assembler emits valid SPIR-V by spirv-val, except in modules that must be refused."""

import struct
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from mutation import SUITES, Function, cases_of, of, patched

from runner.importing import import_suite_module
from runner.model import DeviceReport

KERNELS = SUITES / "kernels"
INVALID = "kernels/spirv/invalid/"
# One process for all: a line on its standard output for each module that spirv-val refuses.
_VALIDATE = 'for module in */*; do spirv-val --target-env "${module%%/*}" "$module" || echo "$module"; done'
# Rules that spirv-val does not look at: the last word of the header is reserved, 0 (SPIR-V 1.6, 2.3); the class of built-in
# variables is OpenCL's rule (SPIR-V Environment 3.0, 2.9).
_UNCHECKED = {f"{INVALID}schema", f"{INVALID}built_in_in_constant_memory"}


class _Enough(Exception):
    """The module has been seen; the device need not build it."""


def _recorder(case_id: str, modules: list[bytes]) -> Callable[[Any], Any]:
    """A clCreateProgramWithIL that keeps the words it is given in `modules`."""

    def from_words(inner: Function, device: Any, words: bytes) -> Any:
        modules.append(words)
        if case_id.startswith("kernels/spirv/link"):  # of two modules
            return inner(device, words)
        raise _Enough

    return of(from_words)


def _modules(device: Any, device_report: DeviceReport) -> Iterator[tuple[str, bytes]]:
    """Every module that a case of the area gives to the device: its case's id and its words."""
    run = import_suite_module(KERNELS, "run").run
    able = {*device_report.features, *device_report.extensions}
    cases = cases_of("kernels")
    for case in (c for c in cases if c.id.startswith("kernels/spirv/") and able.issuperset(c.requires)):
        modules: list[bytes] = []
        device.begin(case, 0)
        with patched("suites.kernels.kit.spirv.from_words", _recorder(case.id, modules)), suppress(_Enough):
            run(device, case)
        yield from ((case.id, words) for words in modules)


def _environment(words: bytes) -> str:
    """The specification of a module: OpenCL's, except for what spirv-val's OpenCL does not know."""
    version, float16 = struct.unpack_from("=I", words.ljust(8), 4)[0], struct.pack("=2I", 2 << 16 | 17, 9)
    return "spv1.4" if float16 in words or version == 0x10400 else "opencl2.2"


@pytest.mark.filterwarnings("ignore:Pre-build attribute access")  # a program of IL is asked for its handle, not built
def test_spirv_val_passes_what_must_be_valid_and_nothing_else(opened: tuple[Any, DeviceReport], tmp_path: Path) -> None:
    names: dict[str, str] = {}
    for n, (case_id, words) in enumerate(_modules(*opened)):
        path = tmp_path / _environment(words) / str(n)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(words)
        names[str(path.relative_to(tmp_path))] = case_id
    assert len(names) > 900
    done = subprocess.run(["sh", "-c", _VALIDATE], cwd=tmp_path, capture_output=True, text=True)
    refused = {names[line] for line in done.stdout.split()}
    invalid = {case_id for case_id in names.values() if case_id.startswith(INVALID)}
    assert sorted(refused - invalid) == [], done.stderr
    assert invalid - refused == _UNCHECKED


def test_each_file_of_the_assembly_has_its_row() -> None:
    snippets = import_suite_module(KERNELS, "spirv.snippets")
    folder = KERNELS / "spirv/assembly"
    files = {(path.parent.name, path.stem) for path in folder.glob("*/*.spvasm") if path.parent.name in snippets.FAMILIES}
    assert files == {(family, name) for family, rows in snippets.FAMILIES.items() for name in rows}
