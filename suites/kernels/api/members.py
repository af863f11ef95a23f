"""Lists and sets with one wrong member (OpenCL API 3.0: "any ... in the list", "all ... must", "not a valid bit").

They are derived from the mistakes that put one bad handle into a list: it goes in front of a good one, and behind it. A
driver that checks only one member, or is content with one good one, accepts such a list.
"""

from .terms import VALUE, Call, Handles, Mistake, Sizes

_BITS = ("unknown_flag", "unknown_property", "type", "type_of_64_bits")
_GPU = 4  # CL_DEVICE_TYPE_GPU
_WAITED = "complete_event"  # a good member of a wait list
_PLACES = ("origin", "region", "buffer_origin", "host_origin", "source_origin", "target_origin")


def nulls(row: Call) -> dict[str, Mistake]:
    """The mistakes of a NULL origin or region, as null_ARGUMENT (5.2.2, 5.3.4 to 5.3.7: "if any of ... is NULL")."""
    return {
        f"null_{name}": Mistake({name: None}, VALUE)
        for name, value in row.arguments.items()
        if name in _PLACES and isinstance(value, Sizes) and f"null_{name}" not in row.mistakes
    }


def unknown_bits(row: Call) -> dict[str, Mistake]:
    """The mistakes of one unknown bit, as MISTAKE.beside_known: that bit together with valid ones."""
    found: dict[str, Mistake] = {}
    for name, mistake in row.mistakes.items():
        for argument in ("flags", "type", "properties"):
            bit, base = mistake.change.get(argument), row.arguments.get(argument)
            known = _GPU if argument == "type" else base
            if name in _BITS and isinstance(bit, int) and isinstance(known, int) and known:
                found[f"{name}.beside_known"] = Mistake({**mistake.change, argument: bit | known}, mistake.errors)
    return found


def members(row: Call) -> dict[str, Mistake]:
    """The mistakes of a call, as MISTAKE.first and MISTAKE.last, without those that the call has already.

    A call that is not valid on every device has none, because its other lists have only one member.
    """
    found: dict[str, Mistake] = {}
    if not row.right:
        return found
    known = [m.change for m in row.mistakes.values()]
    arguments = list(row.arguments)
    for name, mistake in row.mistakes.items():
        if name == "wait_list_failed_event":  # its list is valid: the command blocks, and has to fail
            continue
        for argument, value in mistake.change.items():
            base = row.arguments[argument]
            if not isinstance(value, Handles) or argument == "header_programs":  # each of these needs a name
                continue
            good = _WAITED if argument == "wait_list" else base.names[0] if isinstance(base, Handles) else None
            bad = [member for member in value.names if member != good]
            if not good or len(bad) != 1:
                continue
            count = arguments[arguments.index(argument) - 1]
            for place, both in (("first", (bad[0], good)), ("last", (good, bad[0]))):
                change = {**mistake.change, argument: Handles(both), count: 2}
                if change not in known:
                    found[f"{name}.{place}"] = Mistake(change, mistake.errors, mistake.requires)
    return found
