"""The families of the kernel suite: rows of parameters, the names that they fill, and what their types need."""

from typing import Any

import pytest
from mutation import SUITES

from runner.importing import import_suite_module

_areas = import_suite_module(SUITES / "kernels", "areas")
_AREA = _areas.Area("some", ("execute",))


def test_the_last_axis_is_the_fastest() -> None:
    rows = _areas.combine(type=("int", "half"), width=(1, 4))
    cases = [*_AREA.each("{type}{width}", "body", rows, "images")]
    assert [case.id.removeprefix("kernels/some/") for case in cases] == ["int", "int4", "half", "half4"]
    assert [case.requires for case in cases[1:3]] == [("execute", "images"), ("execute", "images", "fp16")]
    assert cases[1].params == {"type": "int", "width": 4}


@pytest.mark.parametrize(
    ("name", "params", "filled"),
    [
        ("{width:d}.{count}", {"width": 1, "count": 1}, "1.1"),
        ("box.{size}", {"size": [8, 4]}, "box.8x4"),
        ("map{gated:.gated}.{blocking:blocking|later}", {"gated": True, "blocking": False}, "map.gated.later"),
        ("map{gated:.gated}.{blocking:blocking|later}", {"gated": False, "blocking": True}, "map.blocking"),
        ("{part}", {"part": None}, "None"),
    ],
)
def test_a_name_is_filled_by_the_parameters(name: str, params: dict[str, Any], filled: str) -> None:
    case = _AREA.case(name, "body", in_group=f"some.{name}", params=params)
    assert (case.id, case.group) == (f"kernels/some/{filled}", f"some.{filled}")


@pytest.mark.parametrize(
    ("params", "needed"),
    [
        ({"type": "half3"}, ("fp16",)),
        ({"target": "ulong", "source": "double2"}, ("int64", "fp64")),
        ({"type": "float", "way": "half"}, ()),  # "way" names no type
        ({"type": ["half"]}, ()),
    ],
)
def test_a_case_needs_what_its_types_need(params: dict[str, Any], needed: tuple[str, ...]) -> None:
    assert _areas.Area("some").case("x", "body", params=params).requires == needed
    assert _areas.Area("some", typed=False).case("x", "body", params=params).requires == ()
