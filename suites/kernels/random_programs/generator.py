"""Random programs of `language` from a seed, the same on every version of Python, with the constructs of a flavour."""

import random
from collections.abc import Sequence
from typing import TypeVar

from .interpreter import BUILTINS, comparison_type, result_type
from .language import SCALARS, WIDTHS, Block, Function, Node, Program, Statement, base, constant, signed, vector, width

T = TypeVar("T")

# The statements that belong to a flavour; the other statements are in all flavours.
FLAVOURS = {
    "expression": ("assign",),
    "branch": ("if", "if", "assign"),
    "loop": ("for", "while", "do", "assign"),
    "switch": ("switch", "for", "assign"),
    "vector": ("assign", "if"),
    "array": ("element", "for", "element", "assign"),
    "call": ("call", "if", "call", "assign"),
    "mixed": ("if", "for", "while", "do", "switch", "call", "element", "assign"),
}
_DEPTH = 3  # of nested statements
_INTERESTING = (0, 1, 2, 3, 7, 8, 31, 32, 63, 127, 128, 255, 256, 32767, 65535, 2**31 - 1, 2**31, 2**63 - 1, 2**63)


class Draw:
    """Draws that depend only on Python's Mersenne Twister, and not on a version's `choice`."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def below(self, count: int) -> int:
        return self._random.getrandbits(32) % count

    def one(self, values: Sequence[T]) -> T:
        return values[self.below(len(values))]

    def often(self, percent: int) -> bool:
        return self.below(100) < percent

    def word(self) -> int:
        """64 bits: an interesting number or a random one, or its negative."""
        value = self.one(_INTERESTING) if self.often(60) else self._random.getrandbits(64)
        return (-value if self.often(25) else value) % 2**64


class Builder:
    """Makes one function: first its variables, then statements that use them."""

    def __init__(self, draw: Draw, flavour: str, callees: Sequence[Function], *, returns: bool) -> None:
        self.draw, self.flavour, self.callees, self.returns = draw, flavour, callees, returns
        self.counters: list[str] = []
        self.loops: list[str] = []  # the loops and switches around the present statement
        self.variables: list[tuple[str, str]] = []
        self.arrays: list[tuple[str, str, int]] = []

    widths: Sequence[int] = WIDTHS
    deep = 3  # nested operations in an assigned expression

    def new_type(self) -> str:
        vectors = {"vector": 75, "mixed": 30}.get(self.flavour, 10)
        scalar = self.draw.one(SCALARS)
        return vector(scalar, self.draw.one(self.widths)) if self.draw.often(vectors) else scalar

    def block(self, count: int, depth: int) -> Block:
        return tuple(s for _ in range(count) for s in self.statement(depth))

    def statement(self, depth: int) -> list[Statement]:
        kinds = FLAVOURS[self.flavour] if depth < _DEPTH else ("assign", "element")
        kind = self.draw.one(kinds)
        if self.loops and self.draw.often(12):
            jump = "break" if self.loops[-1] == "switch" or self.draw.often(50) else "continue"
            return [Statement("if", (self.condition(),), ((Statement(jump),), ()))]
        if self.returns and depth and self.draw.often(8):
            return [Statement("return", (self.expression(self.result, 2),))]
        match kind:
            case "if":
                other = self.block(1 + self.draw.below(2), depth + 1) if self.draw.often(60) else ()
                return [Statement("if", (self.condition(),), (self.block(1 + self.draw.below(2), depth + 1), other))]
            case "for" | "while" | "do":
                return [self.loop(kind, depth)]
            case "switch":
                return [self.switch(depth)]
            case "call" if self.callees:
                return [self.call()]
            case "element" if self.arrays:
                name, element, size = self.draw.one(self.arrays)
                target = Node("element", element, (self.expression("int", 1),), (name, size))
                return [Statement("assign", (target, self.expression(element, self.deep)))]
            case _:
                return [self.assignment()]

    def assignment(self) -> Statement:
        name, kind = self.draw.one(self.variables)
        target = Node("variable", kind, value=name)
        if width(kind) > 1 and self.draw.often(35):
            target = Node("component", base(kind), (target,), self.draw.below(width(kind)))
        return Statement("assign", (target, self.expression(target.type, self.deep)))

    def loop(self, kind: str, depth: int) -> Statement:
        counter = f"n{len(self.counters)}"
        self.counters.append(counter)
        self.loops.append(kind)
        body = self.block(1 + self.draw.below(3), depth + 1)
        self.loops.pop()
        nodes = () if kind == "for" else (self.condition(),)
        return Statement(kind, nodes, (body,), (counter, 1 + self.draw.below(4)))

    def switch(self, depth: int) -> Statement:
        labels = list(range(8))
        arms, blocks = [], []
        for _ in range(2 + self.draw.below(3)):
            own = tuple(labels.pop(self.draw.below(len(labels))) for _ in range(1 + self.draw.below(2)))
            arms.append((own, self.draw.often(35)))
        if self.draw.often(70):
            arms.insert(self.draw.below(len(arms) + 1), ((), self.draw.often(35)))
        self.loops.append("switch")
        for _ in arms:
            blocks.append(self.block(1 + self.draw.below(2), depth + 1))
        self.loops.pop()
        chosen = Node("&", "int", (self.expression("int", 2), constant(7, "int")))
        return Statement("switch", (chosen,), tuple(blocks), tuple(arms))

    def call(self) -> Statement:
        callee = self.draw.one(self.callees)
        array = ""
        if callee.array_parameter:
            fitting = [name for name, kind, size in self.arrays if (kind, size) == callee.array_parameter[1:]]
            if not fitting:
                return self.assignment()
            array = self.draw.one(fitting)
        # Arguments do not read arrays, because the callee may write to them, and the order of the two is open.
        arguments = [self.leaf(kind) for _, kind in callee.parameters]
        name, kind = self.draw.one([v for v in self.variables if v[1] == callee.result])
        return Statement("call", (Node("variable", kind, value=name), *arguments), value=(callee.name, array))

    def condition(self) -> Node:
        left = self.expression(self.draw.one(SCALARS), 2)
        compared = Node(self.draw.one(("<", ">", "<=", ">=", "==", "!=")), "int", (left, self.expression(left.type, 2)))
        if self.draw.often(25):
            return Node(self.draw.one(("&&", "||")), "int", (compared, self.condition()))
        return compared

    def leaf(self, kind: str) -> Node:
        fitting = [name for name, own in self.variables if own == kind]
        if fitting and self.draw.often(80):
            return Node("variable", kind, value=self.draw.one(fitting))
        if kind == "int" and self.counters and self.draw.often(40):
            return Node("variable", "int", value=self.draw.one(self.counters))
        return constant(self.draw.word(), kind)

    def expression(self, kind: str, depth: int) -> Node:
        """An expression of a type, with at most `depth` nested operations."""
        if depth == 0 or self.draw.often(15):
            return self.leaf(kind)
        draw, less = self.draw, depth - 1
        scalar, components = base(kind), width(kind)
        roll = draw.below(100)
        if roll < 40:
            ops = ["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"]
            ops += [] if kind.startswith("u") else ["signed>>", "signed/", "signed%"]
            return Node(draw.one(ops), kind, (self.expression(kind, less), self.expression(kind, less)))
        if roll < 55:
            return self.builtin(kind, less)
        if roll < 65:
            other = vector(draw.one(SCALARS), components)
            return Node("cast", kind, (self.expression(other, less),))
        if roll < 75:
            return self.selection(kind, less)
        if components > 1:
            if roll < 87:
                parts = tuple(self.expression(scalar, less) for _ in range(components))
                return Node("vector", kind, parts)
            wide = draw.one([w for w in self.widths if w >= 2])
            order = tuple(draw.below(wide) for _ in range(components))
            return Node("swizzle", kind, (self.expression(vector(scalar, wide), less),), order)
        if roll < 83:
            wide = draw.one(self.widths)
            whole = self.expression(vector(kind, wide), less)
            return Node("component", kind, (whole,), draw.below(wide))
        fitting = [(name, size) for name, own, size in self.arrays if own == kind]
        if fitting:
            return Node("element", kind, (self.expression("int", less),), draw.one(fitting))
        if kind == "int":
            return Node("!", "int", (self.condition(),)) if roll < 90 else self.condition()
        return Node("cast", kind, (self.expression(draw.one(SCALARS), less),))

    def builtin(self, kind: str, depth: int) -> Node:
        name = self.draw.one(sorted(BUILTINS))
        operand = kind
        if result_type(name, kind) != kind:
            name = "max"
        elif name == "abs_diff" and self.draw.often(50):
            operand = signed(kind)
        return Node(name, kind, tuple(self.expression(operand, depth) for _ in range(BUILTINS[name])))

    def selection(self, kind: str, depth: int) -> Node:
        if width(kind) == 1:
            condition = self.condition()
        else:
            compared = vector(self.draw.one([s for s in SCALARS if signed(s) == signed(base(kind))]), width(kind))
            sides = self.expression(compared, depth), self.expression(compared, depth)
            condition = Node(self.draw.one(("<", "==", "!=", ">=")), comparison_type(compared), sides)
        return Node("?:", kind, (condition, self.expression(kind, depth), self.expression(kind, depth)))

    result = "int"


def generate(flavour: str, number: int) -> Program:
    """The program of a flavour and a number."""
    draw = Draw(f"{flavour}/{number}")
    functions: list[Function] = []
    for i in range(1 + draw.below(3) if flavour in ("call", "mixed") else 0):
        functions.append(helper(draw, flavour, f"g{i}", functions))
    builder = Builder(draw, flavour, functions, returns=False)
    builder.variables = [(f"a{i}", builder.new_type()) for i in range(4)]
    parameters = tuple(builder.variables)
    own = [(f"v{i}", builder.new_type()) for i in range(2 + draw.below(3))]
    own += [(f"w{i}", f.result) for i, f in enumerate(functions)]
    builder.variables += own
    if flavour in ("array", "call", "mixed"):
        builder.arrays = [(f"p{i}", draw.one(SCALARS), draw.one((4, 8))) for i in range(2)]
        builder.arrays += [(f"q{i}", *f.array_parameter[1:]) for i, f in enumerate(functions) if f.array_parameter]
    body = builder.block({"expression": 8, "vector": 8}.get(flavour, 5), 0)
    variables = [(name, kind, draw.below(100)) for name, kind in own] + [(n, "int", 0) for n in builder.counters]
    functions.append(Function("f", "void", parameters, tuple(variables), tuple(builder.arrays), body))
    return Program(tuple(functions))


def inputs(flavour: str, number: int, program: Program, items: int) -> list[dict[str, int]]:
    """The words that each work-item reads, by parameter."""
    draw = Draw(f"{flavour}/{number} inputs")
    return [{name: draw.word() for name, _ in program.kernel.parameters} for _ in range(items)]


def helper(draw: Draw, flavour: str, name: str, callees: Sequence[Function]) -> Function:
    """A function that a kernel may call, and that may itself call `callees`."""
    builder = Builder(draw, flavour, callees, returns=True)
    builder.result = builder.new_type()
    builder.variables = [(f"a{i}", builder.new_type()) for i in range(1 + draw.below(3))]
    parameters = tuple(builder.variables)
    own = [("v0", builder.result)] + [(f"w{i}", f.result) for i, f in enumerate(callees)]
    builder.variables += own
    array = ("p", draw.one(SCALARS), draw.one((4, 8))) if draw.often(50) else None
    if array:
        builder.arrays.append(array)
    body = builder.block(3, 1)
    end = Statement("return", (builder.expression(builder.result, 2),))
    variables = [(n, kind, draw.below(100)) for n, kind in own] + [(n, "int", 0) for n in builder.counters]
    return Function(name, builder.result, parameters, tuple(variables), (), (*body, end), array)
