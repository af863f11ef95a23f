"""A compiler that errs somewhere in a structured program."""

from __future__ import annotations

import re
from typing import Any

from mutation import Function, Mutant, api

from runner.check import Mismatch


def somewhere(name: str, flavour: str, pattern: str, replacement: str) -> Mutant:
    """The source changed wherever the pattern matches; most programs have no such place."""

    def wrap(inner: Function) -> Function:
        seen: set[str] = set()

        def build(self: Any, source: str, options: str = "") -> Any:
            if self.case_id in seen:  # a smaller program of the same case: the fault is found, spare the device
                raise Mismatch("build: cut down")
            seen.add(self.case_id)
            return inner(self, re.sub(pattern, replacement, source), options)

        return build

    return api(f"random/{name}", f"kernels/random/{flavour}/*", "runner.device.Device.build", wrap)


MUTANTS = [
    somewhere("break.lost", "loop", r"\bbreak;", ";"),
    somewhere("continue.lost", "loop", r"\bcontinue;", ";"),
    somewhere("loop.one_round_fewer", "loop", r"(n\d+ < )(\d+); n", r"\g<1>\2 - 1; n"),
    somewhere("do.as_while", "loop", r"n0 = 0;\n( *)do \{", r"n0 = 1;\n\1do {"),
    somewhere("else.taken_too", "branch", r"\} else \{", "} {"),
    somewhere("compare.or_equal", "branch", r" < ", " <= "),
    somewhere("switch.fall_through", "switch", r"\n *\}\n *break;", "\n }"),
    somewhere("switch.default_elsewhere", "switch", r"default:", "case 77:"),
    somewhere("swizzle.first_two", "vector", r"\.s1\b", ".s0"),
    somewhere("shift.arithmetic", "expression", r"\((?:uint|ulong)\)\(([av]\d)\) >> ", r"\1 >> "),
    somewhere("element.next", "array", r"\) & (\d)\]", r") + 1 & \1]"),
    somewhere("hadd.rounds_up", "expression", r"\bhadd\(", "rhadd("),
    somewhere("call.store_through_a_pointer_lost", "call", r"(?m)^( +)p\[.*;$", r"\1;"),
]
