"""Each body of the suites takes exactly what its cases give, and reads all of it."""

import ast
import inspect
import re
import textwrap
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from inspect import Parameter
from typing import Any

import pytest
from mutation import SUITES, cases_of

from runner.bodies import places
from runner.image_formats import MINIMUM, is_valid
from runner.importing import import_suite_module

# Parameters that no case of the catalogue gives, and who gives them.
BEYOND = {
    "image.fill": {"flags"},  # image.every
    "random_programs.program": {"without", "cuts", "numbers"},  # runner fuzz, runner repro
}


def _body_of(suite: str) -> Callable[[str], Callable[..., None]]:
    body_of: Callable[[str], Callable[..., None]] = import_suite_module(SUITES / suite, "run").body_of
    return body_of


def _given(suite: str) -> dict[str, list[set[str]]]:
    """By kind, the names of the parameters that its cases give, each set once."""
    cases = cases_of(suite)
    found: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for case in cases:
        found[case.kind].add(tuple(case.params))
    return {kind: [set(names) for names in sets] for kind, sets in found.items()}


def faults(body: Callable[..., None], given: list[set[str]], beyond: set[str]) -> list[str]:
    """Parameters that a body takes but no case gives, that it gets but does not take, or takes but does not read."""
    _device, *own = inspect.signature(body).parameters.values()
    if any(p.kind is not Parameter.KEYWORD_ONLY for p in own):
        return [f"takes {p.name} otherwise than by keyword" for p in own if p.kind is not Parameter.KEYWORD_ONLY]
    names, needed = {p.name for p in own}, {p.name for p in own if p.default is Parameter.empty}
    tree = ast.parse(textwrap.dedent(inspect.getsource(body.func if isinstance(body, partial) else body)))
    read = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return [
        *(f"misses {name}" for sets in given for name in sorted(needed - sets)),
        *(f"gets {name}, which it does not take" for sets in given for name in sorted(sets - names)),
        *(f"takes {name}, which no case gives" for name in sorted(names - beyond - set().union(*given))),
        *(f"takes {name} and does not read it" for name in sorted(names - read)),
    ]


@pytest.mark.parametrize("suite", ["kernels", "tinygrad", "models", "apps"])
def test_each_body_takes_what_its_cases_give_and_no_more(suite: str) -> None:
    body_of = _body_of(suite)
    found = {kind: faults(body_of(kind), given, BEYOND.get(kind, set())) for kind, given in _given(suite).items()}
    assert {kind: lines for kind, lines in found.items() if lines} == {}


def test_a_parameter_that_is_misspelt_missing_or_dead_is_found() -> None:
    def body(_device: Any, *, width: int, form: str, other: int = 0) -> None:  # noqa: ARG001 - it is the fault
        print(width, other)

    assert faults(body, [{"widht", "form"}], set()) == [
        "misses width",
        "gets widht, which it does not take",
        "takes other, which no case gives",
        "takes width, which no case gives",
        "takes form and does not read it",
    ]


def test_each_check_function_of_an_area_is_the_body_of_one_kind() -> None:
    areas = import_suite_module(SUITES / "kernels", "areas").AREAS
    folders = {kind.partition(".")[0] for kind in _given("kernels")}
    assert folders == set(areas)
    own = {area: [name.removeprefix("check_") for name in places(SUITES / "kernels" / area)] for area in areas}
    assert {f"{area}.{body}" for area, names in own.items() for body in names} == set(_given("kernels"))
    for area in areas:
        texts = [path.read_text(encoding="utf-8") for path in (SUITES / "kernels" / area).glob("*.py")]
        for body in own[area]:
            assert sum(f"\ndef check_{body}(" in text for text in texts) == 1, f"{area}.{body}"


def test_the_programs_of_processes_have_what_their_table_names() -> None:
    process = SUITES / "kernels/process"
    table = import_suite_module(SUITES / "kernels", "process.table")
    surroundings = {name.partition(".")[0] for name in (*table.SCARCE, *table.UNUSUAL)}
    for name, functions in (("ends", table.STATES + table.WAYS), ("devices", table.DEVICES), ("surrounded", surroundings)):
        text = (process / f"programs/{name}.py").read_text(encoding="utf-8")
        assert {*functions} <= {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


def test_images_that_no_list_was_asked_for_are_of_the_minimum() -> None:
    """A device need not have images of CL_R (API 3.0, 5.3.2.1), and PoCL 7.1 has none; other formats are asked for."""
    orders = [
        f"{path.parent.name}/{path.name}: {order}"
        for path in sorted((SUITES / "kernels").rglob("*.py"))
        for order in re.findall(r"channel_order\.([A-Z]\w*)", path.read_text(encoding="utf-8"))
    ]
    assert len(orders) > 4
    assert [one for one in orders if not one.endswith(": RGBA")] == []
    cases = cases_of("kernels")
    formats = {case.id: {*re.findall(r"\b[a-z_]+\.[a-z]+\d*\b", str(case.params))} - {*MINIMUM} for case in cases}
    asking = {case.id: " ".join(case.requires) for case in cases}
    unasked = [(id, fmt) for id, named in formats.items() for fmt in named if is_valid(fmt) and fmt not in asking[id]]
    assert sum(map(len, formats.values())) > 1000
    assert [one for one in unasked if "read_write_images" not in asking[one[0]]] == []  # whose minimum list has CL_R
