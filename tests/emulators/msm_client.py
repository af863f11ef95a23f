"""A driver of msm in a process of its own, on the emulator and shim.c: `python msm_client.py EMULATOR LIBDRM`.

It prints the GPU's tiling and, after each submission, the word that its one packet is to write: 0 if it wrote nothing.
"""

import ctypes
import struct
import sys

GET_PARAM, GEM_NEW, GEM_INFO, GEM_SUBMIT, VM_BIND = 0x00, 0x02, 0x03, 0x06, 0x0D
HIGHEST_BANK_BIT, UBWC_SWIZZLE, MACROTILE_MODE = 0x10, 0x12, 0x13
UNMAP, MAP = 0, 1
CP_MEM_WRITE = 0x3D
CODE, TARGET = 0x1_0000_0000, 0x1_0004_0000


class Device:
    """The requests of an open file of the driver to the kernel."""

    def __init__(self, emulator: str, libdrm: str, fd: int) -> None:
        self._fd, self._call = fd, ctypes.CDLL(emulator).drmCommandWriteRead
        self._memory = ctypes.CDLL(libdrm).shim_memory
        self._memory.restype = ctypes.POINTER(ctypes.c_uint32)

    def ask(self, index: int, layout: str, *values: int) -> tuple[int, ...]:
        data = ctypes.create_string_buffer(struct.pack(layout, *values))
        self._call(self._fd, index, data, struct.calcsize(layout))
        return struct.unpack(layout, data.raw[:-1])

    def new(self, size: int) -> int:
        return self.ask(GEM_NEW, "QII", size, 0, 0)[2]

    def begin(self, handle: int) -> int:
        """A buffer's place in the shim's file, which is its address for a driver that does not map."""
        return self.ask(GEM_INFO, "IIQII", handle, 1, 0, 0, 0)[2]

    def bind(self, *operations: tuple[int, int, int, int, int]) -> None:
        """(UNMAP or MAP, handle, offset, address, size): a single one is in the request, several are beside it."""
        packed = b"".join(struct.pack("IIQQQII", *o, 0, 0) for o in operations)
        head = (0, len(operations), 0xFFFFFFFF, 0, 0, 0, 0, 0, 0, 40)
        if len(operations) == 1:
            self.ask(VM_BIND, "IIIIQQIIIIIIQQQII", *head, *operations[0], 0, 0)
        else:
            beside = ctypes.create_string_buffer(packed)
            self.ask(VM_BIND, "IIIIQQIIIIQQQQQ", *head, ctypes.addressof(beside), 0, 0, 0, 0)

    def submit(
        self, code: int, handle: int, target: int, value: int, buffers: tuple[int, ...] = (), address: int = 0
    ) -> None:
        """A packet in a buffer writes `value` to the address `target`."""
        packet = (7 << 28 | CP_MEM_WRITE << 16 | 3, target & 0xFFFFFFFF, target >> 32, value)
        memory = self._memory()
        for n, word in enumerate(packet):
            memory[self.begin(handle) // 4 + n] = word
        listed = ctypes.create_string_buffer(b"".join(struct.pack("IIQ", 3, b, 0) for b in buffers) or b"\0")
        command = ctypes.create_string_buffer(struct.pack("IIIIIIQ", 1, code, 0, 16, 0, 0, address))
        where = (ctypes.addressof(listed), ctypes.addressof(command))
        self.ask(GEM_SUBMIT, "IIIIQQiIQQIIII", 0, 0, len(buffers), 1, *where, -1, 0, 0, 0, 0, 0, 0, 0)

    def word(self, handle: int, at: int) -> int:
        found: int = self._memory()[(self.begin(handle) + at) // 4]
        return found


def main(emulator: str, libdrm: str) -> None:
    """Two devices that list their buffers, and two that map them, each in a space of its own."""
    lists, maps, other, small = (Device(emulator, libdrm, fd) for fd in (101, 102, 103, 104))
    print(*(lists.ask(GET_PARAM, "IIQII", 1, p, 77, 0, 0)[2] for p in (HIGHEST_BANK_BIT, UBWC_SWIZZLE, MACROTILE_MODE)))
    code, data = lists.new(4096), lists.new(8192)
    lists.submit(0, code, lists.begin(data) + 8, 11, (code, data))
    print(lists.word(data, 8))
    lists.submit(0, code, lists.begin(data) + 12, 12, (code,))  # the target is not of this submission
    print(lists.word(data, 12))
    small.new(4096), small.new(4096)  # by the same handles
    lists.submit(0, code, lists.begin(data) + 4096, 17, (code, data))
    print(lists.word(data, 4096))
    maps.new(4096), maps.new(8192), other.new(4096)
    maps.bind((MAP, code, 0, CODE, 4096), (MAP, data, 4096, TARGET, 4096))
    other.bind((MAP, code, 0, CODE, 4096))
    maps.submit(0, code, TARGET + 16, 13, address=CODE)
    print(maps.word(data, 4096 + 16))
    other.submit(0, code, TARGET + 20, 14, address=CODE)  # mapped only by the other device
    print(other.word(data, 4096 + 20))
    maps.bind((UNMAP, 0, 0, TARGET, 2048))
    maps.submit(0, code, TARGET + 24, 15, address=CODE)
    print(maps.word(data, 4096 + 24))
    maps.submit(0, code, TARGET + 2048, 16, address=CODE)  # the rest is still mapped, if it was
    print(maps.word(data, 4096 + 2048))


if __name__ == "__main__":
    main(*sys.argv[1:])
