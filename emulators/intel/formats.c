/* Surface formats by their number in a surface's state (Intel's Tiger Lake reference manual, volume 2d, SURFACE_FORMAT). */
#include "messages.h"

enum Order { RGBA, BGRA, ALPHA, LUMINANCE, LUMINANCE_ALPHA, INTENSITY };
static const u8 PLACES[][4] = {
   [RGBA] = {0, 1, 2, 3}, [BGRA] = {2, 1, 0, 3}, [ALPHA] = {ABSENT, ABSENT, ABSENT, 0}, [LUMINANCE] = {0, 0, 0, ABSENT},
   [LUMINANCE_ALPHA] = {0, 0, 0, 1}, [INTENSITY] = {0, 0, 0, 0},
};

#define SAME(number, numbers, channels, bits) {number, RGBA, false, {#number, numbers, channels, (channels) * (bits) / 8, {bits, bits, bits, bits}}}
#define OWN(number, order, srgb, numbers, channels, bytes, ...) {number, order, srgb, {#number, numbers, channels, bytes, {__VA_ARGS__}}}

static const struct {
   u16 number;
   u8 order;
   bool srgb;
   Format format;
} FORMATS[] = {
   SAME(0x000, FLOAT, 4, 32), SAME(0x001, SINT, 4, 32), SAME(0x002, UINT, 4, 32), SAME(0x040, FLOAT, 3, 32),
   SAME(0x041, SINT, 3, 32), SAME(0x042, UINT, 3, 32), SAME(0x080, UNORM, 4, 16), SAME(0x081, SNORM, 4, 16),
   SAME(0x082, SINT, 4, 16), SAME(0x083, UINT, 4, 16), SAME(0x084, FLOAT, 4, 16), SAME(0x085, FLOAT, 2, 32),
   SAME(0x086, SINT, 2, 32), SAME(0x087, UINT, 2, 32), OWN(0x08f, RGBA, false, FLOAT, 3, 8, 16, 16, 16),
   OWN(0x0c0, BGRA, false, UNORM, 4, 4, 8, 8, 8, 8), OWN(0x0c1, BGRA, true, UNORM, 4, 4, 8, 8, 8, 8),
   OWN(0x0c2, RGBA, false, UNORM, 4, 4, 10, 10, 10, 2), SAME(0x0c7, UNORM, 4, 8),
   OWN(0x0c8, RGBA, true, UNORM, 4, 4, 8, 8, 8, 8), SAME(0x0c9, SNORM, 4, 8), SAME(0x0ca, SINT, 4, 8), SAME(0x0cb, UINT, 4, 8),
   SAME(0x0cc, UNORM, 2, 16), SAME(0x0cd, SNORM, 2, 16), SAME(0x0ce, SINT, 2, 16), SAME(0x0cf, UINT, 2, 16),
   SAME(0x0d0, FLOAT, 2, 16), OWN(0x0d3, RGBA, false, UNSIGNED_FLOAT, 3, 4, 11, 11, 10), SAME(0x0d6, SINT, 1, 32),
   SAME(0x0d7, UINT, 1, 32), SAME(0x0d8, FLOAT, 1, 32), OWN(0x0e9, BGRA, false, UNORM, 3, 4, 8, 8, 8),
   OWN(0x0eb, RGBA, false, UNORM, 3, 4, 8, 8, 8), OWN(0x100, BGRA, false, UNORM, 3, 2, 5, 6, 5),
   OWN(0x102, BGRA, false, UNORM, 4, 2, 5, 5, 5, 1), OWN(0x104, BGRA, false, UNORM, 4, 2, 4, 4, 4, 4),
   SAME(0x106, UNORM, 2, 8), SAME(0x107, SNORM, 2, 8), SAME(0x108, SINT, 2, 8), SAME(0x109, UINT, 2, 8),
   SAME(0x10a, UNORM, 1, 16), SAME(0x10b, SNORM, 1, 16), SAME(0x10c, SINT, 1, 16), SAME(0x10d, UINT, 1, 16),
   SAME(0x10e, FLOAT, 1, 16), SAME(0x140, UNORM, 1, 8), SAME(0x141, SNORM, 1, 8), SAME(0x142, SINT, 1, 8),
   SAME(0x143, UINT, 1, 8), OWN(0x144, ALPHA, false, UNORM, 1, 1, 8), SAME(0x193, UNORM, 3, 8), SAME(0x1c8, UINT, 3, 8),
   SAME(0x1c9, SINT, 3, 8), OWN(0x19c, RGBA, false, UNORM, 3, 6, 16, 16, 16),
};

const Format *format_of(u32 number, u8 place[4], bool *srgb)
{
   for (u32 n = 0; n < COUNT(FORMATS); n++) {
      if (FORMATS[n].number != number)
         continue;
      const Format *f = &FORMATS[n].format;
      for (u32 c = 0; c < 4; c++) {
         u8 channel = PLACES[FORMATS[n].order][c];
         place[c] = channel < f->channels ? channel : ABSENT;
      }
      *srgb = FORMATS[n].srgb;
      return f;
   }
   stop(UNKNOWN, "surface format 0x%x", number);
}
