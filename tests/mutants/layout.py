"""Structures and unions with members next to their place."""

from typing import Any

import numpy as np
from mutation import Function, api, faults_of, of

_errs = faults_of("layout")


@of
def _first_structure(inner: Function, self: Any, kernel: Any, sizes: Any, local: Any, *args: Any, **kwargs: Any) -> Any:
    """The bytes of the first structure among the arguments, for all of them."""
    first = next(a for a in args if isinstance(a, np.void))
    return inner(self, kernel, sizes, local, *(first if isinstance(a, np.void) else a for a in args), **kwargs)


MUTANTS = [
    _errs("read.packed*", "is_not_packed", r" __attribute__\(\(packed\)\)", ""),
    _errs("argument.packed_inside*", "is_not_packed", r" __attribute__\(\(packed\)\)", ""),
    _errs("offsets.packed*", "is_not_packed", r" __attribute__\(\(packed\)\)", ""),
    _errs("offsets.aligned1", "is_not_aligned", r" __attribute__\(\(aligned\(\d+\)\)\) S;", " S;"),
    _errs("read.aligned1", "members_are_not_aligned", r" __attribute__\(\(aligned\(\d+\)\)\);", ";"),
    _errs("read.unions*", "is_a_structure", "typedef union", "typedef struct"),
    _errs("write.*", "one_before", r"s\[i \+ 1\]", "s[i]"),
    _errs("copy.*", "first_of_two", r"= p\[i & 1\];", "= p[0];"),
    _errs("pass.*", "by_reference", "kept = s;", "kept = other;"),
    _errs("constant.*", "first_row", r"table\[i\]", "table[0]"),
    _errs("align.*", "misaligned", r"\(size_t\)&l1", "(size_t)&l0 + 1"),
    _errs("align.char3", "three_are_three", r"sizeof\(T\)", "3"),
    _errs("pun.uint.uchar4", "bytes_are_swapped", r"x\[i\] = u\.b", "x[i] = u.b.s1032"),
    _errs("sizeof.size_t", "is_narrow", r"sizeof\(size_t\)", "sizeof(uint)"),
    _errs("sizeof.ptrdiff_t", "has_no_sign", r"\(ptrdiff_t\)minus_one <", "(size_t)minus_one <"),
    api("layout/argument.first", "kernels/layout/argument.*", "runner.device.Device.launch", _first_structure),
]
