"""The bodies of the area, by kind."""

from __future__ import annotations

from . import queries

BODIES = {
    "query.form": queries.check_form,
    "query.value": queries.check_value,
    "query.fact": queries.check_fact,
    "query.required": queries.check_required,
    "query.unknown": queries.check_unknown,
    "query.absent": queries.check_absent,
    "query.ids": queries.check_ids,
    "query.timer": queries.check_timer,
    "query.function": queries.check_function,
}
