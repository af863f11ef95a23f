"""The bodies of the area, by kind."""

from __future__ import annotations

from . import private, spaces

BODIES = {
    "address.turn": spaces.check_turn,
    "address.passed": spaces.check_passed,
    "address.aligned": spaces.check_aligned,
    "address.single": spaces.check_single,
    "address.constants": spaces.check_constants,
    "address.private_array": private.check_private_array,
    "address.struct": private.check_struct,
}
