/* The functions that the expressions of bifrost.py call. */
#ifndef ALU_H
#define ALU_H

#include "shader.h"
#include <math.h>

#define MOD(name) i->mod[M_##name]
#define SIGNED(x) ((i64)((u64)(x) << (64 - WIDTH)) >> (64 - WIDTH))
#define AMOUNT(x) ((x) & (WIDTH - 1))
#define NOT_RESULT(x) (MOD(not_result) == O_not ? ~(x) : (x))
#define COMPARE(a, b) ((i->compare & ((a) < (b) ? LESS : (a) == (b) ? EQUAL : GREATER)) != 0)
#define COMPARE_FLOAT(a, b) ((i->compare & ((a) < (b) ? LESS : (a) == (b) ? EQUAL : (a) > (b) ? GREATER : UNORDERED)) != 0)
#define TRUTH(x) ((x) ? truth(MOD(result_type), WIDTH) : 0)
#define MUX(a, b, c) mux(MOD(mux), a, b, c, WIDTH)
/* A product of unsigned words. It fits 64 bits only as an unsigned number. */
#define WHOLE(a, b) (MOD(saturate) == O_sat && (u64)(a) * (u64)(b) > UINT32_MAX ? UINT32_MAX : (a) * (b))
/* A minus of the source is applied to the result. */
#define EXPONENT(x) (i->src[0].negate ? -exponent(x, MOD(log), MOD(sqrt)) : exponent(x, MOD(log), MOD(sqrt)))

static inline i64 saturated(const Instruction *i, i64 x, i64 low, i64 high)
{
   return MOD(saturate) != O_sat ? x : x < low ? low : x > high ? high : x;
}

static inline u32 truth(u8 type, u32 width)
{
   return type == O_m1 ? ~0u : type == O_f1 ? (width == 32 ? 0x3f800000 : width == 16 ? 0x3c00 : 1) : 1;
}

static inline i64 mux(u8 how, i64 a, i64 b, i64 c, u32 width)
{
   switch (how) {
   case O_neg: return c >> (width - 1) & 1 ? a : b;
   case O_int_zero: return c == 0 ? a : b;
   case O_fp_zero: return (c & ((1ll << (width - 1)) - 1)) == 0 ? a : b;
   default: return (a & c) | (b & ~c);
   }
}

static inline i64 leading_zeros(i64 x, u32 width) { return x ? __builtin_clzll(x) - (64 - (i32)width) : width; }

static inline i64 dot(i64 a, i64 b, u8 sign_a, u8 sign_b)
{
   i64 sum = 0;
   for (u32 k = 0; k < 4; k++) {
      u8 x = a >> 8 * k, y = b >> 8 * k;
      sum += (sign_a == O_sext ? (i8)x : (i32)x) * (sign_b == O_sext ? (i8)y : (i32)y);
   }
   return sum;
}

/* ---- floats. -0 is smaller than +0. Of a NaN and a number, `how` says which is taken. */
static inline float min_float(float a, float b, u8 how)
{
   if (a != a || b != b)
      return how == O_nan_propagate ? NAN : how == O_c ? b : how == O_inverse_c ? a : a != a ? b : a;
   return a < b || (a == b && signbit(a)) ? a : b;
}

static inline float max_float(float a, float b, u8 how)
{
   if (a != a || b != b)
      return how == O_nan_propagate ? NAN : how == O_c ? b : how == O_inverse_c ? a : a != a ? b : a;
   return a > b || (a == b && !signbit(a)) ? a : b;
}

static inline float round_float(float x, u8 how)
{
   switch (how) {
   case O_rtp: return ceilf(x);
   case O_rtn: return floorf(x);
   case O_rtz: return truncf(x);
   case O_rtna: return roundf(x);
   default: return rintf(x);
   }
}

static inline float quiet(float x) { return x != x ? NAN : x; }

/* FLUSH: how NaNs, denormals and infinities are changed. */
static inline float flushed_number(const Instruction *i, float x, float least, float most)
{
   if (x != x)
      return MOD(nan_mode) == O_flush_nan ? 0 : x;
   if (MOD(ftz) && fabsf(x) < least)
      return copysignf(0, x);
   return MOD(flush_inf) && isinf(x) ? copysignf(most, x) : x;
}

/* An integer as a float of `digits` digits, rounded to the nearest with ties away, or by the CPU's mode. */
static inline float from_integer(i64 x, u8 how, i32 digits)
{
   u64 size = x < 0 ? -(u64)x : (u64)x;
   i32 more = how == O_rtna && size ? 64 - __builtin_clzll(size) - digits : 0;
   if (more <= 0)
      return (float)x;
   size = (size + (1ull << (more - 1))) >> more << more;
   return x < 0 ? -(float)size : (float)size;
}

/* The sine of an angle in 64ths of a circle. */
static inline float turn(i64 x) { return (x & 31) == 0 ? 0 : (float)sin((x & 63) * (M_PI / 32)); }

/* To an integer, clamped to its range; a NaN becomes 0 [M1]. */
static inline i64 to_integer(float x, u8 how, i64 low, i64 high)
{
   float y = round_float(x, how);
   return y != y ? 0 : y <= (float)low ? low : y >= (float)high ? high : (i64)y;
}

/* A sum of halves is rounded once: an inexact float is made odd, so that rounding it to half gives the same as
 * rounding the exact sum. */
static inline float fma_half(float a, float b, float c)
{
   double exact = (double)a * b + c;
   float f = (float)exact;
   u32 bits = float_bits(f);
   if ((double)f != exact && exact == exact)
      bits = ((fabs((double)f) > fabs(exact) ? bits - 1 : bits) | 1);
   return as_float(bits);
}

u32 narrow(float x, const Instruction *i);
float mantissa(float x, u8 log, u8 sqrt);
i32 exponent(float x, u8 log, u8 sqrt);
float scaled_fma(float a, float b, float c, i32 e, u8 special);
float log_by_distance(float x);
float log_table(float x, u8 mode);
float fixed_exp2(i32 fixed, float x);
static inline i32 clamp_exponent(i32 e) { return e > 1000 ? 1000 : e < -1000 ? -1000 : e; }

#endif
