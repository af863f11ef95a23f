"""Devices whose statements do not agree with each other."""

from collections.abc import Callable
from typing import Any

from mutation import Function, Mutant, api_of, compiler, of

call = api_of("coherence")

_RUN = "suites.kernels.coherence.statements.answer"


def _answer(name: str, cases: str, query: str, change: Callable[[Any], Any]) -> Mutant:
    """A query that says something else."""

    def outer(inner: Function, device: Any, what: str, target: str = "device") -> Any:
        got = inner(device, what, target)
        return change(got) if what == query else got

    return call(f"{name}", f"{cases}", _RUN, of(outer))


def _created(inner: Function) -> Function:
    """A call that succeeds in name only."""
    return lambda function, *arguments: (0, "CL_SUCCESS")


@of
def _no_operation(inner: Function, function: str, *arguments: Any) -> Any:
    """Another error if a feature is missing."""
    got = inner(function, *arguments)
    return "CL_INVALID_DEVICE" if got in ("CL_INVALID_VALUE", "CL_INVALID_WORK_GROUP_SIZE") else got


@of
def _older(inner: Function, self: Any, source: str, options: str = "") -> Any:
    """A compiler that takes every version for OpenCL C 1.2."""
    return inner(self, source, options.replace("-cl-std=CL3.0", "-cl-std=CL1.2"))


def _pipes(features: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return [*features, ("__opencl_c_pipes", 3 << 22)]


MUTANTS = [
    _answer("extension_too_many", "extension/*.macro", "EXTENSIONS", lambda v: v + " cl_khr_mipmap_image"),
    _answer("extension_lost", "extension/*.macro", "EXTENSIONS", lambda v: v.replace("cl_khr_fp64", "")),
    _answer("version_lost", "list/extensions", "EXTENSIONS_WITH_VERSION", lambda v: v[:-1]),
    _answer("version_zero", "extension/*.version", "EXTENSIONS_WITH_VERSION", lambda v: [(n, 0) for n, _ in v]),
    _answer("feature_too_many", "feature/*.query", "OPENCL_C_FEATURES", _pipes),
    _answer("feature_without_macro", "feature/*.macro", "OPENCL_C_FEATURES", _pipes),
    _answer("code_without_feature", "code/*", "OPENCL_C_FEATURES", lambda v: []),
    _answer("code_with_feature", "code/*", "OPENCL_C_FEATURES", _pipes),
    _answer("atomics", "feature/atomic_*.query", "ATOMIC_MEMORY_CAPABILITIES", lambda v: v ^ 0x22),
    _answer("il_versions", "list/il", "ILS_WITH_VERSION", lambda v: v[1:]),
    _answer("standard_lost", "standard/*", "OPENCL_C_ALL_VERSIONS", lambda v: v[1:]),
    _answer("fp64", "needs/fp64", "DOUBLE_FP_CONFIG", lambda v: 0),
    call("older_language", "feature/*.macro", "runner.device.Device.build", _older),
    compiler("coherence/version_macro", "kernels/coherence/standard/CL1.2", "== 120", "== 110"),
    call("pipe_made", "call/pipe", ".calls.create", _created),
    call("wrong_refusal", "call/partition_*", ".calls.call", _no_operation),
]
