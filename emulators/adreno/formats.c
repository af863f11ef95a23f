/* The formats of a6xx and a7xx; numbers: a6xx_format of Mesa's src/freedreno/registers/adreno/a6xx.xml.
 *
 * Left out are formats that only vertices have, formats with blocks of texels (ETC, ASTC, DXT, ...), and those with
 * planes (NV12, ...).
 */
#include "layout.h"

#define SAME(name, numbers, channels, bits) {name, numbers, channels, (channels) * (bits) / 8, {bits, bits, bits, bits}}
#define OWN(name, numbers, channels, bytes, ...) {name, numbers, channels, bytes, {__VA_ARGS__}}

const Format formats[256] = {
   [0x02] = SAME("A8_UNORM", UNORM, 1, 8),
   [0x03] = SAME("8_UNORM", UNORM, 1, 8),
   [0x04] = SAME("8_SNORM", SNORM, 1, 8),
   [0x05] = SAME("8_UINT", UINT, 1, 8),
   [0x06] = SAME("8_SINT", SINT, 1, 8),
   [0x08] = OWN("4_4_4_4_UNORM", UNORM, 4, 2, 4, 4, 4, 4),
   [0x0a] = OWN("5_5_5_1_UNORM", UNORM, 4, 2, 5, 5, 5, 1),
   [0x0c] = OWN("1_5_5_5_UNORM", UNORM, 4, 2, 1, 5, 5, 5),
   [0x0e] = OWN("5_6_5_UNORM", UNORM, 3, 2, 5, 6, 5),
   [0x0f] = SAME("8_8_UNORM", UNORM, 2, 8),
   [0x10] = SAME("8_8_SNORM", SNORM, 2, 8),
   [0x11] = SAME("8_8_UINT", UINT, 2, 8),
   [0x12] = SAME("8_8_SINT", SINT, 2, 8),
   [0x15] = SAME("16_UNORM", UNORM, 1, 16),
   [0x16] = SAME("16_SNORM", SNORM, 1, 16),
   [0x17] = SAME("16_FLOAT", FLOAT, 1, 16),
   [0x18] = SAME("16_UINT", UINT, 1, 16),
   [0x19] = SAME("16_SINT", SINT, 1, 16),
   [0x21] = SAME("8_8_8_UNORM", UNORM, 3, 8),
   [0x22] = SAME("8_8_8_SNORM", SNORM, 3, 8),
   [0x23] = SAME("8_8_8_UINT", UINT, 3, 8),
   [0x24] = SAME("8_8_8_SINT", SINT, 3, 8),
   [0x30] = SAME("8_8_8_8_UNORM", UNORM, 4, 8),
   [0x31] = OWN("8_8_8_X8_UNORM", UNORM, 3, 4, 8, 8, 8),
   [0x32] = SAME("8_8_8_8_SNORM", SNORM, 4, 8),
   [0x33] = SAME("8_8_8_8_UINT", UINT, 4, 8),
   [0x34] = SAME("8_8_8_8_SINT", SINT, 4, 8),
   [0x35] = OWN("9_9_9_E5_FLOAT", SHARED_EXPONENT, 3, 4, 9, 9, 9),
   [0x36] = OWN("10_10_10_2_UNORM", UNORM, 4, 4, 10, 10, 10, 2),
   [0x37] = OWN("10_10_10_2_UNORM_DEST", UNORM, 4, 4, 10, 10, 10, 2),
   [0x39] = OWN("10_10_10_2_SNORM", SNORM, 4, 4, 10, 10, 10, 2),
   [0x3a] = OWN("10_10_10_2_UINT", UINT, 4, 4, 10, 10, 10, 2),
   [0x3b] = OWN("10_10_10_2_SINT", SINT, 4, 4, 10, 10, 10, 2),
   [0x42] = OWN("11_11_10_FLOAT", UNSIGNED_FLOAT, 3, 4, 11, 11, 10),
   [0x43] = SAME("16_16_UNORM", UNORM, 2, 16),
   [0x44] = SAME("16_16_SNORM", SNORM, 2, 16),
   [0x45] = SAME("16_16_FLOAT", FLOAT, 2, 16),
   [0x46] = SAME("16_16_UINT", UINT, 2, 16),
   [0x47] = SAME("16_16_SINT", SINT, 2, 16),
   [0x4a] = SAME("32_FLOAT", FLOAT, 1, 32),
   [0x4b] = SAME("32_UINT", UINT, 1, 32),
   [0x4c] = SAME("32_SINT", SINT, 1, 32),
   [0x58] = SAME("16_16_16_UNORM", UNORM, 3, 16),
   [0x59] = SAME("16_16_16_SNORM", SNORM, 3, 16),
   [0x5a] = SAME("16_16_16_FLOAT", FLOAT, 3, 16),
   [0x5b] = SAME("16_16_16_UINT", UINT, 3, 16),
   [0x5c] = SAME("16_16_16_SINT", SINT, 3, 16),
   [0x60] = SAME("16_16_16_16_UNORM", UNORM, 4, 16),
   [0x61] = SAME("16_16_16_16_SNORM", SNORM, 4, 16),
   [0x62] = SAME("16_16_16_16_FLOAT", FLOAT, 4, 16),
   [0x63] = SAME("16_16_16_16_UINT", UINT, 4, 16),
   [0x64] = SAME("16_16_16_16_SINT", SINT, 4, 16),
   [0x67] = SAME("32_32_FLOAT", FLOAT, 2, 32),
   [0x68] = SAME("32_32_UINT", UINT, 2, 32),
   [0x69] = SAME("32_32_SINT", SINT, 2, 32),
   [0x72] = SAME("32_32_32_UINT", UINT, 3, 32),
   [0x73] = SAME("32_32_32_SINT", SINT, 3, 32),
   [0x74] = SAME("32_32_32_FLOAT", FLOAT, 3, 32),
   [0x82] = SAME("32_32_32_32_FLOAT", FLOAT, 4, 32),
   [0x83] = SAME("32_32_32_32_UINT", UINT, 4, 32),
   [0x84] = SAME("32_32_32_32_SINT", SINT, 4, 32),
   [0x91] = SAME("Z24_UNORM_S8_UINT_AS_R8G8B8A8", UNORM, 4, 8),
   [0xa0] = OWN("Z24_UNORM_S8_UINT", UNORM, 1, 4, 24),
};

/* Mesa's src/freedreno/common/freedreno_ubwc.h: signed and unsigned integers are one kind; from a740 on, normalized
 * formats of the same size belong to it, too. Depths are blitted as four bytes. */
u32 kin_of(u32 format)
{
   switch (format) {
   case 0x12: return 0x11;
   case 0x34: return 0x33;
   case 0x47: return 0x46;
   case 0x4c: return 0x4b;
   case 0x64: return 0x63;
   case 0x69: return 0x68;
   case 0x84: return 0x83;
   case 0x36: return 0x37;
   case 0xa0: return 0x91;
   default: return format;
   }
}
