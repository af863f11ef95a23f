"""Loops whose trips a compiler can count, to unroll them: how often they run, with which values (OpenCL C 3.0, 6.11)."""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.integers import bounds, wrap

_COUNT, _MAX_TRIPS = 40, 12  # loops in a kernel; trips of one
_FORMS = {  # the text, and whether the test comes after the first trip
    "for (; {test}; {step}) {{ {body} }}": False,
    "while (true) {{ if (!({test})) break; {body} {step}; }}": False,
    "do {{ {body} {step}; }} while ({test});": True,
    "while (true) {{ {body} {step}; if (!({test})) break; }}": True,
}
_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "i < e": operator.lt,
    "i <= e": operator.le,
    "i > e": operator.gt,
    "i >= e": operator.ge,
    "i != e": operator.ne,
    "e > i": operator.lt,
    "e <= i": operator.ge,
}
_STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "i += s": operator.add,
    "i -= s": operator.sub,
    "i *= s": operator.mul,
    "i = s + i": operator.add,
}
_ENDS, _BY = (-7, -3, -1, 0, 1, 2, 5, 6, 8, 12), (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop from `first` by `by` to `end`."""

    form: str
    test: str
    step: str
    first: float
    end: float
    by: float

    def total(self, type_name: str) -> int | None:
        """The sum that its body computes, modulo 2**32; None if it runs too long or leaves the type's range."""
        i: Any = self.first
        total, trips, later = 1, 0, _FORMS[self.form]
        while later or _TESTS[self.test](i, self.end):
            total = (total * 3 + int(i)) % 2**32
            i, later, trips = _STEPS[self.step](i, self.by), False, trips + 1
            if type_name != "float" and i != wrap(int(i), type_name):
                return None
            if trips > _MAX_TRIPS:
                return None
        return total

    def text(self, type_name: str, known: bool) -> str:
        """The loop's statements; the compiler does not know the end unless it is `known`."""
        body = self.form.format(test=self.test, step=self.step, body="t = t * 3 + (uint)(int)i;")
        start = f"{type_name} i = {self.first}, s = {self.by}, e = {self.end}{'' if known else ' + zero'}; uint t = 1;"
        return f"{{ {start} {body} r[k++] = t; }}"


def _loops(type_name: str, rng: np.random.Generator) -> list[Loop]:
    """Loops that end, of all forms, tests and steps in turn."""
    loops: list[Loop] = []
    scale = 0.5 if type_name == "float" else 1
    least = -100 if type_name == "float" else bounds(type_name)[0]
    while len(loops) < _COUNT:
        form, test, step = (list(x)[rng.integers(len(x))] for x in (_FORMS, _TESTS, _STEPS))
        first, end, by = (x[rng.integers(len(x))] * scale for x in (_ENDS, _ENDS, _BY))
        loop = Loop(form, test, step, first, end, by)
        if min(first, end) >= least and loop.total(type_name) is not None:
            loops.append(loop)
    return loops


def check_counted(device: Device, *, type: str, known: bool) -> None:
    """Loops that count. `type`: of the counter; `known`: whether the compiler knows the end."""
    loops = _loops(type, device.rng)
    body = "\n    ".join(loop.text(type, known) for loop in loops)
    source = f"__kernel void f(__global uint *r, int zero) {{\n    int k = 0;\n    {body}\n}}\n"
    out = device.buffer(np.zeros(len(loops), np.uint32))
    device.launch(device.build(source).f, [1], None, out, np.int32(0))
    for loop, got in zip(loops, device.read(out, np.uint32, len(loops)), strict=True):
        check.equal(f"the sum of the loop {loop.text(type, known)}", int(got), loop.total(type))
