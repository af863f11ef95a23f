/* The instructions that only compute, and the functions that their expressions call. */
#include "alu.h"
#include <fenv.h>

/* -0 becomes +0 [M6]. */
static float clamped(float x, u8 clamp)
{
   switch (clamp) {
   case O_clamp_0_inf: return x > 0 ? x : 0;
   case O_clamp_m1_1: return x > -1 ? (x < 1 ? x : 1) : -1;
   default: return x > 0 ? (x < 1 ? x : 1) : 0;
   }
}

/* A half. The CPU has no mode that rounds to the nearest with ties away. */
u32 narrow(float x, const Instruction *i)
{
   u8 clamp = MOD(clamp);
   if (clamp)
      x = clamped(x, clamp);
   u32 half = half_bits(x);
   if (MOD(round) != O_rtna || x != x)
      return half;
   float low = half_float(half), distance = fabsf(x) - fabsf(low);
   u32 next = half + 1; /* away from zero */
   return distance > 0 && fabsf(half_float(next)) - fabsf(x) <= distance ? next : half;
}

/* The mantissa of a float: [0.5, 1); for a logarithm [0.75, 1.5), for a square root [0.25, 1) [M2]. */
float mantissa(float x, u8 log, u8 sqrt)
{
   if (x == 0 || x != x || isinf(x))
      return x;
   int e;
   float m = frexpf(x, &e);
   if (log && fabsf(m) < 0.75f)
      m *= 2, e--;
   return sqrt && e & 1 ? m * 0.5f : m;
}

i32 exponent(float x, u8 log, u8 sqrt)
{
   if (x == 0 || x != x || isinf(x))
      return 0;
   int e;
   float m = frexpf(x, &e);
   if (log && fabsf(m) < 0.75f)
      e--;
   return sqrt ? (e + (e & 1)) / 2 : e;
}

/* (a * b + c) * 2^e, rounded once. With `n` and `left` the result is not scaled if a factor is zero. */
float scaled_fma(float a, float b, float c, i32 e, u8 special)
{
   bool zero = a == 0 || b == 0;
   if (special == O_scale16)
      e = (i16)e;
   double value = zero && special == O_n ? c : zero && special == O_left ? a : fma(a, b, c);
   return (float)scalbn(value, clamp_exponent(e));
}

/* FLOGD: log2(m) / (m - 1) of the mantissa, which FADD_LSCALE's sum is multiplied by [M3]. */
float log_by_distance(float x)
{
   if (x < 0 || x != x)
      return NAN;
   if (x == 0 || isinf(x))
      return INFINITY;
   double m = mantissa(x, true, false);
   return (float)(m == 1 ? 1 / log(2.0) : log2(m) / (m - 1));
}

/* FLOG_TABLE: the mantissa's reciprocal with 7 fractional bits, or the logarithm of that reciprocal's inverse [M15]. */
float log_table(float x, u8 mode)
{
   bool special = x == 0 || x != x || isinf(x);
   double r = special ? 1 : rint(128 / fabs((double)mantissa(x, true, false))) / 128;
   if (mode == O_red)
      return (float)r;
   if (x < 0 || x != x)
      return NAN;
   return (float)(special ? (x == 0 ? -INFINITY : INFINITY) : mode == O_natural ? -log(r) : -log2(r));
}

/* FEXP: 2 to the power of a fixed-point number with 24 fractional bits. If x does not fit, x itself is the exponent,
 * scaled alike [M4]. */
float fixed_exp2(i32 fixed, float x)
{
   if (x != x)
      return NAN;
   return (float)exp2((fixed == INT32_MAX || fixed == INT32_MIN ? (double)x : fixed) / 16777216.0);
}

static u32 flushed(u32 x) { return x & 0x7f800000 ? x : x & 0x80000000; }
static u32 flushed_half(u32 x) { return x & 0x7c00 ? x : x & 0x8000; }

static void finish_floats(const Instruction *i, u32 *d)
{
   u8 clamp = MOD(clamp);
   for (u32 lane = 0; clamp && lane < LANES; lane++)
      d[lane] = float_bits(clamped(as_float(d[lane]), clamp));
   for (u32 lane = 0; i->flush && lane < LANES; lane++)
      d[lane] = flushed(d[lane]);
}

static void finish_halves(const Instruction *i, u32 *d)
{
   u8 clamp = MOD(clamp);
   for (u32 lane = 0; lane < LANES; lane++) {
      u32 low = d[lane] & 0xffff, high = d[lane] >> 16;
      if (clamp)
         low = half_bits(clamped(half_float(low), clamp)), high = half_bits(clamped(half_float(high), clamp));
      if (i->flush_halves)
         low = flushed_half(low), high = flushed_half(high);
      d[lane] = low | high << 16;
   }
}

static int direction(u8 round)
{
   switch (round) {
   case O_rtp: return FE_UPWARD;
   case O_rtn: return FE_DOWNWARD;
   case O_rtz: case O_rtna: return FE_TOWARDZERO; /* rounding with ties away is corrected by its caller */
   default: return FE_TONEAREST;
   }
}

void run_alu(Wave *wave, const Instruction *i)
{
   u32 space[8][LANES] __attribute__((aligned(64)));
   const u32 *v[8] = {0};
   for (u32 n = 0; n < i->op->sources; n++) {
      v[n] = operand(wave, i, n, space[n]);
      if (i->op->kinds[n] == 'd' || i->op->kinds[n] == 'D')
         v[4 + n] = operand_high(wave, i, n, v[n], space[4 + n]);
   }
   u32 *d = result_of(wave, i);
   int before = i->rounds ? fegetround() : 0;
   if (i->rounds)
      fesetround(direction(MOD(round)));
   i->op->alu(i, d, v);
   if (i->rounds)
      fesetround(before);
   if (i->op->result == 'f' && (MOD(clamp) || i->flush))
      finish_floats(i, d);
   else if ((i->op->result == 'h' || i->op->result == 'H') && (MOD(clamp) || i->flush_halves))
      finish_halves(i, d);
}

void run_nop(Wave *wave, const Instruction *i) { (void)wave, (void)i; }
