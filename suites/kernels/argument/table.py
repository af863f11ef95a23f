"""Kinds of kernel arguments: their declarations, and the answers of queries. Plain Python."""

from dataclasses import dataclass

#: The scalar types, with their sizes in bytes.
SCALARS: dict[str, int] = {
    "char": 1,
    "uchar": 1,
    "short": 2,
    "ushort": 2,
    "int": 4,
    "uint": 4,
    "long": 8,
    "ulong": 8,
    "half": 2,
    "float": 4,
    "double": 8,
}
WIDTHS = (1, 2, 3, 4, 8, 16)

#: Structures that are passed by value, laid out by C's rules (6.3.5): members as (type, extents); a scalar has no extents.
STRUCTS: dict[str, tuple[tuple[str, tuple[int, ...]], ...]] = {
    "char_int": (("char", ()), ("int", ())),
    "char_short_char": (("char", ()), ("short", ()), ("char", ())),
    "char_long": (("char", ()), ("long", ())),
    "int_long_int": (("int", ()), ("long", ()), ("int", ())),
    "char_array": (("char", (7,)), ("uchar", ())),
    "int_array": (("short", ()), ("int", (5,))),
    "float4_char": (("float4", ()), ("char", ())),
    "char_float4": (("char", ()), ("float4", ())),
    "char_short2_char": (("char", ()), ("short2", ()), ("char", ())),
    "uchar3_uchar": (("uchar3", ()), ("uchar", ())),
    "int16_short": (("int16", ()), ("short", ())),
    "float_array_2d": (("uchar", ()), ("float", (3, 3)), ("ushort", (3,))),
    "long_array_3d": (("char", ()), ("long", (2, 1, 3)), ("char", ())),
    "char4_array_2d": (("char", ()), ("char4", (2, 2)), ("short", ())),
    "bytes_256": (("ulong", (32,)),),
    "short_and_284": (("short", ()), ("int", (70,))),
}


@dataclass(frozen=True, slots=True)
class Declaration:
    """The declaration of an argument, and the answers of clGetKernelArgInfo (5.9.4).

    `address`, `access` and `qualifiers` are the words after CL_KERNEL_ARG_ADDRESS_, _ACCESS_ and _TYPE_.
    """

    text: str
    type_name: str
    address: str = "PRIVATE"
    access: str = "NONE"
    qualifiers: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()


def _pointers() -> dict[str, Declaration]:
    rows: dict[str, Declaration] = {}
    for qualifiers in ((), ("const",), ("volatile",), ("const", "volatile")):
        for restrict in (False, True):
            words = (*qualifiers, *(("restrict",) if restrict else ()))
            name = "_".join(("global", *words))
            text = f"__global {' '.join((*qualifiers, 'float'))} *{'restrict ' if restrict else ''}x"
            rows[name] = Declaration(text, "float*", "GLOBAL", qualifiers=tuple(w.upper() for w in words))
    return rows


_IMAGES = ("image1d_t", "image1d_array_t", "image1d_buffer_t", "image2d_t", "image2d_array_t", "image3d_t")
DECLARATIONS: dict[str, Declaration] = {
    **{name: Declaration(f"{name} x", name) for name in ("char", "short", "int", "float", "uchar", "ushort", "uint")},
    "long": Declaration("long x", "long", requires=("int64",)),
    "ulong": Declaration("ulong x", "ulong", requires=("int64",)),
    "double": Declaration("double x", "double", requires=("fp64",)),
    "unsigned_char": Declaration("unsigned char x", "uchar"),
    "unsigned_short": Declaration("unsigned short x", "ushort"),
    "unsigned_int": Declaration("unsigned int x", "uint"),
    "unsigned_long": Declaration("unsigned long x", "ulong", requires=("int64",)),
    **{name: Declaration(f"{name} x", name) for name in ("char2", "ushort3", "int4", "float8", "uint16")},
    "struct": Declaration("struct pair x", "struct pair"),
    "typedef": Declaration("pair_t x", "pair_t"),
    # The qualifier of a parameter that is passed by value does not count (5.9.4).
    "const_value": Declaration("const int x", "int"),
    **_pointers(),
    "constant": Declaration("__constant int *x", "int*", "CONSTANT", qualifiers=("CONST",)),
    "constant_restrict": Declaration("__constant int *restrict x", "int*", "CONSTANT", qualifiers=("CONST", "RESTRICT")),
    "local": Declaration("__local int *x", "int*", "LOCAL"),
    "local_volatile": Declaration("__local volatile uint *x", "uint*", "LOCAL", qualifiers=("VOLATILE",)),
    "global_const_pointer": Declaration("__global int * const x", "int*", "GLOBAL"),
    "global_unsigned": Declaration("__global unsigned int *x", "uint*", "GLOBAL"),
    "global_vector": Declaration("__global float4 *x", "float4*", "GLOBAL"),
    "global_void": Declaration("__global void *x", "void*", "GLOBAL"),
    "global_typedef": Declaration("__global pair_t *x", "pair_t*", "GLOBAL"),
    "sampler": Declaration("sampler_t x", "sampler_t", requires=("images",)),
    **{
        f"{access}_{image[:-2]}": Declaration(
            f"__{access} {image} x", image, "GLOBAL", access.upper(), requires=("images", "images_write")
        )
        for image in _IMAGES[:-1]
        for access in ("read_only", "write_only")
    },
    **{
        f"read_write_{image[:-2]}": Declaration(
            f"__read_write {image} x",
            image,
            "GLOBAL",
            "READ_WRITE",
            requires=("images", "opencl_c_3.0", "__opencl_c_read_write_images"),
        )
        for image in _IMAGES
    },
    "write_only_image3d": Declaration(
        "__write_only image3d_t x", "image3d_t", "GLOBAL", "WRITE_ONLY", requires=("images", "images3d_write")
    ),
    "half_pointer": Declaration("__global half *x", "half*", "GLOBAL"),
    "read_only_image3d": Declaration("__read_only image3d_t x", "image3d_t", "GLOBAL", "READ_ONLY", (), ("images",)),
    "default_image2d": Declaration("image2d_t x", "image2d_t", "GLOBAL", "READ_ONLY", requires=("images",)),
}

#: Values of clSetKernelArg that must be refused: argument of `bad.cl` by index, size, value (a word of run.py), errors.
VALUE, MEMORY, SAMPLER = "CL_INVALID_ARG_VALUE", "CL_INVALID_MEM_OBJECT", "CL_INVALID_SAMPLER"
CLASSES: dict[str, tuple[int, int]] = {
    "char": (0, 1),
    "short": (1, 2),
    "int": (2, 4),
    "float4": (3, 16),
    "int3": (4, 16),
    "struct": (5, 12),
    "global": (6, 8),
    "constant": (7, 8),
}
IMAGE_CLASSES: dict[str, tuple[int, int]] = {"image": (0, 8), "write_image": (1, 8), "sampler": (2, 8)}


def bad_sizes() -> dict[str, tuple[str, int, int]]:
    """Sizes that do not match, as {name: (class, index, size)}: a byte less and more, none, twice."""
    return {
        f"{name}.{word}": (name, index, wrong)
        for name, (index, size) in {**CLASSES, **IMAGE_CLASSES}.items()
        for word, wrong in {"zero": 0, "less": size - 1, "more": size + 1, "twice": 2 * size}.items()
        if name != "char" or word in ("zero", "more")
    }


_IMMUTABLE = "cl_ext_immutable_memory_objects"
#: (kernel, index, size, value, errors, requires). Each of several errors is right; `UNDECIDED` in api/terms.py says why.
BAD_VALUES: dict[str, tuple[str, int, int, str, tuple[str, ...], tuple[str, ...]]] = {
    "int_null": ("plain", 2, 4, "null", (VALUE,), ()),
    "float4_null": ("plain", 3, 16, "null", (VALUE,), ()),
    "struct_null": ("plain", 5, 12, "null", (VALUE,), ()),
    "local_value": ("plain", 8, 4, "zeros", (VALUE,), ()),
    "index": ("plain", 9, 4, "zeros", ("CL_INVALID_ARG_INDEX",), ()),
    "index_far": ("plain", 0xFFFFFFFF, 4, "zeros", ("CL_INVALID_ARG_INDEX",), ()),
    "image_for_global": ("plain", 6, 8, "image2d", (VALUE, MEMORY), ("images",)),
    "image_for_constant": ("plain", 7, 8, "image2d", (VALUE, MEMORY), ("images",)),
    "queue_for_global": ("plain", 6, 8, "queue", (VALUE, MEMORY), ()),
    "program_for_constant": ("plain", 7, 8, "program", (VALUE, MEMORY), ()),
    "context_for_image": ("images", 0, 8, "context", (VALUE, MEMORY), ("images", "images_write")),
    "sampler_for_image": ("images", 0, 8, "sampler", (VALUE, MEMORY), ("images", "images_write")),
    "image_for_sampler": ("images", 2, 8, "image2d", (VALUE, SAMPLER), ("images", "images_write")),
    "kernel_for_sampler": ("images", 2, 8, "kernel", (VALUE, SAMPLER), ("images", "images_write")),
    "image_null": ("images", 0, 8, "null", (VALUE, MEMORY), ("images", "images_write")),
    "image_null_object": ("images", 0, 8, "zeros", (VALUE, MEMORY), ("images", "images_write")),
    "buffer_for_image": ("images", 0, 8, "buffer", (VALUE, MEMORY), ("images", "images_write")),
    "image1d_for_image2d": ("images", 0, 8, "image1d", (VALUE, MEMORY), ("images", "images_write")),
    "image3d_for_image2d": ("images", 0, 8, "image3d", (VALUE, MEMORY), ("images", "images_write")),
    "write_only_for_read_only": ("images", 0, 8, "write_only_image", (VALUE,), ("images", "images_write")),
    "read_only_for_write_only": ("images", 1, 8, "read_only_image", (VALUE,), ("images", "images_write")),
    "immutable_for_write_only": ("images", 1, 8, "immutable_image", (VALUE,), ("images", "images_write", _IMMUTABLE)),
    "sampler_null": ("images", 2, 8, "null", (VALUE, SAMPLER), ("images", "images_write")),
    "sampler_null_object": ("images", 2, 8, "zeros", (VALUE, SAMPLER), ("images", "images_write")),
}

#: Declarations of arguments that a kernel never uses; and the names of those that are objects.
UNUSED: dict[str, str] = {
    "value": "float4 x",
    "struct": "pair x",
    "buffer": "__global int *x",
    "constant": "__constant int *x",
    "local": "__local int *x",
    "image": "__read_only image2d_t x",
    "write_image": "__write_only image2d_t x",
    "sampler": "sampler_t x",
}
UNUSED_OBJECTS: dict[str, tuple[str, ...]] = {
    "buffer": (),
    "constant": (),
    "image": ("images",),
    "write_image": ("images", "images_write"),
    "sampler": ("images",),
}

GROUPS: tuple[tuple[int, ...], ...] = ((1, 1, 1), (8, 1, 1), (4, 2, 1), (2, 2, 2), (1, 8, 1), (1, 1, 4))
SUGGESTED: tuple[tuple[int, ...], ...] = (
    (1,),
    (7,),
    (64,),
    (97,),
    (1000,),
    (4096,),
    (8, 8),
    (1, 64),
    (30, 7),
    (128, 96),
    (4, 4, 4),
    (1, 1, 32),
    (12, 10, 6),
)
SUB_GROUPS: tuple[tuple[int, ...], ...] = ((1,), (7,), (16,), (33,), (64,), (8, 4), (1, 16), (4, 4, 2), (1, 1, 9))
