"""Cases of other areas with kernels from the cache, for which a compiled kernel must be written and read completely.

pyopencl's own `build` passes a folder by -I, so that Rusticl does not use its cache: in other cases no kernel is cached.
"""

from collections.abc import Mapping
from typing import Any

import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit import builds
from ..kit.cache import cached_bytes, settle
from ..run import body_of


class _FromCache(Device):
    """A device whose programs are built twice in a row, so that the second build comes from the cache."""

    def __init__(self, device: Device) -> None:
        self.__dict__.update(device.__dict__)
        self._programs = {}
        self._mark = f"// {device.rng.integers(1 << 62)}\n"  # no other process has built these

    def build(self, source: str, options: str = "") -> cl.Program:
        if (source, options) not in self._programs:
            before = cached_bytes()
            self._built(source, options)
            settle(before)
            self._programs[source, options] = self._built(source, options)
        return self._programs[source, options]

    def _built(self, source: str, options: str) -> cl.Program:
        program = builds.source(self, self._mark + source)
        check.equal("clBuildProgram", builds.build(self, program, options), "CL_SUCCESS", stage="build")
        return program


def check_again(device: Device, *, kind: str, params_of: Mapping[str, Any]) -> None:
    """Run a case of another area. `params_of`: its parameters."""
    body_of(kind)(_FromCache(device), **params_of)
