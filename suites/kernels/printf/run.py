"""The bodies of the area, by kind."""

from __future__ import annotations

from . import output

BODIES = {
    "printf.formats": output.check_formats,
    "printf.items": output.check_items,
    "printf.integer": output.check_integer,
    "printf.float": output.check_float,
    "printf.hex": output.check_hex,
    "printf.vector": output.check_vector,
    "printf.program": output.check_program,
    "printf.character": output.check_character,
    "printf.string": output.check_string,
    "printf.flush": output.check_flush,
    "printf.range": output.check_range,
    "printf.order": output.check_order,
    "printf.fill": output.check_fill,
    "printf.full": output.check_full,
    "printf.overflow": output.check_overflow,
    "printf.pointer": output.check_pointer,
}
