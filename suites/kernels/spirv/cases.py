"""The cases of the area: SPIR-V through clCreateProgramWithIL.

One file: it is a table, a row for each family.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

from runner.model import Case

from ..areas import Area, combine
from .extended_table import BY_POINTER, FLOAT, HALF_STORES, INTEGER, INTEGER24, VLOAD, WIDTH_OF
from .modules_table import (
    ATOMICS,
    BAD_TEXTS,
    BAD_WORDS,
    BUILT_INS,
    CONSTANT_FAMILIES,
    SPEC_KEYS,
    SPEC_OPERATIONS,
    SPEC_RELATIONS,
    SPEC_TYPES,
)
from .snippets import FAMILIES
from .table import (
    FLOAT_OPERATIONS,
    FLOAT_RELATIONS,
    FLOATS,
    INTEGER_OPERATIONS,
    INTEGER_RELATIONS,
    INTEGERS,
    WIDE_OPERATIONS,
    WIDTHS,
    conversions,
    features,
    typed,
)

_AREA = Area("spirv")


def cases() -> Iterator[Case]:
    """Instructions by family, valid modules, and invalid modules."""
    yield from _operators()
    yield from _conversions()
    yield from _snippets()
    yield from _extended()
    yield from _specialisation()
    yield from _modules()


def _operators() -> Iterator[Case]:
    families = {
        "integer": (tuple(INTEGER_OPERATIONS), INTEGERS),
        "relation": (INTEGER_RELATIONS, INTEGERS[1:]),
        "wide": (WIDE_OPERATIONS, INTEGERS[1:]),
        "float": (tuple(FLOAT_OPERATIONS), FLOATS),
    }
    for family, (names, scalars) in families.items():
        yield from _typed(family, names, scalars, family)
    yield from _typed("relation", tuple(FLOAT_RELATIONS), ("float",), "float_relation")
    group, rows = "kernels/spirv/constants", combine(type=INTEGERS)
    yield from _AREA.each("integer/by_constants.{type}", "constants", rows, "il", in_group=group)


def _typed(family: str, names: tuple[str, ...], scalars: tuple[str, ...], group: str) -> Iterator[Case]:
    for op, type_name in typed(names, scalars):
        group_name = f"kernels/spirv/{group}"
        yield _AREA.case(
            f"{family}/{{op}}.{{type}}", family, *features(type_name), in_group=group_name, op=op, type=type_name
        )


def _conversions() -> Iterator[Case]:
    for op, source, target, mode, saturated in conversions():
        name = ".".join(w for w in (op, source, target, mode, "sat" * saturated) if w)
        params = {"op": op, "source": source, "target": target, "mode": mode, "saturated": saturated}
        group = f"kernels/spirv/conversion.{source}"
        yield _AREA.case(f"conversion/{name}", "conversion", *features(source, target), in_group=group, params=params)
    yield from _AREA.each("conversion/chain.{source}", "chain", combine(source=INTEGERS), "il", "int64")


def _snippets() -> Iterator[Case]:
    for family, rows in FAMILIES.items():
        for name, snippet in rows.items():
            params: dict[str, Any] = {"family": family, "name": name}
            limits: dict[str, Any] = {"in_group": "kernels/spirv/{family}", "timeout_s": 10 if snippet.may_hang else None}
            yield _AREA.case("{family}/{name}", "snippet", "il", *snippet.requires, params=params, **limits)


def _extended() -> Iterator[Case]:
    def case(name: str, body: str, **params: Any) -> Case:
        requires = features(params.get("type", ""))
        return _AREA.case(f"extended/{name}", body, *requires, in_group=f"kernels/spirv/{body}", params=params)

    for op, type_name in (*typed(tuple(INTEGER), ("uint", "ulong", "ushort")), *typed(tuple(INTEGER24), ("uint",))):
        yield case("{op}.{type}", "extended_integer", op=op, type=type_name)
    for op in FLOAT:
        for width in (1, WIDTH_OF.get(op, 2)):
            yield case("{op}.{width:d}", "extended_float", op=op, width=width)
    for op in BY_POINTER:
        yield case("{op}", "by_pointer", op=op)
    for scalar, width in VLOAD:
        yield case("vload.v{width}{type}", "vload", type=scalar, width=width)
    for width in (1, *WIDTHS):
        for op in ("vload_half",) if width == 1 else ("vload_halfn", "vloada_halfn"):
            yield case("{op}.{width:d}", "half_load", op=op, width=width)
        for op in ("vstore_half",) if width == 1 else ("vstore_halfn", "vstorea_halfn"):
            for mode in HALF_STORES if width in (1, 3) else HALF_STORES[:1]:
                yield case(f"{{op}}.{width}{mode and '.'}{mode}", "half_store", op=op, width=width, mode=mode)


def _specialisation() -> Iterator[Case]:
    def case(name: str, body: str, *needed: str, **params: Any) -> Case:
        group = "kernels/spirv/specialisation"
        requires = ("il", "opencl3", *needed)
        return _AREA.case(f"specialisation/{name}", f"spec_{body}", *requires, in_group=group, params=params)

    for family in CONSTANT_FAMILIES:
        for type_name in FLOATS if "float" in family else INTEGERS:
            needed = features("ulong", *(("double",) if "float" in family or "convert" in family else ()), type_name)
            yield case("known/{family}.{type}", "known", *needed, family=family, type=type_name)
    for params in combine(key=SPEC_KEYS, elsewhere=(False, True)):
        yield case("key/{key}{elsewhere:.new_process}", "key", "execute", **params)
    for type_name, is_set in product(SPEC_TYPES, (False, True)):
        yield case("{type}.{set:set|default}", "type", *features(type_name), type=type_name, set=is_set)
    for params in combine(default=("True", "False"), set=(None, 0, 1)):
        yield case("bool.{default}.{set}", "bool", **params)
    twos = {
        "none": ([], 16005),
        "first": ([(3, 7)], 7005),
        "second": ([(70000, 9)], 16009),
        "both": ([(70000, 9), (3, 2)], 2009),
        "twice": ([(3, 8), (3, 1)], 1005),
    }
    for name, (pairs, total) in twos.items():
        yield case(f"two.{name}", "two", set=pairs, sum=total)
    for name in ("again", "two_programs", "composite", "size_of_array", "bitcast"):
        yield case(name, name)
    for way in ("binary", "later", "new_kernel"):
        yield case("kept.{way}", "kept", "execute", way=way)
    for op in (*SPEC_OPERATIONS, *SPEC_RELATIONS):
        yield case("operation.{op}", "operation", op=op)
    errors = {
        "unknown_id": (4, 4, True, "CL_INVALID_SPEC_ID", False),
        "size_small": (3, 2, True, "CL_INVALID_VALUE", False),
        "size_large": (3, 8, True, "CL_INVALID_VALUE", False),
        "size_zero": (3, 0, True, "CL_INVALID_VALUE", False),
        "size_of_the_other": (70000, 4, True, "CL_INVALID_VALUE", False),
        "no_value": (3, 4, False, "CL_INVALID_VALUE", False),
        "from_source": (3, 4, True, "CL_INVALID_PROGRAM", True),
    }
    for name, (spec_id, size, value, error, source) in errors.items():
        yield case(f"error.{name}", "error", spec_id=spec_id, size=size, value=value, error=error, source=source)
    yield case("error.no_program", "error_null")


def _case(path: str, body: str, *needed: str, **params: Any) -> Case:
    """A case whose module no other case has, or that holds several instructions."""
    group = f"kernels/spirv/{path.split('/')[0]}"
    return _AREA.case(path, body, "il", *needed, in_group=group, params=params)


def _decorated() -> Iterator[Case]:
    for type_name in INTEGERS:
        yield _case("decorated/wrap.{type}", "wrap", "il_1.4", *features(type_name), type=type_name)
    for type_name, zeros in product(FLOATS, (False, True)):
        yield _case(
            "decorated/fast_math{zeros:_zero}.{type}", "fast_math", *features(type_name), type=type_name, zeros=zeros
        )


def _modes() -> Iterator[Case]:
    yield _case("module/arguments", "arguments", *features("ulong"))
    for mode in ("LocalSize", "LocalSizeHint"):
        yield _case("module/mode.{mode}", "execution_mode", mode=mode, size=[4, 1, 1])
    for mode in ("LocalSize", "LocalSizeId", "LocalSizeHint", "LocalSizeHintId"):
        needed = ("il_1.2",) if mode.endswith("Id") else ()
        for how in ("constant", "default", "set") if needed else ("constant",):
            name = f"module/mode.{mode}.2x3x4{'' if how == 'constant' else f'.{how}'}"
            yield _case(name, "size", *needed, *("opencl3",) * (how == "set"), mode=mode, size=[2, 3, 4], how=how)


def _modules() -> Iterator[Case]:
    for form in ("string", "string_unused", "word", "word_unused"):
        yield _case("program_scope/{form}", "program_scope", form=form)
    for name in BAD_TEXTS:
        yield _case("invalid/{name}", "bad_text", name=name)
    for name in BAD_WORDS:
        yield _case("invalid/{name}", "bad_words", name=name)
    for cut in (1, 2, 3):
        yield _case("invalid/bytes_cut.{bytes}", "cut_bytes", bytes=cut)
    for missing in ("context", "il", "length"):
        error = "CL_INVALID_CONTEXT" if missing == "context" else "CL_INVALID_VALUE"
        yield _case("error/create.no_{missing}", "create_error", missing=missing, error=error)
    yield _case("module/query.il", "il_query")
    yield _case("module/query.il_of_source", "il_query_of_source")
    yield _case("module/query.versions", "versions", "opencl3")
    yield _case("module/versions", "each_version")
    for names in (["one", "two"], ["c", "a_kernel_with_a_long_name_1", "b"]):
        yield _case(f"module/entry_points.{len(names)}", "entry_points", names=names)
    yield _case("module/function_is_no_kernel", "unlisted_function")
    yield from _modes()
    harmless = {
        "names": 'OpName %x "a name"\nOpName %kernel "another"\nOpName %uint ""',
        "source": 'OpSource OpenCL_C 120\nOpSourceExtension "cl_khr_fp64"',
        "contraction_off": "OpExecutionMode %kernel ContractionOff",
        "vec_type_hint": "OpExecutionMode %kernel VecTypeHint 262144",
        "processed": 'OpModuleProcessed "by nothing"',
        "unused_types": "%S = OpTypeStruct %uint %v4float\n%A = OpTypeArray %S %uint_7\n%e = OpTypeEvent",
        "unused_constant": "%c = OpConstantComposite %v4float %float_1 %float_2 %float_3 %float_nan",
        "member_names": '%S = OpTypeStruct %uint\nOpMemberName %S 0 "m"\nOpName %S "s"',
        "decoration_group": "OpDecorate %g Constant\n%g = OpDecorationGroup\nOpGroupDecorate %g",
    }
    for name, lines in harmless.items():
        version, needed = ((1, 1), ("il_1.1",)) if name == "processed" else ((1, 0), ())
        yield _case(f"module/harmless.{name}", "harmless", *needed, lines=lines, version=version)
    for library in ("il", "source"):
        yield _case("module/link.{library}", "link", library=library)
    yield from _linkonce()
    yield from _decorated()
    yield _case("module/binary", "binary")
    for name in BUILT_INS:
        yield _case("built_in/{name}", "built_in", name=name)
    for type_name, packed in product(INTEGERS, (False, True)):
        wanted = f"__opencl_c_integer_dot_product_input_4x8bit{'_packed' * packed}"
        features_of = ("cl_khr_integer_dot_product", wanted)
        yield _case("dot/{packed:packed|v4uchar}.{type}", "dot", *features_of, type=type_name, packed=packed)
    for name in ("conversion", "constant", "built_in", "packed"):
        yield _case("decorated/group.{what}", "group", *("opencl3",) * (name == "constant"), what=name)
    for params in combine(op=ATOMICS, local=(False, True)):
        yield _case("atomic/{op}.{local:local|global}", "atomic", **params)


def _linkonce() -> Iterator[Case]:
    """Cases by the linkage that the function has in the kernel's module and in the libraries."""
    once = "LinkOnceODR"
    together: dict[str, tuple[str, ...]] = {
        "alone": (once,),
        "imported": ("Import", once),
        "both": (once, once),
        "three": (once, once, once),
        "imported_of_two": ("Import", once, once),
        "beside_export": (once, "Export"),
        "export_beside": ("Export", once),
        "export_among": (once, once, "Export"),
    }
    for (name, kinds), way in product(together.items(), ("first", "last", "library", "binary")):
        if ("Export" in kinds and way not in ("first", "last")) or (name == "alone" and way in ("last", "library")):
            continue
        params = {"kinds": list(kinds), "variable": False, "way": way}
        yield _AREA.case(f"linkonce/{name}.{way}", "linkonce", "cl_khr_spirv_linkonce_odr", params=params)
    for name in ("alone", "both", "beside_export"):
        params = {"kinds": list(together[name]), "variable": True, "way": "first"}
        yield _AREA.case(f"linkonce/variable.{name}", "linkonce", "cl_khr_spirv_linkonce_odr", params=params)
