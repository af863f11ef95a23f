/* Vector instructions: sources with their modifiers, the function over all lanes, the result. */
#include "modes.h"
#include "primitives.h"

/* ---- lanes that read others (DPP): the lane, or -1 if there is none */

/* gfx9: shifts through the whole wave, and broadcasts from a row to the rows after it. */
static i32 lane_of_wave(u32 control, u32 lane)
{
   switch (control) {
   case 0x130: return lane < LANES - 1 ? (i32)lane + 1 : -1;
   case 0x134: return (lane + 1) % LANES;
   case 0x138: return (i32)lane - 1;
   case 0x13c: return (lane - 1) % LANES;
   case 0x142: return (i32)(lane & ~15u) - 1;
   case 0x143: return lane < 32 ? -1 : 31;
   }
   stop(UNKNOWN, "the lane control 0x%x", control);
}

static i32 other_lane(const Instruction *i, u32 lane)
{
   u32 row = lane & ~15u, at = lane & 15, control = BITS(i->dpp, 8, 16), n = control & 15;
   if (i->dpp_kind == 8)
      return (lane & ~7u) | (i->dpp >> (8 + 3 * (lane & 7)) & 7);
   if (control < 0x100)
      return (lane & ~3u) | (control >> 2 * (lane & 3) & 3);
   if (gpu.gfx == 9 && control >= 0x130 && control != 0x140 && control != 0x141)
      return lane_of_wave(control, lane);
   switch (control >> 4) {
   case 0x10: return at + n <= 15 ? (i32)(lane + n) : -1;
   case 0x11: return at >= n ? (i32)(lane - n) : -1;
   case 0x12: return row | ((at - n) & 15);
   case 0x14: return n ? (lane & ~7u) | (7 - (lane & 7)) : row | (15 - at);
   case 0x15: return row | n;
   case 0x16: return row | (at ^ n);
   }
   stop(UNKNOWN, "the lane control 0x%x", control);
}

/* Returns the lanes whose result is written. */
static u64 swizzle(const Wave *wave, const Instruction *i, u64 *values, u64 exec)
{
   u64 old[LANES], written = exec;
   bool inactive = i->dpp_kind == 8 ? i->raw[0] != 0 && (i->form == VOP3 || i->form == VOP3P || i->form == VOP3SD ? (i->raw[1] & 511) : (i->raw[0] & 511)) == 234
                                    : gpu.gfx > 9 && i->dpp >> 18 & 1;
   bool zeros = i->dpp_kind == 16 && i->dpp >> 19 & 1;
   memcpy(old, values, sizeof old);
   for (u32 lane = 0; lane < wave->lanes; lane++) {
      i32 from = other_lane(i, lane);
      if (from >= (i32)wave->lanes || (from >= 0 && !inactive && !(exec >> from & 1)))
         from = -1;
      bool row_off = i->dpp_kind == 16 && (!(i->dpp >> 28 >> (lane >> 4 & 3) & 1) || !(i->dpp >> 24 >> (lane >> 2 & 3) & 1));
      values[lane] = from < 0 ? 0 : old[from];
      if (row_off || (from < 0 && !zeros && i->dpp_kind == 16))
         written &= ~(1ull << lane);
   }
   return written;
}

/* ---- sources */

static void load_register(Wave *wave, u32 number, u32 bits, bool high, u64 lanes, u64 *values)
{
   const u32 *row = vector_source(wave, number, bits == 16 ? (high ? HIGH : LOW) : BOTH, lanes);
   if (bits == 64) {
      const u32 *next = vector_source(wave, number + 1, BOTH, lanes);
      for (u32 lane = 0; lane < LANES; lane++)
         values[lane] = row[lane] | (u64)next[lane] << 32;
   } else if (bits == 16) {
      for (u32 lane = 0; lane < LANES; lane++)
         values[lane] = row[lane] >> (high ? 16 : 0) & 0xffff;
   } else {
      for (u32 lane = 0; lane < LANES; lane++)
         values[lane] = row[lane];
   }
}

/* The halves of a register that such an operation reads: for V_PERM_B32 by its selector, if that is the same in all lanes. */
static enum Halves halves_read(Wave *wave, const Instruction *i, const Opcode *op, u32 n)
{
   if (op->flags & (READS_LOW | READS_HIGH))
      return op->flags & READS_LOW ? LOW : HIGH;
   if (n == 2 || i->source[2] >= 256)
      return BOTH;
   u32 selector = (u32)scalar_source(wave, i, i->source[2], 32, false), halves = 0;
   for (u32 k = 0; k < 4; k++) {
      u32 chosen = selector >> 8 * k & 0xff, byte = chosen < 8 ? chosen : 2 * (chosen - 8) + 1; /* 8 to 11: the sign of an odd one */
      if (chosen < 12 && (byte < 4) == (n == 1))
         halves |= byte & 2 ? HIGH : LOW;
   }
   return halves;
}

void fetch_source(Wave *wave, const Instruction *i, const Opcode *op, u32 n, u32 number, u64 lanes, u64 *values)
{
   u32 bits = op->bits[n] ? op->bits[n] : 32;
   bool high = i->high >> n & 1 && i->form != VOPD;
   if (number >= 256) {
      u64 asked = i->dpp_kind && n == 0 ? 0 : lanes;
      bool in_part = op->flags & (READS_LOW | READS_HIGH | PERMUTES);
      load_register(wave, number - 256, bits, high, in_part ? 0 : asked, values);
      if (in_part)
         vector_source(wave, number - 256, halves_read(wave, i, op, n), asked);
   } else {
      u64 value = high && number == 255      ? i->literal >> 16
                  : high && number < SCALARS ? scalar_word(wave, number) >> 16
                                             : scalar_source(wave, i, number, bits, op->real[n]);
      if (number >= 240 && number <= 248 && op->flags & PACKED_FLOAT) /* v_pk_fmac_f16: a half, from gfx11 on in both halves */
         value = inline_constant(number, 16) * (gpu.gfx >= 11 ? 0x10001 : 1);
      for (u32 lane = 0; lane < LANES; lane++)
         values[lane] = value;
   }
}

static void modify(const Wave *wave, const Instruction *i, const Opcode *op, u32 n, u64 *values)
{
   u32 bits = op->bits[n];
   if (!bits)
      return;
   if (i->form != VOP3P && (i->absolute | i->negate) >> n & 1) {
      u64 sign = 1ull << (bits - 1), keep = i->absolute >> n & 1 ? ~sign : ~0ull, flip = i->negate >> n & 1 ? sign : 0;
      for (u32 lane = 0; lane < LANES; lane++)
         values[lane] = (values[lane] & keep) ^ flip;
   }
   if (op->real[n] && i->form != VOP3P && !(op->flags & KEEPS_DENORMALS) && (!(denormals(wave, bits) & IN) || op->flags & FLUSHES_DENORMALS))
      flush(values, bits, LANES);
}

/* Each of two halves comes from either half of the source. */
static void arrange(Wave *wave, const Instruction *i, u32 n, u64 lanes, u64 *values)
{
   u32 number = i->source[n];
   u32 low = i->select >> n & 1 ? 16 : 0, high = i->select_high >> n & 1 ? 16 : 0;
   if (number >= 256) {
      load_register(wave, number - 256, 32, false, 0, values);
      vector_source(wave, number - 256, (low ? HIGH : LOW) | (high ? HIGH : LOW), lanes);
   } else {
      bool half = number >= 240 && number <= 248 && i->op->flags & PACKED_FLOAT;
      u64 value = half ? inline_constant(number, 16) : scalar_source(wave, i, number, 32, false);
      for (u32 lane = 0; lane < LANES; lane++)
         values[lane] = value;
   }
   u64 flip = (i->negate >> n & 1 ? 0x8000 : 0) | (i->negate_high >> n & 1 ? 0x80000000u : 0);
   bool flushes = i->op->flags & PACKED_FLOAT && !(denormals(wave, 16) & IN);
   for (u32 lane = 0; lane < LANES; lane++) {
      u64 a = values[lane] >> low & 0xffff, b = values[lane] >> high & 0xffff;
      if (flushes)
         a = a & 0x7c00 ? a : a & 0x8000, b = b & 0x7c00 ? b : b & 0x8000;
      values[lane] = (a | b << 16) ^ flip;
   }
}

/* ---- results */

static double limited(double x) { return x > 0 ? x < 1 ? x : 1 : 0; }

static void modify_result(const Wave *wave, const Instruction *i, const Opcode *op, u64 *d)
{
   static const double scale[] = {1, 2, 4, 0.5};
   u32 bits = op->result, lanes = wave->lanes;
   if (!op->real_result)
      return;
   for (u32 lane = 0; (i->omod || i->clamp) && lane < lanes; lane++) {
      double x = bits == 64 ? as_double(d[lane]) : bits == 32 ? as_float(d[lane]) : half_float(d[lane]);
      x *= i->omod ? scale[i->omod] : 1;
      x = i->clamp ? limited(x) : x;
      d[lane] = bits == 64 ? double_bits(x) : bits == 32 ? float_bits((float)x) : half_bits((float)x);
   }
   if (!(op->flags & KEEPS_DENORMALS) && (!(denormals(wave, bits) & OUT) || op->flags & FLUSHES_DENORMALS))
      flush(d, bits, lanes);
}

static void clamp_halves(u64 *d, u32 lanes)
{
   for (u32 lane = 0; lane < lanes; lane++)
      d[lane] = half_bits(limited(half_float(d[lane]))) | half_bits(limited(half_float(d[lane] >> 16))) << 16;
}

static void flush_halves(u64 *d, u32 lanes)
{
   for (u32 lane = 0; lane < lanes; lane++) {
      u64 a = d[lane] & 0xffff, b = d[lane] >> 16 & 0xffff;
      d[lane] = (a & 0x7c00 ? a : a & 0x8000) | (b & 0x7c00 ? b : b & 0x8000) << 16;
   }
}

/* Runs in the wave's rounding mode. */
static void compute(const Wave *wave, const Opcode *op, bool saturates, Operands *o)
{
   bool real = op->real_result || op->flags & PACKED_FLOAT;
   bool rounds = real && round_as_wave(wave, op->flags & PACKED_FLOAT ? 16 : op->result);
   (saturates ? op->saturated : op->lanes)(o);
   if (rounds)
      round_to_nearest();
}

static void put_filled(Wave *wave, u32 number, u64 *d, u64 written)
{
   for (u32 lane = 0; lane < LANES; lane++)
      d[lane] &= 0xffff;
   put_vector(wave, number, 32, false, d, written);
}

static void put_result(Wave *wave, const Instruction *i, const Opcode *op, Operands *o, u64 exec, u64 written)
{
   if (op->flags & SCALAR_RESULT) { /* no matter which lanes execute */
      modify_result(wave, i, op, o->d);
      put_scalar(wave, i->dst, 32, o->d[0]);
      return;
   }
   if (op->flags & COMPARES_EXEC) {
      put_lane_mask(wave, EXEC_LO, o->bits & exec);
      if (gpu.gfx == 9)
         put_lane_mask(wave, i->dst, o->bits & exec);
      return;
   }
   if (op->flags & COMPARES) {
      put_lane_mask(wave, i->dst, o->bits & exec);
      return;
   }
   if (op->flags & PACKED_FLOAT) {
      if (i->clamp)
         clamp_halves(o->d, wave->lanes);
      if (!(denormals(wave, 16) & OUT))
         flush_halves(o->d, wave->lanes);
   } else {
      modify_result(wave, i, op, o->d);
   }
   if (op->flags & SETS_CARRY)
      put_lane_mask(wave, i->form == VOP3SD ? i->mask_dst : VCC_LO, o->bits & exec);
   if (i->sdwa)
      put_selected(wave, i, o->d, written);
   else if (op->flags & ZEROES_UPPER_HALF && !(i->high & 8))
      put_filled(wave, i->dst, o->d, written);
   else
      put_vector(wave, i->dst, op->result ? op->result : 32, i->high >> 3 & 1, o->d, written);
}

void run_vector(Wave *wave, const Instruction *i)
{
   static _Thread_local Operands o;
   const Opcode *op = i->op;
   u64 exec = exec_of(wave), written = exec, *sources[] = {o.s0, o.s1, o.s2};
   o.lanes = wave->lanes, o.literal = i->literal, o.m0 = wave->reg.s[M0], o.ieee = wave->reg.ieee;
   if (op->flags & PRODUCTS && (i->negate | i->negate_high | i->select || (i->select_high & 3) != 3))
      stop(UNKNOWN, "modifiers of a sum of products");
   for (u32 n = 0; n < op->sources; n++) {
      if (n == 2 && op->flags & CARRY_IN_SOURCE)
         continue;
      if (op->flags & PACKED) {
         arrange(wave, i, n, exec, sources[n]);
         continue;
      }
      if (i->sdwa && n < 2)
         fetch_selected(wave, i, n, exec, sources[n]);
      else
         fetch_source(wave, i, op, n, i->source[n], exec, sources[n]);
      if (n == 0 && i->dpp_kind)
         written = swizzle(wave, i, o.s0, exec);
      modify(wave, i, op, n, sources[n]);
   }
   o.carry = op->flags & CARRY_IN_SOURCE && i->long_form ? lane_mask(wave, i->source[2]) : op->flags & READS_CARRY ? lane_mask(wave, VCC_LO) : 0;
   if (op->flags & READS_RESULT)
      load_register(wave, i->dst, op->result, i->high >> 3 & 1, exec, o.d);
   else
      memset(o.d, 0, sizeof o.d);
   compute(wave, op, i->clamp && op->saturated, &o);
   put_result(wave, i, op, &o, exec, written);
}

/* Two instructions at once: both read before one writes. */
void run_pair(Wave *wave, const Instruction *i)
{
   static _Thread_local Operands o[2];
   u64 exec = exec_of(wave);
   for (u32 k = 0; k < 2; k++) {
      const Opcode *op = k ? i->second : i->op;
      const u16 *from = k ? i->source2 : i->source;
      u64 *sources[] = {o[k].s0, o[k].s1};
      o[k].lanes = wave->lanes, o[k].literal = i->literal, o[k].ieee = wave->reg.ieee;
      for (u32 n = 0; n < op->sources && n < 2; n++) {
         fetch_source(wave, i, op, n, from[n], exec, sources[n]);
         modify(wave, i, op, n, sources[n]);
      }
      o[k].carry = lane_mask(wave, VCC_LO);
      load_register(wave, k ? i->dst2 : i->dst, 32, false, op->flags & READS_RESULT ? exec : 0, o[k].d);
      compute(wave, op, false, &o[k]);
      modify_result(wave, i, op, o[k].d);
   }
   put_vector(wave, i->dst, 32, false, o[0].d, exec);
   put_vector(wave, i->dst2, 32, false, o[1].d, exec);
}
