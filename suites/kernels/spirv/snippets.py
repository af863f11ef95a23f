"""Kernels of control flow, composites, memory and functions, each with the same in Python.

A body computes %y from %x, a word that is the item's own, and %i, its number; `want` is its model.
Plain Python, for the catalogue too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

ITEMS = 64


@dataclass(frozen=True, slots=True)
class Snippet:
    """A body in SPIR-V, and `want(x, i)`, taken modulo 2^32. `functions` stand behind the kernel."""

    body: str
    want: Callable[[int, int], int]
    functions: str = ""
    requires: tuple[str, ...] = ()
    version: tuple[int, int] = (1, 0)
    may_hang: bool = False  # seen to run for ever where it is compiled wrongly: nightly, with a short deadline


def collatz(x: int, limit: int) -> int:
    """Steps of the 3x + 1 sequence from x to 1, at most `limit`."""
    steps = 0
    while x != 1 and steps < limit:
        x = x // 2 if x % 2 == 0 else (3 * x + 1) % 2**32
        steps += 1
    return steps


def signed(word: int) -> int:
    """A 32-bit word as two's complement."""
    return word - 2**32 if word >> 31 else word


CONTROL: dict[str, Snippet] = {
    "branch": Snippet(
        """
OpBranch %next
%next = OpLabel
%y = OpIAdd %uint %x %uint_1""",
        lambda x, i: x + 1,
    ),
    "if": Snippet(
        """
%c = OpULessThan %bool %x %uint_0x80000000
OpSelectionMerge %done None
OpBranchConditional %c %then %done
%then = OpLabel
%t = OpIMul %uint %x %uint_3
OpBranch %done
%done = OpLabel
%y = OpPhi %uint %x %entry %t %then""",
        lambda x, i: 3 * x if x < 2**31 else x,
    ),
    "if_else_flatten": Snippet(
        """
%b = OpBitwiseAnd %uint %x %uint_1
%c = OpIEqual %bool %b %uint_0
OpSelectionMerge %done Flatten
OpBranchConditional %c %even %odd
%even = OpLabel
%e = OpShiftRightLogical %uint %x %uint_1
OpBranch %done
%odd = OpLabel
%o = OpNot %uint %x
OpBranch %done
%done = OpLabel
%y = OpPhi %uint %o %odd %e %even""",
        lambda x, i: ~x if x & 1 else x >> 1,
    ),
    "if_without_merge": Snippet(
        """
%c = OpUGreaterThan %bool %x %uint_1000
OpBranchConditional %c %big %small
%small = OpLabel
OpBranch %done
%big = OpLabel
OpBranch %done
%done = OpLabel
%y = OpPhi %uint %uint_7 %small %x %big""",
        lambda x, i: x if x > 1000 else 7,
    ),
    "branch_weights": Snippet(
        """
%c = OpUGreaterThan %bool %x %uint_1000
OpBranchConditional %c %big %small 99 1
%small = OpLabel
OpBranch %done
%big = OpLabel
OpBranch %done
%done = OpLabel
%y = OpPhi %uint %uint_8 %small %x %big""",
        lambda x, i: x if x > 1000 else 8,
    ),
    "nested_if": Snippet(
        """
%b0 = OpBitwiseAnd %uint %x %uint_1
%b1 = OpBitwiseAnd %uint %x %uint_2
%c0 = OpINotEqual %bool %b0 %uint_0
%c1 = OpINotEqual %bool %b1 %uint_0
OpSelectionMerge %done None
OpBranchConditional %c0 %outer %done
%outer = OpLabel
OpSelectionMerge %inner_done None
OpBranchConditional %c1 %inner %inner_done
%inner = OpLabel
OpBranch %inner_done
%inner_done = OpLabel
%p = OpPhi %uint %uint_20 %outer %uint_30 %inner
OpBranch %done
%done = OpLabel
%y = OpPhi %uint %uint_10 %entry %p %inner_done""",
        lambda x, i: (30 if x & 2 else 20) if x & 1 else 10,
    ),
    "loop": Snippet(
        """
%n = OpBitwiseAnd %uint %x %uint_31
OpBranch %head
%head = OpLabel
%k = OpPhi %uint %uint_0 %entry %k1 %next
%s = OpPhi %uint %x %entry %s1 %next
%c = OpULessThan %bool %k %n
OpLoopMerge %done %next None
OpBranchConditional %c %work %done
%work = OpLabel
%s3 = OpIMul %uint %s %uint_5
%s1 = OpIAdd %uint %s3 %k
OpBranch %next
%next = OpLabel
%k1 = OpIAdd %uint %k %uint_1
OpBranch %head
%done = OpLabel
%y = OpCopyObject %uint %s""",
        lambda x, i: _times_five(x),
    ),
    "loop_without_merge": Snippet(
        """
OpBranch %head
%head = OpLabel
%k = OpPhi %uint %uint_0 %entry %k1 %head
%s = OpPhi %uint %x %entry %s1 %head
%s1 = OpBitwiseXor %uint %s %k
%k1 = OpIAdd %uint %k %uint_3
%c = OpULessThan %bool %k1 %uint_50
OpBranchConditional %c %head %done
%done = OpLabel
%y = OpCopyObject %uint %s1""",
        lambda x, i: _xor_all(x, range(0, 50, 3)),
    ),
    "swapping_phis": Snippet(
        """
%n = OpBitwiseAnd %uint %x %uint_7
OpBranch %head
%head = OpLabel
%a = OpPhi %uint %x %entry %b %head
%b = OpPhi %uint %uint_99 %entry %a %head
%k = OpPhi %uint %uint_0 %entry %k1 %head
%k1 = OpIAdd %uint %k %uint_1
%c = OpULessThan %bool %k1 %n
OpBranchConditional %c %head %done
%done = OpLabel
%t = OpShiftLeftLogical %uint %b %uint_1
%y = OpISub %uint %a %t""",
        lambda x, i: x - 198 if (max(x & 7, 1) - 1) % 2 == 0 else 99 - 2 * x,
    ),
    "fibonacci": Snippet(
        """
%n = OpBitwiseAnd %uint %x %uint_15
OpBranch %head
%head = OpLabel
%a = OpPhi %uint %uint_0 %entry %b %next
%b = OpPhi %uint %uint_1 %entry %s %next
%k = OpPhi %uint %uint_0 %entry %k1 %next
%c = OpULessThan %bool %k %n
OpLoopMerge %done %next DontUnroll
OpBranchConditional %c %next %done
%next = OpLabel
%s = OpIAdd %uint %a %b
%k1 = OpIAdd %uint %k %uint_1
OpBranch %head
%done = OpLabel
%y = OpCopyObject %uint %a""",
        lambda x, i: [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610][x & 15],
    ),
    "nested_loops": Snippet(
        """
%n = OpBitwiseAnd %uint %x %uint_7
OpBranch %head
%head = OpLabel
%k = OpPhi %uint %uint_0 %entry %k1 %next
%s = OpPhi %uint %uint_0 %entry %t %next
%c = OpULessThan %bool %k %n
OpLoopMerge %done %next Unroll
OpBranchConditional %c %inner_head %done
%inner_head = OpLabel
%j = OpPhi %uint %uint_0 %head %j1 %inner_next
%t = OpPhi %uint %s %head %t1 %inner_next
%d = OpULessThan %bool %j %k
OpLoopMerge %next %inner_next None
OpBranchConditional %d %inner_next %next
%inner_next = OpLabel
%p = OpIMul %uint %j %k
%t1 = OpIAdd %uint %t %p
%j1 = OpIAdd %uint %j %uint_1
OpBranch %inner_head
%next = OpLabel
%k1 = OpIAdd %uint %k %uint_1
OpBranch %head
%done = OpLabel
%y = OpCopyObject %uint %s""",
        lambda x, i: sum(j * k for k in range(x & 7) for j in range(k)),
    ),
    "two_exits": Snippet(  # no structured form: both exits lie inside the loop
        """
%start = OpBitwiseAnd %uint %x %uint_255
%first = OpIAdd %uint %start %uint_1
OpBranch %head
%head = OpLabel
%v = OpPhi %uint %first %entry %v1 %next
%k = OpPhi %uint %uint_0 %entry %k1 %next
%c1 = OpIEqual %bool %v %uint_1
OpBranchConditional %c1 %done %more
%more = OpLabel
%c2 = OpIEqual %bool %k %uint_40
OpBranchConditional %c2 %done %next
%next = OpLabel
%half_v = OpShiftRightLogical %uint %v %uint_1
%triple = OpIMul %uint %v %uint_3
%up = OpIAdd %uint %triple %uint_1
%b = OpBitwiseAnd %uint %v %uint_1
%odd = OpIEqual %bool %b %uint_1
%v1 = OpSelect %uint %odd %up %half_v
%k1 = OpIAdd %uint %k %uint_1
OpBranch %head
%done = OpLabel
%y = OpPhi %uint %k %head %k %more""",
        lambda x, i: collatz((x & 255) + 1, 40),
    ),
    "irreducible": Snippet(  # the loop of the two blocks is entered at both; %few ends it whatever becomes of %kr
        """
%n = OpBitwiseAnd %uint %x %uint_15
%b = OpBitwiseAnd %uint %x %uint_16
%c = OpINotEqual %bool %b %uint_0
OpBranchConditional %c %left %right
%left = OpLabel
%kl = OpPhi %uint %n %entry %kr1 %right
%sl = OpPhi %uint %uint_0 %entry %sr1 %right
%sl1 = OpIAdd %uint %sl %uint_1
OpBranch %right
%right = OpLabel
%kr = OpPhi %uint %n %entry %kl %left
%sr = OpPhi %uint %uint_0 %entry %sl1 %left
%sr1 = OpIAdd %uint %sr %uint_100
%kr1 = OpISub %uint %kr %uint_1
%e = OpSGreaterThan %bool %kr1 %uint_0
%few = OpULessThan %bool %sr1 %uint_5000
%again = OpLogicalAnd %bool %e %few
OpBranchConditional %again %left %done
%done = OpLabel
%y = OpCopyObject %uint %sr1""",
        lambda x, i: 100 * max(x & 15, 1) + max(x & 15, 1) - 1 + (x >> 4 & 1),
        may_hang=True,
    ),
    "switch": Snippet(
        """
%v = OpBitwiseAnd %uint %x %uint_7
OpSelectionMerge %done None
OpSwitch %v %other 0 %zero 3 %three 5 %five
%zero = OpLabel
OpBranch %done
%three = OpLabel
OpBranch %done
%five = OpLabel
OpBranch %done
%other = OpLabel
OpBranch %done
%done = OpLabel
%y = OpPhi %uint %uint_100 %zero %uint_103 %three %uint_105 %five %x %other""",
        lambda x, i: {0: 100, 3: 103, 5: 105}.get(x & 7, x),
    ),
    "switch_shared_target": Snippet(
        """
%v = OpUMod %uint %x %uint_6
OpSelectionMerge %done None
OpSwitch %v %done 1 %odd 3 %odd 5 %odd 4 %four
%odd = OpLabel
OpBranch %done
%four = OpLabel
OpBranch %done
%done = OpLabel
%y = OpPhi %uint %uint_0 %entry %uint_11 %odd %uint_44 %four""",
        lambda x, i: [0, 11, 0, 11, 44, 11][x % 6],
    ),
    "switch_fall_through": Snippet(
        """
%v = OpBitwiseAnd %uint %x %uint_3
OpSelectionMerge %done None
OpSwitch %v %done 1 %one 2 %two
%one = OpLabel
%p = OpIAdd %uint %x %uint_10
OpBranch %two
%two = OpLabel
%q = OpPhi %uint %x %entry %p %one
%t = OpIMul %uint %q %uint_2
OpBranch %done
%done = OpLabel
%y = OpPhi %uint %uint_1 %entry %t %two""",
        lambda x, i: {1: 2 * (x + 10), 2: 2 * x}.get(x & 3, 1),
    ),
    "switch_default_only": Snippet(
        """
OpSelectionMerge %done None
OpSwitch %x %done
%done = OpLabel
%y = OpISub %uint %x %uint_9""",
        lambda x, i: x - 9,
    ),
    "switch_negative": Snippet(
        """
%v = OpShiftRightArithmetic %uint %x %uint_30
OpSelectionMerge %done None
OpSwitch %v %other -2 %a -1 %b 1 %c
%a = OpLabel
OpBranch %done
%b = OpLabel
OpBranch %done
%c = OpLabel
OpBranch %done
%other = OpLabel
OpBranch %done
%done = OpLabel
%y = OpPhi %uint %uint_12 %a %uint_11 %b %uint_21 %c %uint_20 %other""",
        lambda x, i: {2: 12, 3: 11, 1: 21, 0: 20}[x >> 30],
    ),
    **{
        f"switch_{name}": Snippet(
            f"""
%n = Op{"SConvert" if name == "ulong" else "UConvert"} %{name} %x
OpSelectionMerge %done None
OpSwitch %n %other {" ".join(f"{value} %l{k}" for k, value in enumerate(values))}
"""
            + "".join(f"%l{k} = OpLabel\nOpBranch %done\n" for k in range(len(values)))
            + "%other = OpLabel\nOpBranch %done\n%done = OpLabel\n%y = OpPhi %uint %uint_999 %other"
            + "".join(f" %uint_{k} %l{k}" for k in range(len(values))),
            want,
            requires=("int64",) if name == "ulong" else (),
        )
        for name, values, want in (
            ("uchar", (0, 7, 200), lambda x, i: {0: 0, 7: 1, 200: 2}.get(x & 255, 999)),
            ("ushort", (0, 7, 40000), lambda x, i: {0: 0, 7: 1, 40000: 2}.get(x & 65535, 999)),
            ("ulong", (0, 7, -1, 4294967295), lambda x, i: {0: 0, 7: 1, 2**32 - 1: 2}.get(x, 999)),
        )
    },
    "unreachable_block": Snippet(
        """
%c = OpULessThanEqual %bool %x %uint_0xffffffff
OpSelectionMerge %done None
OpBranchConditional %c %always %never
%never = OpLabel
OpUnreachable
%always = OpLabel
OpBranch %done
%done = OpLabel
%y = OpPhi %uint %x %always""",
        lambda x, i: x,
    ),
    "phi_of_vectors": Snippet(
        """
%b = OpBitwiseAnd %uint %x %uint_1
%c = OpINotEqual %bool %b %uint_0
%v0 = OpCompositeConstruct %v2uint %x %uint_5
%v1 = OpCompositeConstruct %v2uint %uint_6 %x
OpSelectionMerge %done None
OpBranchConditional %c %then %done
%then = OpLabel
OpBranch %done
%done = OpLabel
%v = OpPhi %v2uint %v0 %entry %v1 %then
%lo = OpCompositeExtract %uint %v 0
%hi = OpCompositeExtract %uint %v 1
%y = OpISub %uint %lo %hi""",
        lambda x, i: 6 - x if x & 1 else x - 5,
    ),
    "phi_of_pointers": Snippet(
        """
%va = OpVariable %function_uint Function
%vb = OpVariable %function_uint Function
OpStore %va %x
OpStore %vb %uint_77
%b = OpBitwiseAnd %uint %x %uint_4
%c = OpINotEqual %bool %b %uint_0
OpBranchConditional %c %left %right
%left = OpLabel
OpBranch %done
%right = OpLabel
OpBranch %done
%done = OpLabel
%p = OpPhi %function_uint %va %left %vb %right
%y = OpLoad %uint %p""",
        lambda x, i: x if x & 4 else 77,
    ),
    "phi_of_truths": Snippet(
        """
%c = OpUGreaterThan %bool %x %uint_0x40000000
OpBranchConditional %c %left %done
%left = OpLabel
%b = OpBitwiseAnd %uint %x %uint_1
%d = OpIEqual %bool %b %uint_1
OpBranch %done
%done = OpLabel
%false = OpConstantFalse %bool
%p = OpPhi %bool %false %entry %d %left
%y = OpSelect %uint %p %uint_9 %uint_4""",
        lambda x, i: 9 if x > 2**30 and x & 1 else 4,
    ),
    "logic": Snippet(
        """
%b0 = OpBitwiseAnd %uint %x %uint_1
%b1 = OpBitwiseAnd %uint %x %uint_2
%p = OpINotEqual %bool %b0 %uint_0
%q = OpINotEqual %bool %b1 %uint_0
%and = OpLogicalAnd %bool %p %q
%or = OpLogicalOr %bool %p %q
%eq = OpLogicalEqual %bool %p %q
%ne = OpLogicalNotEqual %bool %p %q
%not = OpLogicalNot %bool %p
%r0 = OpSelect %uint %and %uint_1 %uint_0
%r1 = OpSelect %uint %or %uint_2 %uint_0
%r2 = OpSelect %uint %eq %uint_4 %uint_0
%r3 = OpSelect %uint %ne %uint_8 %uint_0
%r4 = OpSelect %uint %not %uint_16 %uint_0
%s0 = OpBitwiseOr %uint %r0 %r1
%s1 = OpBitwiseOr %uint %r2 %r3
%s2 = OpBitwiseOr %uint %s0 %s1
%y = OpBitwiseOr %uint %s2 %r4""",
        lambda x, i: [4 + 16, 2 + 8, 2 + 8 + 16, 1 + 2 + 4][x & 3],
    ),
    "any_all": Snippet(
        """
%b0 = OpBitwiseAnd %uint %x %uint_1
%b1 = OpBitwiseAnd %uint %x %uint_2
%b2 = OpBitwiseAnd %uint %x %uint_4
%v = OpCompositeConstruct %v3uint %b0 %b1 %b2
%zero = OpConstantNull %v3uint
%t = OpINotEqual %v3bool %v %zero
%any = OpAny %bool %t
%all = OpAll %bool %t
%r0 = OpSelect %uint %any %uint_1 %uint_0
%r1 = OpSelect %uint %all %uint_2 %uint_0
%y = OpIAdd %uint %r0 %r1""",
        lambda x, i: 3 if x & 7 == 7 else 1 if x & 7 else 0,
    ),
    "lines": Snippet(
        """
%name = OpString "f.cl"
OpLine %name 12 5
%t = OpIAdd %uint %x %uint_2
OpNoLine
OpNop
%y = OpIMul %uint %t %uint_3""",
        lambda x, i: 3 * (x + 2),
    ),
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
