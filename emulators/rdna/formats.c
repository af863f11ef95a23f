/* The formats of gfx11's buffers and images, by number; Mesa's src/amd/registers/gfx11-rsrc.json. */
#include "resources.h"
#include <stdio.h>

#define SAME(numbers, channels, bits, text) {text, numbers, channels, (channels) * (bits) / 8, {bits, bits, bits, bits}}
#define OWN(numbers, channels, bytes, text, ...) {text, numbers, channels, bytes, {__VA_ARGS__}}

enum { SRGB_8 = 64, SRGB_8_8 = 65, SRGB_8_8_8_8 = 66 };

static const Format formats[128] = {
   [1] = SAME(UNORM, 1, 8, "8_UNORM"), SAME(SNORM, 1, 8, "8_SNORM"),
   [5] = SAME(UINT, 1, 8, "8_UINT"), SAME(SINT, 1, 8, "8_SINT"), SAME(UNORM, 1, 16, "16_UNORM"), SAME(SNORM, 1, 16, "16_SNORM"),
   [11] = SAME(UINT, 1, 16, "16_UINT"), SAME(SINT, 1, 16, "16_SINT"), SAME(FLOAT, 1, 16, "16_FLOAT"),
   SAME(UNORM, 2, 8, "8_8_UNORM"), SAME(SNORM, 2, 8, "8_8_SNORM"),
   [18] = SAME(UINT, 2, 8, "8_8_UINT"), SAME(SINT, 2, 8, "8_8_SINT"), SAME(UINT, 1, 32, "32_UINT"), SAME(SINT, 1, 32, "32_SINT"),
   SAME(FLOAT, 1, 32, "32_FLOAT"), SAME(UNORM, 2, 16, "16_16_UNORM"), SAME(SNORM, 2, 16, "16_16_SNORM"),
   [27] = SAME(UINT, 2, 16, "16_16_UINT"), SAME(SINT, 2, 16, "16_16_SINT"), SAME(FLOAT, 2, 16, "16_16_FLOAT"),
   [30] = OWN(UNSIGNED_FLOAT, 3, 4, "10_11_11_FLOAT", 11, 11, 10), OWN(UNSIGNED_FLOAT, 3, 4, "11_11_10_FLOAT", 10, 11, 11),
   OWN(UNORM, 4, 4, "10_10_10_2_UNORM", 2, 10, 10, 10), OWN(SNORM, 4, 4, "10_10_10_2_SNORM", 2, 10, 10, 10),
   OWN(UINT, 4, 4, "10_10_10_2_UINT", 2, 10, 10, 10), OWN(SINT, 4, 4, "10_10_10_2_SINT", 2, 10, 10, 10),
   [36] = OWN(UNORM, 4, 4, "2_10_10_10_UNORM", 10, 10, 10, 2), OWN(SNORM, 4, 4, "2_10_10_10_SNORM", 10, 10, 10, 2),
   [40] = OWN(UINT, 4, 4, "2_10_10_10_UINT", 10, 10, 10, 2), OWN(SINT, 4, 4, "2_10_10_10_SINT", 10, 10, 10, 2),
   SAME(UNORM, 4, 8, "8_8_8_8_UNORM"), SAME(SNORM, 4, 8, "8_8_8_8_SNORM"),
   [46] = SAME(UINT, 4, 8, "8_8_8_8_UINT"), SAME(SINT, 4, 8, "8_8_8_8_SINT"), SAME(UINT, 2, 32, "32_32_UINT"), SAME(SINT, 2, 32, "32_32_SINT"),
   SAME(FLOAT, 2, 32, "32_32_FLOAT"), SAME(UNORM, 4, 16, "16_16_16_16_UNORM"), SAME(SNORM, 4, 16, "16_16_16_16_SNORM"),
   [55] = SAME(UINT, 4, 16, "16_16_16_16_UINT"), SAME(SINT, 4, 16, "16_16_16_16_SINT"), SAME(FLOAT, 4, 16, "16_16_16_16_FLOAT"),
   SAME(UINT, 3, 32, "32_32_32_UINT"), SAME(SINT, 3, 32, "32_32_32_SINT"), SAME(FLOAT, 3, 32, "32_32_32_FLOAT"),
   SAME(UINT, 4, 32, "32_32_32_32_UINT"), SAME(SINT, 4, 32, "32_32_32_32_SINT"), SAME(FLOAT, 4, 32, "32_32_32_32_FLOAT"),
   [SRGB_8] = SAME(UNORM, 1, 8, "8_SRGB"), SAME(UNORM, 2, 8, "8_8_SRGB"), SAME(UNORM, 4, 8, "8_8_8_8_SRGB"),
   [67] = OWN(SHARED_EXPONENT, 3, 4, "5_9_9_9_FLOAT", 9, 9, 9), OWN(UNORM, 3, 2, "5_6_5_UNORM", 5, 6, 5),
   OWN(UNORM, 4, 2, "1_5_5_5_UNORM", 5, 5, 5, 1), OWN(UNORM, 4, 2, "5_5_5_1_UNORM", 1, 5, 5, 5), SAME(UNORM, 4, 4, "4_4_4_4_UNORM"),
};

/* gfx10 has more formats in between (gfx10-rsrc.json): their first number, how many they are, and the number of the
 * first one here. */
static u32 format_of_10(u32 number)
{
   static const u8 ranges[][3] = {{0, 30, 0}, {36, 1, 30}, {43, 3, 31}, {48, 30, 34}, {128, 3, 64}, {132, 5, 67}};
   for (u32 n = 0; n < COUNT(ranges); n++)
      if (number >= ranges[n][0] && number - ranges[n][0] < ranges[n][1])
         return ranges[n][2] + number - ranges[n][0];
   stop(UNKNOWN, "the format %u", number);
}

/* gfx9 (gfx9.json) has the bits of the channels and the kind of numbers separately. Returns the format here, or a
 * number that is not a format. */
u16 format_of_9(u32 data, u32 numbers)
{
   enum { SRGB_9 = 9 };
   static const u8 known[][10] = { /* UNORM, SNORM, USCALED and SSCALED, UINT, SINT, -, FLOAT, -, SRGB */
      [1] = {1, 2, 0, 0, 5, 6, [SRGB_9] = 64}, {7, 8, 0, 0, 11, 12, 0, 13}, {14, 15, 0, 0, 18, 19, [SRGB_9] = 65}, {0, 0, 0, 0, 20, 21, 0, 22},
      {23, 24, 0, 0, 27, 28, 0, 29}, {[7] = 30}, {[7] = 31}, {32, 33, 0, 0, 34, 35}, {36, 37, 0, 0, 40, 41}, {42, 43, 0, 0, 46, 47, [SRGB_9] = 66},
      {0, 0, 0, 0, 48, 49, 0, 50}, {51, 52, 0, 0, 55, 56, 0, 57}, {0, 0, 0, 0, 58, 59, 0, 60}, {0, 0, 0, 0, 61, 62, 0, 63},
      [16] = {68}, {69}, {70}, {71}, [34] = {[7] = 67},
   };
   u16 format = data < COUNT(known) && numbers < COUNT(known[0]) ? known[data][numbers] : 0;
   return format ? format : 0x8000 | data << 4 | numbers;
}

/* A draw's targets have other numbers (ColorFormat, SurfaceNumber) for the formats above. */
const Format *format_of_color(u32 format, u32 numbers, bool *srgb)
{
   static const char *const bits[32] = {
      [1] = "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10", "10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16",
      [14] = "32_32_32_32", [16] = "5_6_5", "1_5_5_5", "5_5_5_1", "4_4_4_4", [24] = "5_9_9_9",
   };
   static const char *const kinds[8] = {"UNORM", "SNORM", [4] = "UINT", "SINT", "SRGB", "FLOAT"};
   char name[32] = "";
   if (format < COUNT(bits) && bits[format] && numbers < COUNT(kinds) && kinds[numbers])
      snprintf(name, sizeof name, "%s_%s", bits[format], kinds[numbers]);
   *srgb = numbers == 6;
   for (u32 n = 0; n < COUNT(formats); n++)
      if (formats[n].name && !strcmp(formats[n].name, name))
         return &formats[n];
   stop(UNKNOWN, "a draw to the format %u of the kind %u", format, numbers);
}

const Format *format_of(u32 number, bool *srgb)
{
   if (gpu.gfx == 10)
      number = format_of_10(number);
   if (number >= COUNT(formats) || !formats[number].name)
      stop(UNKNOWN, "the format %u", number);
   *srgb = number >= SRGB_8 && number <= SRGB_8_8_8_8;
   return &formats[number];
}
