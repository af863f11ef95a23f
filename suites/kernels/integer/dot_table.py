"""The functions of cl_khr_integer_dot_product. Plain Python, because the catalogue reads it too."""

from dataclasses import dataclass

SIGNS = ("uu", "ss", "us", "su")
INPUTS = ("edges", "lane", "squares", "opposite")


@dataclass(frozen=True, slots=True)
class Dot:
    """One overload: the signs of its operands' bytes (u, s), which are packed in a uint or a vector."""

    kinds: str
    packed: bool
    accumulates: bool

    @property
    def result(self) -> str:
        """The type of the result: uint if both operands are unsigned (6.15.3)."""
        return "uint" if self.kinds == "uu" else "int"

    @property
    def name(self) -> str:
        """The name of the function in OpenCL C."""
        name = "dot_acc_sat" if self.accumulates else "dot"
        return f"{name}_4x8packed_{self.kinds}_{self.result}" if self.packed else name

    @property
    def call(self) -> str:
        """A call of it, with its operands."""
        return f"{self.name}(a, b{', acc' if self.accumulates else ''})"

    @property
    def requires(self) -> tuple[str, ...]:
        """The features that it needs."""
        suffix = "_packed" if self.packed else ""
        feature = f"__opencl_c_integer_dot_product_input_4x8bit{suffix}"
        return ("opencl_c_3.0", "cl_khr_integer_dot_product", feature)

    def vector(self, operand: int) -> str:
        """The type of an operand."""
        return "uint" if self.packed else "uchar4" if self.kinds[operand] == "u" else "char4"

    @property
    def source(self) -> str:
        """A kernel f(a, b, acc, r)."""
        return f"""
__kernel void f(__global const {self.vector(0)} *a_, __global const {self.vector(1)} *b_,
                __global const {self.result} *acc_, __global {self.result} *r) {{
    size_t i = get_global_id(0);
    {self.vector(0)} a = a_[i];
    {self.vector(1)} b = b_[i];
    {self.result} acc = acc_[i];
    r[i] = {self.call};
}}
"""


DOTS: dict[str, Dot] = {
    f"{'acc_sat_' if accumulates else ''}{'packed_' if packed else ''}{kinds}": Dot(kinds, packed, accumulates)
    for accumulates in (False, True)
    for packed in (False, True)
    for kinds in SIGNS
}
