"""The bodies of the area, by kind."""

from __future__ import annotations

from . import alignment, record

BODIES = {
    "layout.align": alignment.check_align,
    "layout.address": alignment.check_address,
    "layout.pun": alignment.check_pun,
    "layout.offsets": record.check_offsets,
    "layout.read": record.check_read,
    "layout.write": record.check_write,
    "layout.copy": record.check_copy,
    "layout.pass": record.check_pass,
    "layout.snapshot": record.check_snapshot,
    "layout.argument": record.check_argument,
    "layout.constant": record.check_constant,
}
