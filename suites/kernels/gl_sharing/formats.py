"""The targets and internal formats of OpenGL that OpenCL images may share, and their texels in both APIs."""

from dataclasses import dataclass

from runner.image_formats import CHANNELS, ORDERS

_GL_TYPES = {
    "uint8": 0x1401, "int8": 0x1400, "uint16": 0x1403, "int16": 0x1402, "uint32": 0x1405, "int32": 0x1404,
    "float16": 0x140B, "float32": 0x1406,
}  # fmt: skip
_TRANSFER = {"r": 0x1903, "rg": 0x8227, "rgba": 0x1908}  # GL_RED, GL_RG, GL_RGBA
_TRANSFER_INTEGER = {"r": 0x8D94, "rg": 0x8228, "rgba": 0x8D99}
_STORED = {
    "unorm8": "uint8", "unorm16": "uint16", "snorm8": "int8", "snorm16": "int16", "half": "float16", "float": "float32",
    "sint8": "int8", "sint16": "int16", "sint32": "int32", "uint8": "uint8", "uint16": "uint16", "uint32": "uint32",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Format:
    """A sized internal format, and its name in OpenCL, such as rgba.unorm8."""

    internal: int
    name: str

    @property
    def order(self) -> str:
        """The letters of its channels."""
        return self.name.partition(".")[0]

    @property
    def channel(self) -> str:
        """The type of a channel."""
        return self.name.partition(".")[2]

    @property
    def channels(self) -> int:
        """The number of channels."""
        return len(self.order)

    @property
    def stored(self) -> str:
        """The numpy type of a channel in memory."""
        return _STORED[self.channel]

    @property
    def is_integer(self) -> bool:
        """Whether a kernel reads it as integers."""
        return "int" in self.channel

    @property
    def transfer(self) -> tuple[int, int]:
        """OpenGL's format and type for a transfer without a conversion."""
        return (_TRANSFER_INTEGER if self.is_integer else _TRANSFER)[self.order], _GL_TYPES[self.stored]

    @property
    def image_format(self) -> tuple[int, int]:
        """OpenCL's channel order and data type."""
        return ORDERS[self.order], CHANNELS[self.channel]

    @property
    def scale(self) -> int:
        """The stored value of 1.0 in a normalised channel; 0 for other channels."""
        return {"unorm8": 255, "unorm16": 65535, "snorm8": 127, "snorm16": 32767}.get(self.channel, 0)


#: The formats by OpenGL's names, with those of OpenCL to which the extension maps them.
FORMATS = {
    "rgba8": Format(0x8058, "rgba.unorm8"),
    "rgba8_snorm": Format(0x8F97, "rgba.snorm8"),
    "rgba16": Format(0x805B, "rgba.unorm16"),
    "rgba16_snorm": Format(0x8F9B, "rgba.snorm16"),
    "rgba8i": Format(0x8D8E, "rgba.sint8"),
    "rgba16i": Format(0x8D88, "rgba.sint16"),
    "rgba32i": Format(0x8D82, "rgba.sint32"),
    "rgba8ui": Format(0x8D7C, "rgba.uint8"),
    "rgba16ui": Format(0x8D76, "rgba.uint16"),
    "rgba32ui": Format(0x8D70, "rgba.uint32"),
    "rgba16f": Format(0x881A, "rgba.half"),
    "rgba32f": Format(0x8814, "rgba.float"),
    "r8": Format(0x8229, "r.unorm8"),
    "r16ui": Format(0x8234, "r.uint16"),
    "r32i": Format(0x8235, "r.sint32"),
    "r32f": Format(0x822E, "r.float"),
    "rg8": Format(0x822B, "rg.unorm8"),
    "rg16f": Format(0x822F, "rg.half"),
    "rg32ui": Format(0x823C, "rg.uint32"),
}


@dataclass(frozen=True, slots=True)
class Target:
    """A texture target: the sizes of its textures, whether the last one is a number of layers, and its types in OpenCL."""

    gl: int
    sizes: tuple[int, ...]  # of level 0
    layers: bool
    memory: int  # CL_MEM_OBJECT_*
    kind: int  # CL_GL_OBJECT_*
    image: str  # the type in OpenCL C
    coordinate: str
    binding: int = 0  # if it is not `gl`

    @property
    def bound(self) -> int:
        """The target to which the texture is bound."""
        return self.binding or self.gl

    def sizes_of(self, level: int) -> tuple[int, ...]:
        """The sizes of a level: width, height, and depth or layers, as far as the target has them."""
        shrunk = tuple(max(1, size >> level) for size in self.sizes)
        return (*shrunk[:-1], self.sizes[-1]) if self.layers else shrunk


_IMAGE_2D = (False, 0x10F1, 0x2001, "image2d_t", "(int2)(x, y)")
_ARRAY = (True, 0x10F3, 0x200E, "image2d_array_t", "(int4)(x, y, z, 0)")
_IMAGE_3D = (False, 0x10F2, 0x2002, "image3d_t", "(int4)(x, y, z, 0)")
CUBE = {
    f"cube_{sign}{axis}": Target(0x8515 + 2 * n + m, (20, 20), *_IMAGE_2D, binding=0x8513)
    for n, axis in enumerate("xyz")
    for m, sign in enumerate("pn")
}
#: Widths and heights are odd, so that no pitch equals one. But if images follow each other, a driver may round up their
#: distance, so odd sizes of these have targets of their own.
TARGETS = {
    "1d": Target(0x0DE0, (37,), False, 0x10F4, 0x200F, "image1d_t", "x"),
    "1d_array": Target(0x8C18, (37, 5), True, 0x10F5, 0x2010, "image1d_array_t", "(int2)(x, y)"),
    "2d": Target(0x0DE1, (19, 13), *_IMAGE_2D),
    "rectangle": Target(0x84F5, (19, 13), *_IMAGE_2D),
    "2d_array": Target(0x8C1A, (19, 16, 3), *_ARRAY),
    "2d_array_odd": Target(0x8C1A, (19, 13, 3), *_ARRAY),
    "3d": Target(0x806F, (19, 16, 5), *_IMAGE_3D),
    "3d_odd": Target(0x806F, (19, 13, 5), *_IMAGE_3D),
    "texture_buffer": Target(0x8C2A, (37,), False, 0x10F6, 0x2011, "image1d_buffer_t", "x"),
    **CUBE,
    "cube_nz_odd": Target(CUBE["cube_nz"].gl, (13, 13), *_IMAGE_2D, binding=0x8513),
}
