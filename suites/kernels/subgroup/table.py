"""The sub-group functions and their types (OpenCL C 3.0, 6.15.20). Plain Python, because the catalogue reads it too."""

from dataclasses import dataclass

CORE = ("int", "uint", "long", "ulong", "float", "double", "half")
SMALL = ("char", "uchar", "short", "ushort")
ALL_TYPES = (*SMALL, *CORE)
INTEGERS = (*SMALL, "int", "uint", "long", "ulong")
SAMPLED = ("char", "ushort", "int", "ulong", "float", "double", "half")
VECTORS = (*("char4", "uchar16", "short2", "ushort3", "int4", "uint3", "long2", "ulong8", "float3", "half8", "double2"),)
ARITHMETIC, BITWISE, LOGICAL = ("add", "mul", "min", "max"), ("and", "or", "xor"), ("and", "or", "xor")
SHAPES: tuple[tuple[int, ...], ...] = ((64,), (1,), (37,), (5, 3), (4, 2, 3), (2, 13, 2))


@dataclass(frozen=True, slots=True)
class Function:
    """One builtin on one type. `x` is the item's value, `y` its int operand, `u` a uint4 that all items share,
    `size` the number of items in the sub-group.

    `model` names a function of model.py, `operation` the operation of a reduction. `result` is the type of
    `expression`. `divergent`: the builtin may be called by only some of the items.
    """

    name: str
    type: str
    expression: str
    model: str
    result: str
    extension: str
    divergent: bool
    operation: str = ""
    cluster: int = 0

    @property
    def case_name(self) -> str:
        """The name of its case, such as `reduce_add.int`: without the prefixes that all builtins share."""
        short = self.name.removeprefix("get_").removeprefix("sub_group_")
        return f"{short}.{self.type}" if "x" in self.expression.split("(", 1)[1] else short


def core() -> list[Function]:
    """6.15.20: builtins that all items must reach; small types need cl_khr_subgroup_extended_types."""
    rows = [Function(f"sub_group_{n}", "int", f"sub_group_{n}(y)", f"{n}_of", "int", "", False) for n in ("all", "any")]
    for t in ALL_TYPES:
        extension = "cl_khr_subgroup_extended_types" if t in SMALL else ""
        name = "sub_group_broadcast"
        rows.append(Function(name, t, f"{name}(x, u.x % size)", "broadcast", t, extension, False))
        for form in ("reduce", "scan_inclusive", "scan_exclusive"):
            for op in ("add", "min", "max"):
                name = f"sub_group_{form}_{op}"
                rows.append(Function(name, t, f"{name}(x)", form, t, extension, False, op))
    for t in VECTORS:
        name, extension = "sub_group_broadcast", "cl_khr_subgroup_extended_types"
        rows.append(Function(name, t, f"{name}(x, u.x % size)", "broadcast", t, extension, False))
    return rows


def shuffles() -> list[Function]:
    """6.15.20.5 to .7: the values of other items. `y` is not negative here."""
    rows = []
    lane = "get_sub_group_local_id()"
    for t in ALL_TYPES:
        for name, operand, model, extension in (
            ("shuffle", "y % size", "shuffle", "shuffle"),
            ("shuffle_xor", "u.x % 8u", "shuffle_xor", "shuffle"),
            ("shuffle_up", "u.x % 5u", "shuffle_up", "shuffle_relative"),
            ("shuffle_down", "u.x % 5u", "shuffle_down", "shuffle_relative"),
            ("rotate", "(int)(u.x % 7u) - 2", "rotate", "rotate"),
        ):
            expression = f"sub_group_{name}(x, {operand})"
            extension = f"cl_khr_subgroup_{extension}"
            rows.append(Function(f"sub_group_{name}", t, expression, model, t, extension, True))
        expression = "sub_group_clustered_rotate(x, (int)(u.x % 7u) - 2, 4)"
        rows.append(
            Function("sub_group_clustered_rotate", t, expression, "rotate", t, "cl_khr_subgroup_rotate", True, cluster=4)
        )
    for k, t in enumerate(("float", "long", "short", "uchar")):
        expression = f"sub_group_shuffle(x, {lane} ^ {1 << k % 2})"
        rows.append(
            Function(
                "sub_group_shuffle", f"{t}.exchange", expression, f"exchange{1 << k % 2}", t, "cl_khr_subgroup_shuffle", True
            )
        )
    return rows


def ballots() -> list[Function]:
    """6.15.20.4, 6.15.20.1: votes of the active items, and functions of a ballot."""
    ballot, vote = "cl_khr_subgroup_ballot", "cl_khr_subgroup_non_uniform_vote"
    rows = [
        Function("sub_group_ballot", "int", "sub_group_ballot(y)", "ballot", "uint4", ballot, True),
        Function("sub_group_elect", "int", "sub_group_elect()", "elect", "int", vote, True),
    ]
    for name, operand in (
        ("inverse_ballot", "u"),
        ("ballot_bit_extract", "u, y % get_max_sub_group_size()"),
        ("ballot_bit_count", "u"),
        ("ballot_inclusive_scan", "u"),
        ("ballot_exclusive_scan", "u"),
        ("ballot_find_lsb", "u"),
        ("ballot_find_msb", "u"),
    ):
        result = "int" if name in ("inverse_ballot", "ballot_bit_extract") else "uint"
        expression = f"sub_group_{name}({operand})"
        rows.append(Function(f"sub_group_{name}", "int", expression, name, result, ballot, True))
    for relation in ("eq", "ge", "gt", "le", "lt"):
        name = f"get_sub_group_{relation}_mask"
        rows.append(Function(name, "int", f"{name}()", f"{relation}_mask", "uint4", ballot, True))
    for t in (*ALL_TYPES, *VECTORS[::2]):
        expression = "sub_group_non_uniform_broadcast(x, u.x % size)"
        rows.append(Function("sub_group_non_uniform_broadcast", t, expression, "broadcast", t, ballot, True))
    for t in ALL_TYPES:
        expression = "sub_group_broadcast_first(x)"
        rows.append(Function("sub_group_broadcast_first", t, expression, "broadcast_first", t, ballot, True))
        expression = "sub_group_non_uniform_all_equal(x)"
        rows.append(Function("sub_group_non_uniform_all_equal", t, expression, "all_equal", "int", vote, True))
    for n in ("all", "any"):
        name = f"sub_group_non_uniform_{n}"
        rows.append(Function(name, "int", f"{name}(y)", f"{n}_of", "int", vote, True))
    return rows


def arithmetic() -> list[Function]:
    """6.15.20.3, 6.15.20.2: reductions and scans of the active items, and within clusters of four lanes."""
    rows = []
    families = (
        ("non_uniform_reduce", "reduce", ALL_TYPES),
        ("non_uniform_scan_inclusive", "scan_inclusive", SAMPLED),
        ("non_uniform_scan_exclusive", "scan_exclusive", SAMPLED),
        ("clustered_reduce", "reduce", SAMPLED),
    )
    for family, model, types in families:
        clustered = family == "clustered_reduce"
        extension = f"cl_khr_subgroup_{'clustered_reduce' if clustered else 'non_uniform_arithmetic'}"
        operations = [(op, t) for t in types for op in ARITHMETIC]
        operations += [(op, t) for t in types if t in INTEGERS for op in BITWISE]
        for op, t in operations:
            name = f"sub_group_{family}_{op}"
            expression = f"{name}(x{', 4' if clustered else ''})"
            rows.append(Function(name, t, expression, model, t, extension, True, op, 4 if clustered else 0))
        for op in LOGICAL:
            name = f"sub_group_{family}_logical_{op}"
            expression = f"{name}(y{', 4' if clustered else ''})"
            cluster = 4 if clustered else 0
            rows.append(Function(name, "int", expression, model, "int", extension, True, f"logical_{op}", cluster))
    return rows


def functions() -> list[Function]:
    """Every function that the area tests."""
    return [*core(), *shuffles(), *ballots(), *arithmetic()]


FUNCTIONS = {f.case_name: f for f in functions()}
