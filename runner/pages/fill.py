"""The page of `runner report --as html`: report.html around its style, its scripts and the data of a run, as one file."""

import base64
import hashlib
import json
from importlib import resources
from string import Template
from typing import Any

from runner.pages.markup import Html, escape, printable

_SCRIPTS = ("plots.js", "evidence.js", "rows.js", "report.js")


def fill_page(title: str, head: Html, plain: Html, data: dict[str, Any]) -> str:
    """The page around its data; `head` begins it, and `plain` is all that is shown without scripts.

    The page's own policy lets it run only this script, and load nothing.
    """
    style, script = read_asset("report.css"), "".join(map(read_asset, _SCRIPTS))
    return Template(read_asset("report.html")).substitute(
        title=escape(title),
        style=style,
        script=script,
        head=head,
        plain=plain,
        data=script_json(_clean(data)),
        style_hash=digest(style),
        script_hash=digest(script),
    )


def script_json(data: object) -> str:
    """JSON that can stand in a script element: nothing in it ends the element or opens a comment."""
    text = json.dumps(data, separators=(",", ":"))  # only ASCII
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def read_asset(name: str) -> str:
    """One of the files in assets/."""
    return (resources.files(__package__) / "assets" / name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """Its hash, in the form of a page's policy."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _clean(data: Any) -> Any:
    """The same data with every text printable."""
    match data:
        case str():
            return printable(data)
        case dict():
            return {key: _clean(value) for key, value in data.items()}
        case list() | tuple():  # of which half are numbers
            return [value if type(value) in (int, float) else _clean(value) for value in data]
        case _:
            return data
