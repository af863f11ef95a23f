/* Conversions of texels between formats and numbers, rounded once.
 *
 * Each channel has two loops over the lanes: one gathers or scatters codes, the other one converts, without branches,
 * so that it can be vectorized.
 */
#include "image.h"
#include <math.h>

/* ---- floats of few bits */

/* Unsigned floats: 5 bits of exponent above `mantissa` bits. */
static float small_float(u32 code, u32 mantissa)
{
   u32 exponent = code >> mantissa, fraction = code & ((1u << mantissa) - 1);
   if (exponent == 31)
      return fraction ? NAN : INFINITY;
   return exponent ? ldexpf((float)(fraction | 1u << mantissa), (int)(exponent - 15 - mantissa)) : ldexpf((float)fraction, -14 - (int)mantissa);
}

static u32 small_code(float value, u32 mantissa)
{
   u32 infinity = 31u << mantissa;
   if (value != value)
      return infinity | 1;
   if (value <= 0)
      return 0;
   int exponent = value < INFINITY ? ilogbf(value) : 16;
   if (exponent > 15)
      return infinity;
   exponent = exponent < -14 ? -14 : exponent;
   u32 code = ((u32)(exponent + 14) << mantissa) + (u32)rint(ldexp(value, (int)mantissa - exponent));
   return code < infinity ? code : infinity;
}

/* ---- sRGB (IEC 61966-2-1), of codes of 8 bits */

static const u32 *srgb_table(void)
{
   static u32 table[256];
   if (!table[255]) {
      for (u32 code = 0; code < 255; code++) {
         double v = code / 255.0;
         table[code] = float_bits((float)(v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)));
      }
      table[255] = float_bits(1.0f);
   }
   return table;
}

static float to_srgb(float value)
{
   double v = value > 0 ? value < 1 ? value : 1 : 0;
   return (float)(v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055);
}

/* ---- codes as numbers */

static void decode_channel(enum Numbers numbers, u32 bits, u32 *v, u32 lanes)
{
   u32 top = bits < 32 ? (1u << bits) - 1 : ~0u, half = top >> 1;
   switch (numbers) {
   case UNORM: /* both have at most 24 bits, so only the division rounds */
      for (u32 i = 0; i < lanes; i++)
         v[i] = float_bits((float)(i32)v[i] / (float)(i32)top);
      break;
   case SNORM:
      for (u32 i = 0; i < lanes; i++) {
         float f = (float)((i32)(v[i] << (32 - bits)) >> (32 - bits)) / (float)(i32)half;
         v[i] = float_bits(f < -1.0f ? -1.0f : f);
      }
      break;
   case SINT:
      for (u32 i = 0; i < lanes; i++)
         v[i] = (u32)((i32)(v[i] << (32 - bits)) >> (32 - bits));
      break;
   case FLOAT:
      for (u32 i = 0; bits == 16 && i < lanes; i++)
         v[i] = float_bits(half_float(v[i]));
      break;
   case UNSIGNED_FLOAT:
      for (u32 i = 0; i < lanes; i++)
         v[i] = float_bits(small_float(v[i], bits - 5));
      break;
   case UINT: case SHARED_EXPONENT:
      break;
   }
}

static void encode_channel(enum Numbers numbers, u32 bits, const u32 *v, u32 *code, u32 lanes)
{
   u32 top = bits < 32 ? (1u << bits) - 1 : ~0u;
   i32 high = (i32)(top >> 1), low = -high - 1;
   switch (numbers) {
   case UNORM:
      for (u32 i = 0; i < lanes; i++) {
         float f = as_float(v[i]);
         f = f > 0.0f ? f < 1.0f ? f : 1.0f : 0.0f; /* NaN becomes 0 */
         code[i] = (u32)(i32)rint((double)f * top);
      }
      break;
   case SNORM:
      for (u32 i = 0; i < lanes; i++) {
         float f = as_float(v[i]);
         f = f > -1.0f ? f < 1.0f ? f : 1.0f : f == f ? -1.0f : 0.0f;
         code[i] = (u32)(i32)rint((double)f * high) & top;
      }
      break;
   case UINT:
      for (u32 i = 0; i < lanes; i++)
         code[i] = v[i] < top ? v[i] : top;
      break;
   case SINT:
      for (u32 i = 0; i < lanes; i++) {
         i32 x = (i32)v[i];
         code[i] = (u32)(x < low ? low : x > high ? high : x) & top;
      }
      break;
   case FLOAT:
      for (u32 i = 0; i < lanes; i++)
         code[i] = bits == 16 ? half_bits(as_float(v[i])) : v[i];
      break;
   case UNSIGNED_FLOAT:
      for (u32 i = 0; i < lanes; i++)
         code[i] = small_code(as_float(v[i]), bits - 5);
      break;
   case SHARED_EXPONENT:
      stop(UNKNOWN, "a store to a format whose channels share an exponent");
   }
}

/* ---- codes in memory */

static bool in_bytes(u32 first, u32 bits)
{
   return first % 8 == 0 && (bits == 8 || bits == 16 || bits == 32);
}

static void gather(const Format *f, u32 first, u32 bits, const u8 *const *from, u32 lanes, u32 *v)
{
   u32 byte = first / 8;
#define GATHER(type)                                                                                                   \
   for (u32 i = 0; i < lanes; i++) {                                                                                   \
      type x = 0;                                                                                                      \
      if (from[i])                                                                                                     \
         memcpy(&x, from[i] + byte, sizeof x);                                                                         \
      v[i] = x;                                                                                                        \
   }
   if (!in_bytes(first, bits)) {
      for (u32 i = 0; i < lanes; i++) {
         u32 word = 0;
         if (from[i])
            memcpy(&word, from[i], f->bytes);
         v[i] = word >> first & ((1u << bits) - 1);
      }
   } else if (bits == 8) {
      GATHER(u8)
   } else if (bits == 16) {
      GATHER(u16)
   } else {
      GATHER(u32)
   }
#undef GATHER
}

static void decode_shared(u32 texel[4][LANES], const u8 *const *from, u32 lanes)
{
   for (u32 i = 0; i < lanes; i++) {
      u32 word = 0;
      if (from[i])
         memcpy(&word, from[i], 4);
      for (u32 c = 0; c < 3; c++)
         texel[c][i] = float_bits(ldexpf((float)(word >> 9 * c & 511), (int)(word >> 27) - 24));
   }
}

void texels_decode(const Format *f, bool srgb, const u8 place[4], const u8 *const from[LANES], u32 lanes, u32 texel[4][LANES])
{
   u32 one = f->numbers == UINT || f->numbers == SINT ? 1 : float_bits(1.0f);
   if (f->numbers == SHARED_EXPONENT)
      decode_shared(texel, from, lanes);
   for (u32 c = 0; c < 4; c++) {
      u32 *v = texel[c], first = 0;
      if (place[c] >= f->channels) {
         for (u32 i = 0; i < lanes; i++)
            v[i] = c == W ? one : 0;
         continue;
      }
      if (f->numbers == SHARED_EXPONENT)
         continue;
      for (u32 k = 0; k < place[c]; k++)
         first += f->bits[k];
      gather(f, first, f->bits[place[c]], from, lanes, v);
      if (srgb && c < W) {
         const u32 *table = srgb_table();
         for (u32 i = 0; i < lanes; i++)
            v[i] = table[v[i] & 255];
      } else {
         decode_channel(f->numbers, f->bits[place[c]], v, lanes);
      }
   }
}

static void scatter(u32 byte, u32 bytes, const u32 *code, u8 *const *to, u32 lanes)
{
   for (u32 i = 0; i < lanes; i++)
      if (to[i])
         memcpy(to[i] + byte, &code[i], bytes);
}

void texels_encode(const Format *f, bool srgb, const u8 place[4], u8 *const to[LANES], u32 lanes, u32 texel[4][LANES])
{
   u32 words[LANES] = {0}, code[LANES], linear[LANES];
   bool packed = false;
   for (u32 c = 0; c < 4; c++) {
      u32 channel = place[c], first = 0;
      if (channel >= f->channels)
         continue;
      for (u32 k = 0; k < channel; k++)
         first += f->bits[k];
      u32 bits = f->bits[channel];
      if (srgb && c < W)
         for (u32 i = 0; i < lanes; i++)
            linear[i] = to[i] ? float_bits(to_srgb(as_float(texel[c][i]))) : 0;
      encode_channel(f->numbers, bits, srgb && c < W ? linear : texel[c], code, lanes);
      if (in_bytes(first, bits)) {
         scatter(first / 8, bits / 8, code, to, lanes);
      } else {
         packed = true;
         for (u32 i = 0; i < lanes; i++)
            words[i] |= code[i] << first;
      }
   }
   if (packed)
      scatter(0, f->bytes, words, to, lanes);
}
