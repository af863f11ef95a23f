/* The functions that the pseudo-code calls and the generated code needs. Halves are floats that hold a half's value. */
#ifndef PRIMITIVES_H
#define PRIMITIVES_H

#include "gfx.h"
#include <math.h>

static inline double as_double(u64 x) { double f; memcpy(&f, &x, 8); return f; }
static inline u64 double_bits(double f) { u64 x; memcpy(&x, &f, 8); return x; }
static inline float to_half(float x) { return half_float(half_bits(x)); }

static inline u64 insert(u64 old, u32 low, u32 width, u64 bits)
{
   u64 mask = (width < 64 ? (1ull << width) - 1 : ~0ull) << low;
   return (old & ~mask) | (bits << low & mask);
}
static inline i64 sign_extend(u64 x, u32 bits) { return (i64)(x << (64 - bits)) >> (64 - bits); }
/* The highest of n bits is the sign; 0 if n is 0. */
static inline i64 sign_extend_from(i64 x, u32 n, u32 bits) { return n == 0 ? 0 : n >= bits ? x : sign_extend((u64)x, n); }
static inline u32 left32(u32 x, u32 n) { return n < 32 ? x << n : 0; }
static inline u64 left64(u64 x, u32 n) { return n < 64 ? x << n : 0; }
static inline u32 right32(u32 x, u32 n) { return n < 32 ? x >> n : 0; }
static inline u64 right64(u64 x, u32 n) { return n < 64 ? x >> n : 0; }
static inline i32 right_signed32(i32 x, u32 n) { return x >> (n < 32 ? n : 31); }
static inline i64 right_signed64(i64 x, u32 n) { return x >> (n < 64 ? n : 63); }
static inline u64 reverse64(u64 x) { return __builtin_bitreverse64(x); }
static inline u32 reverse32(u64 x) { return __builtin_bitreverse32((u32)x); }

/* ---- floats */

#define HALF(name, of_float) static inline float name##_16(float x) { return to_half(of_float); }
#define EACH_WIDTH(name, of_float, of_double) HALF(name, of_float) static inline float name##_32(float x) { return of_float; } static inline double name##_64(double x) { return of_double; }
EACH_WIDTH(trunc, truncf(x), trunc(x))
EACH_WIDTH(floor, floorf(x), floor(x))
EACH_WIDTH(fract, x - floorf(x), x - floor(x))
EACH_WIDTH(sqrt, sqrtf(x), sqrt(x))
EACH_WIDTH(abs, fabsf(x), fabs(x))
EACH_WIDTH(log2, (float)log2(x), log2(x))
EACH_WIDTH(exp2, (float)exp2(x), exp2(x))
static inline double mantissa_64(double x) { int e; return frexp(x, &e); }
static inline float mantissa_32(float x) { return (float)mantissa_64(x); }
static inline float mantissa_16(float x) { return (float)mantissa_64(x); }
static inline double cvtToQuietNAN_64(double x) { return as_double(double_bits(x) | 1ull << 51); }
static inline float cvtToQuietNAN_32(float x) { return as_float(float_bits(x) | 1u << 22); }
static inline float cvtToQuietNAN_16(float x) { return x; }
static inline double fma_64(double a, double b, double c) { return fma(a, b, c); }
static inline float fma_32(float a, float b, float c) { return fmaf(a, b, c); }
/* The product is exact. The sum is rounded to odd, so it can be rounded again. */
static inline float fma_16(float a, float b, float c)
{
   double p = (double)a * b, s = p + c, back = s - p, error = (p - (s - back)) + ((double)c - back);
   u64 bits = double_bits(s);
   if (error != 0 && isfinite(s) && !(bits & 1))
      bits += (error > 0) == (s > 0) ? 1 : -1;
   double odd = as_double(bits);
   float f = (float)odd; /* rounded to odd, too */
   if (f != odd && isfinite(f)) {
      u32 x = float_bits(f);
      if (fabs((double)f) > fabs(odd))
         x--;
      f = as_float(x | 1);
   }
   return to_half(f);
}

#define ASKS(bits, exponent_bits, fraction_bits)                                                                       \
   static inline i32 exponent_##bits(u64 x) { return x >> (fraction_bits) & ((1u << (exponent_bits)) - 1); }            \
   static inline u32 sign_##bits(u64 x) { return x >> ((bits) - 1) & 1; }                                               \
   static inline u64 fraction_##bits(u64 x) { return x & ((1ull << (fraction_bits)) - 1); }                             \
   static inline u32 isNAN_##bits(u64 x) { return exponent_##bits(x) == (1 << (exponent_bits)) - 1 && fraction_##bits(x); } \
   static inline u32 isQuietNAN_##bits(u64 x) { return isNAN_##bits(x) && (x >> ((fraction_bits) - 1) & 1); }           \
   static inline u32 isSignalNAN_##bits(u64 x) { return isNAN_##bits(x) && !(x >> ((fraction_bits) - 1) & 1); }
ASKS(16, 5, 10)
ASKS(32, 8, 23)
ASKS(64, 11, 52)
static inline float ldexp_32(float x, i32 e) { return (float)ldexp(x, e); }
static inline double ldexp_64(double x, i32 e) { return ldexp(x, e); }
static inline i32 exponent_limit(i32 e) { return e > 9999 ? 9999 : e < -9999 ? -9999 : e; }

/* Whole turns are removed; the sine of the rest is rounded once. */
static inline float sine_of_turns(float x) { double t = (double)x - rint(x); return (float)sin(t * 6.283185307179586476925); }
static inline float cosine_of_turns(float x) { double t = (double)x - rint(x); return (float)cos(t * 6.283185307179586476925); }

static inline u64 half_towards_zero(float x)
{
   u32 h = half_bits(x);
   return x == x && fabsf(half_float(h)) > fabsf(x) ? h - 1 : h;
}

/* ---- conversions: clamped to the range, NaN becomes 0 */

#define SATURATE(name, from, to, low, high) static inline to name(from x) { return x != x ? 0 : x <= (from)(low) ? (to)(low) : x >= (from)(high) ? (to)(high) : (to)x; }
SATURATE(f32_to_i32, float, i32, INT32_MIN, INT32_MAX)
SATURATE(f32_to_u32, float, u32, 0, UINT32_MAX)
SATURATE(f64_to_i32, double, i32, INT32_MIN, INT32_MAX)
SATURATE(f64_to_u32, double, u32, 0, UINT32_MAX)
SATURATE(f16_to_i16, float, i32, INT16_MIN, INT16_MAX)
SATURATE(f16_to_u16, float, u32, 0, UINT16_MAX)
SATURATE(f32_to_u8, float, u32, 0, UINT8_MAX)
SATURATE(v_cvt_i16_f32, float, i32, INT16_MIN, INT16_MAX)
SATURATE(v_cvt_u16_f32, float, u32, 0, UINT16_MAX)
SATURATE(i32_to_i16, i32, i32, INT16_MIN, INT16_MAX)
SATURATE(u32_to_u16, u32, u32, 0, UINT16_MAX)
static inline float i32_to_f32(i32 x) { return (float)x; }
static inline float u32_to_f32(u32 x) { return (float)x; }
static inline double i32_to_f64(i32 x) { return x; }
static inline double u32_to_f64(u32 x) { return x; }
static inline float i16_to_f16(i32 x) { return to_half((float)x); }
static inline float u16_to_f16(u32 x) { return to_half((float)x); }
static inline float f32_to_f16(float x) { return to_half(x); }
static inline float f16_to_f32(float x) { return x; }
static inline float f64_to_f32(double x) { return (float)x; }
static inline double f32_to_f64(float x) { return x; }
static inline u32 u8_to_u32(u32 x) { return x & 0xff; }
static inline u32 u4_to_u32(u32 x) { return x & 0xf; }
static inline i32 f32_to_snorm(float x) { return x != x ? 0 : (i32)rintf((x < -1 ? -1 : x > 1 ? 1 : x) * 32767); }
static inline u32 f32_to_unorm(float x) { return x != x ? 0 : (u32)rintf((x < 0 ? 0 : x > 1 ? 1 : x) * 65535); }
static inline i32 f16_to_snorm(float x) { return f32_to_snorm(x); }
static inline u32 f16_to_unorm(float x) { return f32_to_unorm(x); }

/* ---- instructions that others call: the number wins over a NaN, -0 is less than +0 */

#define LEAST(kind, type, less)                                                                                        \
   static inline type v_min_##kind(type a, type b) { return less(a, b) ? a : b; }                                       \
   static inline type v_max_##kind(type a, type b) { return less(b, a) ? a : b; }                                       \
   static inline type v_min3_##kind(type a, type b, type c) { return v_min_##kind(v_min_##kind(a, b), c); }             \
   static inline type v_max3_##kind(type a, type b, type c) { return v_max_##kind(v_max_##kind(a, b), c); }
#define FLOAT_LEAST(kind, type)                                                                                        \
   static inline type v_min_##kind(type a, type b) { return b != b ? a : a != a ? b : a < b || (a == b && signbit(a)) ? a : b; } \
   static inline type v_max_##kind(type a, type b) { return b != b ? a : a != a ? b : a > b || (a == b && !signbit(a)) ? a : b; } \
   static inline type v_min3_##kind(type a, type b, type c) { return v_min_##kind(v_min_##kind(a, b), c); }             \
   static inline type v_max3_##kind(type a, type b, type c) { return v_max_##kind(v_max_##kind(a, b), c); }
#define LESS(a, b) ((a) < (b))
LEAST(i32, i32, LESS)
LEAST(u32, u32, LESS)
LEAST(i16, i32, LESS)
LEAST(u16, u32, LESS)
FLOAT_LEAST(f16, float)
FLOAT_LEAST(f32, float)
FLOAT_LEAST(f64, double)
/* gfx12's names; and those in which the NaN wins */
#define NUMBERS(kind, type)                                                                                            \
   static inline type v_min_num_##kind(type a, type b) { return v_min_##kind(a, b); }                                   \
   static inline type v_max_num_##kind(type a, type b) { return v_max_##kind(a, b); }                                   \
   static inline type v_min3_num_##kind(type a, type b, type c) { return v_min3_##kind(a, b, c); }                      \
   static inline type v_max3_num_##kind(type a, type b, type c) { return v_max3_##kind(a, b, c); }                      \
   static inline type v_minimum_##kind(type a, type b) { return a != a ? a : b != b ? b : v_min_##kind(a, b); }          \
   static inline type v_maximum_##kind(type a, type b) { return a != a ? a : b != b ? b : v_max_##kind(a, b); }
NUMBERS(f16, float)
NUMBERS(f32, float)
NUMBERS(f64, double)

static inline u32 difference(u32 a, u32 b) { return a > b ? a - b : b - a; }
static inline u32 v_sad_u8(u64 a, u64 b, u32 c)
{
   for (u32 n = 0; n < 32; n += 8)
      c += difference(a >> n & 0xff, b >> n & 0xff);
   return c;
}
static inline u32 v_msad_u8(u64 a, u64 b, u32 c)
{
   for (u32 n = 0; n < 32; n += 8)
      c += b >> n & 0xff ? difference(a >> n & 0xff, b >> n & 0xff) : 0;
   return c;
}
static inline u64 dot_bytes(u32 a, u32 b)
{
   u64 sum = 0;
   for (u32 n = 0; n < 32; n += 8)
      sum += (a >> n & 0xff) * (u64)(b >> n & 0xff);
   return sum;
}
static inline i64 dot_signed(u32 a, u32 b, u32 bits, i64 sum)
{
   for (u32 n = 0; n < 32; n += bits)
      sum += sign_extend(a >> n, bits) * sign_extend(b >> n, bits);
   return sum;
}
/* 0 to 7: a byte; 8 to 11: the sign of an odd byte; 12: zeros; above: ones. */
static inline u32 permute_bytes(u64 data, u32 selector)
{
   u32 result = 0;
   for (u32 n = 0; n < 32; n += 8) {
      u32 s = selector >> n & 0xff;
      u32 byte = s < 8 ? data >> 8 * s & 0xff : s < 12 ? (data >> (16 * (s - 8) + 15) & 1) * 0xff : s == 12 ? 0 : 0xff;
      result |= byte << n;
   }
   return result;
}

/* ---- division in steps: S0 is the denominator S1 or the numerator S2, scaled if the quotient would be out of range */

static inline bool denormal_32(double x) { return x != 0 && fabs(x) < 0x1p-126; }
static inline bool denormal_64(long double x) { return x != 0 && fabsl(x) < 0x1p-1022L; }

#define DIV_SCALE(bits_, type, word, wider, as, bits_of, far, step, few, nan)                                          \
   static inline u64 div_scale_##bits_(word s0, type denominator, type numerator, u64 *scaled)                          \
   {                                                                                                                   \
      type a = as(s0);                                                                                                 \
      u64 d = bits_of(denominator), n = bits_of(numerator);                                                             \
      if (denominator == 0 || numerator == 0)                                                                          \
         return nan;                                                                                                   \
      bool tiny = denormal_##bits_((wider)1 / denominator), small = denormal_##bits_((wider)numerator / denominator);   \
      if (exponent_##bits_(n) - exponent_##bits_(d) >= far || (tiny && small && !denormal_##bits_(denominator))) {      \
         *scaled = 1;                                                                                                  \
         return a == denominator ? bits_of((type)ldexp(a, step)) : s0;                                                  \
      }                                                                                                                \
      if (denormal_##bits_(denominator))                                                                               \
         return bits_of((type)ldexp(a, step));                                                                          \
      if (tiny)                                                                                                        \
         return bits_of((type)ldexp(a, -step));                                                                         \
      if (small) {                                                                                                     \
         *scaled = 1;                                                                                                  \
         return a == numerator ? bits_of((type)ldexp(a, step)) : s0;                                                    \
      }                                                                                                                \
      return exponent_##bits_(n) <= few ? bits_of((type)ldexp(a, step)) : s0;                                           \
   }
DIV_SCALE(32, float, u32, double, as_float, float_bits, 96, 64, 23, 0x7fc00000)
DIV_SCALE(64, double, u64, long double, as_double, double_bits, 768, 128, 53, 0x7ff8000000000000ull)

static inline float div_fmas_32(float a, float b, float c, u64 scaled)
{
   float r = fmaf(a, b, c);
   return !scaled ? r : ldexpf(r, exponent_32(float_bits(c)) > 127 ? 64 : -64);
}
static inline double div_fmas_64(double a, double b, double c, u64 scaled)
{
   double r = fma(a, b, c);
   return !scaled ? r : ldexp(r, exponent_64(double_bits(c)) > 1023 ? 128 : -128);
}

#endif
