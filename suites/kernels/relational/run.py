"""The bodies of the area, by kind."""

from __future__ import annotations

from . import functions, results

BODIES = {
    "relational.compare": functions.check_compare,
    "relational.any_all": functions.check_any_all,
    "relational.bitselect": functions.check_bitselect,
    "relational.select": functions.check_select,
    "relational.results": results.check_results,
}
