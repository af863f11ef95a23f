"""The catalogue of contractions: matmul, dot, einsum, linear, and the factorisations made from them."""

from collections.abc import Iterator, Sequence
from typing import Any

from runner.model import Case

from ..rows import F32, F32_ALL, F32_HALF, Operand, Row, op_cases

EVERY = ("", "noopt", "backward", "noopt_backward")
PAIR = ("", "noopt_backward")
INTEGERS = ("int32", "int8", "int16", "int64", "uint8", "uint16", "uint32", "uint64")

# Shapes for other branches of tinygrad's optimiser (groups and local memory for few results and long sums, local and
# upcast axes for many, matrix times vector) or for none of them, and edges for the device: 1, odd, prime.
SHAPES: dict[str, tuple[Sequence[int], Sequence[int]]] = {
    "one": ((1, 1), (1, 1)),
    "inner": ((1, 7), (7, 1)),
    "outer": ((5, 1), (1, 3)),
    "two": ((2, 2), (2, 2)),
    "prime": ((7, 11), (11, 13)),
    "grouped": ((16, 16), (16, 16)),
    "uneven": ((31, 33), (33, 35)),
    "upcast": ((33, 16), (16, 36)),
    "unrolled": ((48, 3), (3, 48)),
    "tiles": ((128, 128), (128, 128)),
    "large": ((192, 320), (320, 192)),
    "tall": ((1031, 3), (3, 2)),
    "wide": ((2, 3), (3, 1031)),
    "deep": ((3, 1031), (1031, 2)),
    "deep_grouped": ((4, 2048), (2048, 4)),
    "row": ((1, 129), (129, 65)),
    "matvec": ((1, 512), (512, 256)),
    "vecmat": ((256, 512), (512, 1)),
    "vector_left": ((37,), (37, 41)),
    "vector_right": ((41, 37), (37,)),
    "vectors": ((1031,), (1031,)),
    "batched": ((3, 17, 23), (3, 23, 19)),
    "batch_of_one": ((1, 5, 7), (1, 7, 3)),
    "many": ((64, 4, 8), (64, 8, 4)),
    "broadcast": ((2, 3, 17, 23), (23, 5)),
    "both_broadcast": ((1, 3, 5, 7), (4, 1, 7, 2)),
    "vector_batch": ((23,), (3, 23, 19)),
}

# Views of the operands, and the drawn shapes to fit them.
VIEWED: dict[str, tuple[Sequence[int], Sequence[int], dict[str, str]]] = {
    "left_transposed": ((23, 37), (23, 19), {"left": "transposed"}),
    "right_transposed": ((37, 23), (19, 23), {"right": "transposed"}),
    "both_transposed": ((64, 48), (32, 64), {"left": "transposed", "right": "transposed"}),
    "strided": ((34, 45), (30, 38), {"left": "strided", "right": "strided"}),
    "flipped": ((17, 23), (23, 19), {"left": "flipped", "right": "flipped"}),
    "shrunk": ((20, 27), (26, 23), {"left": "shrunk", "right": "shrunk"}),
    "padded": ((14, 20), (20, 16), {"left": "padded", "right": "padded"}),
    "expanded": ((1, 23), (23, 19), {"left": "expanded"}),
    "batch_moved": ((17, 3, 23), (23, 19, 3), {"left": "first_second", "right": "last_first"}),
}

DIFFERENTIATED = ("batched", "both_broadcast", "vector_left", "vector_right", "vectors", "deep_grouped", "many")

# without the optimiser, shapes of one kind differ only in their sizes
UNOPTIMISED = (
    *("prime", "deep_grouped", "matvec", "broadcast", "both_broadcast", "vector_left", "vector_right", "vectors"),
)

EINSUMS: dict[str, tuple[str, list[Sequence[int]]]] = {
    "product": ("ij,jk->ik", [(13, 17), (17, 11)]),
    "implicit": ("ij,jk", [(13, 17), (17, 11)]),
    "batched": ("bij,bjk->bik", [(3, 7, 9), (3, 9, 5)]),
    "heads": ("bqhd,bkhd->bhqk", [(2, 5, 3, 8), (2, 7, 3, 8)]),
    "outer": ("i,j->ij", [(31,), (37,)]),
    "inner": ("i,i->", [(257,), (257,)]),
    "hadamard": ("ij,ij->ij", [(19, 23), (19, 23)]),
    "reversed": ("ij,jk->ki", [(13, 17), (17, 11)]),
    "bilinear": ("bi,oij,bj->bo", [(5, 7), (3, 7, 6), (5, 6)]),
    "chain": ("ij,jk,kl->il", [(5, 6), (6, 7), (7, 4)]),
    "rank_four": ("abcd,cdef->abef", [(2, 3, 5, 4), (5, 4, 3, 2)]),
}
UNARY: dict[str, tuple[str, Sequence[int]]] = {
    "transpose": ("ij->ji", (13, 17)),
    "total": ("ijk->", (5, 7, 11)),
    "rows": ("ij->i", (13, 129)),
    "trace": ("ii->", (37, 37)),
    "diagonal": ("ii->i", (37, 37)),
    "batch_diagonal": ("bii->bi", (3, 11, 11)),
    "permuted": ("abc->cab", (5, 6, 7)),
}


def product(shapes: Sequence[Sequence[int]], domain: str = "normal") -> list[Operand]:
    """Operands of these shapes, drawn from one domain."""
    return [(shape, domain) for shape in shapes]


def rows() -> Iterator[Row]:
    """Every row of the table: products, tiles, broadcasts, einsum."""
    yield Row("matmul", "matmul", product(((64, 64), (64, 64))), F32_ALL, name="square")
    yield Row("matmul", "matmul", product(((37, 41), (41, 29))), F32_ALL, EVERY, name="odd")
    for name, shapes in SHAPES.items():
        variants = ("", "noopt") if name in UNOPTIMISED else ("",)
        # a sum of terms of both signs may be near 0, but its bound is not
        operands = product(shapes, "positive" if name == "vectors" else "normal")
        yield Row("matmul", "matmul", operands, F32, variants, name=name)
    for name in ("deep_grouped", "matvec"):
        yield Row("matmul", "matmul", product(SHAPES[name]), ("float16", "float64"), name=name)
    for name in DIFFERENTIATED:
        yield Row("matmul", "matmul", product(SHAPES[name]), F32, EVERY[2:], name=name)
    for name, (left, right, views) in VIEWED.items():
        yield Row("matmul", "matmul", product((left, right)), F32, ("", "noopt"), views, name)
    for name in ("both_transposed", "strided", "expanded", "padded"):
        left, right, views = VIEWED[name]
        yield Row("matmul", "matmul", product((left, right)), F32, EVERY[2:], views, name)
    # whole numbers: exact, so that no term may be missing; the full range wraps
    yield Row("matmul", "matmul", product(((65, 127), (127, 33)), "small"), F32_HALF, name="exact")
    yield Row("matmul", "matmul", product(((17, 37), (37, 19)), "full"), INTEGERS, name="exact")
    tiles = product(((32, 256), (256, 32)), "full")
    yield Row("matmul", "matmul", tiles, ("int32", "int8", "uint64"), ("",), name="tiles")
    batched = product(((3, 7, 16), (3, 16, 5)), "full")
    yield Row("matmul", "matmul", batched, ("int16", "uint32"), ("",), name="batched")
    for dtype, wide in (("float16", "float32"), ("int8", "int32"), ("uint8", "uint32"), ("int32", "int64")):
        operands = product(((17, 37), (37, 19)), "normal" if dtype == "float16" else "small")
        yield Row("matmul", "matmul", operands, (dtype,), args={"dtype": wide}, name=f"in_{wide}")
    # tinygrad's C leaves the products of int8 in int: whether they wrap depends on the compiler (tinygrad's fault)
    args = {"dtype": "int32"}
    yield Row("matmul", "matmul", product(((17, 37), (37, 19)), "full"), ("int8",), args=args, name="wraps_in_int32")
    # sums far above 2048, up to which half counts whole numbers: only a float32 sum has them right
    yield Row("matmul", "half_sums", product(((16, 512), (512, 16)), "small"), ("float16",))
    yield Row("matmul", "half_sums", product(((5, 300), (300, 7)), "small"), ("float16",), name="odd")
    yield Row("matmul", "bfloat16_sums", product(((17, 37), (37, 19)), "small"))
    yield Row("matmul", "bfloat16_sums", product(((16, 512), (512, 16)), "small"), name="grouped")
    for op in ("dot", "__matmul__", "__rmatmul__"):
        yield Row("matmul", op, product(((17, 37), (37, 19))))
    yield Row("matmul", "dot", product(((3, 17, 37), (37,))), name="vector")
    yield Row("matmul", "__imatmul__", product(((33, 33), (33, 33))))
    yield Row("matmul", "matmul_chain", product(((9, 13), (13, 17), (17, 5))), F32, EVERY)
    yield Row("matmul", "matmul_self", product(((19, 23),)), F32, PAIR)
    yield Row("matmul", "linear", product(((17, 37), (37, 19), (19,))), F32, EVERY)
    yield Row("matmul", "linear", product(((2, 3, 37), (37, 19))), name="without_bias")
    yield Row("matmul", "linear", product(((17, 37), (37,), (37,))), F32, PAIR, name="scale")
    yield Row("matmul", "linear", product(((17, 37), (37, 19), (19,)), "full"), ("int32", "uint8"))
    yield from _einsums()
    yield from _algebra()


def _einsums() -> Iterator[Row]:
    for name, (formula, shapes) in EINSUMS.items():
        args = {"formula": formula}
        yield Row("matmul", "einsum", product(shapes), F32, PAIR, args, name)
    for name, (formula, shape) in UNARY.items():
        # the gradient of a total is one number everywhere, that of a trace one on its diagonal: no tensor of the device
        variants = ("", "noopt") if name in ("total", "trace") else PAIR
        yield Row("matmul", "einsum", product((shape,)), F32, variants, {"formula": formula}, name)
    args = {"formula": "bij,bjk->bik"}
    yield Row("matmul", "einsum", product(EINSUMS["batched"][1]), ("float16", "float64"), args=args, name="batched")
    shapes = EINSUMS["batched"][1]
    yield Row("matmul", "einsum", product(shapes, "full"), ("int32", "uint64"), args=args, name="batched")
    yield Row("matmul", "einsum", product(shapes, "small"), ("int16", "uint8"), args=args, name="batched")
    args = {"formula": "...ij,...jk->...ik"}
    yield Row("matmul", "einsum", product(((2, 3, 4, 5), (2, 3, 5, 6))), args=args, name="ellipsis")


def _algebra() -> Iterator[Row]:
    coefficients: dict[str, Any] = {"params": (2, -1.5, 0.5)}
    wide = product(((5, 9),))
    for steps in (1, 2):
        args, name = {**coefficients, "steps": steps}, f"steps_{steps}"
        yield Row("linalg", "newton_schulz", wide, F32, EVERY, args, name)
    args = {**coefficients, "steps": 1}
    yield Row("linalg", "newton_schulz", product(((9, 5),)), F32, PAIR, args, "tall")
    yield Row("linalg", "newton_schulz", product(((3, 4, 6),)), ("float32", "float64"), args=args, name="batched")


FACTORED: dict[str, Sequence[int]] = {"square": (4, 4), "odd": (5, 5), "tall": (7, 3), "wide": (3, 7), "batched": (2, 4, 3)}


def cases() -> Iterator[Case]:
    """The rows as cases, and the factorisations."""
    yield from op_cases("matmul", rows())
    # tinygrad's svd cannot decompose a single column
    factored: list[tuple[str, str, Sequence[int]]] = [("qr", "one", (1, 1))]
    factored += [(body, name, shape) for name, shape in FACTORED.items() for body in ("qr", "svd")]
    polynomial = [("orthogonalised", "wide", (5, 9)), ("orthogonalised", "tall", (12, 7))]
    for body, name, shape in (*factored, *polynomial):
        for variant in ("", "noopt"):
            test_id = ".".join(filter(None, (f"tinygrad/linalg/{body}.float32", name, variant)))
            params = {"shape": list(shape), "variant": variant}
            params |= {"op": body} if body in ("qr", "svd") else {}
            yield Case(test_id, f"matmul.{body}", params)
    for name, shapes in {"contraction": ((3, 0), (0, 4)), "rows": ((0, 3), (3, 4)), "batch": ((0, 2, 3), (0, 3, 4))}.items():
        yield Case(f"tinygrad/matmul/empty.{name}", "matmul.empty", {"shapes": shapes})
