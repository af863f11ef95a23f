"""Programs that err: a launch that is lost or too small, a stale input or value in a replay, an alias, a lost copy."""

from collections.abc import Callable
from typing import Any

from mutation import Function, Mutant, MutantGroup, api, of

_LAUNCH = "tinygrad.runtime.ops_cl.CLProgram.__call__"
_COPY_IN = "tinygrad.runtime.ops_cl.CLAllocator._copyin"
_COPY_OUT = "tinygrad.runtime.ops_cl.CLAllocator._copyout"
_INPUTS = "tinygrad.engine.jit._prepare_jit_inputs"
_GROUP, _ODD = r"get_group_id\(0\)", "(get_group_id(0) & ~1)"


def launched(name: str, cases: str, change: Callable[[int, list[Any], dict[str, Any]], bool]) -> Mutant:
    """A launch that does something else: `change` edits the number's buffers and sizes, False loses the launch."""

    def wrap(inner: Function) -> Function:
        count = 0

        def outer(self: Any, *buffers: Any, **kwargs: Any) -> Any:
            nonlocal count
            count += 1
            operands = list(buffers)
            return inner(self, *operands, **kwargs) if change(count, operands, kwargs) else None

        return outer

    return api(name, cases, _LAUNCH, wrap)


def one_group_fewer(number: int, buffers: list[Any], kwargs: dict[str, Any]) -> bool:
    first, *rest = kwargs["global_size"]
    kwargs["global_size"] = (max(first - 1, 1), *rest)
    return True


def _swapped(number: int, buffers: list[Any], kwargs: dict[str, Any]) -> bool:
    buffers[1], buffers[2] = buffers[2], buffers[1]
    return True


def _value_less(number: int, buffers: list[Any], kwargs: dict[str, Any]) -> bool:
    kwargs["vals"] = tuple(max(v - 1, 1) for v in kwargs.get("vals", ()))
    return True


_AREA = MutantGroup("tinygrad/program", "tinygrad")
_code, _call = _AREA.code, _AREA.call


def _launch(name: str, case: str, change: Callable[[int, list[Any], dict[str, Any]], bool]) -> Mutant:
    return launched(f"tinygrad/program/{name}", f"tinygrad/{case}", change)


def _method(name: str, case: str, method: str, other: Function) -> Mutant:
    return _call(name, case, f"tinygrad.tensor.Tensor.{method}", lambda inner: other)


def _first_kept(at: int) -> Callable[[Function], Function]:
    """A replay's inputs: one part stays what it was in the second call, the captured one."""

    def wrap(inner: Function) -> Function:
        seen: list[Any] = []

        def outer(args: Any, kwargs: Any) -> Any:
            found = list(inner(args, kwargs))
            seen.append(found[at])
            found[at] = seen[min(len(seen) - 1, 1)]
            return tuple(found)

        return outer

    return wrap


@of
def _shifted(inner: Function, self: Any, target: Any, source: memoryview) -> Any:
    raw = bytes(source.cast("B"))
    return inner(self, target, memoryview(bytearray(raw[1:] + raw[:1])))


@of
def _cut(inner: Function, self: Any, target: Any, source: memoryview) -> Any:
    """The last byte does not arrive."""
    raw = bytearray(source.cast("B"))
    raw[-1] ^= 0x80
    return inner(self, target, memoryview(raw))


@of
def _host_zeroed(inner: Function, self: Any, target: memoryview, source: Any) -> None:
    inner(self, target, source)
    target.cast("B")[:4] = bytes(4)


def _every_seventh_lost(number: int, buffers: list[Any], kwargs: dict[str, Any]) -> bool:
    return number % 7 != 0


def _as_before(inner: Function) -> Function:
    """A copy that brings the content of the previous copy if both have the same size."""
    last: dict[int, bytes] = {}

    def copy(self: Any, target: Any, source: memoryview) -> Any:
        raw = bytes(source.cast("B"))
        stale, last[len(raw)] = last.get(len(raw), raw), raw
        return inner(self, target, memoryview(bytearray(stale)))

    return copy


def _every_second(inner: Function) -> Function:
    count = 0

    def assign(self: Any, x: Any) -> Any:
        nonlocal count
        count += 1
        return inner(self, x) if count % 2 else self

    return assign


MUTANTS = [
    _launch("one_group_fewer", "program/consumers.float32", one_group_fewer),
    _launch("arguments_swapped", "program/added.int32.arguments_31", _swapped),
    _launch("symbolic_value_less", "symbolic/inner_matmul", _value_less),
    _launch("symbolic_value_less.jit", "symbolic/rows_matmul.jit", _value_less),
    _launch("queue.launch_lost", "queue/chain", _every_seventh_lost),
    _launch("queue.launch_lost_of_many", "queue/cross", _every_seventh_lost),
    _launch("search.one_group_fewer", "beam/hashed.1", one_group_fewer),
    _code("odd_groups_twice", "program/hashed.int32", _GROUP, _ODD),
    _code("constant", "program/hashed.int32", r"\*17\b", "*16"),
    _code("gate_gives_one", "program/gated.int32", r":0\)", ":1)"),
    _code("infinity_is_the_largest", "program/infinite.float32", "INFINITY", "0x1.fffffep127f"),
    _code("exponent_base", "program/diamond.float32", r"1\.44269\d*f", "1.44f"),
    _code("sum_from_one", "program/shared_ranges.float32", r"= 0\.0f;", "= 1.0f;"),
    _code("large.group_numbers", "memory/large.elementwise", _GROUP, "(get_group_id(0) & 0x3ff)"),
    _call("jit.stale_input", "jit/replay.hashed.int32", _INPUTS, _first_kept(0)),
    _call("jit.stale_value", "jit/cache_rows", _INPUTS, _first_kept(1)),
    _call("jit.names_not_checked", "jit/refused.name", _INPUTS, _first_kept(2)),
    _call("jit.shapes_not_checked", "jit/refused.dtype", _INPUTS, _first_kept(3)),
    _call("jit.input_not_copied", "jit/feedback", "tinygrad.engine.jit._copy_input", lambda inner: lambda u: u),
    _call(
        "symbolic.bound_less",
        "symbolic/sum",
        "tinygrad.uop.ops.UOp.bind",
        lambda inner: lambda self, value: inner(self, max(value - 1, 1)),
    ),
    _call("host.shifted", "memory/host.unaligned.uint8", _COPY_IN, _shifted),
    _call("host.tail_lost", "memory/host.bytes", _COPY_IN, _cut),
    _call("host.head_lost", "memory/host.tolist", _COPY_OUT, _host_zeroed),
    _call("buffers.stale_content", "memory/buffers.reused", _COPY_IN, _as_before),
    _call("assign.second_lost", "memory/assign.swapped", "tinygrad.tensor.Tensor.assign", _every_second),
    _method("clone.alias", "jit/overwritten", "clone", lambda self, device=None: self),
    _method("detach.lost", "memory/lazy.detach", "detach", lambda self: self),
    _call(
        "contiguous.other_end",
        "memory/lazy.contiguous",
        "tinygrad.tensor.Tensor.contiguous",
        lambda inner: lambda self, *args, **kwargs: inner(self.roll(1, 0), *args, **kwargs),
    ),
    _method(
        "setitem.elsewhere",
        "memory/setitem.element",
        "__setitem__",
        lambda self, at, value: self[at[0] : at[0] + 1, at[1] - 1 : at[1]].assign(self[:1, :1] * 0 + value),
    ),
    _method("iadd.by_value", "memory/__iadd__.int32", "__iadd__", lambda self, x: self + x),
]
