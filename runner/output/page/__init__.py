"""The page of `runner html`: report.html around its style, its scripts and the data of a run, as one file."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from importlib import resources
from string import Template
from typing import Any

# Terminal sequences (ECMA-48: CSI, and OSC up to BEL or ST), and the CR of a line's end.
_ESCAPES = re.compile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\r(?=\n)")
_PICTURES = {n: 0x2400 + n for n in range(32) if chr(n) not in "\t\n"} | {0x7F: 0x2421}
# C1 controls, bidirectional controls, zero width no-break space, surrogates.
_UNSHOWABLE = (
    *range(0x80, 0xA0),
    0x061C,
    0x200E,
    0x200F,
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    0xFEFF,
    *range(0xD800, 0xE000),
)
_SHOWN = _PICTURES | dict.fromkeys(_UNSHOWABLE, 0xFFFD)


def fill_page(title: str, data: dict[str, Any]) -> str:
    """The page around its data.

    The page's own policy lets it run this script alone, and lets it load nothing.
    """
    style, script = _read("report.css"), "".join(map(_read, ("plots.js", "rows.js", "report.js")))
    return Template(_read("report.html")).substitute(
        title=html.escape(printable(title)),
        style=style,
        script=script,
        data=script_json(_clean(data)),
        style_hash=_digest(style),
        script_hash=_digest(script),
    )


def script_json(data: object) -> str:
    """JSON that can stand in a script element: nothing in it ends the element or opens a comment."""
    text = json.dumps(data, separators=(",", ":"))  # ASCII alone
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def printable(text: str) -> str:
    """Without terminal sequences; other controls as Unicode's pictures of them; without characters that reverse the
    direction of text.
    """
    return _ESCAPES.sub("", text).translate(_SHOWN)


def shorten(text: str, limit: int) -> str:
    """The beginning and three times as much of the end of a text that is too long, in characters."""
    if len(text) <= limit:
        return text
    head, tail = limit // 4, limit - limit // 4
    return f"{text[:head]}\n[... {len(text) - limit} characters are left out here ...]\n{text[-tail:]}"


def _clean(data: Any) -> Any:
    """The same data, every text of it printable."""
    match data:
        case str():
            return printable(data)
        case dict():
            return {key: _clean(value) for key, value in data.items()}
        case list() | tuple():
            return [_clean(value) for value in data]
        case _:
            return data


def _read(name: str) -> str:
    return (resources.files(__name__) / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
