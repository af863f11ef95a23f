"""A preprocessor with other constants, other operators and headers that it does not look at."""

import re
from collections.abc import Callable
from typing import Any

from mutation import Function, Mutant, api_of, compiler_of, of

call = api_of("preprocessor")

source = compiler_of("preprocessor")


@of
def without_headers(inner: Function, device: Any, program: Any, options: Any, headers: dict[str, str]) -> str:
    """Give the compiler the headers in another order of names."""
    names = list(headers)
    return str(inner(device, program, options, dict(zip(names, reversed(headers.values()), strict=True))))


@of
def accepted(inner: Function, *arguments: Any) -> str:
    """Every build succeeds."""
    inner(*arguments)
    return "CL_SUCCESS"


def _options(pattern: str, replacement: str) -> Callable[[Function], Function]:
    """A compiler that reads its options differently."""

    def wrap(inner: Function) -> Function:
        return lambda self, source, options="": inner(self, source, re.sub(pattern, replacement, options))

    return wrap


def first_again(inner: Callable[..., Any]) -> Callable[..., Any]:
    """A cache that takes each build for the first of the case."""
    answers: list[Any] = []

    def value_of(device: Any, unit: Any) -> Any:
        answers.append((device.case_id, inner(device, unit)))
        return next(value for case_id, value in answers if case_id == device.case_id)

    return value_of


def _cache(name: str, case: str, pattern: str, replacement: str) -> Mutant:
    """A cache that returns another kernel than was put into it."""

    def wrap(inner: Callable[..., Any]) -> Callable[..., Any]:
        return lambda device, source: inner(device, re.sub(pattern, replacement, source))

    place = "suites.kernels.kit.builds.source"
    return call(f"from_cache.{name}", f"from_cache/{case}", place, wrap)


_BUILD, _VALUE = "runner.device.Device.build", "suites.kernels.preprocessor.cached.value_of"

MUTANTS = [
    source("INT_MAX", "limit/INT_MAX", "INT_MAX", "(INT_MAX - 1)"),
    source("M_PI_F.one_ulp", "float/M_PI_F", "M_PI_F", "nextafter(M_PI_F, 4.0f)"),
    source("FLT_EPSILON", "float/FLT_EPSILON", "FLT_EPSILON", "(FLT_EPSILON / 2)"),
    source("M_2_PI.float", "float/M_2_PI", "= M_2_PI", "= M_2_PI_F"),
    source("version", "predefined/OPENCL_VERSION", "__OPENCL_VERSION__", "__OPENCL_C_VERSION__"),
    source("line", "predefined/LINE", r"\A\n", ""),
    source("elif", "replacement/elif", "#elif 0", "#elif 1"),
    source("paste", "replacement/paste_before_expansion", "DEEP\\(a, b\\) PASTE", "DEEP(a, b) a b PASTE"),
    source("string", "replacement/string_before_expansion", "sizeof\\(S\\(A", "sizeof(T(A"),
    source("precedence", "condition/precedence", r"1 \+ 2 \* 3", "(1 + 2) * 3"),
    source("unsigned", "condition/unsigned", "0u", "0"),
    call("headers.swapped", "header/same_name_in_folders", ".sources.compile_", without_headers),
    call("refused.accepted", "refused/else_twice", ".sources.build", accepted),
    call("option.is_zero", "option/name", _BUILD, _options(r"-D ABC", "-D ABC=0")),
    call("option.sign_lost", "option/negative", _BUILD, _options(r"=-7", "=7")),
    call("option.first_wins", "option/in_order", _BUILD, _options(r"-D A=3 ", "")),
    call("cache.runs_together", "apart/option_name", _VALUE, first_again),
    call("cache.forgets_texts", "key/header_text", _VALUE, first_again),
    call("cache.forgets_options", "key/option", _VALUE, first_again),
    _cache("work_dim", "ndrange.space.*", r"get_work_dim\(\)", "get_num_groups(2)"),
    _cache("constant", "address.constant.struct_table", r"\{30, 40\}", "{30, 41}"),
    _cache("array_size", "image.kernel_query.2d_array.*", r"get_image_array_size\(image\)", "1"),
    call("cache.forgets_files", "changed/folder*", _VALUE, first_again),
]
