"""The bodies of the area, by kind."""

from __future__ import annotations

from . import calls, statements

BODIES = {
    "coherence.macro": statements.check_macro,
    "coherence.version": statements.check_version,
    "coherence.feature_macro": statements.check_feature_macro,
    "coherence.feature_query": statements.check_feature_query,
    "coherence.code": statements.check_code,
    "coherence.standard": statements.check_standard,
    "coherence.list": statements.check_list,
    "coherence.needs": statements.check_needs,
    "coherence.call": calls.check_call,
}
