/* Encodings of gfx9 that differ from gfx10's, and registers by an index; "Vega" ISA, 4.3 and 12. */
#include "primitives.h"

enum { NO_REGISTER = 125, NO_ADDRESS = 127 }; /* NO_REGISTER: null of gfx10, which gfx9 does not have */

/* ---- memory */

static void decode_scalar_load(Instruction *i, u32 w, u32 next)
{
   bool immediate = w >> 17 & 1, both = w >> 14 & 1;
   decode_smem(i, w, next, BITS(w, 18, 25), immediate ? SBITS(next, 0, 20) : 0);
   if (!both)
      i->source[1] = immediate ? NO_REGISTER : BITS(next, 0, 6);
}

static void decode_flat(Instruction *i, u32 w, u32 next)
{
   static const u8 forms[4] = {FLAT, SCRATCH, GLOBAL, UNKNOWN_FORM};
   u32 scalar = BITS(next, 16, 22);
   choose(i, forms[BITS(w, 14, 15)], BITS(w, 18, 24));
   i->glc = w >> 16 & 1;
   i->offset = i->form == FLAT ? (i32)BITS(w, 0, 11) : SBITS(w, 0, 12);
   i->address = BITS(next, 0, 7);
   i->data = BITS(next, 8, 15);
   i->scalar_address = scalar == NO_ADDRESS ? NO_REGISTER : scalar;
   i->offset_lane = scalar == NO_ADDRESS; /* scratch: either a scalar register or a vector register */
   i->dst = BITS(next, 24, 31);
   if (w >> 13 & 1 || scalar == NO_REGISTER || (i->form == FLAT && (w >> 12 & 1 || scalar))) /* into local memory; no register */
      i->op = NULL;
}

static void decode_buffer(Instruction *i, u32 w, u32 next)
{
   bool typed = w >> 26 == 0x3a;
   choose(i, typed ? MTBUF : MUBUF, typed ? BITS(w, 15, 18) : BITS(w, 18, 24));
   i->format = format_of_9(BITS(w, 19, 22), BITS(w, 23, 25));
   decode_buffer_fields(i, w, next);
   if (!typed && w >> 16 & 1) /* into local memory */
      i->op = NULL;
}

/* The descriptor says how many coordinates there are, and DA whether the last one is a layer. */
static void decode_image(Instruction *i, u32 w, u32 next)
{
   choose(i, MIMG, BITS(w, 18, 24));
   i->mask = BITS(w, 8, 11);
   i->unnormalized = w >> 12 & 1;
   i->glc = w >> 13 & 1;
   i->dimension = w >> 14 & 1 ? ARRAY_2D : PLANE;
   i->a16 = w >> 15 & 1;
   i->tfe = w >> 16 & 1;
   i->d16 = next >> 31;
   i->data = BITS(next, 8, 15);
   i->dst = i->data;
   i->source[0] = BITS(next, 16, 20) * 4, i->source[1] = BITS(next, 21, 25) * 4;
   for (u32 n = 0; n < COUNT(i->coordinates); n++)
      i->coordinates[n] = (u8)(BITS(next, 0, 7) + n);
}

static void decode_local(Instruction *i, u32 w, u32 next)
{
   decode_ds(i, w, next);
   i->op = NULL;
   if (!(w >> 16 & 1)) /* no global data share */
      choose(i, DS, BITS(w, 17, 24));
}

bool decode_memory_9(Instruction *i, u32 w, const u32 *words)
{
   u32 next = words[1];
   i->words = 2;
   switch (w >> 26) {
   case 0x30: decode_scalar_load(i, w, next); return true;
   case 0x36: decode_local(i, w, next); return true;
   case 0x37: decode_flat(i, w, next); return true;
   case 0x38: case 0x3a: decode_buffer(i, w, next); return true;
   case 0x3c: decode_image(i, w, next); return true;
   }
   return false;
}

/* Encodings that gfx9 does not have: null as a register, literals and parts of operands in words of 64 bits. */
bool is_of_gfx9(const Instruction *i)
{
   bool vector = i->form >= VOP1 && i->form <= VOP3P, scalar = i->form >= SOP1 && i->form <= SOPK;
   u32 count = i->op->sources;
   for (u32 n = 0; (vector || scalar) && n < count; n++) {
      u32 s = i->source[n];
      if (s == NO_REGISTER || s == 233 || s == 234 || ((i->long_form || i->form == VOP3P) && (s == 249 || s == 250 || s == 255)))
         return false;
   }
   return !(scalar || i->op->flags & (COMPARES | COMPARES_EXEC)) || i->form == SOPC || i->dst != NO_REGISTER;
}

/* ---- registers by an index: the index is in M0's low byte, and the operands that it is added to from bit 12 on */

void run_index_registers(Wave *wave, const Instruction *i)
{
   u32 *m0 = &wave->reg.s[M0], mode = BITS(*m0, 12, 15), index = *m0 & 255;
   const char *what = i->op->name + strlen("S_SET_GPR_IDX_");
   bool on = !strcmp(what, "ON");
   if (!strcmp(what, "OFF")) {
      wave->reg.indexed = false;
      return;
   }
   if (on || !strcmp(what, "IDX"))
      index = (u32)scalar_source(wave, i, i->source[0], 32, false) & 255;
   if (on || !strcmp(what, "MODE"))
      mode = on ? i->source[1] & 15 : i->offset & 15;
   wave->reg.indexed |= on;
   put_scalar(wave, M0, 32, (*m0 & ~0xf0ffu) | mode << 12 | index);
}

static bool shift(u16 *number, u32 step, bool is_vector)
{
   if (is_vector)
      *number += step;
   return !is_vector || *number < 512;
}

/* The instruction as it is executed while registers are indexed. */
const Instruction *indexed(const Wave *wave, const Instruction *i, Instruction *own)
{
   u32 m0 = wave->reg.s[M0], index = m0 & 255, mode = BITS(m0, 12, 15);
   if (i->form < VOP1 || i->form > VOP3P)
      return i;
   if (i->run != run_vector || i->op->flags & (COMPARES | COMPARES_EXEC) || i->sdwa || i->dpp_kind)
      stop(UNKNOWN, "%s while registers are indexed", i->op->name);
   *own = *i;
   u16 result = (u16)(i->dst + 256);
   bool has = shift(&result, mode & 8 ? index : 0, true);
   own->dst = result - 256;
   for (u32 n = 0; n < i->op->sources; n++)
      has &= shift(&own->source[n], mode >> n & 1 ? index : 0, i->source[n] >= 256);
   if (!has)
      stop(FAULT, "%s: a register %u after the one that is named", i->op->name, index);
   return own;
}
