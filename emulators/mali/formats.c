/* Pixel formats by their number and the order of their components (enums Format and RGB Component Order of Mesa's
 * src/panfrost/lib/genxml/v7.xml; before v7 each component's channel is given instead of the order).
 */
#include "images.h"

/* Most numbers say what they are: 3 bits of kind, 2 of channels, 3 of size. */
static const struct { u8 numbers, bits; } KINDS[8][8] = {
   [3] = {[2] = {SNORM, 4}, [3] = {SNORM, 8}, [4] = {SNORM, 16}},
   [4] = {[2] = {UINT, 4}, [3] = {UINT, 8}, [4] = {UINT, 16}, [5] = {UINT, 32}},
   [5] = {[2] = {UNORM, 4}, [3] = {UNORM, 8}, [4] = {UNORM, 16}, [7] = {FLOAT, 32}},
   [6] = {[2] = {SINT, 4}, [3] = {SINT, 8}, [4] = {SINT, 16}, [5] = {SINT, 32}, [7] = {FLOAT, 16}},
};

enum { CONSTANT = 95 };

static const struct { u8 number; Format format; } OTHERS[] = {
   {24, {"R8A8", UNORM, 2, 2, {8, 8}}},
   {26, {"A8", UNORM, 1, 1, {8}}},
   {64, {"RGB565", UNORM, 3, 2, {5, 6, 5}}},
   {65, {"RGB5_A1", UNORM, 4, 2, {5, 5, 5, 1}}},
   {67, {"RGB10_A2", UNORM, 4, 4, {10, 10, 10, 2}}},
   {71, {"RGB10_A2UI", UINT, 4, 4, {10, 10, 10, 2}}},
   {73, {"RGB10_A2I", SINT, 4, 4, {10, 10, 10, 2}}},
   {75, {"Z16", UNORM, 1, 2, {16}}},
   {77, {"Z24X8", UNORM, 1, 4, {24}}},
   {89, {"R11F_G11F_B10F", UNSIGNED_FLOAT, 3, 4, {11, 11, 10}}},
   {94, {"Snap 4", FLOAT, 4, 16, {32, 32, 32, 32}}}, /* for positions, which are not snapped here */
   {CONSTANT, {"Constant", FLOAT, 1, 4, {32}}},
   {91, {"R9F_G9F_B9F_E5F", SHARED_EXPONENT, 3, 4, {9, 9, 9}}},
};

/* Which channel is red, green, blue, alpha. */
static const struct { u8 order, place[4]; } ORDERS[] = {
   {0, {0, 1, 2, 3}}, {4, {2, 1, 0, 3}}, {8, {1, 2, 3, 0}}, {12, {3, 2, 1, 0}}, {16, {0, 1, 2, ABSENT}}, {20, {2, 1, 0, ABSENT}},
   {24, {1, 2, 3, ABSENT}}, {28, {3, 2, 1, ABSENT}}, {226, {0, 0, 0, 0}}, {227, {0, 0, 0, ABSENT}}, {228, {0, 0, 0, 1}},
   {229, {ABSENT, ABSENT, ABSENT, 0}}, {231, {ABSENT, ABSENT, ABSENT, ABSENT}},
};

static const Format *regular(u32 number)
{
   static Format known[256];
   u8 bits = KINDS[number >> 5][number & 7].bits, channels = (number >> 3 & 3) + 1;
   if (!bits || (bits == 4 && channels & 1))
      return NULL;
   known[number] = (Format){"", KINDS[number >> 5][number & 7].numbers, channels, channels * bits / 8, {bits, bits, bits, bits}};
   return &known[number];
}

const Format *format_of(u32 pixel_format, u8 place[4], bool *srgb)
{
   u32 number = BITS(pixel_format, 12, 19), order = BITS(pixel_format, 0, 11);
   const Format *found = regular(number);
   for (u32 n = 0; n < COUNT(OTHERS); n++)
      if (OTHERS[n].number == number)
         found = &OTHERS[n].format;
   u32 n = 0;
   while (n < COUNT(ORDERS) && ORDERS[n].order != order)
      n++;
   if (!found || (gpu_arch >= 7 && n == COUNT(ORDERS)))
      stop(UNKNOWN, "the pixel format %u of components %u", number, order);
   for (u32 c = 0; c < 4; c++)
      place[c] = gpu_arch >= 7 ? ORDERS[n].place[c] : (order >> 3 * c & 7) < 4 ? order >> 3 * c & 3 : ABSENT;
   *srgb = pixel_format >> 20 & 1;
   return found;
}

bool is_constant(u32 pixel_format) { return BITS(pixel_format, 12, 19) == CONSTANT; }

bool of_integers(const Format *f) { return f->numbers == UINT || f->numbers == SINT; }

void store_texels(const Format *f, const u8 place[4], bool srgb, u8 *const to[LANES], u32 texel[4][LANES])
{
   u8 own[4];
   for (u32 c = 0; c < 4; c++) {
      own[c] = place[c];
      for (u32 k = 0; k < c; k++)
         own[c] = own[k] == place[c] ? ABSENT : own[c];
   }
   texels_encode(f, srgb, own, to, LANES, texel);
}

/* In a tile a texel's number has, from its highest bit on, y3, y3 ^ x3, y2 and so on. */
u64 texel_offset(const Texture *t, u64 row_stride, u32 x, u32 y)
{
   u32 bytes = t->image.format->bytes, number = 0;
   if (!t->tiled)
      return y * row_stride + (u64)x * bytes;
   for (u32 bit = 0; bit < 4; bit++)
      number |= ((x ^ y) >> bit & 1) << 2 * bit | (y >> bit & 1) << (2 * bit + 1);
   return (y >> 4) * row_stride + ((u64)(x >> 4) * 256 + number) * bytes;
}
