"""The tokens of AMD's pseudo-code, and its numbers."""

from __future__ import annotations

import re

from emulators.rdna.values import Unsupported, Value, c_type

_TOKEN = re.compile(
    r"\s*(?:(?P<cast>\d+'[UIFB](?![\w']))"
    r"|(?P<number>\d+'-?(?:0x[0-9a-fA-F]+|\d+\.\d+|\d+)U?|0x[0-9a-fA-F]+(?:ULL|LL|U)?|\d+\.\d+F?|\d+(?:ULL|LL|U|F)?)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>\+:|<<|>>|<=|>=|==|!=|<>|&&|\|\||\*\*|\+=|-=|[-+*/&|^~!?:;,.(){}\[\]<>=]))"
)


def split(source: str) -> list[tuple[str, str]]:
    """Each token with its kind: cast, number, name or sign. Raises Unsupported."""
    text = re.sub(r"//[^\n]*", "", source).rstrip()
    found, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise Unsupported(f"the text {text[at : at + 20]!r}")
        found.append((str(match.lastgroup), match[str(match.lastgroup)]))
        at = match.end()
    return found


def number_of(text: str) -> Value:
    """A number with the type of its text: 16'1.0, 0xffULL, 1.0F."""
    width, _, digits = text.rpartition("'")
    suffix = "" if digits.startswith("0x") and not digits.endswith(("U", "L")) else re.sub(r"^[-0-9a-fx.]*", "", digits)
    digits = digits.removesuffix(suffix) if suffix else digits
    if "." in digits:
        bits = int(width or (32 if suffix == "F" else 64))
        return Value("f", bits, f"({c_type('f', bits)}){digits}")
    if suffix == "F":
        return Value("f", 32, f"{digits}.0f")
    number = int(digits, 0)
    bits = int(width) if width else 64 if "LL" in suffix or number >= 1 << 32 else 32
    kind = "u" if "U" in suffix or number >= 1 << (bits - 1) else "i"
    return Value(kind, bits, f"{number}{'u' if kind == 'u' else ''}{'ll' if bits > 32 else ''}")


def constant_of(v: Value, otherwise: int | None = None) -> int:
    """The value of a constant expression."""
    if found := re.fullmatch(r"(\d+)u?(?:ll)?", v.text):
        return int(found[1])
    if otherwise is None:
        raise Unsupported("a place that is not constant")
    return otherwise
