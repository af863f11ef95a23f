"""A kernel's code is known again by a digest of its disassembly, in each compiler's listing."""

from __future__ import annotations

import pytest

from runner.compiler_stats.formats import parse

# What was printed by FD630 and Navi 21 (26.2.6).
_IR3 = """\
MESA: info: NIR (final form) for CL shader :
MESA: info: source_blake3: {0xfd974106}
MESA: info:     con 32    %9 = load_const (0x00000001)
MESA: info: Native code for unnamed CL shader  with blake3 d58f9a26:
MESA: info: ; num_ubos:           0
MESA: info: @in(r0.x)\tin1 (wrmask=0x7)
MESA: info: br p0.x, #l15
MESA: info: (sy)(nop1) mull.u r2.x, r1.w, r1.y
MESA: info: end
MESA: info: ; CL: outputs:
MESA: info: ; CL prog 14/1: 58 instr, 33 nops, 25 non-nops, 7 mov, 0 cov, 96 dwords
MESA: info: ; CL prog 14/1: 0 last-baryf, 0 last-helper, 0 half, 4 full, 20 constlen
"""


_RADEONSI = """\
SHADER KEY
  source_blake3 = {0x3a65584a, 0xde556d58}
Shader main disassembly:
 BB0:
\ts_branch BB1                                                ; bf820014
\ts_nop 0                                                     ; bf800000
\t(then repeated 5 times)
BB3:
\ts_ashr_i32 s7, s6, 31                                       ; 91079f06

*** SHADER STATS ***
SGPRS: 108
Code Size: 516 bytes
********************
"""


@pytest.mark.parametrize(
    ("compiler", "listing", "same", "other"),
    [
        ("ir3", _IR3, ("load_const (0x00000001)", "load_const (0x00000002)"), ("(sy)(nop1)", "(nop1)")),
        ("ir3", _IR3, ("blake3 d58f9a26", "blake3 4b603342"), ("r1.w, r1.y", "r1.y, r1.w")),
        ("ir3", _IR3, ("CL prog 14/1", "CL prog 9/1"), ("MESA: info: br p0.x, #l15\n", "")),
        ("ir3", _IR3.replace("MESA: info: ", ""), ("num_ubos:           0", "num_ubos: 1"), ("#l15", "#l16")),
        ("radeonsi", _RADEONSI, ("SHADER STATS", "SHADER DATA"), ("repeated 5 times", "repeated 6 times")),
        ("radeonsi", _RADEONSI, ("Code Size: 516", "Code Size: 520"), ("s7, s6, 31", "s7, s6, 30")),
        ("radeonsi", _RADEONSI, ("SGPRS: 108", "SGPRS: 104"), ("BB1  ", "BB3  ")),
    ],
)
def test_a_kernels_code_is_known_again_by_its_disassembly_alone(
    compiler: str, listing: str, same: tuple[str, str], other: tuple[str, str]
) -> None:
    codes = []
    for text in (listing, listing.replace(*same), listing.replace(*other)):
        codes.append([own.code for own in parse((listing + text).splitlines(), [compiler])])
    (first, again), (_, unmoved), (_, moved) = codes
    assert first == again == unmoved != moved
    assert first
    assert {same[0] in listing, other[0] in listing} == {True}


def test_a_compiler_that_lists_nothing_leaves_the_code_unknown() -> None:
    (without,) = parse(_RADEONSI[_RADEONSI.index("***") :].splitlines(), ["radeonsi"])
    assert without.code == ""
