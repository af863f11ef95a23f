"""Builds that lose their options, their errors or their log; binaries of another program."""

from collections.abc import Callable
from typing import Any

from mutation import Function, api_of, compiler, of

call = api_of("program")

_BUILDING, _LINKING, _BINARIES = (f"suites.kernels.program.{name}" for name in ("building", "linking", "binaries"))


def without_options(inner: Function) -> Function:
    return lambda device, program, options=None: inner(device, program, "")


def first_option(inner: Function) -> Function:
    """Only the text before the first space."""
    return lambda device, program, options=None: inner(device, program, (options or "").strip().split(" ")[0])


@of
def always_built(inner: Function, device: Any, program: Any, what: str) -> Any:
    """CL_BUILD_SUCCESS, whatever the build did."""
    return 0 if what == "STATUS" else inner(device, program, what)


def always(answer: Any) -> Callable[[Function], Function]:
    """Always the same answer."""

    def outer(inner: Function, *arguments: Any, **named: Any) -> Any:
        inner(*arguments, **named)
        return answer

    return of(outer)


def error_lost(inner: Function) -> Function:
    """A handle, and success."""
    return lambda *arguments: (inner(*arguments)[0], "CL_SUCCESS")


def cut(inner: Function) -> Function:
    """A binary without its end."""
    return lambda program: inner(program)[:-8]


def older(inner: Function) -> Function:
    """The answer about the build before, to the same question."""
    answers: dict[str, list[Any]] = {}

    def build_info(device: Any, program: Any, what: str) -> Any:
        told = answers.setdefault(what, [])
        told.append(inner(device, program, what))
        return told[max(len(told) - 2, 0)]

    return build_info


def one_less(inner: Function) -> Function:
    return lambda *arguments, **named: (lambda data, error: (data[:-1], error))(*inner(*arguments, **named))


def second_lost(inner: Function) -> Function:
    """Link without the last object."""
    return lambda device, programs, options=None: inner(device, programs[:-1] or programs, options)


MUTANTS = [
    compiler("program/build.kernel_lost", "kernels/integer/add.int", r"__kernel void \w+", "__kernel void another"),
    compiler("program/build.parameter_added", "kernels/integer/add.int", r"void f\(", "void f(int more, "),
    call("again.log_of_the_first", "again.warned_before", f"{_BUILDING}.build_info", older),
    call("again.type_of_the_first", "again.after_failure.binary_type", f"{_BUILDING}.build_info", older),
    call("options.lost", "option.define_two.build", f"{_BUILDING}.build", without_options),
    call("options.first_only", "option.define_many.build", f"{_BUILDING}.build", first_option),
    call("warnings.not_errors", "option.warning.*", f"{_BUILDING}.build", without_options),
    call("log.empty", "refuse.undeclared", "suites.kernels.kit.builds.log", always("")),
    call("status.success", "again.*", f"{_BUILDING}.build_info", always_built),
    call("status.older", "again.failure_after", f"{_BUILDING}.build_info", older),
    call("attached.allowed", "attached.clBuildProgram", f"{_BUILDING}.build", always("CL_SUCCESS")),
    call("argument.unchecked", "error.clBuildProgram.*", f"{_BUILDING}.call", always("CL_SUCCESS")),
    call("kernel.unchecked", "kernel.unknown_name", f"{_BUILDING}.create", error_lost),
    call("link.last_lost", "link.float_argument", "suites.kernels.kit.builds.link", second_lost),
    call("link.create_library_first_only", "link.create_library.b*", f"{_LINKING}.link", first_option),
    call("options.standard_not_first", "option.std_b*.build", f"{_BUILDING}.build", first_option),
    call("link.unresolved", "link.refuse.unresolved", f"{_LINKING}.link", error_lost),
    call("binary.cut", "binary.plain", f"{_BINARIES}.binary_of", cut),
    call(
        "binary.status", "binary.bad.*", f"{_BINARIES}.from_binary", lambda inner: lambda *a: (*inner(*a)[:2], "CL_SUCCESS")
    ),
    call("binary.error", "binary.error.*", f"{_BINARIES}.create", error_lost),
    call(
        "unloaded.links_no_more",
        "again.clUnload*",
        f"{_BUILDING}.linked",
        lambda inner: lambda device, programs: programs[0],
    ),
    call(
        "query.constructors", "query.SCOPE_*", ".query.raw", lambda inner: lambda program, name: (b"\1\0\0\0", "CL_SUCCESS")
    ),
    call(
        "query.sixteen_kernels",
        "query.many_kernels",
        ".query.raw",
        lambda inner: lambda program, name: (inner(program, name)[0][:48], "CL_SUCCESS"),
    ),
    call("query.short", "query.SOURCE", ".query.raw", one_less),
    call("query.error", "query.error.small_room.S*", ".query.call", always("CL_SUCCESS")),
    call("state.never_built", "state.*.status", ".query.build_info", always(-1)),
    compiler("program/kernel_info.required_size", "kernels/program/kernel_info", r"\(4, 2, 1\)", "(2, 4, 1)"),
]
