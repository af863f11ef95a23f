"""Builds from SPIR-V with a cache: each must be of its own module and its own specialisation constants."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from runner import check
from runner.device import Device

from ..kit.assembler import assemble
from ..kit.cache import cached_bytes, settle
from ..kit.spirv import from_words, kernel_text
from .specialisation import specialise


@dataclass(frozen=True, slots=True)
class Unit:
    """A module that computes 1000 * A + B + C, where C is constant; the values that are set; and the result without C."""

    value: int
    defaults: tuple[int, int] = (1, 2)
    ids: tuple[int, int] = (1, 2)
    given: Mapping[int, int] = field(default_factory=dict)
    added: int = 0  # to C


_KEYS: dict[str, tuple[Unit, Unit]] = {
    "value": (Unit(3002, given={1: 3}), Unit(4002, given={1: 4})),
    "set": (Unit(1002), Unit(3002, given={1: 3})),
    "second_value": (Unit(3004, given={1: 3, 2: 4}), Unit(3005, given={1: 3, 2: 5})),
    "exchanged_values": (Unit(3004, given={1: 3, 2: 4}), Unit(4003, given={1: 4, 2: 3})),
    "exchanged_ids": (Unit(3004, given={1: 3, 2: 4}), Unit(4003, ids=(2, 1), given={1: 3, 2: 4})),
    "other_one_set": (Unit(3002, given={1: 3}), Unit(1003, given={2: 3})),
    "default": (Unit(1002), Unit(6002, defaults=(6, 2))),
    "module": (Unit(1002), Unit(1003, added=1)),
    "module_with_values": (Unit(3004, given={1: 3, 2: 4}), Unit(3005, given={1: 3, 2: 4}, added=1)),
}
_CHILD = """
import sys, numpy, pyopencl as cl
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
program = cl._cl._create_program_with_il(context, bytes.fromhex(sys.argv[1]))
for pair in sys.argv[2:]:
    number, value = map(int, pair.split("="))
    program.set_specialization_constant(number, numpy.uint32(value).tobytes())
program._build(options=b"", devices=[device])
out = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=numpy.array([77], numpy.uint32))
cl.Kernel(cl.Program(program), "f")(queue, [1], [1], out, out)
got = numpy.empty(1, numpy.uint32)
cl.enqueue_copy(queue, got, out)
print("answer", got[0])
"""


def _words(device: Device, unit: Unit, mark: int) -> bytes:
    lines = []
    for name, number, default in zip("ab", unit.ids, unit.defaults, strict=True):
        lines.append(f"OpDecorate %{name} SpecId {number}\n%{name} = OpSpecConstant %uint {default}")
    lines.append("%thousands = OpIMul %uint %a %uint_1000\n%sum = OpIAdd %uint %thousands %b")
    lines.append(f"%y = OpIAdd %uint %sum %uint_{mark + unit.added}")
    text = kernel_text("uint", {"x": "uint"}, "\n".join(lines))
    return assemble(text, address_bits=device.device.address_bits)


def _answer(device: Device, unit: Unit, mark: int, elsewhere: bool) -> int:
    """The result without the mark, from this process or another one."""
    words = _words(device, unit, mark)
    if elsewhere:
        given = [f"{number}={value}" for number, value in unit.given.items()]
        command = [sys.executable, "-c", _CHILD, words.hex(), *given]
        done = subprocess.run(command, capture_output=True, text=True, timeout=25, check=False)
        last = (done.stdout.strip().splitlines() or done.stderr.strip().splitlines() or ["nothing"])[-1]
        check.true(f"the other process answers: {last}", last.startswith("answer "), stage="build")
        return int(last.split()[1]) - mark
    before = cached_bytes()
    program, error = from_words(device, words)
    check.equal("clCreateProgramWithIL", error, "CL_SUCCESS", stage="build")
    assert program is not None
    for number, value in unit.given.items():
        error = specialise(program, number, np.uint32(value))
        check.equal("clSetProgramSpecializationConstant", error, "CL_SUCCESS", stage="api")
    program.build()
    target = device.buffer(np.full(1, 77, np.uint32))
    device.launch(program.f, [1], [1], target, device.buffer(np.zeros(1, np.uint32)))
    got = int(device.read(target, np.uint32, 1)[0])
    settle(before)
    return got - mark


def check_spec_key(device: Device, *, key: str, elsewhere: bool) -> None:
    """Two builds that differ in one input, then both again. `elsewhere`: the second runs in another process."""
    mark = int(device.rng.integers(1 << 20, 1 << 31))  # no other process has built these
    pair = _KEYS[key]
    for place, unit in zip(("first", "second"), pair, strict=True):
        got = _answer(device, unit, mark, elsewhere and place == "second")
        check.equal(f"the {place} build's value", got, unit.value)
    for place, unit in zip(("first", "second"), pair, strict=True):
        check.equal(f"the {place} build's value, built again", _answer(device, unit, mark, False), unit.value)
