/* Sources, by the kinds of an instruction's operands, and registers. */
#include "shader.h"
#include <stdio.h>

static const char *register_name(u32 number, u8 halves)
{
   static _Thread_local char text[16];
   static const char *const SUFFIX[] = {"", ".h0", ".h1", ""};
   snprintf(text, sizeof text, "r%u%s", number, SUFFIX[halves & 3]);
   return text;
}

void check_register(const State *state, u32 number)
{
   if (number >= REGISTERS || (state->narrow && number >= 16 && number < 48))
      stop(FAULT, "there is no register r%u", number);
}

void check_read(Wave *wave, u32 number, u8 halves)
{
   const struct Registers *r = &wave->reg;
   check_register(state_of(wave), number);
   u32 low = halves & 1 ? r->exec & ~r->written[2 * number] : 0, high = halves & 2 ? r->exec & ~r->written[2 * number + 1] : 0;
   if (low | high)
      mark(UNDEFINED, "%s was never written", register_name(number, (low != 0) + 2 * (high != 0)));
}

void write_register(Wave *wave, u32 number, u8 halves, const u32 *values)
{
   struct Registers *r = &wave->reg;
   check_register(state_of(wave), number);
   u32 bits = (halves & 1 ? 0xffff : 0) | (halves & 2 ? 0xffff0000 : 0), *to = r->row[number];
   for (u32 lane = 0; lane < LANES; lane++) {
      u32 blend = r->blend[lane] & bits;
      to[lane] = (to[lane] & ~blend) | (values[lane] & blend);
   }
   r->written[2 * number] |= halves & 1 ? r->exec : 0;
   r->written[2 * number + 1] |= halves & 2 ? r->exec : 0;
}

static void check_port(Wave *wave, const Source *s)
{
   const struct Registers *r = &wave->reg;
   u32 missing = (s->halves & 1 ? r->missing[s->port][0] : 0) | (s->halves & 2 ? r->missing[s->port][1] : 0);
   if (__builtin_expect(missing != 0, 0))
      mark(UNDEFINED, "source %u was never written", s->port);
}

/* A source's 32 bits, unchanged. */
const u32 *raw_operand(Wave *wave, const Instruction *i, u32 n)
{
   const Source *s = &i->src[n];
   if (s->port <= PORT_2)
      check_port(wave, s);
   return wave->reg.port[s->port];
}

static u32 element(const Pick *p, u32 word, u32 k) { return p->width == 32 ? word : word >> p->width * p->at[k] & ((1u << p->width) - 1); }

static u32 extended(u32 x, u32 width, bool is_signed)
{
   return is_signed ? (u32)((i32)(x << (32 - width)) >> (32 - width)) : x;
}

/* A source as `count` elements of 32 / count bits. */
static void pick_integers(const Source *s, const u32 *v, u32 count, bool is_signed, u32 *space)
{
   u32 width = 32 / count, mask = count == 1 ? ~0u : (1u << width) - 1;
   for (u32 lane = 0; lane < LANES; lane++) {
      u32 word = 0;
      for (u32 k = 0; k < count; k++) {
         u32 x = s->pick.width ? extended(element(&s->pick, v[lane], k), s->pick.width, is_signed) : v[lane] >> width * k;
         word |= (x & mask) << width * k;
      }
      space[lane] = s->inverted ? ~word : word;
   }
}

static u32 modified(const Source *s, u32 x, u32 sign) { return (s->absolute ? x & ~sign : x) ^ (s->negate ? sign : 0); }

static void pick_floats(const Instruction *i, const Source *s, const u32 *v, bool half, bool modifies, u32 *space)
{
   for (u32 lane = 0; lane < LANES; lane++) {
      u32 x = v[lane];
      if (half || s->pick.width) {
         x = x >> 16 * s->pick.at[0] & 0xffff;
         x = float_bits(half_float(i->flush_halves && !(x & 0x7c00) ? x & 0x8000 : x));
      } else if (i->flush && !(x & 0x7f800000)) {
         x &= 0x80000000;
      }
      space[lane] = modifies ? modified(s, x, 0x80000000) : x;
   }
}

static void pick_halves(const Instruction *i, const Source *s, const u32 *v, u32 *space)
{
   for (u32 lane = 0; lane < LANES; lane++) {
      u32 word = 0;
      for (u32 k = 0; k < 2; k++) {
         u32 x = v[lane] >> 16 * (s->pick.width ? s->pick.at[k] : k) & 0xffff;
         x = i->flush_halves && !(x & 0x7c00) ? x & 0x8000 : x;
         word |= modified(s, x, 0x8000) << 16 * k;
      }
      space[lane] = word;
   }
}

/* Source n as its kind says. `space` is used if the value does not lie in a register as it is. */
const u32 *operand(Wave *wave, const Instruction *i, u32 n, u32 *space)
{
   const Source *s = &i->src[n];
   const u32 *v = raw_operand(wave, i, n);
   char kind = i->op->kinds[n];
   switch (kind) {
   case 'w': return v;
   case 'u': case 's': case 'x':
      if (s->plain && !s->inverted)
         return v;
      pick_integers(s, v, 1, kind == 's' || (kind == 'x' && i->mod[M_extend] == O_sext), space);
      return space;
   case 'U': case 'S':
      if (s->plain && !s->inverted)
         return v;
      pick_integers(s, v, 2, kind == 'S', space);
      return space;
   case 'B': case 'b':
      if (s->plain && !s->inverted)
         return v;
      pick_integers(s, v, 4, kind == 'b', space);
      return space;
   case 'd': case 'D':
      if (!s->pick.width)
         return v;
      pick_integers(s, v, 1, kind == 'D', space);
      return space;
   case 'f':
      if (s->plain && !s->negate && !s->absolute && !i->flush)
         return v;
      pick_floats(i, s, v, false, true, space);
      return space;
   case 'F': pick_floats(i, s, v, false, false, space); return space;
   case 'H': pick_floats(i, s, v, true, true, space); return space;
   default:
      if (s->plain && !s->negate && !s->absolute && !i->flush_halves)
         return v;
      pick_halves(i, s, v, space);
      return space;
   }
}

/* The high word of a source of 64 bits, whose low word is given; for a narrower source its extension. */
const u32 *operand_high(Wave *wave, const Instruction *i, u32 n, const u32 *low, u32 *space)
{
   if (i->src[n].wide)
      return wave->reg.port[4 + n];
   for (u32 lane = 0; lane < LANES; lane++)
      space[lane] = i->op->kinds[n] == 'D' ? (u32)((i32)low[lane] >> 31) : 0;
   return space;
}
