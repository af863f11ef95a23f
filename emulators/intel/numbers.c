/* Conversions between bytes of a type and numbers, with one rounding. */
#include "alu.h"

typedef u16 __attribute__((aligned(1), may_alias)) any_u16;
typedef i16 __attribute__((aligned(1), may_alias)) any_i16;
typedef u32 __attribute__((aligned(1), may_alias)) any_u32;
typedef i32 __attribute__((aligned(1), may_alias)) any_i32;
typedef u64 __attribute__((aligned(1), may_alias)) any_u64;
typedef float __attribute__((aligned(1), may_alias)) any_float;
typedef double __attribute__((aligned(1), may_alias)) any_double;
typedef _Float16 __attribute__((aligned(1), may_alias)) any_half;

#define LOAD_AS(T, member)                                                                                             \
   if (shape == PACKED)                                                                                                \
      for (u32 k = 0; k < n; k++)                                                                                      \
         v->member[k] = ((const T *)p)[k];                                                                             \
   else if (shape == SCALAR)                                                                                           \
      for (u32 k = 0; k < n; k++)                                                                                      \
         v->member[k] = *(const T *)p;                                                                                 \
   else                                                                                                                \
      for (u32 k = 0; k < n; k++)                                                                                      \
         v->member[k] = *(const T *)(p + offsets[k]);                                                                  \
   break

void element_load(const u8 *p, u32 type, u32 n, const u16 *offsets, u8 shape, Vector *v)
{
   switch (type) {
   case T_UB: LOAD_AS(u8, i);
   case T_B: LOAD_AS(i8, i);
   case T_UW: LOAD_AS(any_u16, i);
   case T_W: LOAD_AS(any_i16, i);
   case T_UD: LOAD_AS(any_u32, i);
   case T_D: LOAD_AS(any_i32, i);
   case T_UQ: case T_Q: LOAD_AS(any_u64, i);
   case T_HF: LOAD_AS(any_half, d);
   case T_F: LOAD_AS(any_float, d);
   case T_DF: LOAD_AS(any_double, d);
   default: stop(UNKNOWN, "a source of type %u", type);
   }
}

/* ---- rounding: 0 to the nearest, 1 up, 2 down, 3 to zero */

static bool is_upward(double d, u32 mode) { return mode == 1 || (mode == 3 && d < 0); }

static float round_float(double d, u32 mode)
{
   float f = (float)d;
   if (!mode || f != f || (double)f == d)
      return f;
   if (is_upward(d, mode))
      return (double)f < d ? nextafterf(f, INFINITY) : f;
   return (double)f > d ? nextafterf(f, -INFINITY) : f;
}

static u16 round_half(double d, u32 mode)
{
   _Float16 near = (_Float16)d;
   u16 bits;
   memcpy(&bits, &near, 2);
   double x = near;
   if (!mode || x != x || x == d)
      return bits;
   bool up = is_upward(d, mode);
   if (up ? x > d : x < d)
      return bits;
   if (!(bits & 0x7fff))
      return up ? 1 : 0x8001;
   return bits >> 15 == up ? bits - 1 : bits + 1;
}

double round_real(double d, u32 type, u32 mode)
{
   return type == T_F ? round_float(d, mode) : type == T_HF ? half_float(round_half(d, mode)) : d;
}

/* ---- integers */

i64 clamp_integer(i64 x, u32 type)
{
   static const i64 low[] = {[T_B] = INT8_MIN, [T_W] = INT16_MIN, [T_D] = INT32_MIN};
   static const i64 high[] = {[T_UB] = UINT8_MAX, [T_UW] = UINT16_MAX, [T_UD] = UINT32_MAX, [T_B] = INT8_MAX, [T_W] = INT16_MAX, [T_D] = INT32_MAX};
   if (bytes_of(type) == 8)
      return x;
   return x < low[type] ? low[type] : x > high[type] ? high[type] : x;
}

/* Cut off, and clamped to the type's range; NaN becomes 0. */
i64 real_to_integer(double d, u32 type)
{
   if (d != d)
      return 0;
   if (type == T_UQ)
      return d <= 0 ? 0 : d >= 0x1p64 ? -1 : (i64)(u64)d;
   return clamp_integer(d >= 0x1p63 ? INT64_MAX : d <= -0x1p63 ? INT64_MIN : (i64)d, type);
}

/* An integer as a double that will be rounded to `to`. For a narrower `to` the last bit is sticky, so that it is
 * rounded once. For a double it is rounded here, by the current mode. */
double real_of_integer(i64 x, u32 from, u32 to)
{
   if (to == T_DF)
      return !x ? 0 : from == T_UQ ? (double)(u64)x : (double)x;
   bool negative = x < 0 && from != T_UQ;
   u64 magnitude = negative ? -(u64)x : (u64)x, rest = 0;
   if (magnitude >> 53) {
      u32 shift = 11 - (u32)__builtin_clzll(magnitude);
      rest = magnitude & ((1ull << shift) - 1);
      magnitude = (magnitude >> shift | (rest != 0)) << shift;
   }
   return negative ? -(double)magnitude : (double)magnitude;
}

#define STORE_AS(T, from)                                                                                              \
   for (u32 k = 0; k < n; k++)                                                                                         \
   ((T *)p)[k] = from

/* Consecutive elements. */
void elements_store(u8 *p, u32 type, u32 n, const Vector *v, bool real, u32 mode)
{
   if (is_real(type)) {
      Vector own;
      if (!real)
         for (u32 k = 0; k < n; k++)
            own.d[k] = (double)v->i[k];
      const Vector *x = real ? v : &own;
      switch (type) {
      case T_F:
         if (!mode)
            STORE_AS(any_float, (float)x->d[k]);
         else
            STORE_AS(any_float, round_float(x->d[k], mode));
         break;
      case T_HF: STORE_AS(any_u16, round_half(x->d[k], mode)); break;
      case T_DF: STORE_AS(any_double, x->d[k]); break;
      default: stop(UNKNOWN, "a result of type %u", type);
      }
      return;
   }
   Vector own;
   if (real)
      for (u32 k = 0; k < n; k++)
         own.i[k] = real_to_integer(v->d[k], type);
   const Vector *x = real ? &own : v;
   switch (bytes_of(type)) {
   case 1: STORE_AS(u8, (u8)x->i[k]); break;
   case 2: STORE_AS(any_u16, (u16)x->i[k]); break;
   case 4: STORE_AS(any_u32, (u32)x->i[k]); break;
   default: STORE_AS(any_u64, (u64)x->i[k]); break;
   }
}
