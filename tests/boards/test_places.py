"""An id and its tier depend on names: a row that is inserted into a table moves no other case."""

import sys
from typing import Any

import pytest
from mutation import SUITES

from runner.importing import import_suite_module

# The tables of kernels from which cases, widths or tiers are derived. A row is copied under another name.
TABLES = [
    *("atomic.table:BASE", "c11atomic.table:OPERATIONS", "common.table:COMMON", "control.cases:_FORMS"),
    *("control.table:FORMS", "conversion.table:TYPES", "event.model:OPERATIONS", "half.table:OPERATORS"),
    *("image.table:NORMALIZED", "integer.table:OPERATIONS", "layout.cases:_BODIES", "layout.model:SIZES"),
    *("math_functions.table:BUILTINS", "ndrange.table:FAR", "ndrange.table:FREE", "ndrange.table:LOCALS"),
    *("spirv.extended_table:FLOAT", "spirv.extended_table:INTEGER", "spirv.extended_table:INTEGER24"),
    *("spirv.table:FLOAT_OPERATIONS", "spirv.table:FLOAT_RELATIONS", "spirv.table:INTEGER_OPERATIONS"),
    *("spirv.table:INTEGER_RELATIONS", "spirv.table:WIDE_OPERATIONS", "vector.cases:_BODIES", "vector.turns:TURNS"),
    *("vload.cases:_SPACES", "vload.turns:TURNS", "workgroup.cases:_EVENTS", "workgroup.table:TRANSPOSED"),
    "workgroup.table:VECTORS",
]
NEW = {
    "conversion": "int1",  # a type of the size of int
    "image": "bgra.unorm16",
    "layout": "int1",
    "ndrange": ((99,), (9,), (1,)),
    "vload": "load.elsewhere",
    "turns": "quad",
}
"""What a new row is called if `more` will not do."""


def _insert(table: Any, at: int, name: Any) -> Any:
    """The table with a copy of its first row at a place, under a name; in a table of names only, the copy is the name."""
    rows = list(table.items() if isinstance(table, dict) else table)
    rows.insert(at, (name, rows[0][1]) if isinstance(table, dict) else name)
    return dict(rows) if isinstance(table, dict) else tuple(rows)


def _name(area: str, module: str, table: Any) -> Any:
    if area == "ndrange":
        return NEW["ndrange"] if isinstance(table, tuple) else (2**50,)
    return NEW.get(module) or NEW.get(area) or "more"


def _cases(area: str) -> dict[str, tuple[Any, ...]]:
    cases = import_suite_module(SUITES / "kernels", f"{area}.cases").cases()
    return {case.id: (case.tier, case.kind, case.requires) for case in cases}


@pytest.mark.parametrize("place", ["top", "middle"])
@pytest.mark.parametrize("where", TABLES)
def test_an_inserted_row_moves_no_other_case(where: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _, name = where.partition(":")
    area, _, last = path.partition(".")
    home = import_suite_module(SUITES / "kernels", "kit.turns" if last == "turns" else path)
    before, table = _cases(area), getattr(home, name)
    changed = _insert(table, 0 if place == "top" else len(table) // 2, _name(area, last, table))
    for module in [m for n, m in sys.modules.items() if n.startswith("suite_kernels_")]:
        for known, value in list(vars(module).items()):
            if value is table:
                monkeypatch.setattr(module, known, changed)
    if area == "conversion":
        monkeypatch.setitem(home.BYTES, "int1", 4)
        turns = import_suite_module(SUITES / "kernels", "kit.turns")
        monkeypatch.setitem(turns.TURNS, "int1", len(turns.TURNS))
    if last == "turns":
        changed[NEW["turns"]] = len(table)
    after = _cases(area)
    assert {i: (old, after.get(i)) for i, old in before.items() if after.get(i) != old} == {}
    assert len(after) > len(before) or where == "event.model:OPERATIONS", "no case has the row"
