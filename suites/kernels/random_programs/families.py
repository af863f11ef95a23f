"""The families of random programs: those of `generator`, and others with one further construct each.

The draws of a family never change, because expectations name a program by its number: a new construct is a new family.

One file: the families share the code that draws.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from . import floats, generator
from .generator import FLAVOURS, Builder, Draw
from .interpreter import comparison_type
from .language import (
    INTEGERS,
    SCALARS,
    SHARED,
    UNION,
    Function,
    Node,
    Program,
    Statement,
    Struct,
    base,
    constant,
    is_float,
    vector,
    width,
)
from .omission import left_out
from .sharing import ATOMICS
from .shrinking import cut

ITEMS = 16


@dataclass(frozen=True, slots=True)
class Family:
    """The features that a family's programs need, how they are generated, and the number of items that run them."""

    generate: Callable[[int], Program]
    requires: tuple[str, ...] = ()
    items: int = ITEMS
    spirv: bool = False  # whether the driver gets it as SPIR-V


def generate(family: str, number: int) -> Program:
    """The program of a family and a number."""
    return FAMILIES[family].generate(number)


def program_of(
    flavour: str, number: int, without: Sequence[str] = (), cuts: Sequence[Any] = ()
) -> tuple[Program, list[dict[str, int]]]:
    """The program of a case, and the inputs of the uncut program. `without`: see omission.py; `cuts`: see shrinking.py."""
    program = generate(flavour, number)
    words = inputs(flavour, number, program)
    return cut(left_out(program, without), cuts), words


def inputs(family: str, number: int, program: Program) -> list[dict[str, int]]:
    """The words that each work-item reads, by parameter."""
    if family in FLAVOURS:
        return generator.inputs(family, number, program, ITEMS)
    draw = Draw(f"{family}/{number} inputs")
    parameters = program.kernel.parameters
    return [{name: _word(draw, kind) for name, kind in parameters} for _ in range(FAMILIES[family].items)]


def _word(draw: Draw, kind: str) -> int:
    return floats.bits(_number(draw), base(kind)) if is_float(kind) and draw.often(85) else draw.word()


def _number(draw: Draw) -> float:
    """A number that every floating-point type holds exactly: few bits, of every magnitude that half has, or infinity."""
    if draw.often(3):
        return float("inf")
    value = draw.below(2048) * 2.0 ** (draw.below(16) - 11)
    return 0.0 if value < floats.MIN_MAGNITUDE["half"] else -value if draw.often(40) else value


class _Builder(Builder):
    """Smaller programs than those of `generator`, so that more of them run in a night."""

    deepest = 2
    deep = 2
    widths = (2, 3, 4)

    def new_type(self) -> str:
        scalar = self.draw.one(SCALARS)
        return vector(scalar, self.draw.one(self.widths)) if self.draw.often(25) else scalar

    def statement(self, depth: int) -> list[Statement]:
        if depth >= self.deepest:
            return [self.assignment()]
        return super().statement(depth)

    def variable(self, kind: str) -> Node:
        """A variable of the type to assign to; a new one if there is none."""
        fitting = [name for name, own in self.variables if own == kind]
        if not fitting:
            fitting = [f"t{len(self.variables)}"]
            self.variables.append((fitting[0], kind))
        return Node("variable", kind, value=self.draw.one(fitting))


class _Arrays(_Builder):
    """Arrays of vectors in private memory, with rows, and with computed initialisers."""

    def element(self, depth: int) -> Node:
        name, kind, size = self.draw.one(self.arrays)
        element = Node("element", kind, (self.expression("int", depth),), (name, size))
        if width(kind) > 1 and self.draw.often(50):
            return Node("component", base(kind), (element,), self.draw.below(width(kind)))
        return element

    def statement(self, depth: int) -> list[Statement]:
        if self.draw.often(45):
            target = self.element(1)
            return [Statement("assign", (target, self.expression(target.type, 2)))]
        return super().statement(depth)


class _Structs(_Builder):
    """Structs that are assigned, passed to functions and returned from them, by value."""

    structs: tuple[Struct, ...] = ()

    def statement(self, depth: int) -> list[Statement]:
        if self.returns and depth and self.draw.often(8):
            return [Statement("return_struct", value="p")]
        if self.structs and self.draw.often(20):
            target, source = self.draw.one(self.structs), self.draw.one(self.structs)
            return [Statement("copy", value=(target.name, source.name))]
        if self.structs and self.callees and self.draw.often(35):
            callee = self.draw.one(self.callees)
            target, source = self.draw.one(self.structs), self.draw.one(self.structs)
            arguments = tuple(self.leaf(kind) for _, kind in callee.parameters)
            return [Statement("pass", arguments, value=(callee.name, target.name, source.name))]
        returns, self.returns = self.returns, False  # a function of structs returns only its struct
        made = super().statement(depth)
        self.returns = returns
        return made


class _Floats(_Builder):
    """Numbers of one floating-point type beside integers."""

    real = "float"

    def new_type(self) -> str:
        if self.draw.often(40):
            return super().new_type()
        return vector(self.real, self.draw.one((2, 3, 4))) if self.draw.often(35) else self.real

    def leaf(self, kind: str) -> Node:
        if not is_float(kind):
            return super().leaf(kind)
        fitting = [name for name, own in self.variables if own == kind]
        if fitting and self.draw.often(75):
            return Node("variable", kind, value=self.draw.one(fitting))
        return constant(_number(self.draw), kind)

    def condition(self) -> Node:
        if self.draw.often(50):
            return super().condition()
        sides = self.expression(self.real, 2), self.expression(self.real, 1)
        return Node(self.draw.one(("<", ">", "<=", ">=", "==", "!=")), "int", sides)

    def expression(self, kind: str, depth: int) -> Node:
        draw, less = self.draw, depth - 1
        if depth == 0 or draw.often(15):
            return self.leaf(kind)
        real = vector(self.real, width(kind))
        if not is_float(kind):
            if not draw.often(20):
                return super().expression(kind, depth)
            if kind == vector(INTEGERS[self.real], width(kind)) and draw.often(50):
                return Node("bits", kind, (self.expression(real, less),))
            return Node("cast", kind, (self.expression(real, less),))
        roll = draw.below(100)
        if roll < 55:
            more = {"float": ["fma"], "double": ["f/", "sqrt"], "half": []}[self.real]  # fma has cases of its own (bug 121)
            ops = ["f+", "f-", "f*", "fmin", "fmax", *more]
            op = draw.one(ops)
            return Node(op, kind, tuple(self.expression(kind, less) for _ in range(floats.OPERANDS[op])))
        if roll < 63:
            return Node(draw.one(("fabs", "floor", "ceil", "trunc", "rint")), kind, (self.expression(kind, less),))
        if roll < 72:
            return Node("cast", kind, (self.expression(vector(draw.one(SCALARS), width(kind)), less),))
        if roll < 76:
            return Node("real", kind, (self.expression(vector(INTEGERS[self.real], width(kind)), less),))
        if roll < 86:
            return self.selection(kind, less)
        if width(kind) == 1:
            wide = draw.one((2, 3, 4))
            return Node("component", kind, (self.expression(vector(self.real, wide), less),), draw.below(wide))
        if roll < 93:
            return Node("vector", kind, tuple(self.expression(self.real, less) for _ in range(width(kind))))
        wide = draw.one((2, 3, 4))
        order = tuple(draw.below(wide) for _ in range(width(kind)))
        return Node("swizzle", kind, (self.expression(vector(self.real, wide), less),), order)

    def selection(self, kind: str, depth: int) -> Node:
        if not is_float(kind) or width(kind) == 1:
            return super().selection(kind, depth)
        compared = vector(self.draw.one((self.real, INTEGERS[self.real])), width(kind))
        sides = self.expression(compared, depth), self.expression(compared, depth)
        condition = Node(self.draw.one(("<", "==", "!=", ">=")), comparison_type(compared), sides)
        return Node("?:", kind, (condition, self.expression(kind, depth), self.expression(kind, depth)))


class _Shared(_Builder):
    """Statements that all items of a work-group reach, in loops equally often, between statements of each item."""

    together: tuple[str, ...] = ()
    rounds = 0

    def leaf(self, kind: str) -> Node:
        if kind == "int" and self.draw.often(30):
            return Node("variable", "int", value="item")
        return super().leaf(kind)

    def top(self, count: int, depth: int = 0) -> list[Statement]:
        made: list[Statement] = []
        for _ in range(count):
            if depth < 2 and self.draw.often(20):
                counter = f"r{self.rounds}"
                self.rounds += 1
                made.append(Statement("repeat", (), (tuple(self.top(2, depth + 1)),), (counter, 2 + self.draw.below(3))))
            elif self.draw.often(60):
                made.append(self.shared(self.draw.one(self.together)))
            else:
                made += self.statement(1)
        return made

    def shared(self, op: str) -> Statement:
        draw = self.draw
        if op == "exchange":
            wrote, read = draw.one(UNION), draw.one(UNION)
            nodes = self.variable(read), self.expression(wrote, 2), self.expression("int", 1)
            return Statement(op, nodes, value=(wrote, read))
        if op == "atomic":
            name = draw.one(("la", "lb", "ga", "gb"))
            kind = SHARED[name].type
            places = self.variable(kind), self.expression(kind, 2), self.expression("int", 1), self.expression("int", 1)
            return Statement(op, places, value=(draw.one(sorted(ATOMICS)), name))
        if op == "own_atomic":
            nodes = self.variable("uint"), self.expression("uint", 2), self.expression("uint", 1)
            return Statement(op, nodes, value=(draw.one((*sorted(ATOMICS), "xchg", "cmpxchg")), draw.below(32)))
        name = draw.one(("any", "all", "broadcast", *(f"{h}_{o}" for h in _COLLECTIVE for o in ("add", "min", "max"))))
        kind = "int" if name in ("any", "all") else draw.one(("int", "uint", "long", "ulong"))
        return Statement("sub_group", (self.variable(kind), self.expression(kind, 2)), value=(name, draw.below(4)))


_COLLECTIVE = ("reduce", "scan_inclusive", "scan_exclusive")


class _Images(_Shared):
    """Images: pixels are read at any place, and written to the item's own column."""

    def expression(self, kind: str, depth: int) -> Node:
        if depth and kind in ("uint4", "int4") and self.draw.often(60):
            place = self.expression("int", 1), self.expression("int", 1)
            image = "im" if kind == "uint4" else "js"
            return Node("read_image", kind, place, (image, self.draw.one(("edge", "border"))))
        return super().expression(kind, depth)

    def statement(self, depth: int) -> list[Statement]:
        if self.draw.often(30):
            return [Statement("write_image", (self.expression("int", 1), self.expression("uint4", 2)))]
        if self.draw.often(30):
            kind = self.draw.one(("uint4", "int4"))
            return [Statement("assign", (self.variable(kind), self.expression(kind, 2)))]
        return super().statement(depth)


def _kernel(builder: Builder, name: str, **more: Any) -> Function:
    """The kernel of a builder, whose first four variables are its parameters."""
    variables = [(n, kind, builder.draw.below(100)) for n, kind in builder.variables[4:] if "." not in n]
    counters = [*builder.counters, *(f"r{i}" for i in range(getattr(builder, "rounds", 0)))]
    variables += [(n, "int", 0) for n in counters]
    return Function(name, "void", tuple(builder.variables[:4]), tuple(variables), tuple(builder.arrays), **more)


def _start_builder(make: type[_Builder], family: str, number: int, flavour: str, **more: Any) -> Any:
    """A builder that has its parameters and variables."""
    builder = make(Draw(f"{family}/{number}"), flavour, more.pop("callees", ()), returns=False)
    for name, value in more.items():
        setattr(builder, name, value)
    builder.variables = [(f"a{i}", builder.new_type()) for i in range(4)]
    builder.variables += [(f"v{i}", builder.new_type()) for i in range(2 + builder.draw.below(2))]
    return builder


def _with_arrays(number: int) -> Program:
    builder = _start_builder(_Arrays, "vector_array", number, "mixed")
    draw = builder.draw
    kinds = [vector(draw.one(SCALARS), draw.one(widths)) for widths in ((2, 3, 4), (2,), (2, 3, 4))]
    size = draw.one((2, 4))
    initial = tuple(builder.expression(kinds[2], 2) for _ in range(size))  # it uses only parameters and variables
    builder.arrays = [("p0", kinds[0], 4), ("m0", kinds[1], 8), ("x0", kinds[2], size)]
    body = builder.block(3, 0)
    return Program((_kernel(builder, "f", body=body, initial=(("x0", initial),)),))


def _with_structs(number: int) -> Program:
    draw = Draw(f"struct/{number} types")
    fields = []
    for i in range(2 + draw.below(3)):
        scalar = draw.one(SCALARS)
        kind = vector(scalar, draw.one((2, 3, 4))) if draw.often(30) else scalar
        fields.append((f"m{i}", kind, 0))
    if draw.often(50):
        fields.append(("q", draw.one(SCALARS), 4))
    functions: list[Function] = []
    for i in range(1 + draw.below(2)):
        functions.append(_struct_helper(number, f"h{i}", Struct("p", "S", tuple(fields)), functions))
    builder = _start_builder(_Structs, "struct", number, "branch", callees=functions)
    builder.structs = tuple(Struct(f"s{i}", "S", tuple(fields)) for i in range(2))
    for struct in builder.structs:
        builder.variables += struct.values
        builder.arrays += struct.arrays
    body = builder.block(3, 0)
    builder.arrays = []
    return Program((*functions, _kernel(builder, "f", body=body, structs=builder.structs)))


def _struct_helper(number: int, name: str, struct: Struct, callees: list[Function]) -> Function:
    builder = _Structs(Draw(f"struct/{number} {name}"), "loop", callees, returns=True)
    builder.structs = (struct,)
    parameters = [(f"a{i}", builder.new_type()) for i in range(builder.draw.below(3))]
    builder.variables = [*parameters, ("v0", builder.new_type()), *struct.values]
    builder.arrays = struct.arrays
    body = (*builder.block(2, 1), Statement("return_struct", value="p"))
    own = [(n, kind, 5) for n, kind in builder.variables[len(parameters) :] if "." not in n]
    own += [(n, "int", 0) for n in builder.counters]
    return Function(name, "void", tuple(parameters), tuple(own), (), body, struct_parameter=struct)


def _with_floats(real: str) -> Callable[[int], Program]:
    def made(number: int) -> Program:
        builder = _start_builder(_Floats, real, number, "branch" if number % 2 else "loop", real=real)
        return Program((_kernel(builder, "f", body=builder.block(2 if real == "half" else 3, 0)),))

    return made


def _with_switches(number: int) -> Program:
    builder = _start_builder(_Builder, "loop_switch", number, "switch", deepest=4)
    body = tuple(builder.loop(builder.draw.one(("for", "while", "do")), 1) for _ in range(2))
    return Program((_kernel(builder, "f", body=body),))


def _with_sharing(
    family: str, together: tuple[str, ...], shared: tuple[str, ...], make: type[_Shared] = _Shared
) -> Callable[[int], Program]:
    def made(number: int) -> Program:
        builder = _start_builder(make, family, number, "mixed", together=together)
        body = tuple(builder.top(3) if together else builder.block(3, 0))
        return Program((_kernel(builder, "f", body=body, shared=shared),))

    return made


def _as_spirv(number: int) -> Program:
    flavours = ("expression", "branch", "loop", "switch", "vector", "array")
    builder = _start_builder(_Builder, "spirv", number, flavours[number % len(flavours)])
    builder.arrays = [("p0", builder.draw.one(SCALARS), 4)]
    return Program((_kernel(builder, "f", body=builder.block(3, 0)),))


def _from_generator(flavour: str) -> Family:
    return Family(lambda number: generator.generate(flavour, number))


FAMILIES: dict[str, Family] = {flavour: _from_generator(flavour) for flavour in FLAVOURS} | {
    "vector_array": Family(_with_arrays),
    "struct": Family(_with_structs),
    "loop_switch": Family(_with_switches),
    "half": Family(_with_floats("half"), ("fp16",)),
    "float": Family(_with_floats("float")),
    "double": Family(_with_floats("double"), ("fp64",)),
    "union": Family(_with_sharing("union", ("exchange",), ("u",)), items=32),
    "atomic": Family(_with_sharing("atomic", ("atomic", "own_atomic"), ("la", "lb", "ga", "gb", "lo")), items=32),
    "image": Family(_with_sharing("image", (), ("im", "js", "om"), _Images), ("images",)),
    "sub_group": Family(_with_sharing("sub_group", ("sub_group",), ("places",)), ("opencl_c_3.0", "subgroups"), 32),
    "spirv": Family(_as_spirv, ("il",), spirv=True),
}
