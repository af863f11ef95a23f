"""The kinds of shared virtual memory (API 3.0, 3.3.5), and the operations on it. Plain Python."""

# The feature that a device needs, and the cl_svm_mem_flags of an allocation besides CL_MEM_READ_WRITE (None: from malloc).
KINDS: dict[str, tuple[str, int | None]] = {
    "coarse": ("svm", 0),
    "fine": ("svm_fine", 1 << 10),
    "system": ("svm_system", None),
}
PATTERNS = (1, 2, 4, 8, 16, 32, 64, 128)
COMMANDS = {"memcpy": 0x120A, "memfill": 0x120B, "map": 0x120C, "unmap": 0x120D, "migrate": 0x120E, "free": 0x1209}
MAP_FLAGS = {"read": 1, "write": 2, "read_write": 3, "invalidate": 4}
