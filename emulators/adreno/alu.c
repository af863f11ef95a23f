/* Operands, and the instructions that only compute. */
#include "alu.h"

/* Exec is computed again after every change of the path or of predication. */
void refresh(Wave *wave)
{
   struct Registers *r = &wave->reg;
   Mask exec = wave->active;
   if (r->predicating)
      EACH_WORD(k) exec.w[k] &= r->predicated[k];
   if (mask_equal(exec, exec_of(wave)))
      return;
   memcpy(r->exec, exec.w, sizeof exec.w);
   for (u32 lane = 0; lane < wave->lanes; lane++)
      r->blend[lane] = -(u32)mask_has(exec, lane);
}

static u32 row_number(u32 number, bool half)
{
   return !half ? number : number < SHARED ? number >> 1 : SHARED + ((number - SHARED) >> 1);
}

static void check_written(Wave *wave, u32 number, bool half)
{
   const struct Registers *r = &wave->reg;
   u32 row = row_number(number, half);
   u64 missing = 0;
   EACH_WORD(k)
   {
      u64 low = r->written[2 * row][k], high = r->written[2 * row + 1][k];
      missing |= r->exec[k] & ~(!half ? low & high : number & 1 ? high : low);
   }
   if (__builtin_expect(missing != 0, 0))
      mark(UNDEFINED, "%sr%u.%c was never written", half ? "h" : "", number >> 2, "xyzw"[number & 3]);
}

/* A register's values. `space` is used if they cannot be used in place. */
const u32 *row_of(Wave *wave, u32 number, bool half, u32 *space)
{
   u32 row = row_number(number, half);
   if (row >= ROWS)
      stop(FAULT, "there is no register %u", number);
   check_written(wave, number, half);
   const u32 *values = wave->reg.row[row];
   if (!half)
      return values;
   u32 shift = number & 1 ? 16 : 0;
   for (u32 lane = 0; lane < wave->lanes; lane++)
      space[lane] = values[lane] >> shift & 0xffff;
   return space;
}

static void fill(u32 *space, u32 value, u32 lanes)
{
   for (u32 lane = 0; lane < lanes; lane++)
      space[lane] = value;
}

/* Constants have 32 bits. Half instructions take the value of a float, or the low half of an integer [7]. */
static u32 constant(const State *state, i32 number, bool half, u8 kind)
{
   if (number < 0 || number >= (i32)state->constant_count || number >= CONSTANTS)
      stop(FAULT, "the launch has %u constants, not c%d.%c", state->constant_count, number >> 2, "xyzw"[number & 3]);
   if (!state->constant_loaded[number])
      mark(UNDEFINED, "constant c%d.%c was not loaded", number >> 2, "xyzw"[number & 3]);
   u32 value = state->constants[number];
   return !half ? value : kind == K_FLOAT ? half_bits(as_float(value)) : value & 0xffff;
}

static const u32 *special_register(Wave *wave, u32 number, u32 *space)
{
   const struct Registers *r = &wave->reg;
   if (number >= P0) {
      for (u32 lane = 0; lane < wave->lanes; lane++)
         space[lane] = r->p[number & 3][lane / 64] >> lane % 64 & 1;
   } else {
      for (u32 lane = 0; lane < wave->lanes; lane++)
         space[lane] = number == A0 ? r->a0[lane] : r->a1;
   }
   return space;
}

static const u32 *relative_source(Wave *wave, const Source *s, u32 step, u8 kind, u32 *space)
{
   Mask exec = exec_of(wave);
   memset(space, 0, LANES * sizeof *space);
   EACH_LANE(lane, exec)
   {
      i32 number = wave->reg.a0[lane] + s->value + (i32)step;
      if (s->where == RELATIVE_CONSTANT) {
         space[lane] = constant(state_of(wave), number, s->half, kind);
         continue;
      }
      u32 row = row_number(number, s->half);
      if (number < 0 || row >= SHARED)
         stop(FAULT, "there is no register r<a0.x + %d> with a0.x = %d", s->value, wave->reg.a0[lane]);
      u32 value = wave->reg.row[row][lane];
      space[lane] = !s->half ? value : value >> (number & 1 ? 16 : 0) & 0xffff;
   }
   return space;
}

static const u32 *modified(const Source *s, u8 kind, const u32 *values, u32 *space, u32 lanes)
{
   const u32 sign = s->half ? 0x8000 : 0x80000000, all = s->half ? 0xffff : 0xffffffff;
   for (u32 lane = 0; lane < lanes; lane++) {
      u32 x = values[lane];
      if (kind == K_FLOAT || kind == K_WORD) {
         x = s->absolute ? x & ~sign : x;
         x = s->negate ? x ^ sign : x;
      } else if (kind == K_BITS) {
         x = s->negate ? ~x & all : x;
      } else {
         x = s->absolute && x & sign ? -x & all : x;
         x = s->negate ? -x & all : x;
      }
      space[lane] = x;
   }
   return space;
}

/* Source n of all lanes, 16 bits for halves. `step` counts the repetitions of (rpt). */
const u32 *read_source(Wave *wave, const Instruction *i, u32 n, u32 step, u8 kind, u32 *space)
{
   const Source *s = &i->src[n];
   u32 number = s->number + (s->repeats ? step : 0);
   const u32 *values = space;
   switch ((enum Where)s->where) {
   case GPR:
      values = number >= A0 && number < DUMMY ? special_register(wave, number, space) : row_of(wave, number, s->half, space);
      break;
   case CONSTANT:
      fill(space, constant(state_of(wave), number, s->half, kind), wave->lanes);
      break;
   case IMMEDIATE:
      fill(space, s->value, wave->lanes);
      break;
   case RELATIVE_GPR:
   case RELATIVE_CONSTANT:
      relative_source(wave, s, s->repeats ? step : 0, kind, space);
      break;
   }
   return s->negate || s->absolute ? modified(s, kind, values, space, wave->lanes) : values;
}

u64 address_of(const Wave *wave, u32 number, u32 lane)
{
   if (number + 1 >= ROWS)
      stop(FAULT, "there is no register %u", number + 1);
   return wave->reg.row[number][lane] | (u64)wave->reg.row[number + 1][lane] << 32;
}

static void put_row(Wave *wave, u32 number, bool half, const u32 *values)
{
   struct Registers *r = &wave->reg;
   u32 row = row_number(number, half);
   if (row >= ROWS)
      stop(FAULT, "there is no register %u", number);
   u32 shared[LANES];
   if (row >= SHARED) { /* the wave has one of it: the first lane's value */
      u32 first = mask_lowest(exec_of(wave));
      if (first == LANES)
         return;
      fill(shared, values[first], LANES);
      values = shared;
   }
   u32 *to = r->row[row];
   const u32 *blend = r->blend;
   if (row >= SHARED) {
      for (u32 lane = 0; lane < LANES; lane++)
         to[lane] = !half ? values[lane] : number & 1 ? (to[lane] & 0xffff) | values[lane] << 16 : (to[lane] & 0xffff0000) | (values[lane] & 0xffff);
   } else if (!half) {
      for (u32 lane = 0; lane < wave->lanes; lane++)
         to[lane] = (to[lane] & ~blend[lane]) | (values[lane] & blend[lane]);
   } else {
      u32 shift = number & 1 ? 16 : 0;
      for (u32 lane = 0; lane < wave->lanes; lane++) {
         u32 bits = blend[lane] & (0xffffu << shift);
         to[lane] = (to[lane] & ~bits) | (values[lane] << shift & bits);
      }
   }
   EACH_WORD(k)
   {
      u64 exec = row >= SHARED ? ~0ull : r->exec[k];
      if (!half || !(number & 1))
         r->written[2 * row][k] |= exec;
      if (!half || number & 1)
         r->written[2 * row + 1][k] |= exec;
   }
}

/* Writes the values of the executing lanes, their low 16 bits for a half register. */
void put(Wave *wave, u32 number, bool half, const u32 *values)
{
   struct Registers *r = &wave->reg;
   Mask exec = exec_of(wave);
   if (number < A0) {
      put_row(wave, number, half, values);
   } else if (number >= P0 && number < DUMMY) {
      EACH_LANE(lane, exec)
      {
         u64 bit = 1ull << lane % 64, *p = &r->p[number & 3][lane / 64];
         *p = values[lane] ? *p | bit : *p & ~bit;
      }
   } else if (number == A0) {
      EACH_LANE(lane, exec) r->a0[lane] = (i16)values[lane];
   } else if (number == A1) {
      u32 first = mask_lowest(exec);
      r->a1 = first < LANES ? (i32)values[first] : r->a1;
   }
}

/* A predicate of the whole wave, lanes that do not execute included. */
static void put_uniform(Wave *wave, u32 number, const u32 *values)
{
   u32 first = mask_lowest(exec_of(wave));
   if (first < LANES)
      memset(wave->reg.p[number & 3], values[first] ? 0xff : 0, sizeof *wave->reg.p);
}

/* ---- results: saturated in the sources' width, then converted to the destination's */

static void saturate(const Instruction *i, u32 *d, u32 lanes)
{
   for (u32 lane = 0; lane < lanes; lane++) {
      float x = i->half ? half_float(d[lane]) : as_float(d[lane]);
      x = max_float(x, 0.f) > 1.f ? 1.f : max_float(x, 0.f);
      d[lane] = i->half ? half_bits(x) : float_bits(x);
   }
}

static i64 clamp(i64 x, i64 low, i64 high) { return x < low ? low : x > high ? high : x; }

/* (sat) and (ei), the halving addition, for integers: computed with more bits than the sources have. */
static void exact_sum(const Instruction *i, const u32 *a, const u32 *b, u32 *d, u32 lanes)
{
   bool negative = i->op->kind == K_SIGNED, minus = i->op->name[0] == 's';
   u32 width = i->half ? 16 : 32;
   i64 low = negative ? -(1ll << (width - 1)) : 0, high = (1ll << (negative ? width - 1 : width)) - 1;
   for (u32 lane = 0; lane < lanes; lane++) {
      i64 x = negative ? extend(a[lane], width) : (i64)a[lane], y = negative ? extend(b[lane], width) : (i64)b[lane];
      i64 sum = minus ? x - y : x + y;
      d[lane] = (u32)(i->halve ? sum >> 1 : clamp(sum, low, high)) & (width == 16 ? 0xffff : 0xffffffff);
   }
}

static void put_result(Wave *wave, const Instruction *i, u32 step, u32 *d)
{
   u8 result = i->op->result;
   if (i->half != i->dst_half && !(i->op->wide && i->half)) {
      for (u32 lane = 0; lane < wave->lanes; lane++) {
         if (result == K_FLOAT)
            d[lane] = i->half ? float_bits(half_float(d[lane])) : half_bits(as_float(d[lane]));
         else if (result == K_SIGNED && i->half)
            d[lane] = (u32)(i16)d[lane];
      }
   }
   if (i->uniform)
      put_uniform(wave, i->dst, d);
   else
      put(wave, i->dst < A0 ? i->dst + step : i->dst, i->dst_half, d);
}

void run_alu(Wave *wave, const Instruction *i)
{
   const Opcode *op = i->op;
   u32 space[3][LANES] __attribute__((aligned(64))), d[LANES] __attribute__((aligned(64)));
   bool add = op->category == 2 && (op->kind == K_SIGNED || op->kind == K_UNSIGNED) && (i->saturate || i->halve);
   for (u32 step = 0; step <= i->repeat; step++) {
      const u32 *v[3] = {0};
      for (u32 n = 0; n < op->sources; n++)
         v[n] = read_source(wave, i, n, step, op->kind, space[n]);
      if (add && op->sources == 2)
         exact_sum(i, v[0], v[1], d, wave->lanes);
      else
         op->alu[i->half](d, v[0], v[1], v[2], wave->lanes);
      if (i->saturate && op->kind == K_FLOAT)
         saturate(i, d, wave->lanes);
      put_result(wave, i, step, d);
   }
}

void run_compare(Wave *wave, const Instruction *i)
{
   u32 space[2][LANES] __attribute__((aligned(64))), d[LANES] __attribute__((aligned(64)));
   if (i->condition > 5)
      stop(UNKNOWN, "condition %u", i->condition);
   for (u32 step = 0; step <= i->repeat; step++) {
      const u32 *a = read_source(wave, i, 0, step, i->op->kind, space[0]), *b = read_source(wave, i, 1, step, i->op->kind, space[1]);
      i->op->condition[i->half][i->condition](d, a, b, NULL, wave->lanes);
      put_result(wave, i, step, d);
   }
}

/* dp2acc, dp4acc: the dot product of two vectors of bytes, plus a sum. The first is signed or unsigned. The second
 * is signed if a bit of dp4acc is set, which chooses the half in dp2acc. */
void run_dot(Wave *wave, const Instruction *i)
{
   u32 space[3][LANES], d[LANES];
   bool pair = i->op->flag == PAIR;
   for (u32 step = 0; step <= i->repeat; step++) {
      const u32 *v[3];
      for (u32 n = 0; n < 3; n++)
         v[n] = read_source(wave, i, n, step, K_UNSIGNED, space[n]);
      for (u32 lane = 0; lane < wave->lanes; lane++) {
         u32 shift = pair && i->packed ? 16 : 0;
         i64 sum = i->mixed ? (i64)(i32)v[2][lane] : (i64)v[2][lane];
         for (u32 k = 0; k < (pair ? 2 : 4); k++) {
            u8 x = v[0][lane] >> (shift + 8 * k), y = v[1][lane] >> (shift + 8 * k);
            sum += (i->mixed ? (i32)(i8)x : (i32)x) * (!pair && i->packed ? (i32)(i8)y : (i32)y);
         }
         if (i->saturate)
            sum = i->mixed ? clamp(sum, INT32_MIN, INT32_MAX) : clamp(sum, 0, UINT32_MAX);
         d[lane] = (u32)sum;
      }
      put(wave, i->dst + step, false, d);
   }
}

/* bfrev.b reverses the number of bits of its destination [2]. */
void run_reverse(Wave *wave, const Instruction *i)
{
   u32 space[LANES], d[LANES];
   for (u32 step = 0; step <= i->repeat; step++) {
      const u32 *values = read_source(wave, i, 0, step, K_BITS, space);
      for (u32 lane = 0; lane < wave->lanes; lane++)
         d[lane] = __builtin_bitreverse32(values[lane]) >> (i->dst_half ? 16 : 0);
      put(wave, i->dst + step, i->dst_half, d);
   }
}

void run_nop(Wave *wave, const Instruction *i) { (void)wave, (void)i; }
