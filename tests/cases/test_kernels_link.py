"""The table of overloads against what the specification counts."""

from pathlib import Path

import pytest

from runner.importing import import_suite_module

_SUITE = Path(__file__).parents[2] / "suites" / "kernels"


def test_every_conversion_has_a_case() -> None:
    """8 integer types with ten suffixes, 3 floating-point types with five, from 11 types, in 6 widths (6.4.3)."""
    cases = import_suite_module(_SUITE, "link.cases")
    names = {(o.name, o.variant) for o in cases.conversions()}
    assert len(names) == (8 * 10 + 3 * 5) * 11 * 6
    swept = [c for c in cases.cases() if c.id.startswith(("kernels/link/convert/", "kernels/link/wide/convert/"))]
    assert sum(len(c.params["overloads"]) for c in swept) == len(names)


@pytest.mark.parametrize(
    ("part", "name", "expected"),
    [
        ("math", "sin", 18),  # 3 types, 6 widths (6.15.2)
        ("math", "fract", 54),  # a pointer to each of three address spaces
        ("math", "fmax", 33),  # and with a scalar beside vectors
        ("math", "native_sin", 6),  # of float only
        ("integer", "upsample", 36),
        ("integer", "mad24", 12),
        ("relational", "select", 132),  # 11 types, 6 widths, signed and unsigned
        ("memory", "vload3", 44),  # 11 types, four address spaces
        ("memory", "vstorea_half4_rtz", 6),  # of float and double, three address spaces
        ("shuffle", "shuffle2", 176),
        ("geometric", "cross", 6),
    ],
)
def test_a_builtin_has_the_overloads_that_the_specification_counts(part: str, name: str, expected: int) -> None:
    overloads = import_suite_module(_SUITE, "link.cases").PARTS[part][0]
    assert sum(o.name == name for o in overloads()) == expected
