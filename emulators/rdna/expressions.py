"""Expressions of AMD's pseudo-code, translated to typed C."""

from __future__ import annotations

import re

from emulators.rdna.tokens import constant_of, number_of, split
from emulators.rdna.values import (
    Unsupported,
    Value,
    arithmetic,
    bits_of,
    c_type,
    common,
    comparison,
    convert,
    field,
    from_bits,
    negated,
    shift,
)

_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!=", "<>"),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/"),
)
_BUILTIN = {"abs", "sqrt", "trunc", "floor", "fract", "mantissa", "log2", "sin", "cos", "fma", "ldexp", "cvtToQuietNAN"}
_ASKS = {"exponent": ("i", 32), "sign": ("u", 1), "isNAN": ("u", 1), "isSignalNAN": ("u", 1), "isQuietNAN": ("u", 1)}
_CONSTANTS = {
    "PI": Value("f", 64, "3.14159265358979323846"),
    "INF": Value("f", 64, "(double)INFINITY"),
    "MAX_FLOAT_F32": Value("f", 32, "0x1.fffffep127f"),
    "UNDERFLOW_F32": Value("f", 32, "0.0f"),
    "OVERFLOW_F32": Value("f", 32, "(float)INFINITY"),
    "UNDERFLOW_F64": Value("f", 64, "0.0"),
    "OVERFLOW_F64": Value("f", 64, "(double)INFINITY"),
    "laneId": Value("u", 32, "lane"),
}
INPUTS = ("S0", "S1", "S2", "SIMM16", "SIMM32", "M0")
STATE = ("D0", "SCC", "EXEC", "VCC")
_NUMBERS = {"snorm": ("i", 16), "unorm": ("u", 16)}
Post = tuple[str, "Value | str", "Value | None"]


class Expressions:
    """A text that is parsed once, from its first token on."""

    def __init__(self, source: str, lanes: bool) -> None:
        self._lanes = lanes
        self._tokens: list[tuple[str, str]] = split(source)
        self._at = 0
        self._types: dict[str, tuple[str, int]] = {}
        self._lambdas: dict[str, tuple[list[str], list[tuple[str, str]]]] = {}
        self._written: set[str] = set()
        self._bound: dict[str, Value] = {}  # a lambda's parameters
        self.reads_result = self.sets_bit = self.sets_carry = self.reads_carry = False

    # ---- tokens

    def _peek(self, ahead: int = 0) -> str:
        return self._tokens[self._at + ahead][1] if self._at + ahead < len(self._tokens) else ""

    def _next(self) -> tuple[str, str]:
        if self._at >= len(self._tokens):
            raise Unsupported("the text ends too early")
        self._at += 1
        return self._tokens[self._at - 1]

    def _accept(self, text: str) -> bool:
        found = self._peek() == text
        self._at += found
        return found

    def _need(self, text: str) -> None:
        if not self._accept(text):
            raise Unsupported(f"{self._peek()!r} where {text!r} belongs")

    # ---- expressions

    def _expression(self) -> Value:
        condition = self._binary(0)
        if not self._accept("?"):
            return condition
        a = self._expression()
        self._need(":")
        b = self._expression()
        if a.type == b.type and a.raw and b.raw:  # bits are kept, also those of a NaN
            return from_bits(*a.type, f"(({condition.text}) ? {a.raw} : {b.raw})")
        kind, bits = a.type if a.type == b.type else common(a, b)
        return Value(kind, bits, f"(({condition.text}) ? {convert(a, kind, bits).text} : {convert(b, kind, bits).text})")

    def _binary(self, level: int) -> Value:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._peek() in _LEVELS[level]:
            operator = self._next()[1]
            right = self._binary(level + 1)
            if operator in ("||", "&&"):
                left = Value("u", 1, f"(({left.text}) {operator} ({right.text}))")
            elif level in (5, 6):
                left = comparison(left, operator, right)
            elif operator in ("<<", ">>"):
                left = shift(left, operator, right)
            else:
                left = arithmetic(left, operator, right)
        return left

    def _unary(self) -> Value:
        match self._peek():
            case "!":
                self._next()
                return Value("u", 1, f"(!({self._unary().text}))")
            case "+":
                self._next()
                return self._unary()
            case "-":
                self._next()
                return negated(self._unary())
            case "~":
                self._next()
                v = self._unary()
                return from_bits(*v.type, f"(~({bits_of(v)}))")
        return self._primary()

    def _primary(self) -> Value:
        kind, text = self._next()
        if kind == "number":
            return self._apply(number_of(text), self._postfixes())
        if kind == "cast":
            return self._apply(self._cast(text), self._postfixes())
        if text == "(":
            value = self._expression()
            self._need(")")
            return self._apply(value, self._postfixes())
        if text == "{":
            return self._apply(self._concatenation(), self._postfixes())
        if kind != "name":
            raise Unsupported(f"an expression that begins with {text!r}")
        if self._peek() == "(":
            return self._apply(self._call(text), self._postfixes())
        return self._read(text, self._postfixes())

    def _cast(self, text: str) -> Value:
        bits, _, letter = text.partition("'")
        kind = letter.lower().replace("b", "u")
        if int(bits) > 64:
            raise Unsupported(f"a cast to {bits} bits")
        self._need("(")
        literal = self._tokens[self._at][0] == "number" and self._peek(1) == ")"
        value = self._expression()
        self._need(")")
        if kind == "f" and literal and value.kind != "f":  # the bits of a number
            return from_bits("f", int(bits), bits_of(value))
        return convert(value, kind, int(bits))

    def _concatenation(self) -> Value:
        parts = [self._expression()]
        while self._accept(","):
            parts.append(self._expression())
        self._need("}")
        at, text = 0, ""
        for part in reversed(parts):
            text += f"{' | ' if text else ''}{bits_of(part)} << {at}"
            at += part.bits
        if at > 64:
            raise Unsupported("more than 64 bits")
        return from_bits("u", at, f"({text})")

    def _call(self, name: str) -> Value:
        self._need("(")
        wide = (
            self._peek() == "64'F" and name in _ASKS
        )  # widening a value does not change the result of these, but it changes a NaN
        if wide:
            self._at += 2
        given = []
        while not self._accept(")"):
            given.append(self._expression())
            self._accept(",")
        if wide:
            self._need(")")
        if name in self._lambdas:
            return self._inline(name, given)
        texts = ", ".join(v.text for v in given)
        if name == "signext":
            return Value("i", 64, f"(i64)({texts})")
        if name == "signext_from_bit":
            bits = 64 if given[0].bits > 32 else 32
            return Value("i", bits, f"({c_type('i', bits)})sign_extend_from({texts}, {bits})")
        if name == "pow":
            return Value(*given[0].type, f"exp2_{given[0].bits}({given[1].text})")
        if name in _ASKS:
            return Value(*_ASKS[name], f"{name}_{given[0].bits}({bits_of(given[0])})")
        if name in _BUILTIN and given[0].kind == "f":
            return Value(*given[0].type, f"{name}_{given[0].bits}({texts})")
        if found := re.fullmatch(r"(\w+)_to_(\w+)", name):
            result = _NUMBERS.get(found[2]) or field(found[2])
            return Value(*result, f"{name}({texts})")
        return self._helper(name, texts)

    @staticmethod
    def _helper(name: str, texts: str) -> Value:
        """An instruction that another one calls."""
        if found := re.fullmatch(
            r"v_(?:min|max|min3|max3|min_num|max_num|min3_num|max3_num|minimum|maximum)_([fui])(\d+)", name
        ):
            return Value(found[1], int(found[2]), f"{name}({texts})")
        if found := re.fullmatch(r"v_cvt_([ui])16_f32", name):
            return Value(found[1], 16, f"{name}({texts})")
        if name in ("v_sad_u8", "v_msad_u8"):
            return Value("u", 32, f"{name}({texts})")
        raise Unsupported(f"a call of {name}")

    def _inline(self, name: str, given: list[Value]) -> Value:
        parameters, body = self._lambdas[name]
        if any(text in ("return", "declare") for _, text in body):
            raise Unsupported("a lambda of statements")
        kept, self._tokens = (self._tokens, self._at), body
        self._at = 0
        outer, self._bound = self._bound, dict(zip(parameters, given, strict=True))
        value = self._expression()
        self._bound = outer
        self._tokens, self._at = kept
        return value

    # ---- names

    def _postfixes(self) -> list[Post]:
        found: list[Post] = []
        while True:
            if self._peek() == "." and self._tokens[self._at + 1][0] == "name":
                self._next()
                found.append(("field", self._next()[1], None))
            elif self._accept("["):
                first = self._expression()
                if self._accept(":"):
                    found.append(("slice", first, self._expression()))
                elif self._accept("+:"):
                    found.append(("width", first, self._expression()))
                else:
                    found.append(("bit", first, None))
                self._need("]")
            else:
                return found

    def _read(self, name: str, posts: list[Post]) -> Value:
        if name in self._bound:
            return self._apply(self._bound[name], posts)
        if name == "WAVE_MODE" and posts == [("field", "IEEE", None)]:
            return Value("u", 1, "ieee")
        if name == "INF" and posts:
            kind, bits = field(str(posts[0][1]))
            return self._apply(Value(kind, bits, f"({c_type(kind, bits)})INFINITY"), posts[1:])
        if name in _CONSTANTS:
            return self._apply(_CONSTANTS[name], posts)
        if (
            self._lanes
            and name == "VCC"
            and len(posts) > 1
            and isinstance(posts[1][1], Value)
            and posts[1][1].text == "lane"
        ):
            self.reads_carry = True
            return self._apply(Value("u", 1, "carry"), posts[2:])
        if self._lanes and name in ("VCC", "EXEC", "SCC"):
            raise Unsupported(f"a lane reads all of {name}")
        if name in INPUTS or name in STATE:
            self.reads_result |= name == "D0" and name not in self._written
            return self._apply(Value("u", 1, "SCC") if name == "SCC" else from_bits("u", 64, name), posts)
        if name in self._types:
            return self._apply(from_bits(*self._types[name], f"v_{name}"), posts)
        raise Unsupported(f"the name {name}")

    def _apply(self, value: Value, posts: list[Post]) -> Value:
        for what, first, second in posts:
            raw = bits_of(value)
            if what == "field":
                value = from_bits(*field(str(first)), raw) if field(str(first)) != value.type else value
            elif what == "bit" and isinstance(first, Value):
                value = Value("u", 1, f"(u32)({raw} >> ({first.text}) & 1)")
            elif isinstance(first, Value) and second:
                high, low = constant_of(first, -1), constant_of(second, -1)
                if what == "width":
                    value = from_bits("u", low, f"({raw} >> ({first.text}))")
                elif high < 0 or low < 0:
                    raise Unsupported("a slice between variables")
                elif high < low:
                    value = Value("u", low - high + 1, f"reverse{low - high + 1}({raw})")
                else:
                    value = from_bits("u", high - low + 1, f"({raw} >> {low})")
        return value
