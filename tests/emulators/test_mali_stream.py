"""The command stream of a g610, in commands that are made here (Mesa's genxml/v10.xml)."""

import operator
from pathlib import Path

import pytest
from bare_gpu import Outcome
from bare_mali import pair
from bare_valhall import MOVE, MOVE32, RUN_COMPUTE, WAIT, BareValhall, Shape, parts
from bifrost_assembler import words
from test_valhall_flow import ID, STORE
from valhall_assembler import assemble

KEEP = ID + "MOV.i32 r4 = r60\n" + STORE
# ADD32, ADD64, UMIN32; STORE_MULTIPLE of three registers, and their load after a wait.
COMMANDS = [
    MOVE32 << 56 | 50 << 48 | 7, 16 << 56 | 51 << 48 | 50 << 40 | 0xFFFFFFFE, 18 << 56 | 52 << 48 | 50 << 40 | 51 << 32,
    21 << 56 | 50 << 48 | 90 << 40 | 7 << 16, WAIT << 56 | 1 << 16,
    20 << 56 | 60 << 48 | 90 << 40 | 4 << 16, WAIT << 56 | 1 << 16, 16 << 56 | 61 << 48 | 62 << 40 | 1,
    17 << 56 | 64 << 48 | 90 << 40 | 16, 21 << 56 | 61 << 48 | 64 << 40 | 1 << 16,
]  # fmt: skip


def launch_by_stream(gpu: BareValhall, commands: list[int], code: str) -> Outcome:
    """Commands on the buffers 0x100 in a row; those of a launch come first."""
    binary = assemble(code)
    sizes = [len(binary), 0x600, 64, 0x400]
    starts = gpu.addresses(sizes)
    environment, behind = parts(starts[1], starts[0], pair(starts[2]), Shape(), starts[2])
    addresses = {0: environment[8:10], 16: environment[10:12], 24: environment[12:14], 90: pair(starts[2])}
    set_up = [MOVE << 56 | number << 48 | low | high << 32 for number, (low, high) in addresses.items()]
    set_up.append(MOVE << 56 | 8 << 48 | environment[14] | environment[15] << 32)
    set_up.append(MOVE32 << 56 | 9 << 48 | environment[15] | environment[1] << 24)
    set_up += [MOVE32 << 56 | number << 48 | value for number, value in enumerate((15, 0, 0, 0, 1, 1, 1), 33)]
    every = [*set_up, *commands]
    packed = b"".join(command.to_bytes(8, "little") for command in every).ljust(0x400, b"\0")
    contents = [binary, words(behind).ljust(0x600, b"\0")[:0x600], bytes(64), packed]
    return gpu.execute(contents, starts[3], 2 * len(every))


def stream(gpu: BareValhall, commands: list[int], code: str) -> tuple[bool, list[str], list[str], list[int]]:
    out = launch_by_stream(gpu, commands, code)
    return out.done, out.marks, out.hazards, out.words(2)


@pytest.fixture
def stream_gpu(mali_library: Path) -> BareValhall:
    return BareValhall(mali_library, "g610")


def test_a_stream_launches(stream_gpu: BareValhall) -> None:
    done, marks, hazards, found = stream(stream_gpu, [RUN_COMPUTE << 56], KEEP)
    assert done, marks
    assert not hazards
    assert found == list(range(16))


def test_registers_are_computed_stored_and_loaded(stream_gpu: BareValhall) -> None:
    """ADD32, ADD64, UMIN32; STORE_MULTIPLE of three registers, and their load after a wait."""
    done, marks, hazards, found = stream(stream_gpu, COMMANDS, KEEP)
    assert done, marks
    assert not hazards
    assert found[:5] == [7, 5, 5, 0, 6]


def test_a_loaded_register_is_waited_for(stream_gpu: BareValhall) -> None:
    commands = [20 << 56 | 60 << 48 | 90 << 40 | 1 << 16, 16 << 56 | 61 << 48 | 60 << 40 | 1]
    _, _, hazards, _ = stream(stream_gpu, commands, KEEP)
    assert [h for h in hazards if "reads r60 before it waits for slot 0" in h]


@pytest.mark.parametrize("condition", range(7))
def test_a_branch_of_the_stream(stream_gpu: BareValhall, condition: int) -> None:
    holds = (operator.le, operator.gt, operator.eq, operator.ne, operator.lt, operator.ge, lambda *_: True)
    for value in (-3, 0, 4):
        commands = [
            MOVE32 << 56 | 50 << 48 | value & 0xFFFFFFFF, MOVE32 << 56 | 51 << 48 | 1,
            22 << 56 | 50 << 40 | condition << 28 | 1,
            MOVE32 << 56 | 51 << 48, 21 << 56 | 51 << 48 | 90 << 40 | 1 << 16,
        ]  # fmt: skip
        _, _, _, found = stream(stream_gpu, commands, KEEP)
        assert found[0] == holds[condition](value, 0), value


_IMPOSSIBLE = (63 << 56, 20 << 56 | 95 << 48 | 90 << 40 | 3 << 16, 20 << 56 | 90 << 48 | 50 << 40 | 1 << 16)


@pytest.mark.parametrize("command", _IMPOSSIBLE)
def test_a_command_that_cannot_be(stream_gpu: BareValhall, command: int) -> None:
    """An unknown opcode; a register that does not exist; an address outside all buffers."""
    done, marks, _, _ = stream(stream_gpu, [MOVE << 56 | 50 << 48, command], KEEP)
    assert not done
    assert marks[-1].startswith(("fault: ", "unknown: "))
