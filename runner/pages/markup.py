"""HTML as text: elements whose texts and attributes are escaped, whatever a driver printed."""

import html
import re
from collections.abc import Iterable

# Terminal sequences (ECMA-48: CSI, and OSC up to BEL or ST), and the CR of a line's end.
_ESCAPES = re.compile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\r(?=\n)")
_PICTURES = {n: 0x2400 + n for n in range(32) if chr(n) not in "\t\n"} | {0x7F: 0x2421}
# C1 controls, separators of lines, bidirectional controls, zero width no-break space, surrogates.
_UNSHOWABLE = (
    *range(0x80, 0xA0),
    0x061C,
    0x200E,
    0x200F,
    *range(0x2028, 0x202F),
    *range(0x2066, 0x206A),
    0xFEFF,
    *range(0xD800, 0xE000),
)
_VISIBLE = _PICTURES | dict.fromkeys(_UNSHOWABLE, 0xFFFD)
_EMPTY = ("br", "rect")


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def printable(text: str) -> str:
    """Without terminal sequences; other controls as Unicode's pictures of them; without characters that reverse the
    direction of text.
    """
    return text if text.isprintable() else _ESCAPES.sub("", text).translate(_VISIBLE)


def escape(text: str) -> Html:
    """Text as HTML that shows it, also inside the quotes of an attribute."""
    return text if isinstance(text, Html) else Html(html.escape(printable(text)))


def element(tag: str, *children: str, **attributes: str | int) -> Html:
    """One element. In an attribute's name `_` stands for `-`, and is dropped at the end: `class_`."""
    words = "".join(f' {name.rstrip("_").replace("_", "-")}="{escape(str(v))}"' for name, v in attributes.items() if v != "")
    if tag in _EMPTY:
        return Html(f"<{tag}{words}/>")
    return Html(f"<{tag}{words}>{''.join(map(escape, children))}</{tag}>")


def definitions(pairs: Iterable[tuple[str, str]], **attributes: str) -> Html:
    """Names, each with its value, as a list."""
    return element("dl", *(element(*cell) for name, value in pairs for cell in (("dt", name), ("dd", value))), **attributes)


def minute(moment: str) -> str:
    """A moment of ISO 8601, to the minute."""
    return moment[:16].replace("T", " ")


def join(*parts: str) -> Html:
    """Parts one after the other."""
    return Html("".join(map(escape, parts)))
