"""The bodies of the area, by kind."""

from __future__ import annotations

from . import again, cached, sources

BODIES = {
    "preprocessor.value": sources.check_value,
    "preprocessor.refused": sources.check_refused,
    "preprocessor.header": sources.check_header,
    "preprocessor.folder": sources.check_folder,
    "preprocessor.key": cached.check_key,
    "preprocessor.again": again.check_again,
    "preprocessor.pair": cached.check_pair,
    "preprocessor.changed": cached.check_changed,
}
