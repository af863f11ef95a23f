/* Instructions of Gen9 and Gen11: their bits are moved to Gen12's places (older.py), and then decoded as Gen12's. */
#include "eu.h"

enum { OLD_WAIT = 48, OLD_SEND = 49, OLD_SENDS = 51, OLD_SENDSC = 52, OLD_NOP = 126, SYNC = 1, NOP = 96, SYNC_BARRIER = 14, SWITCH = 2 };
enum { BY_REGISTER = 1, BY_IMMEDIATE = 3 }; /* register files */
#define NONE 0xff

static const u8 TYPES9[16] = {T_UD, T_D, T_UW, T_W, T_UB, T_B, T_DF, T_F, T_UQ, T_Q, T_HF, NONE, NONE, NONE, NONE, NONE};
static const u8 IMMEDIATES9[16] = {T_UD, T_D, T_UW, T_W, T_UB, 8, T_B, T_F, T_UQ, T_Q, T_DF, T_HF, NONE, NONE, NONE, NONE};
static const u8 TYPES11[16] = {T_UD, T_D, T_UW, T_W, T_UB, T_B, T_UQ, T_Q, T_HF, T_F, NONE, 8, NONE, NONE, NONE, NONE};
static const u8 TYPES3_9[8] = {T_F, T_D, T_UD, T_DF, T_HF, NONE, NONE, NONE};
static const u8 INTEGERS3_11[8] = {T_UD, T_D, T_UW, T_W, T_UB, T_B, NONE, NONE}, REALS3_11[8] = {T_HF, T_F, NONE, NONE, NONE, NONE, NONE, NONE};

static u8 type_of(u32 code, bool immediate)
{
   u8 type = generation == GEN11 ? TYPES11[code] : immediate ? IMMEDIATES9[code] : TYPES9[code];
   if (type == NONE)
      stop(UNKNOWN, "an operand of type %u", code);
   return type;
}

/* Opcodes below 32 that compute have other numbers since Gen12. */
static u32 opcode_of(u32 old)
{
   switch (old) {
   case OLD_WAIT: return SYNC;
   case OLD_SENDS: case OLD_SENDSC: return old - 2;
   case OLD_NOP: return NOP;
   default: return old && old < 32 ? old + 96 : old;
   }
}

static void two_sources(const u64 *w, u64 *v)
{
   u32 files[2] = {BITS(w[0], 41, 42), BITS(w[1], 25, 26)};
   bool first = files[0] == BY_IMMEDIATE, second = files[1] == BY_IMMEDIATE && !first;
   u8 types[2] = {type_of(BITS(w[0], 43, 46), first), first ? T_UD : type_of(BITS(w[1], 27, 30), second)};
   put_bits(v, 50, 50, BITS(w[0], 35, 36) == BY_REGISTER);
   if (w[0] >> 63)
      move_destination_by_address(w, v);
   else
      move_destination(w, v);
   put_bits(v, 39, 36, type_of(BITS(w[0], 37, 40), false));
   if (first) {
      put_bits(v, 46, 46, 1);
   } else {
      put_bits(v, 66, 66, files[0] == BY_REGISTER);
      if (w[1] >> 15 & 1)
         move_source0_by_address(w, v);
      else
         move_source0(w, v);
   }
   put_bits(v, 43, 40, types[0]);
   if (first || second) {
      bool wide = bytes_of(types[second]) == 8 && types[second] != 8;
      put_bits(v, 127, 96, w[1] >> 32);
      if (wide)
         v[1] = w[1] << 32 | w[1] >> 32;
   } else {
      put_bits(v, 98, 98, files[1] == BY_REGISTER);
      if (w[1] >> 47 & 1)
         move_source1_by_address(w, v);
      else
         move_source1(w, v);
   }
   if (second)
      put_bits(v, 47, 47, 1);
   if (!first)
      put_bits(v, 91, 88, types[1]);
}

/* Gen11: regions, as Gen12 has them. */
static void three_sources(const u64 *w, u64 *v)
{
   bool real = w[0] >> 35 & 1, immediate0 = w[0] >> 43 & 1, immediate2 = w[0] >> 45 & 1;
   const u8 *types = real ? REALS3_11 : INTEGERS3_11;
   const u8 codes[4] = {types[BITS(w[0], 46, 48)], types[BITS(w[1], 0, 2)], types[BITS(w[1], 21, 23)], types[BITS(w[1], 42, 44)]};
   for (u32 n = 0; n < 4; n++)
      if (codes[n] == NONE)
         stop(UNKNOWN, "an instruction of three sources with an unknown type");
   move_registers3(w, v);
   put_bits(v, 50, 50, !(w[0] >> 36 & 1));
   put_bits(v, 38, 36, codes[0]);
   put_bits(v, 42, 40, codes[1]);
   put_bits(v, 90, 88, codes[2]);
   put_bits(v, 82, 80, codes[3]);
   put_bits(v, 66, 66, !immediate0);
   put_bits(v, 98, 98, !(w[0] >> 44 & 1));
   put_bits(v, 114, 114, !immediate2);
   put_bits(v, 46, 46, immediate0);
   put_bits(v, 47, 47, immediate2);
   if (immediate0)
      put_bits(v, 79, 64, BITS(w[1], 3, 18));
   if (immediate2)
      put_bits(v, 127, 112, BITS(w[1], 45, 60));
}

/* Gen9: Align16. Mesa uses only one element for all channels, or consecutive elements. */
static void three_of_align16(const u64 *w, u64 *v)
{
   enum { XYZW = 0xe4 };
   u8 type = TYPES3_9[BITS(w[0], 43, 45)], result = TYPES3_9[BITS(w[0], 46, 48)];
   if (type == NONE || result == NONE || BITS(w[0], 49, 52) != 15)
      stop(UNKNOWN, "an instruction of three sources with types %u and %u, channels 0x%x", type, result, BITS(w[0], 49, 52));
   const struct {
      u32 replicated, swizzle, stride, type, file; /* places: in the word, and in Gen12's */
   } places[3] = {{64, 65, 64, 40, 66}, {85, 86, 96, 88, 98}, {106, 107, 112, 80, 114}};
   move_registers3_align16(w, v);
   put_bits(v, 39, 39, is_real(type));
   put_bits(v, 38, 36, result & 7);
   put_bits(v, 50, 50, 1);
   for (u32 n = 0; n < 3; n++) {
      bool replicated = w[1] >> (places[n].replicated - 64) & 1, half = n == 1 ? w[0] >> 36 & 1 : n == 2 ? w[0] >> 35 & 1 : false;
      u32 swizzle = w[1] >> (places[n].swizzle - 64) & 0xff;
      if (!replicated && swizzle != XYZW)
         stop(UNKNOWN, "an instruction of three sources with a source whose components have the order 0x%x", swizzle);
      put_bits(v, places[n].stride + 1, places[n].stride, !replicated);
      put_bits(v, places[n].type + 2, places[n].type, half ? T_HF & 7 : type & 7);
      put_bits(v, places[n].file, places[n].file, 1);
   }
}

/* The descriptors are not split up, and in other places. */
static void send(Instruction *i, const u64 *w, u64 *v, u32 old)
{
   bool split = old == OLD_SENDS || old == OLD_SENDSC;
   put_bits(v, 34, 34, w[1] >> 63);
   put_bits(v, 50, 50, w[0] >> 35 & 1);
   put_bits(v, 63, 56, BITS(w[0], 53, 60));
   put_bits(v, 66, 66, 1);
   put_bits(v, 79, 72, BITS(w[1], 5, 12));
   if (split)
      move_split(w, v);
   else
      put_bits(v, 48, 48, BITS(w[1], 25, 26) != BY_IMMEDIATE);
   i->op->fields(i, v);
   i->descriptor = BITS(w[1], 32, 62);
   i->extended = split ? BITS(w[1], 16, 31) << 16 | BITS(w[1], 0, 3) << 6 : 0;
}

void decode_older(Instruction *i, const u64 *w)
{
   u32 old = w[0] & 127, opcode = opcode_of(old);
   u64 v[2] = {0};
   i->opcode = opcode;
   i->op = &opcodes[opcode];
   i->no_clear = BITS(w[0], 9, 9), i->no_check = BITS(w[0], 10, 10), i->switches = BITS(w[0], 14, 15) == SWITCH;
   move_common(w, v);
   v[0] |= opcode;
   if (old == OLD_WAIT)
      put_bits(v, 95, 92, SYNC_BARRIER);
   else if (i->op->flow)
      v[1] = w[1];
   else if (old >= OLD_SEND && old <= OLD_SENDSC) {
      send(i, w, v, old);
      return;
   } else if (i->op->sources == 3) {
      move_modifiers3(w, v);
      (generation == GEN9 ? three_of_align16 : three_sources)(w, v);
   } else if (i->op->sources)
      two_sources(w, v);
   if (i->op->run)
      i->op->fields(i, v);
}
