/* Registers, constants and masks, as instructions name them. */
#include "primitives.h"

u64 exec_of(const Wave *wave)
{
   const u32 *s = wave->reg.s;
   return wave->lanes == 64 ? s[EXEC_LO] | (u64)s[EXEC_LO + 1] << 32 : s[EXEC_LO];
}

/* ---- scalars */

static void check_scalar(Wave *wave, u32 number)
{
   if (number < EXEC_LO && !(wave->reg.s_written[number / 64] >> number % 64 & 1))
      mark(UNDEFINED, "s%u was never written", number);
}

u32 scalar_word(Wave *wave, u32 number)
{
   if (number == NULL_REGISTER)
      return 0;
   if (number >= SCALARS)
      stop(FAULT, "there is no scalar register %u", number);
   check_scalar(wave, number);
   return wave->reg.s[number];
}

static u64 scalar_bits(Wave *wave, u32 number, u32 bits)
{
   u64 value = scalar_word(wave, number);
   if (bits == 64 && number != NULL_REGISTER)
      value |= (u64)scalar_word(wave, number + 1) << 32;
   return bits == 16 ? value & 0xffff : value;
}

void put_scalar(Wave *wave, u32 number, u32 bits, u64 value)
{
   if (number == NULL_REGISTER)
      return;
   if (number + bits / 64 >= SCALARS)
      stop(FAULT, "there is no scalar register %u", number);
   for (u32 n = number; n <= number + bits / 64; n++, value >>= 32) {
      wave->reg.s[n] = (u32)value;
      wave->reg.s_written[n / 64] |= 1ull << n % 64;
   }
}

/* 128 to 208: integers; 240 to 248: floats. */
u64 inline_constant(u32 number, u32 bits)
{
   static const float floats[] = {0.5f, -0.5f, 1, -1, 2, -2, 4, -4, 0.15915494309189533577f};
   u64 integer = number <= 192 ? number - 128 : 192 - (i64)number;
   if (number <= 208)
      return bits == 64 ? integer : bits == 16 ? integer & 0xffff : (u32)integer;
   float f = floats[number - 240];
   if (bits == 64)
      return number == 248 ? 0x3fc45f306dc9c882ull : double_bits(f);
   return bits == 16 ? half_bits(f) : float_bits(f);
}

u64 scalar_source(Wave *wave, const Instruction *i, u32 number, u32 bits, bool real)
{
   if (number < SCALARS)
      return scalar_bits(wave, number, bits);
   if (number == 255 && bits == 64 && i->op->flags & SIGNED_LITERAL)
      return (u64)(i64)(i32)i->literal;
   if (number == 255)
      return bits == 64 && real ? (u64)i->literal << 32 : bits == 16 ? i->literal & 0xffff : i->literal;
   switch (number) {
   case 251: return lane_mask(wave, VCC_LO) == 0;
   case 252: return exec_of(wave) == 0;
   case 253: return wave->reg.scc;
   }
   if (number <= 208 || (number >= 240 && number <= 248))
      return inline_constant(number, bits);
   stop(UNKNOWN, "the source %u", number);
}

/* ---- masks: a bit per lane, in one scalar register or two */

u64 lane_mask(const Wave *wave, u32 number)
{
   if (number == NULL_REGISTER)
      return 0;
   if (number >= SCALARS)
      return number >= 193 && number <= 208 ? inline_constant(number, 64) : number == 128 ? 0 : number - 128;
   const u32 *s = &wave->reg.s[number];
   return wave->lanes == 64 ? s[0] | (u64)s[1] << 32 : s[0];
}

void put_lane_mask(Wave *wave, u32 number, u64 mask)
{
   put_scalar(wave, number, wave->lanes == 64 ? 64 : 32, mask);
}

/* ---- vectors */

static void check_vector(const Wave *wave, u32 number)
{
   if (number >= wave->reg.vectors + wave->reg.shared)
      stop(FAULT, "there is no vector register %u", number);
}

/* Both half waves see the same register, which the upper one writes last. */
static void share(struct Registers *r, u32 number, u64 lanes)
{
   for (u32 lane = 0; number >= r->vectors && lane < 32; lane++) {
      bool low = lanes >> lane & 1, high = lanes >> (lane + 32) & 1;
      u32 *row = r->v[number];
      if (high)
         row[lane] = row[lane + 32];
      else if (low)
         row[lane + 32] = row[lane];
      for (u32 half = 0; half < 2; half++)
         r->v_written[number][half] |= (r->v_written[number][half] >> 32 | r->v_written[number][half] << 32) & (u64)(low || high) * (0x100000001ull << lane);
   }
}

const u32 *vector_source(Wave *wave, u32 number, enum Halves halves, u64 lanes)
{
   check_vector(wave, number);
   const u64 *written = wave->reg.v_written[number];
   u64 missing = lanes & ~((halves & LOW ? written[0] : ~0ull) & (halves & HIGH ? written[1] : ~0ull));
   if (missing)
      mark(UNDEFINED, "v%u was never written in lane %u", number, (u32)__builtin_ctzll(missing));
   return wave->reg.v[number];
}

static void blend(u32 *row, const u64 *values, u32 shift, u64 lanes)
{
   if (lanes == ~0ull) {
      for (u32 lane = 0; lane < LANES; lane++)
         row[lane] = (u32)(values[lane] >> shift);
      return;
   }
   for (u32 lane = 0; lane < LANES; lane++)
      row[lane] = lanes >> lane & 1 ? (u32)(values[lane] >> shift) : row[lane];
}

void put_vector(Wave *wave, u32 number, u32 bits, bool high, const u64 *values, u64 lanes)
{
   struct Registers *r = &wave->reg;
   check_vector(wave, number + (bits == 64));
   if (bits == 16) {
      u32 *row = r->v[number], shift = high ? 16 : 0, keep = high ? 0xffff : 0xffff0000;
      for (u32 lane = 0; lane < LANES; lane++)
         row[lane] = lanes >> lane & 1 ? (row[lane] & keep) | (u32)(values[lane] & 0xffff) << shift : row[lane];
      r->v_written[number][high] |= lanes;
      share(r, number, lanes);
      return;
   }
   blend(r->v[number], values, 0, lanes);
   r->v_written[number][0] |= lanes, r->v_written[number][1] |= lanes;
   share(r, number, lanes);
   if (bits == 64) {
      blend(r->v[number + 1], values, 32, lanes);
      r->v_written[number + 1][0] |= lanes, r->v_written[number + 1][1] |= lanes;
      share(r, number + 1, lanes);
   }
}

void put_word(Wave *wave, u32 number, u32 lane, u32 value)
{
   check_vector(wave, number);
   wave->reg.v[number][lane] = value;
   wave->reg.v_written[number][0] |= 1ull << lane, wave->reg.v_written[number][1] |= 1ull << lane;
   share(&wave->reg, number, 1ull << lane);
}

void put_half(Wave *wave, u32 number, u32 lane, bool high, u32 value)
{
   check_vector(wave, number);
   u32 *word = &wave->reg.v[number][lane];
   *word = high ? (*word & 0xffff) | value << 16 : (*word & 0xffff0000) | (value & 0xffff);
   wave->reg.v_written[number][high] |= 1ull << lane;
   share(&wave->reg, number, 1ull << lane);
}
