"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine
from .links import LIBRARY_OPTIONS, LINKS, UNLINKED
from .names import (
    BINARIES,
    BINARY_ERRORS,
    BINARY_QUERIES,
    BUILD_ERRORS,
    BUILD_INFO_ERRORS,
    CREATE_ERRORS,
    CREATED,
    INFO_ERRORS,
    INFOS,
    INITIALISERS,
    KERNEL_ERRORS,
    STATES,
)
from .table import INVALID_LINKER_OPTIONS, INVALID_OPTIONS, OPTION_NEEDS, OPTIONS, REFUSALS

_AREA = Area("program")


def cases() -> Iterator[Case]:
    """Programs from source to binary, and the mistakes that each step refuses."""
    for name, (source, options, error, log) in REFUSALS.items():
        yield _AREA.case(f"refuse.{name}", "refusal", source=source, options=options, error=error, log=log)
    yield from _options()
    yield from _building()
    yield from _queries()
    yield from _AREA.each("link.{name}", "linked", combine(name=LINKS))
    yield from _AREA.each("link.refuse.{name}", "unlinked", combine(name=UNLINKED))
    for name, options in LIBRARY_OPTIONS.items():
        yield _AREA.case(f"link.create_library.{name}", "library_options", options=options)
    for name in ("reused", "released", "built_then_compiled", "compiled_then_built", "linked_source"):
        yield _AREA.case(f"link.{name}", name)
    yield from _binaries()
    yield _AREA.case("kernel_info", "kernel_info")


def _options() -> Iterator[Case]:
    for name, how in product(OPTIONS, ("build", "compile")):
        yield _AREA.case("option.{name}.{how}", "option", *OPTION_NEEDS.get(name, ()), name=name, how=how)
    yield _AREA.case("option.null", "null_options")
    yield _AREA.case("option.rounded_divide", "rounded_divide")
    for name, options, error, warned in (
        ("plain", "", "CL_SUCCESS", None),
        ("off", "-w", "CL_SUCCESS", False),
        ("error", "-Werror", "CL_BUILD_PROGRAM_FAILURE", True),
        ("off_and_error", "-w -Werror", "CL_SUCCESS", False),
    ):
        yield _AREA.case(f"option.warning.{name}", "warnings", options=options, error=error, warned=warned)
    for function in ("clBuildProgram", "clCompileProgram", "clLinkProgram"):
        names = [*INVALID_OPTIONS, *(INVALID_LINKER_OPTIONS if function == "clLinkProgram" else ())]
        yield from _AREA.each(
            "invalid_option.{function}.{name}", "invalid_options", combine(function=[function], name=names)
        )


def _building() -> Iterator[Case]:
    for function, rows in BUILD_ERRORS.items():
        for wrong, error in rows.items():
            yield _AREA.case("error.{function}.{wrong}", "argument_error", function=function, wrong=wrong, error=error)
    for function in ("clBuildProgram", "clCompileProgram"):
        for name in "efgh":
            yield _AREA.case(f"attached.{function}{f'.{name}' * (name != 'f')}", "attached", function=function, name=name)
    sequences = {
        "twice": [("-DA=1", 1), ("-DA=1", 1)],
        "other_options": [("-DA=1", 1), ("-DA=2", 2), ("-DA=3", 3)],
        "after_failure": [("-DA=0", None), ("-DA=4", 4)],
        "failure_after": [("-DA=5", 5), ("-DA=0", None)],
        "warned_before": [("-DA=7", 7), ("-DA=7", 7), ("-DA=3", 3)],
        "failure_twice": [("-DA=0", None), ("-DA=0", None), ("-DA=6", 6)],
    }
    for name, builds in sequences.items():
        yield _AREA.case(f"again.{name}", "again", builds=builds, asks=["OPTIONS", "LOG"])
        yield _AREA.case(f"again.{name}.binary_type", "again", builds=builds, asks=["BINARY_TYPE"])
    yield _AREA.case("again.two_programs", "two_programs")
    yield from _AREA.each("again.{function}", "unloaded", combine(function=("clUnloadCompiler", "clUnloadPlatformCompiler")))
    rows_of = combine(function=("clBuildProgram", "clCompileProgram", "clLinkProgram"), good=(True, False))
    yield from _AREA.each("callback.{function}.{good:success|failure}", "callback", rows_of)
    for wrong, error in KERNEL_ERRORS.items():
        yield _AREA.case("kernel.{wrong}", "kernel_error", wrong=wrong, error=error)


def _queries() -> Iterator[Case]:
    for name in (*INFOS, *INITIALISERS):
        yield _AREA.case("query.{name}", "info", *("opencl3",) * (name in INITIALISERS), name=name)
    for name, (query, size, program, error) in INFO_ERRORS.items():
        yield _AREA.case(f"query.error.{name}", "info_error", name=query, size=size, program=program, error=error)
    for name, (query, size, program, device, error) in BUILD_INFO_ERRORS.items():
        params = {"size": size, "program": program, "device": device, "error": error}
        yield _AREA.case(f"query.build_error.{name}", "build_info_error", name=query, params=params)
    queries = ("status", "binary_type", "options", "log", "kernels", "kernel")
    yield from _AREA.each("state.{state}.{query}", "state", combine(state=STATES, query=queries))
    yield _AREA.case("query.many_kernels", "many_kernels", "execute", count=20)
    yield _AREA.case("reference_count", "reference_count")
    build = ("clRetainProgram", "clReleaseProgram", "clBuildProgram", "clCompileProgram", "clCreateKernelsInProgram")
    yield from _AREA.each("error.{function}.null", "null", combine(function=build))
    for name, (parts, lengths) in CREATED.items():
        yield _AREA.case(f"create.{name}", "create", parts=parts, lengths=lengths)
    for name, (context, count, strings, error) in CREATE_ERRORS.items():
        yield _AREA.case(f"create.error.{name}", "create_error", context=context, count=count, strings=strings, error=error)


def _binaries() -> Iterator[Case]:
    yield from _AREA.each("binary.{name}", "round_trip", combine(name=BINARIES), times=1)
    yield _AREA.case("binary.three_times", "round_trip", name="function", times=3)
    yield _AREA.case("binary.new_context", "new_context", "execute")
    yield _AREA.case("binary.new_process", "new_process", "execute")
    yield from _AREA.each("binary.of_{kind}", "object", combine(kind=("object", "library")))
    yield _AREA.case("binary.of_linked", "linked_binary")
    yield from _AREA.each("binary.query.{query}", "binary_query", combine(query=BINARY_QUERIES))
    bad = {
        "bad.{kind}": combine(kind=("zeros", "text", "one_byte", "ones", "wrong_start", "shifted")),
        "cut_to.{cut}": combine(cut=(1, 10, 25, 50, 75, 90, 99)),
        "bytes.{bytes}": combine(bytes=(1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 20, 24)),  # within the header
    }
    for name, rows in bad.items():
        yield from _AREA.each(f"binary.{name}", "bad_binary", rows)
    for wrong, error in BINARY_ERRORS.items():
        yield _AREA.case("binary.error.{wrong}", "binary_error", wrong=wrong, error=error)
