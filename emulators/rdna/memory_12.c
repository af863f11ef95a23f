/* Decodes gfx12's instructions that access memory; "RDNA4" ISA, 16. */
#include "gfx.h"

enum { VIMAGE_ADDRESSES = 5, VSAMPLE_ADDRESSES = 4 };

/* The lowest bit of an atomic instruction's temporal hint asks for the old value. */
static void hint(Instruction *i, u32 next) { i->glc = i->op && i->op->access == ATOMIC && next >> 20 & 1; }

static void decode_flat(Instruction *i, u32 w, u32 next, u32 last)
{
   static const u8 forms[4] = {FLAT, SCRATCH, GLOBAL, UNKNOWN_FORM};
   choose(i, forms[BITS(w, 24, 25)], BITS(w, 14, 21));
   hint(i, next);
   i->scalar_address = BITS(w, 0, 6);
   i->dst = BITS(next, 0, 7);
   i->offset_lane = next >> 17 & 1; /* scratch only: there is an address register */
   i->data = BITS(next, 23, 30);
   i->address = BITS(last, 0, 7);
   i->offset = SBITS(last, 8, 31);
}

static void decode_buffer(Instruction *i, u32 w, u32 next, u32 last)
{
   choose(i, MUBUF, BITS(w, 14, 21));
   if (i->op && i->op->name[0] == 'T')
      i->form = MTBUF;
   hint(i, next);
   i->source[0] = BITS(next, 9, 17), i->source[1] = BITS(w, 0, 6);
   i->tfe = w >> 22 & 1;
   i->data = BITS(next, 0, 7);
   i->dst = i->data;
   i->format = BITS(next, 23, 29);
   i->offset_lane = next >> 30 & 1;
   i->index_lane = next >> 31;
   i->address = BITS(last, 0, 7);
   i->offset = SBITS(last, 8, 31);
}

static void decode_image(Instruction *i, u32 w, u32 next, u32 last)
{
   bool samples = w >> 26 == 0x39;
   u32 named = samples ? VSAMPLE_ADDRESSES : VIMAGE_ADDRESSES, number = 0;
   choose(i, samples ? VSAMPLE : MIMG, BITS(w, 14, 21));
   hint(i, next);
   i->nsa = true;
   i->dimension = BITS(w, 0, 2);
   i->r128 = w >> 4 & 1;
   i->d16 = w >> 5 & 1;
   i->a16 = w >> 6 & 1;
   i->unnormalized = samples && w >> 13 & 1;
   i->mask = BITS(w, 22, 25);
   i->tfe = samples ? w >> 3 & 1 : next >> 23 & 1;
   i->data = BITS(next, 0, 7);
   i->dst = i->data;
   i->source[0] = BITS(next, 9, 17), i->source[1] = samples ? BITS(next, 23, 31) : 0;
   for (u32 n = 0; n < COUNT(i->coordinates); n++) { /* the last one that is named begins a range */
      number = n >= named ? number + 1 : n == 4 ? next >> 24 : last >> 8 * n & 255;
      i->coordinates[n] = (u8)number;
   }
}

bool decode_memory_12(Instruction *i, u32 w, const u32 *words)
{
   u32 next = words[1];
   i->words = 3;
   switch (w >> 26) {
   case 0x31: decode_buffer(i, w, next, words[2]); return true;
   case 0x34: case 0x39: decode_image(i, w, next, words[2]); return true;
   case 0x3b: decode_flat(i, w, next, words[2]); return true;
   }
   i->words = 2;
   switch (w >> 26) {
   case 0x3d: decode_smem(i, w, next, BITS(w, 13, 18), SBITS(next, 0, 23)); return true;
   case 0x36: decode_ds(i, w, next); return true;
   }
   return false;
}
