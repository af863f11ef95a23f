"""Command streams and shaders that no driver makes, one after the other, in a child process (test_hostile.py).

    python hostile.py LIBRARY SEED FIRST COUNT PROGRESS

Before each case its number is written to the file PROGRESS. Every buffer lies between pages that may not be touched,
so that an access outside of them kills the process; so does an access after the end of an array, because of how the
library is built.
"""

import ctypes
import mmap
import os
import signal
import sys
from pathlib import Path

from bare_gpu import Range
from hostile_input import PAGE, SIZES, Input

BASE = 0x12_0000_0000
BUDGET = 1 << 17  # instructions, packets and texels of a case
MOST_SECONDS = 60  # for 100 cases, on a busy machine
MOST_BYTES = 1 << 30
ENDED = "ended"


def largest_size() -> int:
    """The most bytes that this process had in memory; getrusage counts its parent's before exec, too."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split("VmHWM:")[1].split()[0])


class Memory:
    """Buffers with pages between them that may not be touched."""

    def __init__(self) -> None:
        total = sum(SIZES.values()) + PAGE * (len(SIZES) + 1)
        self.map = mmap.mmap(-1, total)
        host = ctypes.addressof(ctypes.c_char.from_buffer(self.map))
        libc = ctypes.CDLL(None, use_errno=True)
        self.at: dict[str, int] = {}
        offset = 0
        self.ranges = (Range * len(SIZES))()
        for n, (name, size) in enumerate(SIZES.items()):
            assert not libc.mprotect(ctypes.c_void_p(host + offset), PAGE, 0)
            offset += PAGE
            self.at[name] = offset
            self.ranges[n] = Range(BASE + offset, BASE + offset + size, host + offset)
            offset += size
        assert not libc.mprotect(ctypes.c_void_p(host + offset), PAGE, 0)

    def address(self, name: str) -> int:
        return BASE + self.at[name]

    def write(self, name: str, data: bytes) -> None:
        start, cut = self.at[name], data[: SIZES[name]]
        self.map[start : start + len(cut)] = cut


class Hostile:
    """One case after the other, each made from its number."""

    def __init__(self, library: Path, seed: int) -> None:
        self.library = ctypes.CDLL(str(library))
        self.library.emulator_commands.restype = ctypes.c_bool
        self.memory, self.seed = Memory(), seed
        self.input = Input({name: self.memory.address(name) for name in SIZES})

    def run(self, case: int) -> bool:
        """One case; True if it was not stopped."""
        gpu, contents, words = self.input.case(f"{self.seed}/{case}")
        os.environ["EMULATOR_GPU"] = gpu
        for name, content in contents.items():
            self.memory.write(name, content)
        stream = ctypes.c_uint64(self.memory.address("stream"))
        done: bool = self.library.emulator_commands(self.memory.ranges, len(SIZES), stream, words, ctypes.c_uint64(BUDGET))
        return done


def main(library: str, seed: str, first: str, count: str, progress: str) -> None:
    """Run cases; print how many were stopped, and the process' largest size in bytes."""
    hostile = Hostile(Path(library), int(seed))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # the end of a process that hangs
    marks = ctypes.create_string_buffer(1 << 16)
    stopped = silent = 0
    with Path(progress).open("wb", buffering=0) as file:
        for case in range(int(first), int(first) + int(count)):
            if case % 100 == 0 or case == int(first):
                signal.alarm(MOST_SECONDS)
            file.seek(0)
            file.write(b"%d\n" % case)
            done = hostile.run(case)
            hostile.library.emulator_marks(marks, len(marks))
            stopped += not done
            silent += not done and not marks.value
    assert not silent, f"{silent} cases were stopped without a mark"
    print(ENDED, stopped, largest_size())


if __name__ == "__main__":
    main(*sys.argv[1:])
