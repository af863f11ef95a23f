"""Kernels with control flow, composites, memory and functions, and the result of each.

A body in assembly/<family>/<name>.spvasm computes %y from %x, the item's word, and %i, its number; `want` is its model.
Functions follow the line "; functions". Plain Python, because the catalogue reads it too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ITEMS = 64
_FOLDER = Path(__file__).parent / "assembly"


@dataclass(frozen=True, slots=True)
class Snippet:
    """The model `want(x, i)`, which is taken modulo 2^32, and the features that the body needs."""

    want: Callable[[int, int], int]
    requires: tuple[str, ...] = ()
    version: tuple[int, int] = (1, 0)
    may_hang: bool = False  # whether it may run for ever if it is miscompiled: then it is nightly, with a short deadline


def collatz(x: int, limit: int) -> int:
    """The number of steps of the 3x + 1 sequence from x to 1, at most `limit`."""
    steps = 0
    while x != 1 and steps < limit:
        x = x // 2 if x % 2 == 0 else (3 * x + 1) % 2**32
        steps += 1
    return steps


def _first_trip(x: int) -> int:
    """A loop whose first trip differs from the later ones."""
    n, t = x & 7, x
    for _ in range(max(n, 1)):
        t = (3 * t + 1) % 2**32
    for k in range(1, n):
        t = ((t ^ k) * 5 + k) % 2**32
    return t


def signed(word: int) -> int:
    """The signed number of a 32-bit word in two's complement."""
    return word - 2**32 if word >> 31 else word


CONTROL: dict[str, Snippet] = {
    "branch": Snippet(lambda x, i: x + 1),
    "if": Snippet(lambda x, i: 3 * x if x < 2**31 else x),
    "if_else_flatten": Snippet(lambda x, i: ~x if x & 1 else x >> 1),
    "if_without_merge": Snippet(lambda x, i: x if x > 1000 else 7),
    "branch_weights": Snippet(lambda x, i: x if x > 1000 else 8),
    "nested_if": Snippet(lambda x, i: (30 if x & 2 else 20) if x & 1 else 10),
    "loop": Snippet(lambda x, i: _times_five(x)),
    "loop_without_merge": Snippet(lambda x, i: _xor_all(x, range(0, 50, 3))),
    "first_trip": Snippet(lambda x, i: _first_trip(x)),
    "first_trip_by_clear_flag": Snippet(lambda x, i: _first_trip(x)),
    "swapping_phis": Snippet(lambda x, i: x - 198 if (max(x & 7, 1) - 1) % 2 == 0 else 99 - 2 * x),
    "fibonacci": Snippet(lambda x, i: [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610][x & 15]),
    "nested_loops": Snippet(lambda x, i: sum(j * k for k in range(x & 7) for j in range(k))),
    "two_exits": Snippet(lambda x, i: collatz((x & 255) + 1, 40)),
    "irreducible": Snippet(lambda x, i: 100 * max(x & 15, 1) + max(x & 15, 1) - 1 + (x >> 4 & 1), may_hang=True),
    "switch": Snippet(lambda x, i: {0: 100, 3: 103, 5: 105}.get(x & 7, x)),
    "switch_shared_target": Snippet(lambda x, i: [0, 11, 0, 11, 44, 11][x % 6]),
    "switch_fall_through": Snippet(lambda x, i: {1: 2 * (x + 10), 2: 2 * x}.get(x & 3, 1)),
    "switch_default_only": Snippet(lambda x, i: x - 9),
    "switch_negative": Snippet(lambda x, i: {2: 12, 3: 11, 1: 21, 0: 20}[x >> 30]),
    "switch_uchar": Snippet(lambda x, i: {0: 0, 7: 1, 200: 2}.get(x & 255, 999)),
    "switch_ushort": Snippet(lambda x, i: {0: 0, 7: 1, 40000: 2}.get(x & 65535, 999)),
    "switch_ulong": Snippet(lambda x, i: {0: 0, 7: 1, 2**32 - 1: 2}.get(x, 999), requires=("int64",)),
    "unreachable_block": Snippet(lambda x, i: x),
    "phi_of_vectors": Snippet(lambda x, i: 6 - x if x & 1 else x - 5),
    "phi_of_pointers": Snippet(lambda x, i: x if x & 4 else 77),
    "phi_of_truths": Snippet(lambda x, i: 9 if x > 2**30 and x & 1 else 4),
    "logic": Snippet(lambda x, i: [4 + 16, 2 + 8, 2 + 8 + 16, 1 + 2 + 4][x & 3]),
    "any_all": Snippet(lambda x, i: 3 if x & 7 == 7 else 1 if x & 7 else 0),
    "lines": Snippet(lambda x, i: 3 * (x + 2)),
}
COMPOSITES: dict[str, Snippet] = {
    "construct_of_parts": Snippet(lambda x, i: 2 * (3 + x)),
    "struct": Snippet(lambda x, i: x + 250),
    "array": Snippet(lambda x, i: (40 + x) * 4),
    "nested_insert": Snippet(lambda x, i: x - 8),
    "insert_in_vector": Snippet(lambda x, i: 3 * x + 1),
    "extract_dynamic": Snippet(lambda x, i: 9 - (x & 7)),
    "insert_dynamic": Snippet(lambda x, i: 1111 - 10 ** (x & 3) + 5000),
    "shuffle": Snippet(lambda x, i: 50 * x + 30 - 20),
    "shuffle_undefined": Snippet(lambda x, i: x + 20),
    "shuffle_wide": Snippet(lambda x, i: (x - 14) * 2),
    "null": Snippet(lambda x, i: x),
    "constant_composite": Snippet(lambda x, i: 3 * x),
    "select_vector": Snippet(lambda x, i: min(x, 2**31) + 4),
    "select_struct": Snippet(lambda x, i: 4 * x + 5 if x < 2**31 else x + 34, version=(1, 4), requires=("il_1.4",)),
    "select_array": Snippet(lambda x, i: x + 210 if x < 2**31 else 100 * x + 65, version=(1, 4), requires=("il_1.4",)),
    "undefined_but_overwritten": Snippet(lambda x, i: 6 * x),
    "undefined_not_selected": Snippet(lambda x, i: x),
    "undefined_phi_not_taken": Snippet(lambda x, i: x),
    "bitcast_vector": Snippet(lambda x, i: (x << 8 & 0xFFFF0000 | (x & 255) * 257) + (x >> 8 & 255)),
    "vector_times_scalar": Snippet(lambda x, i: (x & 1023) * 21),
}
MEMORY: dict[str, Snippet] = {
    "variable": Snippet(lambda x, i: 3 * x),
    "initialised_variable": Snippet(lambda x, i: x + 41),
    "private_array": Snippet(lambda x, i: (x if x & 3 == 1 else 20) + (1, 20, 300, 4000)[x & 3]),
    "private_struct": Snippet(lambda x, i: x),
    "load_struct": Snippet(lambda x, i: x + 8),
    "copy_memory": Snippet(lambda x, i: x),
    "copy_memory_sized": Snippet(lambda x, i: x & 0xFFFFFF),
    "copy_memory_counted": Snippet(lambda x, i: x & ((1 << 8 * (x & 3)) - 1)),
    "copy_memory_counted_by_size": Snippet(lambda x, i: x & ((1 << 8 * (x & 3)) - 1)),
    "constant_table": Snippet(lambda x, i: (7, 77, 777, 7777)[x & 3]),
    "byte_address": Snippet(lambda x, i: x >> 24),
    "negative_element": Snippet(lambda x, i: x),
    "pointer_as_integer": Snippet(lambda x, i: x + 1),
    "pointer_difference_of_addresses": Snippet(lambda x, i: 4 * i),
    "select_pointer": Snippet(lambda x, i: max(x, 12)),
    "pointer_in_variable": Snippet(lambda x, i: x),
    "packed_struct": Snippet(lambda x, i: x & 255),
    "padded_struct": Snippet(lambda x, i: x >> 8 & 255),
    "nontemporal": Snippet(lambda x, i: x + 3),
    "lifetime": Snippet(lambda x, i: x),
    "aligned_variable": Snippet(lambda x, i: x),
    "vector_component": Snippet(lambda x, i: (1, x, 3, 4)[x & 3]),
    "pointers_equal": Snippet(lambda x, i: (2000 if i else 1000) + i, version=(1, 4), requires=("il_1.4",)),
    "size_of": Snippet(lambda x, i: x + 32, version=(1, 1), requires=("il_1.1",)),
    "sub_word_stores": Snippet(lambda x, i: (x & 0xFFFF) << 16 | 0x3344),
    "sign_of_members": Snippet(lambda x, i: signed(((x & 255) ^ 128) - 128 & 0xFFFFFFFF) >> 4),
}
FUNCTIONS: dict[str, Snippet] = {
    "call": Snippet(lambda x, i: 2 * x + 1),
    "control_Inline": Snippet(lambda x, i: x ^ 0x55),
    "control_DontInline": Snippet(lambda x, i: x ^ 0x55),
    "control_Pure": Snippet(lambda x, i: x ^ 0x55),
    "control_Const": Snippet(lambda x, i: x ^ 0x55),
    "calls_of_calls": Snippet(lambda x, i: 9 * x + 3 * 4 + 4),
    "early_return": Snippet(lambda x, i: 1 if x & 1 else 2 if x & 2 else x),
    "return_from_loop": Snippet(lambda x, i: next((k for k in range(32) if x >> k & 1), 99)),
    "void_by_pointer": Snippet(lambda x, i: x + 13),
    "struct_by_value": Snippet(lambda x, i: 6 * (x + 1) + x),
    "vector_arguments": Snippet(lambda x, i: 3 + 7 - x),
    "many_arguments": Snippet(lambda x, i: 19 * 18 - x),
    "truth_argument": Snippet(lambda x, i: 6 if x > 500 else 5),
    "global_pointer_argument": Snippet(lambda x, i: x + 2),
    "extension_arguments": Snippet(lambda x, i: (((x & 255) ^ 128) - 128) + (x & 255)),
}


def _times_five(x: int) -> int:
    s = x
    for k in range(x & 31):
        s = 5 * s + k
    return s


def _xor_all(x: int, values: range) -> int:
    for value in values:
        x ^= value
    return x


FAMILIES = {"control": CONTROL, "composite": COMPOSITES, "memory": MEMORY, "function": FUNCTIONS}


def text_of(family: str, name: str) -> tuple[str, str]:
    """The body of a snippet, and the functions behind its kernel."""
    text = (_FOLDER / family / f"{name}.spvasm").read_text(encoding="utf-8")
    body, _, functions = text.partition("\n; functions\n")
    return body, functions
