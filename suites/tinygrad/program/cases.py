"""The catalogue of programs: fused graphs, replays, symbolic shapes, memory, queues, searched kernels.

One file: the catalogue of the area, a table.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from runner.model import Case

from ..rows import F32_HALF, LINE, SHEET, Operand, Row, op_cases

METHODS = {
    "keccak": "tinygrad/program/keccak.*",
    "realize": "tinygrad/program/*",
    "contiguous": "tinygrad/memory/lazy.contiguous",
    "gradient": "tinygrad/*.backward",
    "detach": "tinygrad/memory/lazy.detach",
    "contiguous_backward": "tinygrad/memory/lazy.contiguous_backward",
    "backward": "tinygrad/memory/lazy.backward",
    "clone": "tinygrad/memory/lazy.clone",
    "replace": "tinygrad/memory/lazy.replace",
    "callify": "tinygrad/memory/lazy.callify",
    "schedule_linear": "tinygrad/memory/lazy.schedule_linear",
    "linear_with_vars": "tinygrad/memory/lazy.linear_with_vars",
    "to": "tinygrad/memory/lazy.to",
    "to_": "tinygrad/memory/lazy.to_",
    "assign": "tinygrad/memory/assign.*",
    "__setitem__": "tinygrad/memory/setitem.*",
    "data": "tinygrad/memory/host.data",
    "tolist": "tinygrad/memory/host.tolist",
    "item": "tinygrad/memory/host.item",
    "numpy": "tinygrad/memory/host.*",
}

GRAPHS: tuple[Row, ...] = (
    Row("program", "several_outputs", [(SHEET, "normal")] * 2),
    Row("program", "consumers", [((33, 41), "normal"), ((41, 65), "normal")]),
    Row("program", "shared_ranges", [(SHEET, "normal")], F32_HALF),
    Row("program", "shared_integers", [(SHEET, "full")], ("int32",)),
    Row("program", "nested_sums", [((5, 13, 17), "unit")]),
    Row("program", "nested_choices", [((5, 13, 17), "full")], ("int32",)),
    Row("program", "sum_of_scans", [((9, 67), "small")], ("int32",)),
    Row("program", "reduced_and_spread", [(SHEET, "normal")], F32_HALF),
    Row("program", "diamond", [((19, 37), "normal")], F32_HALF),
    Row("program", "centred", [((17, 257), "normal")]),
    Row("program", "softmax_twice", [((9, 33), "normal")]),
    Row("program", "attention", [((3, 9, 16), "normal"), ((3, 11, 16), "normal"), ((3, 11, 16), "normal")]),
    Row("program", "perceptron", [((9, 24), "normal"), ((24, 31), "unit"), ((31,), "normal"), ((31, 24), "unit")]),
    Row("program", "normalised_product", [((13, 65), "normal"), ((65, 9), "normal")]),
    Row("program", "three_products", [((9, 17), "small"), ((17, 33), "small"), ((33, 5), "small")], F32_HALF),
    Row("program", "moved", [((29, 31), "unit")] * 2),
    Row("program", "chain", [(LINE, "unit")]),
    Row("program", "added", [((131,), "normal")] * 8, name="arguments_8"),
    Row("program", "added", [((131,), "small")] * 31, ("int32",), name="arguments_31"),
    Row("program", "added", [((131,), "normal")] * 64, name="arguments_64"),
    Row("program", "added", [((131,), "small")] * 64, ("int32", "int8"), name="arguments_64"),
    Row("program", "many_results", [((61,), "small")], ("int32",)),
    Row("program", "pooled", [((2, 3, 14, 14), "small"), ((4, 3, 3, 3), "small")]),
    Row("program", "picked", [((37, 41), "distinct"), ((37, 9), "41", "int32")]),
    Row("program", "picked", [((37, 41), "full"), ((37, 9), "41", "int32")], ("int32",)),
    Row(
        "program",
        "gated",
        [((37,), "small")],
        ("int32", "float32", "float16", "int8", "uint8", "int16", "uint16", "uint32", "int64", "uint64"),
        args={"far": 1 << 24},
    ),
    Row("program", "joined", [((9, 33), "small")] * 2, ("int32",)),
    Row("program", "infinite", [((7, 37), "finite")], ("float16", "float32")),
    Row("program", "outer", [((61,), "normal"), ((43,), "normal")]),
    Row("program", "mixed_types", [((9, 67), "normal"), ((9, 67), "small", "int16"), ((9, 67), "", "bool")]),
    Row("program", "above_mean", [((19, 37), "small")], ("int32",)),
    Row("program", "hashed", [((67, 31), "full")] * 2, ("int32",)),
    Row("program", "embedded", [((7, 5), "31", "int32"), ((31, 12), "normal"), ((12, 9), "normal")]),
    Row("program", "scattered_sum", [((67,), "9", "int32"), ((67, 1), "small")], ("int32",), args={"n": 9}),
)

GRADIENTS: tuple[Row, ...] = tuple(
    Row("program", op, operands, variants=("backward", "noopt_backward"))
    for op, operands in (
        ("diamond", [((3, 7), "normal")]),
        ("centred", [((3, 7), "normal")]),
        ("softmax_twice", [((3, 5), "normal")]),
        ("nested_sums", [((2, 3, 4), "unit")]),
        ("attention", [((1, 3, 4), "normal"), ((1, 5, 4), "normal"), ((1, 5, 4), "normal")]),
        ("perceptron", [((3, 4), "normal"), ((4, 5), "unit"), ((5,), "normal"), ((5, 4), "unit")]),
        ("three_products", [((3, 4), "normal"), ((4, 2), "normal"), ((2, 3), "normal")]),
    )
)

# The graphs that are replayed, searched, and compared with themselves unoptimised.
REPLAYED = (
    *("several_outputs", "consumers", "shared_ranges", "nested_choices", "sum_of_scans", "softmax_twice"),
    *("attention", "perceptron", "three_products", "pooled", "picked", "gated", "joined", "hashed", "embedded"),
)
SEARCHED: dict[str, list[Operand]] = {
    "hashed": [((67, 31), "full", "int32")] * 2,
    "shared_ranges": [((19, 37), "normal", "float32")],
    "joined": [((9, 33), "small", "int32")] * 2,
    "nested_choices": [((3, 5, 7), "full", "int32")],
    "three_products": [((9, 16), "small", "float32"), ((16, 12), "small", "float32"), ((12, 5), "small", "float32")],
    "softmax_twice": [((9, 33), "normal", "float32")],
}
UNOPTIMISED = ("attention", "consumers", "shared_ranges", "perceptron", "nested_sums", "normalised_product", "outer")

JIT = (
    *("in_place", "counter", "cache_rows", "two_states", "containers", "keywords", "method", "views", "feedback"),
    *("overwritten", "pruned", "reset", "freed", "pickled", "interleaved", "many_kernels", "between_deaths"),
    *("optimiser", "same_thrice", "weights_replaced"),
)
REFUSED = (
    *("shape", "shapes", "dtype", "device", "count", "name", "view", "same_twice", "constant", "nested"),
    *("no_tensor", "read"),
)

SYMBOLIC = (
    *("sum", "maximum", "softmax", "rows_matmul", "inner_matmul", "columns_matmul", "reshape", "shrink"),
    *("moving_window", "padded", "joined", "spread", "permuted", "flipped", "mean", "scalar", "row", "attention"),
    *("layernorm", "two", "stored", "scan", "triangle"),
)

MEMORY = (
    *("assign.whole", "assign.itself", "assign.flipped", "assign.transposed", "assign.total", "assign.swapped"),
    *("assign.chain", "assign.window", "assign.strided", "assign.column", "assign.overlapping", "assign.bitcast"),
    *("assign.shared", "assign.twice", "setitem.slice", "setitem.element", "setitem.column", "setitem.strided"),
    *("setitem.negative", "setitem.indices", "setitem.lazy", "lazy.order", "lazy.contiguous"),
    *("lazy.contiguous_view", "lazy.detach", "lazy.contiguous_backward", "lazy.backward", "lazy.clone"),
    *("lazy.replace", "lazy.callify", "lazy.schedule_linear", "lazy.linear_with_vars", "lazy.to", "lazy.to_"),
    *("lazy.realized_once", "host.data", "host.tolist", "host.item", "host.strided", "host.fortran"),
    *("host.reversed", "host.bytes", "host.list", "buffers.many", "buffers.reused", "buffers.accounted"),
    *("buffers.refused", "buffers.sizes", "buffers.kept"),
)
INPLACE = {
    "__iadd__": ("float32", "int32", "uint8"),
    "__isub__": ("float32", "int32"),
    "__imul__": ("float32", "int32"),
    "__itruediv__": ("float32",),
    "__ifloordiv__": ("int32",),
    "__ipow__": ("float32",),
    "__iand__": ("int32", "uint8"),
    "__ior__": ("int32", "uint16"),
    "__ixor__": ("int32", "uint64"),
    "__ilshift__": ("uint32",),
    "__irshift__": ("uint32",),
    "__imatmul__": ("float32",),
}
QUEUE = ("chain", "chains", "assigns", "copies", "losses", "sizes", "dropped", "cross")


def _plain(area: str, names: tuple[str, ...]) -> Iterator[Case]:
    for name in names:
        yield Case(f"tinygrad/{area}/{name}", f"program.{area}", {"what": name})


def _jit() -> Iterator[Case]:
    rows = (replace(row, dtypes=row.dtypes[:1], variants=("",)) for row in GRAPHS if row.op in REPLAYED)
    for case in op_cases("program", rows):
        name = case.id.rsplit("/", 1)[1]
        yield Case(f"tinygrad/jit/replay.{name}", "program.replay", case.params, case.requires)
    yield from _plain("jit", JIT)
    for name in REFUSED:
        yield Case(f"tinygrad/jit/refused.{name}", "program.refused", {"what": name})


def _symbolic() -> Iterator[Case]:
    for name in SYMBOLIC:
        for variant in ("", "noopt", "jit"):
            yield Case(
                ".".join(filter(None, (f"tinygrad/symbolic/{name}", variant))),
                "program.symbolic",
                {"what": name, "variant": variant},
            )


def _memory() -> Iterator[Case]:
    yield from _plain("memory", MEMORY)
    for name, dtypes in INPLACE.items():
        for dtype in dtypes:
            params = {"op": name, "dtype": dtype}
            yield Case(f"tinygrad/memory/{name}.{dtype}", "program.inplace", params)
    for dtype in ("uint8", "float16", "float32", "int64"):
        requires = ("fp16",) if dtype == "float16" else ()
        params = {"dtype": dtype}
        yield Case(f"tinygrad/memory/host.unaligned.{dtype}", "program.unaligned", params, requires)
    for name in ("elementwise", "reduced", "indexed"):
        yield Case(f"tinygrad/memory/large.{name}", "program.large", {"what": name}, timeout_s=60)
    for name in ("moved", "gigabyte", "beyond_2_31"):
        yield Case(f"tinygrad/memory/large.{name}", "program.large", {"what": name}, timeout_s=300)


def cases() -> Iterator[Case]:
    """Every case of the family."""
    yield from op_cases("program", (*GRAPHS, *GRADIENTS))
    yield Case("tinygrad/program/sgd.float32", "program.sgd")
    for op in UNOPTIMISED:
        row = next(r for r in GRAPHS if r.op == op)
        operands = [(list(shape), domain, "float32") for shape, domain, *_ in row.operands]
        params: dict[str, Any] = {"op": op, "operands": operands, "args": {}}
        yield Case(f"tinygrad/program/unoptimised.{op}", "program.unoptimised", params)
    for op, inputs in SEARCHED.items():
        for width in (1, 2):
            operands = [(list(o[0]), *o[1:]) for o in inputs]
            params = {"op": op, "operands": operands, "args": {}, "width": width}
            yield Case(f"tinygrad/beam/{op}.{width}", "program.searched", params, timeout_s=90)
    yield from _jit()
    yield from _symbolic()
    yield from _memory()
    yield from _plain("queue", QUEUE)
    for function, sizes in (("sha3_256", (135, 136)), ("shake_128", (168,))):
        for size in sizes:
            params = {"function": function, "bytes": size}
            yield Case(f"tinygrad/program/keccak.{function}.{size}", "program.keccak", params)
