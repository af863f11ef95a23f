"""The cases of the area: one program a case."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from .families import FAMILIES
from .generator import FLAVOURS

ROWS = [
    Row("kernels/random/call/*", "functions, called by value and by pointer", "OpenCL C 3.0, 6.15", "basic"),
    Row("kernels/random/array/*", "private arrays", "OpenCL C 3.0, 6.7.4", "basic"),
    Row("kernels/random/vector/*", "vector expressions", "OpenCL C 3.0, 6.6", "basic"),
    Row("kernels/random/expression/*", "integer expressions", "OpenCL C 3.0, 6.5", "integer_ops"),
    Row("kernels/random/branch/*", "branches", "OpenCL C 3.0, 6; C99, 6.8.4", "basic"),
    Row("kernels/random/loop/*", "loops", "OpenCL C 3.0, 6; C99, 6.8.5", "basic"),
    Row("kernels/random/switch/*", "switches", "OpenCL C 3.0, 6; C99, 6.8.4", "basic"),
    Row("kernels/random/vector_array/*", "private arrays of vectors", "OpenCL C 3.0, 6.7.4", "basic"),
    Row("kernels/random/struct/*", "structs by value", "OpenCL C 3.0, 6.3.3; C99, 6.7.2.1", "basic"),
    Row("kernels/random/loop_switch/*", "switches in loops", "OpenCL C 3.0, 6; C99, 6.8", "basic"),
    Row("kernels/random/half/*", "expressions of half", "OpenCL C 3.0, 7.4", "half"),
    Row("kernels/random/float/*", "expressions of float", "OpenCL C 3.0, 7.4", "math_brute_force"),
    Row("kernels/random/double/*", "expressions of double", "OpenCL C 3.0, 7.4", "math_brute_force"),
    Row("kernels/random/union/*", "unions in local memory", "OpenCL C 3.0, 6.7.2; C99, 6.7.2.1", "basic"),
    Row("kernels/random/atomic/*", "atomics and barriers", "OpenCL C 3.0, 6.15.12", "atomics"),
    Row("kernels/random/image/*", "images", "OpenCL C 3.0, 6.15.15", "images/kernel_read_write"),
    Row("kernels/random/sub_group/*", "sub-groups", "OpenCL C 3.0, 6.15.20", "subgroups"),
    Row("kernels/random/spirv/*", "integer programs as SPIR-V", "SPIR-V 1.6, 3.52", "spirv_new"),
    Row("kernels/random/mixed/*", "structured programs", "OpenCL C 3.0, 6; C99, 6.8", "basic"),
]
COUNT = 30  # programs of each of the first eight families
LATER_COUNT = 10  # and of the others, of which `runner fuzz` runs as many as one likes
_AREA = Area("random", folder="random_programs")


def cases() -> Iterator[Case]:
    """The first programs of each family."""
    for name in FAMILIES:
        for number in range(COUNT if name in FLAVOURS else LATER_COUNT):
            yield program_case(name, number)


def program_case(family: str, number: int) -> Case:
    """The case of a program: of any number, although the first are in the catalogue alone."""
    params = {"flavour": family, "number": number}
    needs = ("int64", *FAMILIES[family].requires)
    return _AREA.case(f"{family}/{number}", "program", *needs, params=params)
