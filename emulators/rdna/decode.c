/* Decodes words to instructions; "RDNA3" ISA, 15. */
#include "draw.h"

enum { SLOTS = 1 << 14 };
typedef struct {
   u32 epoch;
   Instruction i;
} Slot;

static u32 epoch = 1;

void forget_code(void) { epoch++; }

/* Decoded instructions are kept by address, and reused while their words are the same. */
const Instruction *instruction_at(u64 address)
{
   static Slot slots[SLOTS];
   Slot *slot = &slots[address / 4 % SLOTS];
   if (slot->epoch == epoch && slot->i.pc == address)
      return &slot->i;
   u32 words[5] = {0};
   memory_at(address, 4, 4, "an instruction");
   for (u32 n = 0; n < 5; n++) {
      const u8 *word = memory_find(address + 4 * n, 4);
      if (word)
         memcpy(&words[n], word, 4);
   }
   if (slot->i.pc != address || memcmp(slot->i.raw, words, sizeof words)) {
      decode(&slot->i, words);
      slot->i.pc = address;
   }
   slot->epoch = epoch;
   return &slot->i;
}

void choose(Instruction *i, enum Form form, u32 number)
{
   i->form = form;
   if (number < gpu.opcodes->count[form] && gpu.opcodes->of[form][number].name)
      i->op = &gpu.opcodes->of[form][number];
}

static void sources(Instruction *i, u32 a, u32 b, u32 c)
{
   i->source[0] = (u16)a, i->source[1] = (u16)b, i->source[2] = (u16)c;
}

/* ---- scalar forms */

static bool decode_scalar(Instruction *i, u32 w, u32 next)
{
   i->dst = BITS(w, 16, 22);
   sources(i, BITS(w, 0, 7), BITS(w, 8, 15), 0);
   i->offset = SBITS(w, 0, 15);
   switch (w >> 23) {
   case 0x17d: choose(i, SOP1, BITS(w, 8, 15)); return true;
   case 0x17e: choose(i, SOPC, BITS(w, 16, 22)); return true;
   case 0x17f: choose(i, SOPP, BITS(w, 16, 22)); return true;
   }
   if (w >> 28 == 0xb) {
      choose(i, SOPK, BITS(w, 23, 27));
      i->literal = next;
      i->words += i->op && !strcmp(i->op->name, "S_SETREG_IMM32_B32");
      sources(i, i->dst, 0, 0);
      return true;
   }
   if (w >> 30 != 2)
      return false;
   choose(i, SOP2, BITS(w, 23, 29));
   return true;
}

/* ---- vector forms */

static bool takes_literal(const Opcode *op)
{
   return op && (strstr(op->name, "FMAAK") || strstr(op->name, "FMAMK") || strstr(op->name, "V_MADAK") || strstr(op->name, "V_MADMK"));
}

static bool is_packed(u32 w) { return gpu.gfx == 9 ? w >> 23 == 0x1a7 : w >> 24 == 0xcc; }
static bool is_long(u32 w) { return w >> 26 == (gpu.gfx == 9 ? 0x34 : 0x35) || is_packed(w); }

static void decode_long_vector(Instruction *i, u32 w, u32 next)
{
   bool packed = is_packed(w);
   i->words = 2;
   i->dst = BITS(w, 0, 7);
   i->clamp = w >> 15 & 1;
   sources(i, BITS(next, 0, 8), BITS(next, 9, 17), BITS(next, 18, 26));
   i->negate = BITS(next, 29, 31);
   if (packed) {
      choose(i, VOP3P, BITS(w, 16, 22));
      i->negate_high = BITS(w, 8, 10);
      i->select = BITS(w, 11, 13);
      i->select_high = BITS(next, 27, 28) | BITS(w, 14, 14) << 2;
      return;
   }
   i->long_form = true;
   i->omod = BITS(next, 27, 28);
   choose(i, VOP3SD, BITS(w, 16, 25));
   if (i->op) {
      i->mask_dst = BITS(w, 8, 14);
      return;
   }
   choose(i, VOP3, BITS(w, 16, 25));
   i->absolute = BITS(w, 8, 10);
   i->select = BITS(w, 11, 14);
}

static void decode_pair(Instruction *i, u32 w, const u32 *words)
{
   u32 x = BITS(w, 22, 25), y = BITS(w, 17, 21), next = words[1];
   i->form = VOPD;
   i->words = 2;
   i->op = gpu.opcodes->pairs[x], i->second = gpu.opcodes->pairs[y];
   if (!i->second)
      i->op = NULL;
   sources(i, BITS(w, 0, 8), 256 + BITS(w, 9, 16), 0);
   i->source2[0] = BITS(next, 0, 8), i->source2[1] = 256 + BITS(next, 9, 16);
   i->dst = BITS(next, 24, 31);
   i->dst2 = BITS(next, 17, 23) << 1 | (~i->dst & 1);
   if (i->source[0] == 255 || i->source2[0] == 255 || takes_literal(i->op) || takes_literal(i->second)) {
      i->literal = words[2];
      i->words = 3;
   }
}

static bool decode_vector(Instruction *i, u32 w, const u32 *words)
{
   sources(i, BITS(w, 0, 8), 256 + BITS(w, 9, 16), 0);
   i->dst = BITS(w, 17, 24);
   if (w >> 25 == 0x3f) {
      choose(i, VOP1, BITS(w, 9, 16));
      sources(i, BITS(w, 0, 8), 0, 0);
   } else if (w >> 25 == 0x3e) {
      choose(i, VOPC, BITS(w, 17, 24));
      i->dst = VCC_LO;
   } else if (!(w >> 31)) {
      choose(i, VOP2, BITS(w, 25, 30));
   } else if (is_long(w)) {
      decode_long_vector(i, w, words[1]);
   } else if (w >> 26 == 0x32 && gpu.gfx >= 11) {
      decode_pair(i, w, words);
   } else {
      return false;
   }
   return true;
}

/* A literal, a swizzle of lanes, and halves of registers. */
static void finish_vector(Instruction *i, const u32 *words)
{
   if (i->form == VOPD || !i->op)
      return;
   bool whole = gpu.gfx == 9 && (i->long_form || i->form == VOP3P); /* is not followed by more words */
   u32 extra = words[i->words];
   if (i->source[0] == 250 && !whole) {
      i->dpp_kind = 16;
      i->dpp = extra;
      i->source[0] = 256 + (extra & 255);
      i->words++;
      if (!i->long_form) {
         i->negate |= BITS(extra, 20, 20) | BITS(extra, 22, 22) << 1;
         i->absolute |= BITS(extra, 21, 21) | BITS(extra, 23, 23) << 1;
      }
   } else if (gpu.gfx > 9 && (i->source[0] == 233 || i->source[0] == 234)) {
      i->dpp_kind = 8;
      i->dpp = extra;
      i->source[0] = 256 + (extra & 255);
      i->words++;
   }
   if (gpu.gfx < 11 && i->source[0] == 249 && !whole)
      decode_selection(i, extra);
   for (u32 n = 0; n < 3; n++) {
      if (i->op->bits[n] != 16 || i->form == VOP3P)
         continue;
      if (i->long_form)
         i->high |= i->select & 1 << n;
      else if (gpu.gfx >= 11 && i->source[n] >= 256 + 128)
         i->source[n] -= 128, i->high |= 1 << n;
   }
   if (i->op->result == 16 && !(i->op->flags & (COMPARES | COMPARES_EXEC)) && i->form != VOP3P) {
      if (i->long_form)
         i->high |= i->select & 8;
      else if (gpu.gfx >= 11 && i->dst >= 128)
         i->dst -= 128, i->high |= 8;
   }
}

static void finish_literal(Instruction *i, const u32 *words)
{
   u32 count = i->op ? i->op->sources : 0;
   bool has = takes_literal(i->op);
   for (u32 n = 0; n < count && n < 3; n++)
      has |= i->source[n] == 255 && i->form != SOPK;
   if (has)
      i->literal = words[i->words++];
}

/* ---- memory */

static void decode_flat(Instruction *i, u32 w, u32 next)
{
   static const u8 forms[4] = {FLAT, SCRATCH, GLOBAL, UNKNOWN_FORM};
   choose(i, forms[BITS(w, 16, 17)], BITS(w, 18, 24));
   i->glc = w >> 14 & 1;
   i->offset = SBITS(w, 0, 12);
   i->address = BITS(next, 0, 7);
   i->data = BITS(next, 8, 15);
   i->scalar_address = BITS(next, 16, 22);
   i->offset_lane = next >> 23 & 1; /* scratch only: there is an address register */
   i->dst = BITS(next, 24, 31);
}

static void decode_buffer(Instruction *i, u32 w, u32 next)
{
   bool typed = w >> 26 == 0x3a;
   choose(i, typed ? MTBUF : MUBUF, typed ? BITS(w, 15, 18) : BITS(w, 18, 25));
   i->format = BITS(w, 19, 25);
   i->offset = BITS(w, 0, 11);
   i->glc = w >> 14 & 1;
   i->address = BITS(next, 0, 7);
   i->data = BITS(next, 8, 15);
   i->dst = i->data;
   i->tfe = next >> 21 & 1;
   i->offset_lane = next >> 22 & 1;
   i->index_lane = next >> 23 & 1;
   sources(i, BITS(next, 16, 20) * 4, BITS(next, 24, 31), 0);
}

static void decode_image(Instruction *i, u32 w, const u32 *words)
{
   u32 next = words[1];
   choose(i, MIMG, BITS(w, 18, 25));
   i->nsa = w & 1;
   i->dimension = BITS(w, 2, 4);
   i->unnormalized = w >> 7 & 1;
   i->mask = BITS(w, 8, 11);
   i->glc = w >> 14 & 1;
   i->r128 = w >> 15 & 1;
   i->a16 = w >> 16 & 1;
   i->d16 = w >> 17 & 1;
   i->data = BITS(next, 8, 15);
   i->dst = i->data;
   i->tfe = next >> 21 & 1;
   sources(i, BITS(next, 16, 20) * 4, BITS(next, 26, 30) * 4, 0);
   u32 last = BITS(next, 0, 7);
   i->coordinates[0] = last;
   for (u32 n = 1; n < COUNT(i->coordinates); n++) /* if several registers are named, the last one begins a range */
      i->coordinates[n] = last = i->nsa && n < 5 ? words[2] >> 8 * (n - 1) & 255 : last + 1;
   i->words += i->nsa;
}

/* Local memory, on every architecture. */
void decode_ds(Instruction *i, u32 w, u32 next)
{
   choose(i, DS, BITS(w, 18, 25));
   i->offset = BITS(w, 0, 15);
   i->address = BITS(next, 0, 7);
   i->data = BITS(next, 8, 15);
   i->data2 = BITS(next, 16, 23);
   i->dst = BITS(next, 24, 31);
}

/* The fields of MUBUF and MTBUF that gfx9 and gfx10 share; opcode and format have different places. */
void decode_buffer_fields(Instruction *i, u32 w, u32 next)
{
   i->offset = BITS(w, 0, 11);
   i->offset_lane = w >> 12 & 1;
   i->index_lane = w >> 13 & 1;
   i->glc = w >> 14 & 1;
   i->address = BITS(next, 0, 7);
   i->data = BITS(next, 8, 15);
   i->dst = i->data;
   i->tfe = next >> 23 & 1;
   i->source[0] = BITS(next, 16, 20) * 4, i->source[1] = BITS(next, 24, 31);
}

/* Scalar loads, on every architecture; opcode and offset have different places. */
void decode_smem(Instruction *i, u32 w, u32 next, u32 opcode, i32 offset)
{
   choose(i, SMEM, opcode);
   i->source[0] = BITS(w, 0, 5) * 2, i->source[1] = BITS(next, 25, 31);
   i->dst = BITS(w, 6, 12);
   i->offset = offset;
}

bool decode_memory_11(Instruction *i, u32 w, const u32 *words)
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

void decode(Instruction *i, const u32 *words)
{
   u32 w = words[0];
   memset(i, 0, sizeof *i);
   memcpy(i->raw, words, sizeof i->raw);
   i->words = 1;
   if (decode_vector(i, w, words)) {
      finish_vector(i, words);
      if (i->form != VOPD)
         finish_literal(i, words);
   } else if (w >> 30 == 2) {
      decode_scalar(i, w, words[1]);
      finish_literal(i, words);
   } else if (!decode_draw(i, w, words[1])) {
      gpu.decode_memory(i, w, words);
   }
   static const Opcode unknown = {.name = "unknown", .run = run_unknown};
   if (!i->op || (gpu.gfx == 9 && !is_of_gfx9(i)))
      i->op = &unknown, i->form = UNKNOWN_FORM, i->offset = 0;
   if (gpu.gfx <= 10)
      rename_registers(i);
   i->run = i->form == VOPD ? run_pair : i->op->run;
   collect_uses(i);
}
