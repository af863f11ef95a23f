/* Encodings of gfx10 that differ from gfx11's; "RDNA" and "RDNA 2" ISA, 13. */
#include "primitives.h"

enum { NULL_10 = 125, M0_10 = 124, NO_ADDRESS = 127 };

/* ---- SDWA: bytes and halves of operands, sources that are not vector registers */

void decode_selection(Instruction *i, u32 extra)
{
   i->sdwa = true;
   i->dpp = extra; /* the parts of operands, see below */
   i->words++;
   i->clamp = extra >> 13 & 1;
   i->source[0] = (extra >> 23 & 1 ? 0 : 256) + BITS(extra, 0, 7);
   if (i->op->sources > 1 && extra >> 31)
      i->source[1] -= 256;
   i->negate = BITS(extra, 20, 20) | BITS(extra, 28, 28) << 1;
   i->absolute = BITS(extra, 21, 21) | BITS(extra, 29, 29) << 1;
   if (i->form != VOPC)
      i->omod = BITS(extra, 14, 15);
   else if (extra >> 15 & 1)
      i->dst = BITS(extra, 8, 14);
}

/* ---- memory */

static void decode_flat(Instruction *i, u32 w, u32 next)
{
   static const u8 forms[4] = {FLAT, SCRATCH, GLOBAL, UNKNOWN_FORM};
   u32 scalar = BITS(next, 16, 22);
   choose(i, forms[BITS(w, 14, 15)], BITS(w, 18, 24));
   i->glc = w >> 16 & 1;
   i->offset = i->form == FLAT ? 0 : SBITS(w, 0, 11); /* the hardware does not add it */
   i->address = BITS(next, 0, 7);
   i->data = BITS(next, 8, 15);
   i->scalar_address = scalar == NO_ADDRESS ? NULL_10 : scalar;
   i->offset_lane = scalar == NULL_10; /* scratch only: there is an address register */
   i->dst = BITS(next, 24, 31);
}

static void decode_buffer(Instruction *i, u32 w, u32 next)
{
   bool typed = w >> 26 == 0x3a;
   choose(i, typed ? MTBUF : MUBUF, typed ? BITS(w, 16, 18) | BITS(next, 21, 21) << 3 : BITS(w, 18, 25));
   i->format = BITS(w, 19, 25);
   decode_buffer_fields(i, w, next);
}

static void decode_image(Instruction *i, u32 w, const u32 *words)
{
   u32 next = words[1], more = BITS(w, 1, 2), last = BITS(next, 0, 7);
   choose(i, MIMG, BITS(w, 18, 24) | (w & 1) << 7);
   i->nsa = more;
   i->dimension = BITS(w, 3, 5);
   i->mask = BITS(w, 8, 11);
   i->unnormalized = w >> 12 & 1;
   i->glc = w >> 13 & 1;
   i->r128 = w >> 15 & 1;
   i->tfe = w >> 16 & 1;
   i->a16 = next >> 30 & 1;
   i->d16 = next >> 31;
   i->data = BITS(next, 8, 15);
   i->dst = i->data;
   i->source[0] = BITS(next, 16, 20) * 4, i->source[1] = BITS(next, 21, 25) * 4;
   i->coordinates[0] = last;
   for (u32 n = 1; n < COUNT(i->coordinates); n++)
      i->coordinates[n] = last = n <= 4 * more ? words[2 + (n - 1) / 4] >> 8 * ((n - 1) % 4) & 255 : last + 1;
   i->words += more;
}

bool decode_memory_10(Instruction *i, u32 w, const u32 *words)
{
   u32 next = words[1];
   i->words = 2;
   switch (w >> 26) {
   case 0x3d: decode_smem(i, w, next, BITS(w, 18, 25), SBITS(next, 0, 20)); return true;
   case 0x36: decode_ds(i, w, next); return true;
   case 0x37: decode_flat(i, w, next); return true;
   case 0x38: case 0x3a: decode_buffer(i, w, next); return true;
   case 0x3c: decode_image(i, w, words); return true;
   }
   return false;
}

/* ---- null and m0 have swapped numbers */

static void rename_one(u16 *number) { *number ^= *number == NULL_10 || *number == M0_10; }

void rename_registers(Instruction *i)
{
   u16 scalar = i->scalar_address;
   bool scalar_result = (i->form >= SOP1 && i->form <= SMEM) || i->form == VOPC || i->op->flags & (COMPARES | COMPARES_EXEC) || !strncmp(i->op->name, "V_READ", 6);
   for (u32 n = 0; n < COUNT(i->source); n++)
      rename_one(&i->source[n]);
   if (scalar_result)
      rename_one(&i->dst);
   rename_one(&i->mask_dst);
   rename_one(&scalar);
   i->scalar_address = (u8)scalar;
}

/* ---- the part of an operand that SDWA names: 0 to 3 a byte, 4 and 5 a half, 6 all */

static u32 part_bits(u32 part) { return part < 4 ? 8 : part < 6 ? 16 : 32; }
static u32 part_low(u32 part) { return part < 4 ? 8 * part : part == 5 ? 16 : 0; }

void fetch_selected(Wave *wave, const Instruction *i, u32 n, u64 lanes, u64 *values)
{
   u32 part = BITS(i->dpp, 16 + 8 * n, 18 + 8 * n), bits = part_bits(part), low = part_low(part), width = i->op->bits[n];
   u64 mask = (1ull << (width == 16 ? 16 : 32)) - 1, whole = (1ull << bits) - 1;
   bool extends = i->dpp >> (19 + 8 * n) & 1;
   const u32 *row = NULL;
   u64 value = 0;
   if (i->source[n] >= 256)
      row = vector_source(wave, i->source[n] - 256, low >= 16 ? HIGH : bits == 32 && width != 16 ? BOTH : LOW, lanes);
   else
      value = scalar_source(wave, i, i->source[n], i->source[n] < SCALARS ? 32 : width, false);
   for (u32 lane = 0; lane < LANES; lane++) {
      u64 one = ((row ? row[lane] : value) >> low) & whole;
      values[lane] = (extends ? (u64)sign_extend(one, bits) : one) & mask;
   }
}

enum { ZEROS, SIGN, KEPT };

void put_selected(Wave *wave, const Instruction *i, const u64 *values, u64 lanes)
{
   u32 part = BITS(i->dpp, 8, 10), bits = part_bits(part), low = part_low(part), rest = BITS(i->dpp, 11, 12);
   EACH_LANE(lane, (Mask){{lanes}})
   {
      u64 value = values[lane] & ((1ull << bits) - 1);
      if (rest != KEPT || bits == 32)
         put_word(wave, i->dst, lane, (u32)(rest == SIGN ? (u64)sign_extend(value, bits) : value) << low);
      else
         put_half(wave, i->dst, lane, low >= 16, (u32)insert(wave->reg.v[i->dst][lane], low, bits, value) >> (low >= 16 ? 16 : 0) & 0xffff);
   }
}
