"""A program of integers as SPIR-V, in the text form of `kit/assembler.py`, which does not pass through a front end.

Sums of narrow types are computed in those types, switches are OpSwitch, choices OpSelect, and loops and selections have no
merge instructions, which a kernel does not need (SPIR-V 1.6, 2.16.1).
"""

from .language import BITS, Block, Node, Program, Statement, base, outputs, unsigned, width

_HEAD = """
OpEntryPoint Kernel %kernel "f" %gid
OpDecorate %gid BuiltIn GlobalInvocationId
%std = OpExtInstImport "OpenCL.std"
%gid = OpVariable %input_v3size Input
%type_kernel = OpTypeFunction %void %global_ulong %global_ulong
%kernel = OpFunction %void None %type_kernel
%in = OpFunctionParameter %global_ulong
%out = OpFunctionParameter %global_ulong
%entry = OpLabel
%ids = OpLoad %v3size %gid
%id = OpCompositeExtract %size %ids 0
"""
_NATIVE = {"+": "IAdd", "-": "ISub", "*": "IMul", "&": "BitwiseAnd", "|": "BitwiseOr", "^": "BitwiseXor"}
_WIDER = {"<<": "ShiftLeftLogical", ">>": "ShiftRightLogical", "/": "UDiv", "%": "UMod", "signed>>": "ShiftRightArithmetic"}
_COMPARISONS = {"<": "LessThan", ">": "GreaterThan", "<=": "LessThanEqual", ">=": "GreaterThanEqual"}
_UNSIGNED_NAMES = ("rotate", "popcount", "clz")  # instructions without s_ or u_


def spirv_text(program: Program) -> str:
    """The module with `f(global const ulong *in, global ulong *out)`, the kernel of `opencl_c.source`."""
    return _Writer(program).text()


class _Writer:
    """Writes the module, from the kernel's first statement to its last."""

    def __init__(self, program: Program) -> None:
        self.kernel = program.kernel
        self.lines: list[str] = []
        self.globals: dict[str, str] = {}
        self.count = 0
        self.leaves: list[tuple[str, str]] = []  # the labels of break and continue, for each enclosing statement

    def text(self) -> str:
        kernel = self.kernel
        for i, (name, kind) in enumerate(kernel.parameters):
            self.variable(name, kind)
            word = self.op(f"OpLoad %ulong {self.place('in', len(kernel.parameters), i)} Aligned 8")
            one = self.converted(word, "ulong", base(kind))
            self.line(f"OpStore %var_{name} {self.splat(one, kind)}")
        for name, kind, first in kernel.variables:
            self.variable(name, kind)
            self.line(f"OpStore %var_{name} {self.constant(first, kind)}")
        for name, kind, size in kernel.arrays:
            self.globals[f"%array_{name}"] = f"%array_{name} = OpTypeArray %{_type(kind)} %uint_{size}"
            self.globals[f"%to_{name}"] = f"%to_{name} = OpTypePointer Function %array_{name}"
            self.line(f"%var_{name} = OpVariable %to_{name} Function")
            for i in range(size):
                self.line(f"OpStore {self.chain(name, kind, f'%uint_{i}')} {self.constant(i * 3 + 1, kind)}")
        self.block(kernel.body)
        found = outputs(kernel)
        for i, (name, kind, _) in enumerate(found):
            value = self.converted(self.named(name, kind), unsigned(kind), "ulong")
            self.line(f"OpStore {self.place('out', len(found), i)} {value} Aligned 8")
        body = "\n".join(self.lines)
        return "\n".join(self.globals.values()) + _HEAD + body + "\nOpReturn\nOpFunctionEnd\n"

    def line(self, text: str) -> None:
        self.lines.append(text)

    def op(self, text: str) -> str:
        """Write an instruction, given from its name on; returns the id of its result."""
        self.count += 1
        self.line(f"%t{self.count} = {text}")
        return f"%t{self.count}"

    def label(self) -> str:
        self.count += 1
        return f"%l{self.count}"

    def variable(self, name: str, kind: str) -> None:
        self.line(f"%var_{name} = OpVariable %function_{_type(kind)} Function")

    def place(self, array: str, words: int, i: int) -> str:
        """The address of a word of this item."""
        row = self.op(f"OpIMul %size %id %size_{words}")
        index = self.op(f"OpIAdd %size {row} %size_{i}")
        return self.op(f"OpInBoundsPtrAccessChain %global_ulong %{array} {index}")

    def chain(self, name: str, kind: str, index: str) -> str:
        return self.op(f"OpInBoundsAccessChain %function_{_type(kind)} %var_{name} {index}")

    def named(self, expression: str, kind: str) -> str:
        """The value of a scalar that `outputs` names: a variable, a component or an element."""
        name, bracket, index = expression.partition("[")
        if bracket:
            return self.op(f"OpLoad %{_type(kind)} {self.chain(name, kind, f'%uint_{index[:-1]}')}")
        name, dot, component = expression.partition(".s")
        own = dict([*self.kernel.parameters, *((n, t) for n, t, _ in self.kernel.variables)])[name]
        whole = self.op(f"OpLoad %{_type(own)} %var_{name}")
        return self.op(f"OpCompositeExtract %{_type(kind)} {whole} {int(component, 16)}") if dot else whole

    def constant(self, value: int, kind: str) -> str:
        one = f"%{_type(base(kind))}_{value % (1 << BITS[base(kind)])}"
        if width(kind) == 1:
            return one
        name = f"%all_{_type(kind)}_{one.rpartition('_')[2]}"
        self.globals[name] = f"{name} = OpConstantComposite %{_type(kind)} {' '.join([one] * width(kind))}"
        return name

    def splat(self, one: str, kind: str) -> str:
        if width(kind) == 1:
            return one
        return self.op(f"OpCompositeConstruct %{_type(kind)} {' '.join([one] * width(kind))}")

    def converted(self, value: str, source: str, kind: str) -> str:
        """An integer, extended by its type's sign or truncated to another size."""
        if BITS[base(source)] == BITS[base(kind)]:
            return value
        return self.op(f"Op{'U' if source.startswith('u') else 'S'}Convert %{_type(kind)} {value}")

    def evaluate(self, n: Node) -> str:  # noqa: C901 - one arm a kind
        """The id of an expression's value, which has the expression's type."""
        kind = _type(n.type)
        match n.op:
            case "constant":
                return self.constant(n.value, n.type)
            case "variable":
                return self.op(f"OpLoad %{kind} %var_{n.value}")
            case "element":
                return self.op(f"OpLoad %{kind} {self.element(n)}")
            case "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||" | "!":
                ones = self.constant(1 if width(n.type) == 1 else -1, n.type)
                return self.op(f"OpSelect %{kind} {self.truth(n)} {ones} {self.constant(0, n.type)}")
            case "?:":
                chosen = self.chosen(n.args[0])
                sides = f"{self.evaluate(n.args[1])} {self.evaluate(n.args[2])}"
                return self.op(f"OpSelect %{kind} {chosen} {sides}")
        args = [self.evaluate(a) for a in n.args]
        match n.op:
            case "component":
                return self.op(f"OpCompositeExtract %{kind} {args[0]} {n.value}")
            case "swizzle":
                return self.op(f"OpVectorShuffle %{kind} {args[0]} {args[0]} {' '.join(map(str, n.value))}")
            case "vector":
                return self.op(f"OpCompositeConstruct %{kind} {' '.join(args)}")
            case "cast":
                return self.converted(args[0], n.args[0].type, n.type)
            case "signed/" | "signed%":
                masked = self.op(f"OpBitwiseAnd %{kind} {args[1]} {self.constant(127, n.type)}")
                divisor = self.op(f"OpBitwiseOr %{kind} {masked} {self.constant(1, n.type)}")
                return self.op(f"Op{'SDiv' if n.op[-1] == '/' else 'SRem'} %{kind} {args[0]} {divisor}")
        if n.op in _NATIVE:
            return self.op(f"Op{_NATIVE[n.op]} %{kind} {args[0]} {args[1]}")
        if n.op in _WIDER:
            return self.wider(n, args)
        sign = "" if n.op in _UNSIGNED_NAMES else "u_" if n.args[0].type.startswith("u") else "s_"
        return self.op(f"OpExtInst %{kind} %std {sign}{n.op} {' '.join(args)}")

    def wider(self, n: Node, args: list[str]) -> str:
        """A shift or a division: scalars are promoted, and a shift takes its amount modulo the type's bits."""
        promoted = n.type if width(n.type) > 1 or BITS[n.type] >= 32 else "int"
        kind, bits = _type(promoted), BITS[base(promoted)]
        a, b = (self.converted(value, n.type, promoted) for value in args)
        op, other = ("OpBitwiseOr", 1) if n.op in "/%" else ("OpBitwiseAnd", bits - 1)
        right = self.op(f"{op} %{kind} {b} {self.constant(other, promoted)}")
        return self.converted(self.op(f"Op{_WIDER[n.op]} %{kind} {a} {right}"), promoted, n.type)

    def truth(self, n: Node) -> str:
        """A condition as an OpTypeBool, or as a vector of these."""
        kind = "bool" if width(n.type) == 1 else f"v{width(n.type)}bool"
        match n.op:
            case "&&" | "||":
                sides = f"{self.chosen(n.args[0])} {self.chosen(n.args[1])}"
                return self.op(f"OpLogical{'And' if n.op == '&&' else 'Or'} %bool {sides}")
            case "!":
                return self.op(f"OpLogicalNot %bool {self.chosen(n.args[0])}")
        sides = f"{self.evaluate(n.args[0])} {self.evaluate(n.args[1])}"
        if n.op in ("==", "!="):
            return self.op(f"OpI{'Equal' if n.op == '==' else 'NotEqual'} %{kind} {sides}")
        sign = "U" if n.args[0].type.startswith("u") else "S"
        return self.op(f"Op{sign}{_COMPARISONS[n.op]} %{kind} {sides}")

    def chosen(self, n: Node) -> str:
        """Whether an integer is not 0; for a vector, whether each component is negative."""
        if width(n.type) > 1:
            return self.op(f"OpSLessThan %v{width(n.type)}bool {self.evaluate(n)} {self.constant(0, n.type)}")
        if n.op in (*_COMPARISONS, "==", "!=", "&&", "||", "!"):
            return self.truth(n)
        return self.op(f"OpINotEqual %bool {self.evaluate(n)} {self.constant(0, n.type)}")

    def element(self, n: Node) -> str:
        name, size = n.value
        index = self.op(f"OpBitwiseAnd %uint {self.evaluate(n.args[0])} %uint_{size - 1}")
        return self.chain(name, n.type, index)

    def block(self, block: Block) -> bool:
        """Write statements; returns False if the last of them leaves the block."""
        return all(self.statement(s) for s in block)

    def statement(self, s: Statement) -> bool:
        match s.op:
            case "assign":
                self.assign(s)
            case "if":
                yes, no, end = self.label(), self.label(), self.label()
                self.line(f"OpBranchConditional {self.chosen(s.nodes[0])} {yes} {no}")
                for label, block in zip((yes, no), s.blocks, strict=True):
                    self.arm(label, block, end)
                self.line(f"{end} = OpLabel")
            case "for" | "while" | "do":
                self.loop(s)
            case "switch":
                self.switch(s)
            case "break":
                self.line(f"OpBranch {self.leaves[-1][0]}")
                return False
            case "continue":
                self.line(f"OpBranch {next(label for _, label in reversed(self.leaves) if label)}")
                return False
        return True

    def arm(self, label: str, block: Block, after: str) -> None:
        self.line(f"{label} = OpLabel")
        if self.block(block):
            self.line(f"OpBranch {after}")

    def assign(self, s: Statement) -> None:
        target, value = s.nodes[0], self.evaluate(s.nodes[1])
        match target.op:
            case "variable":
                self.line(f"OpStore %var_{target.value} {value}")
            case "element":
                self.line(f"OpStore {self.element(target)} {value}")
            case _:
                whole, kind = target.args[0], _type(target.args[0].type)
                old = self.evaluate(whole)
                new = self.op(f"OpCompositeInsert %{kind} {value} {old} {target.value}")
                self.line(f"OpStore %var_{whole.value} {new}")

    def loop(self, s: Statement) -> None:
        """Write a loop. A block comes after its dominator (SPIR-V 1.6, 2.16.1)."""
        counter, count = s.value
        head, body, end = self.label(), self.label(), self.label()
        step = self.label() if s.op == "for" else head
        self.line(f"OpStore %var_{counter} %uint_0")
        self.line(f"OpBranch {body if s.op == 'do' else head}")

        def test() -> None:
            self.line(f"{head} = OpLabel")
            old = self.op(f"OpLoad %uint %var_{counter}") if s.op == "for" else self.advance(counter)
            goes = self.op(f"OpSLessThan %bool {old} %uint_{count}")
            if s.nodes:
                goes = self.op(f"OpLogicalAnd %bool {goes} {self.chosen(s.nodes[0])}")
            self.line(f"OpBranchConditional {goes} {body} {end}")

        if s.op != "do":
            test()
        self.leaves.append((end, step))
        self.arm(body, s.blocks[0], step)
        self.leaves.pop()
        if s.op == "for":
            self.line(f"{step} = OpLabel")
            self.advance(counter)
            self.line(f"OpBranch {head}")
        if s.op == "do":
            test()
        self.line(f"{end} = OpLabel")

    def advance(self, counter: str) -> str:
        """Add 1 to a counter; returns its old value."""
        old = self.op(f"OpLoad %uint %var_{counter}")
        new = self.op(f"OpIAdd %uint {old} %uint_1")
        self.line(f"OpStore %var_{counter} {new}")
        return old

    def switch(self, s: Statement) -> None:
        end, labels = self.label(), [self.label() for _ in s.blocks]
        arms = list(zip(s.value, labels, strict=True))
        default = next((label for (values, _), label in arms if not values), end)
        targets = " ".join(f"{value} {label}" for (values, _), label in arms for value in values)
        self.line(f"OpSwitch {self.evaluate(s.nodes[0])} {default} {targets}")
        self.leaves.append((end, ""))
        for i, (((_, falls), label), block) in enumerate(zip(arms, s.blocks, strict=True)):
            self.arm(label, block, labels[i + 1] if falls and i + 1 < len(labels) else end)
        self.leaves.pop()
        self.line(f"{end} = OpLabel")


def _type(kind: str) -> str:
    """The assembler's name of a type: integers are unsigned."""
    name = unsigned(base(kind))
    return name if width(kind) == 1 else f"v{width(kind)}{name}"
