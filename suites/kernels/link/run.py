"""The bodies of the area, by kind."""

from __future__ import annotations

from . import symbols

BODIES = {
    "link.link": symbols.check_link,
}
