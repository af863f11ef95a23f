"""The programs of cl-program-tester, in a warm child: its verdicts, unless `strict` is requested."""

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.check import Mismatch, NothingTested, Unsupported
from runner.device import Device
from runner.importing import import_suite_module
from runner.model import UsageError
from runner.sources import PIGLIT_VARIABLE

from .comparison import compare_as_piglit, prepared, takes_anything

_KERNELS = Path(__file__).resolve().parents[1] / "kernels"
annotation = import_suite_module(_KERNELS, "programs.annotation")
execution = import_suite_module(_KERNELS, "programs.execution")

_PAD = bytes([0xC3]) * (16 << 10)  # after each buffer: a write beyond its end hits no other case's memory
_LATEST_CLC = 12  # the assumed version, and the one in Rusticl's CL_DEVICE_OPENCL_C_VERSION

_outcomes: dict[tuple[str, str], Exception | None] = {}  # the subtests that this child ran last, each for its test


def check_subtest(device: Device, *, file: str, subtest: str, strict: bool = False) -> None:
    """One launch."""
    if any(key[0] != file for key in _outcomes):
        _outcomes.clear()
    _outcomes.pop((file, subtest), None)
    try:
        program = _read(file)
        _require(device, program)
        try:
            built = _build(device, program)
        except Mismatch as error:  # piglit then reports no subtest; the test itself is red
            raise Unsupported(f"piglit: its program does not build: {error}") from error
        for test in (t for t in program.tests if t.name == subtest):
            _launch(device, built, test, strict)
    except (Mismatch, Unsupported) as error:
        _outcomes[file, subtest] = error.with_traceback(None)
        raise
    _outcomes[file, subtest] = None


def check_program(device: Device, *, file: str, strict: bool = False) -> None:
    """It builds, or must not, and each launch that this child has not run already is right."""
    program = _read(file)
    _require(device, program)
    if program.fails:
        try:
            device.build(program.source, _options(device, program))
        except Mismatch:
            check.true("the program is refused", True, stage="build")
            return
        raise Mismatch("build: the program is accepted, and must be refused")
    built = _build(device, program)
    check.true("the program builds", True, stage="build")
    reds, skips = [], []
    for test in program.tests:
        error = _outcomes.pop((file, test.name), _UNKNOWN)
        if error is _UNKNOWN:
            try:
                _launch(device, built, test, strict)
            except (Mismatch, Unsupported) as raised:
                error = raised
        reds += [(test.name, error)] if isinstance(error, Mismatch) else []
        skips += [error] if isinstance(error, Unsupported) else []
    for name, error in reds:
        print(f"{name}: {error}")
    if reds:
        raise Mismatch(str(reds[0][1])) from reds[0][1]
    if program.tests and len(skips) == len(program.tests):
        raise skips[0]


_UNKNOWN = Exception()


@lru_cache(maxsize=1)
def _read(file: str) -> Any:
    try:
        return annotation.read(Path(os.environ[PIGLIT_VARIABLE], file), loose=True)
    except UsageError as error:
        raise NothingTested(str(error)) from error


def _require(device: Device, program: Any) -> None:
    """Raise Unsupported if the file is for other devices."""
    on, wanted = device.device, program.devices
    for key, text in (("device_regex", on.name), ("platform_regex", on.platform.name)):
        if key in wanted and not re.search(wanted[key], text):
            raise Unsupported(f"piglit: {key} {wanted[key]}")
    for key, there in (
        ("require_device_extensions", on.extensions),
        ("require_platform_extensions", on.platform.extensions),
    ):
        if missing := set(wanted.get(key, "").split()) - set(there.split()):
            raise Unsupported(f"piglit: {', '.join(sorted(missing))}")
    if wanted.get("need_image_support") in ("1", "true") and not on.image_support:
        raise Unsupported("piglit: images")
    if _version(device, program) < int(wanted.get("clc_version_min", 10)):
        raise Unsupported(f"piglit: OpenCL C {wanted['clc_version_min']}")


def _version(device: Device, program: Any) -> int:
    """The version of OpenCL C that cl-program-tester requests: the device's, or one that the file allows."""
    found = re.match(r"OpenCL C (\d)\.(\d)", device.device.opencl_c_version)
    own = int(found[1] + found[2]) if found else _LATEST_CLC
    most = int(program.devices.get("clc_version_max", 0))
    return min(own, most) if most else own


def _options(device: Device, program: Any) -> str:
    folder = os.environ[PIGLIT_VARIABLE]
    options = re.sub(r"-I\s*(?!/)(\S+)", lambda found: f"-I {folder}/{found[1]}", program.options)  # where piglit runs
    version = _version(device, program)
    if version > 10 and "-cl-std" not in options:
        options += f" -cl-std=CL{version // 10}.{version % 10}"
    return options


def _build(device: Device, program: Any) -> cl.Program:
    built = device.build(program.source, _options(device, program))
    if program.kernel:
        _kernel(built, program.kernel)
    return built


def _kernel(built: cl.Program, name: str) -> cl.Kernel:
    try:
        return cl.Kernel(built, name)
    except cl.Error as error:
        raise Mismatch(f"build: there is no kernel {name}") from error


def _launch(device: Device, built: cl.Program, test: Any, strict: bool) -> None:
    """Launch a kernel and compare. Raises Mismatch, or Unsupported if its groups are too large for the device."""
    sizes, most = test.local_size or (), device.device.max_work_item_sizes
    items = 1
    for n, size in enumerate(sizes):
        items *= size or 1
        if size > most[n] or items > device.device.max_work_group_size:
            raise Unsupported(f"piglit: groups of {sizes}")
    kernel = _kernel(built, test.kernel)
    arguments = test.arguments if strict else [prepared(argument) for argument in test.arguments]
    memory = [execution.set_up(device, argument, _PAD, 0xA5 if strict else 0) for argument in arguments]
    device.launch(kernel, test.global_size, test.local_size, *memory, offset=test.offset)
    for index, (argument, held) in enumerate(zip(arguments, memory, strict=True)):
        if argument.wanted is None:
            continue
        what = f"{test.kernel}: argument {index}"
        got, beyond = _read_back(device, argument, held)
        want = execution.array(argument.shape, argument.wanted)
        if argument.shape.width == 3:  # the fourth component is unused
            got, want = got[..., :3], want[..., :3]
        try:
            (execution.compare if strict and not takes_anything(argument) else compare_as_piglit)(what, argument, got, want)
            failed = False
        except Mismatch:
            if not test.fails:
                raise
            failed = True
        check.true(f"{what} differs, as it must", failed == test.fails)
        if beyond:
            message = f"{what}: {beyond} bytes are written beyond its end"
            print(message)
            check.true(message.replace(" are ", " are not "), not strict)


def _read_back(device: Device, argument: Any, held: Any) -> tuple[Any, int]:
    """The content of the argument, and how many bytes after its buffer have changed."""
    if argument.image:
        return execution.read_back(device, argument, held), 0
    size = argument.shape.size_bytes
    raw = device.read(held, np.uint8, size + len(_PAD))
    form = execution.array(argument.shape, (0,) * argument.shape.numbers)
    beyond = 0 if raw[size:].tobytes() == _PAD else int(np.count_nonzero(raw[size:] != _PAD[0]))
    return raw[:size].view(form.dtype).reshape(form.shape), beyond
