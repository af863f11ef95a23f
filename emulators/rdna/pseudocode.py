"""AMD's pseudo-code of an instruction, as C: a small typed translator.

The text names S0, S1, S2, D0, VCC, EXEC, SCC, SIMM16, SIMM32 and M0; all of these are u64 variables in the C code. In
a vector instruction, which is translated for one lane, `VCC.u64[laneId]` is `carry`, and `D0.u64[laneId]` is `bit`.
"""

from __future__ import annotations

from emulators.rdna.expressions import INPUTS, STATE, Expressions, Post
from emulators.rdna.tokens import constant_of
from emulators.rdna.values import Unsupported, Value, arithmetic, bits_of, convert, field


class Translation(Expressions):
    """The C of one instruction's text: `text`, and what it reads and writes."""

    def __init__(self, source: str, lanes: bool) -> None:
        super().__init__(source, lanes)
        body = self._block(())
        self.text = "".join(f"u64 v_{name} = 0; " for name in self._types) + body

    def _block(self, ends: tuple[str, ...]) -> str:
        out = ""
        while self._peek() and self._peek() not in ends:
            out += "" if self._accept(";") else self._statement()
        return out

    def _statement(self) -> str:
        match self._peek():
            case "declare":
                return self._declare()
            case "if":
                return self._if()
            case "for":
                return self._for()
            case "break":
                self._next()
                return "break; "
            case "nop":
                self._at += 3
                return ""
        if self._peek(1) == "=" and self._peek(2) == "lambda":
            self._define()
            return ""
        return self._assign()

    def _declare(self) -> str:
        self._next()
        name = self._next()[1]
        self._need(":")
        bits, _, kind = self._next()[1].partition("'")
        if self._peek() == "[" or kind not in ("U", "I", "F", "B"):
            raise Unsupported("an array")
        self._types[name] = (kind.lower().replace("b", "u"), int(bits))
        return ""

    def _if(self) -> str:
        self._next()
        out = f"if ({self._expression().text}) {{ "
        self._need("then")
        out += self._block(("elsif", "else", "endif"))
        while self._accept("elsif"):
            out += f"}} else if ({self._expression().text}) {{ "
            self._need("then")
            out += self._block(("elsif", "else", "endif"))
        if self._accept("else"):
            out += "} else { " + self._block(("endif",))
        self._need("endif")
        return out + "} "

    def _for(self) -> str:
        self._next()
        name = self._next()[1]
        self._need("in")
        first = self._expression()
        self._need(":")
        last = self._expression()
        self._need("do")
        self._types[name] = ("i", 32)
        body = self._block(("endfor",))
        self._need("endfor")
        return f"for (v_{name} = {bits_of(first)}; (i32)v_{name} <= (i32)({last.text}); v_{name}++) {{ {body}}} "

    def _define(self) -> None:
        name = self._next()[1]
        self._at += 2
        self._need("(")
        parameters = []
        while not self._accept(")"):
            parameters.append(self._next()[1])
            self._accept(",")
        self._need("(")
        start, depth = self._at, 1
        while depth:
            depth += {"(": 1, ")": -1}.get(self._next()[1], 0)
        self._lambdas[name] = (parameters, self._tokens[start : self._at - 1])

    def _assign(self) -> str:
        kind, name = self._next()
        if kind != "name" or name in INPUTS:
            raise Unsupported(f"a statement that begins with {name!r}")
        posts = self._postfixes()
        operator = self._next()[1]
        if operator not in ("=", "+=", "-="):
            raise Unsupported(f"a statement with {operator!r}")
        value = self._expression()
        if name == "TRAPSTS":  # exceptions are not modelled
            return ""
        if operator != "=":
            value = arithmetic(self._read(name, posts), operator[0], value)
        if self._lanes and posts and isinstance(posts[-1][1], Value) and posts[-1][1].text == "lane":
            self.sets_carry |= name == "VCC"
            self.sets_bit |= name != "VCC"
            return f"bit = ({value.text}) != 0; "
        if self._lanes and name in ("VCC", "EXEC", "SCC"):
            raise Unsupported(f"a lane writes all of {name}")
        place = name if name in STATE else f"v_{name}"
        self._written.add(name)
        if name == "SCC":
            return f"SCC = ({value.text}) != 0; "
        if not posts:
            if name not in STATE:
                own = self._types.setdefault(name, value.type)
                value = convert(value, *own)
            return f"{place} = {bits_of(value)}; "
        return self._assign_part(name, place, posts, value)

    def _assign_part(self, name: str, place: str, posts: list[Post], value: Value) -> str:
        low, width, own = "0", 64, None
        for n, (what, first, second) in enumerate(posts):
            if what == "field" and isinstance(first, str):
                own = field(first)
                width = own[1] if not n else width
            elif what == "slice" and isinstance(first, Value) and second:
                high, bottom = constant_of(first), constant_of(second)
                if high < bottom:  # [0 : 31] reads the bits in reverse; as a place it is the same
                    high, bottom = bottom, high
                low, width, own = str(bottom), high - bottom + 1, None
            elif what == "bit" and isinstance(first, Value):
                low, width, own = first.text, 1, None
            else:
                raise Unsupported("a part that is written")
        if name not in STATE:
            self._types.setdefault(name, own if own and len(posts) == 1 else ("u", 64))
        bits = bits_of(convert(value, *own) if own else value)
        return f"{place} = insert({place}, {low}, {width}, {bits}); "
