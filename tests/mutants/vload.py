"""Loads, stores and shuffles next to their place."""

from mutation import faults_of

_errs = faults_of("vload")


_FOUR = r"vstore4((char4)(v, 5), \1, q"

MUTANTS = [
    _errs("load.*", "offset_in_elements", r"vload(\d+)\(o\[i\], p", r"vload\1(0, o[i] + p"),
    _errs("load.*", "aligned_address", r"(vload\d+\(1, p) \+ 2", r"\1"),
    _errs("load.constant.*", "offset_is_ignored", r"(vload\d+)\(o\[i\]", r"\1(0"),
    _errs("load.program.*", "offset_is_ignored", r"\+ o\[i\] \* ", "+ o[0] * "),
    _errs("store.*", "offset_in_elements", r"vstore(\d+)\(v, o\[i\], q", r"vstore\1(v, 0, o[i] + q"),
    _errs("store.global.char3", "fourth_element", r"vstore3\(v, (0), q", _FOUR),
    _errs("store.private.char3", "fourth_element", r"vstore3\(v, (0), q", _FOUR),
    _errs("store.local.*", "aligned_address", r"\bq \+ 1\)", "q)"),
    _errs("shuffle.short8", "fewer_bits", r"shuffle\(x, (\w+)\(i, (\w+)\)\)", r"shuffle(x, \1(i, \2) & (ushort)3)"),
    _errs("shuffle2.*", "swaps", r"shuffle2\(x, y", "shuffle2(y, x"),
    _errs("shuffle2.*", "of_one", r"shuffle2\(x, y, ", "shuffle(x, "),
    _errs("shuffle_constant.*", "swaps", r"shuffle2\(x, y", "shuffle2(y, x"),
]
