"""A small SPIR-V assembler, for the text form of the specification's examples, in the order that suits the reader.

    %y = OpIAdd %uint %x %uint_7

Instructions are sorted into the logical layout (SPIR-V 1.6, 2.4); those between OpFunction and OpFunctionEnd keep their
order, except for variables, which go to the front of the first block.
Names that no instruction defines declare themselves, with their capability:

    bool uchar ushort uint ulong half float double void   size: the type of addresses
    v4float       a vector                      global_uint   a pointer: global local function
    uint_7        a constant                                  constant generic input
"""

import re
import struct
from itertools import groupby

from .enumerants import ENUMERANTS, NO_RESULT, OPENCL_STD, RESULT, TYPED_RESULT

MAGIC = 0x07230203
NOWHERE = "%nowhere"  # an id that no instruction defines, for modules that must be refused
WIDTHS = {"uchar": 8, "ushort": 16, "uint": 32, "ulong": 64, "half": 16, "float": 32, "double": 64}
_FLOATS = {"half": "<e", "float": "<f", "double": "<d"}
_CAPABILITIES = {"uchar": "Int8", "ushort": "Int16", "ulong": "Int64", "half": "Float16", "double": "Float64"}
_STORAGE = {
    "global": "CrossWorkgroup",
    "local": "Workgroup",
    "function": "Function",
    "generic": "Generic",
    "constant": "UniformConstant",
    "input": "Input",
}
# The sections of the logical layout; every instruction that is not named is in that of the types.
_SECTIONS = (
    *("Capability", "Extension", "ExtInstImport", "MemoryModel", "EntryPoint", "ExecutionMode ExecutionModeId"),
    *("String SourceExtension Source SourceContinued", "Name MemberName", "ModuleProcessed"),
    "Decorate MemberDecorate DecorationGroup GroupDecorate GroupMemberDecorate",
)
_ORDER = {name: n for n, names in enumerate(_SECTIONS) for name in names.split()}
_TOKEN = re.compile(r'%?[\w.|+-]+|"(?:[^"\\]|\\.)*"|=')
_DECLARED = re.compile(
    r"(?P<pointer>global|local|function|constant|generic|input)_(?P<pointee>\w+)"
    r"|v(?P<count>2|3|4|8|16)(?P<component>[a-z]+)"
    r"|(?P<scalar>void|bool|uchar|ushort|uint|ulong|half|float|double)(?:_(?P<value>[\w.+-]+))?"
)

Instruction = tuple[str, str, list[str]]  # result ("" if it has none), name without Op, operands


def assemble(text: str, *, address_bits: int = 64, version: tuple[int, int] = (1, 0)) -> bytes:
    """The module's words, in the host's byte order.

    Raises ValueError for a name that is defined twice, and for one that is not defined and does not declare itself.
    """
    return _Assembly(text, address_bits).module(version)


class _Assembly:
    def __init__(self, text: str, address_bits: int) -> None:
        self.size = "ulong" if address_bits == 64 else "uint"
        self.ids: dict[str, int] = {}
        self.type_of: dict[str, str] = {}
        self.declared: set[str] = set()
        self.words: list[int] = []
        self.instructions = [
            _parse(re.sub(r"(?<![A-Za-z])size(?![A-Za-z])", self.size, line))
            for line in text.splitlines()
            if line.strip() and not line.lstrip().startswith(";")
        ]
        results = [result for result, _, _ in self.instructions if result]
        self.defined = set(results)
        if twice := sorted(r for r in self.defined if results.count(r) > 1):
            raise ValueError(f"{' '.join(twice)} defined twice")
        self.capabilities = {"Kernel", "Addresses"}
        self.head = [("", "MemoryModel", [f"Physical{address_bits}", "OpenCL"])]

    def module(self, version: tuple[int, int]) -> bytes:
        functions: list[Instruction] = []
        for instruction in self.instructions:
            inside = bool(functions) and functions[-1][1] != "FunctionEnd"
            if instruction[1] == "Function" or (inside and _local(instruction)):
                functions.append(instruction)
            else:
                self.head.append(instruction)
        if any(g[1] == "MemoryModel" for g in self.instructions):
            del self.head[0]
        self.head.sort(key=lambda instruction: _ORDER.get(instruction[1], len(_SECTIONS)))
        parts = {
            n: [w for instruction in group for w in self._encode(instruction)]
            for n, group in groupby(self.head, key=lambda instruction: _ORDER.get(instruction[1], len(_SECTIONS)))
        }
        # Types that declare themselves are added to self.words while something that needs them is encoded.
        body = [w for instruction in _hoisted(functions) for w in self._encode(instruction)]
        types = self.words
        capabilities = [w for c in sorted(self.capabilities) for w in self._encode(("", "Capability", [c]))]
        sections = [w for n in range(len(_SECTIONS)) for w in parts.get(n, [])]
        words = [MAGIC, version[0] << 16 | version[1] << 8, 0, len(self.ids) + 1, 0]
        words += capabilities + sections + types + body
        return struct.pack(f"={len(words)}I", *(w % 2**32 for w in words))

    def _encode(self, instruction: Instruction) -> list[int]:
        result, name, operands = instruction
        words: list[int] = []
        type_name = ""
        if name in TYPED_RESULT:
            type_name, operands = operands[0], operands[1:]
            words.append(self._id(type_name))
            self.type_of[result] = type_name
        if result:
            words.append(self._id(result))
        for n, token in enumerate(operands):
            words += self._operand(name, type_name, n, token, operands)
        code = NO_RESULT.get(name, RESULT.get(name, TYPED_RESULT.get(name, -1)))
        if code < 0:
            raise ValueError(f"no instruction Op{name}")
        encoded = [(len(words) + 1) << 16 | code, *words]
        if _ORDER.get(name, len(_SECTIONS)) == len(_SECTIONS) and (result in self.declared or self._global(instruction)):
            self.words += encoded
            return []
        return encoded

    def _global(self, instruction: Instruction) -> bool:
        return any(instruction is other for other in self.head)

    def _operand(self, name: str, type_name: str, n: int, token: str, operands: list[str]) -> list[int]:
        if token.startswith("%"):
            return [self._id(token)]
        if token.startswith('"'):
            data = token[1:-1].encode().decode("unicode_escape").encode("latin-1") + b"\0"
            data += b"\0" * (-len(data) % 4)
            return list(struct.unpack(f"={len(data) // 4}I", data))
        if name == "ExtInst" and n == 1:
            return [OPENCL_STD[token]]
        if name == "SpecConstantOp" and n == 0:
            return [TYPED_RESULT[token]]
        if name in ("Constant", "SpecConstant"):
            return _literal(token, type_name[1:])
        if name == "Switch":
            return _literal(token, self.type_of[operands[0]][1:])
        if re.fullmatch(r"-?(0x[\da-f]+|\d+)", token):
            return [int(token, 0)]
        value = 0
        for word in token.split("|"):
            value |= ENUMERANTS[word]
        return [value]

    def _id(self, name: str) -> int:
        if name not in self.ids:
            self.ids[name] = len(self.ids) + 1
            if name not in self.defined and name != NOWHERE:
                self._declare(name)
        return self.ids[name]

    def _declare(self, name: str) -> None:
        found = _DECLARED.fullmatch(name[1:])
        if not found:
            raise ValueError(f"{name} is not defined")
        self.declared.add(name)
        kind = found.groupdict()
        if kind["pointer"]:
            if kind["pointer"] == "generic":
                self.capabilities.add("GenericPointer")
            line = f"TypePointer {_STORAGE[kind['pointer']]} %{kind['pointee']}"
        elif kind["count"]:
            if int(kind["count"]) > 4:
                self.capabilities.add("Vector16")
            line = f"TypeVector %{kind['component']} {kind['count']}"
        elif kind["value"]:
            line = f"Constant %{kind['scalar']} {kind['value']}"
        else:
            scalar = kind["scalar"]
            if scalar in _CAPABILITIES:
                self.capabilities.add(_CAPABILITIES[scalar])
            line = ("TypeFloat " if scalar in _FLOATS else "TypeInt ") + str(WIDTHS.get(scalar, 0))
            line += "" if scalar in _FLOATS else " 0"
            line = {"void": "TypeVoid", "bool": "TypeBool"}.get(scalar, line)
        instruction, *operands = line.split()
        # Encoding appends the declarations of the operands to self.words before that of the name.
        self._encode((name, instruction, operands))


def _parse(line: str) -> Instruction:
    tokens = _TOKEN.findall(line)
    result = ""
    if tokens[1:2] == ["="]:
        result, tokens = tokens[0], tokens[2:]
    return result, tokens[0].removeprefix("Op"), tokens[1:]


def _local(instruction: Instruction) -> bool:
    """True if it belongs into the function in which it is written."""
    name, operands = instruction[1], instruction[2]
    if name == "Variable":
        return operands[1] == "Function"
    outside = name in _ORDER or name.startswith(("Type", "Constant", "SpecConstant"))
    return not outside


def _hoisted(functions: list[Instruction]) -> list[Instruction]:
    """The instructions, with each function's variables moved behind its first label."""
    sorted_: list[Instruction] = []
    place = -1
    for instruction in functions:
        if instruction[1] == "Function":
            place = -1
        if instruction[1] == "Variable":
            sorted_.insert(place, instruction)
            place += 1
            continue
        sorted_.append(instruction)
        if instruction[1] == "Label" and place < 0:
            place = len(sorted_)
    return sorted_


def _literal(token: str, type_name: str) -> list[int]:
    """A number in the words of its type: a narrow one fills one word, sign-extended (SPIR-V 1.6, 2.2.1)."""
    if type_name in _FLOATS:
        value = float.fromhex(token) if "0x" in token or "inf" in token or "nan" in token else float(token)
        data = struct.pack(_FLOATS[type_name], value).ljust(4, b"\0")
    else:
        data = struct.pack("<Q", int(token, 0) % 2**64)[: 8 if WIDTHS[type_name] == 64 else 4]
    return list(struct.unpack(f"<{len(data) // 4}I", data))
