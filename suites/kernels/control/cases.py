"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..coverage import Row

ROWS = [
    Row("kernels/control/*", "code generation around conditions", "OpenCL C 3.0, 6.5 and 7.5", "basic"),
]


def cases() -> Iterator[Case]:
    """Code generation around conditions."""
    for type_name in ("char", "ushort", "int"):
        yield Case(f"kernels/control/float_select.{type_name}", "control.float_select", {"type": type_name})
    for type_name in ("char", "uchar", "short", "int", "float"):
        for name, other in (("", 7), (".zero", 0)):
            params = {"type": type_name, "other": other}
            yield Case(f"kernels/control/guarded_load.{type_name}{name}", "control.guarded_load", params, ("int64",))
    yield Case("kernels/control/guarded_load.loop", "control.guarded_loop", requires=("int64",))
    for suffix in ("l", "ul", "ll"):
        yield Case(f"kernels/control/literal.{suffix}", "control.literal", {"suffix": suffix}, ("int64",))
    yield Case("kernels/control/loop", "control.loop")
    yield Case("kernels/control/signed_zero", "control.signed_zero")
