/* Valhall's shaders: instructions of 64 bits (Mesa's src/panfrost/compiler/valhall/ISA.xml). */
#include "shader.h"
#include <stdlib.h>

enum { HIGH = 0x40, IMMEDIATE = 0x80, SHIFT = 0x81, BIT = 0x3f }; /* words.py's places of sources */

/* The values of the source numbers from 0xc0 on. */
static const u32 CONSTANT[32] = {
   0x00000000, 0xffffffff, 0x7fffffff, 0xfafcfdfe, 0x01000000, 0x80002000, 0x70605030, 0xc0b0a090, 0x03020100, 0x07060504, 0x0b0a0908,
   0x0f0e0d0c, 0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c, 0x3f800000, 0x3dcccccd, 0x3ea2f983, 0x3f317218, 0x40490fdb, 0x00000000,
   0x477fff00, 0x5c005bf8, 0x2e660000, 0x34000000, 0x38000000, 0x3c000000, 0x40000000, 0x44000000, 0x48000000, 0x42480000,
};

static void find_source(Instruction *i, u32 n)
{
   Source *s = &i->src[n];
   char kind = i->op->kinds[n];
   s->port = n;
   if (s->at == IMMEDIATE || s->at == SHIFT) {
      s->place = IN_CONSTANT, s->value = s->at == SHIFT ? BITS(i->word, 20, 22) : (u32)(i->word >> 8);
      return;
   }
   u32 byte = i->word >> (s->at & BIT) & 0xff, page = BITS(i->word, 57, 58);
   bool high = s->at & HIGH;
   s->number = byte & 63;
   s->wide = (kind == 'd' || kind == 'D') && !s->pick.width;
   switch (byte >> 6) {
   case 0: case 1: s->place = IN_REGISTER, s->last = byte >> 6; break;
   case 2: s->place = IN_UNIFORM, s->number |= page << 6; break;
   default:
      s->place = s->number < 32 ? IN_CONSTANT : IN_SPECIAL;
      s->value = s->number < 32 && !high ? CONSTANT[s->number] : 0;
      s->number = page << 5 | (s->number & 31);
   }
   if ((high || s->wide) && s->place != IN_CONSTANT && s->number & 1)
      stop(FAULT, "%s: 64 bits of an odd number, %u", i->op->name, s->number);
   s->number += high;
}

static i32 offset_of(const Instruction *i)
{
   if (i->op->run == run_branch)
      return SBITS(i->word, 8, 34);
   if (i->op->run == run_atom)
      return BITS(i->word, 8, 15);
   return (i->op->run == run_load && i->mod[M_seg] != O_ubo) || i->op->run == run_store ? SBITS(i->word, 8, 23) : 0;
}

u32 message_registers(const Instruction *i, bool writes)
{
   if (!(i->op->staged & (writes ? 2 : 1)))
      return 0;
   return writes && i->op->staged == 3 ? BITS(i->word, 36, 38) + 1 : BITS(i->word, 33, 35);
}

u32 loaded_registers(const Instruction *i) { return i->mod[M_lane_dest] == O_d0 ? 2 : i->op->writes; }

static void find_registers(Instruction *i)
{
   i->result = i->from = i->to = BITS(i->word, 40, 45);
   i->halves = BITS(i->word, 46, 47);
   if (i->op->staged == 3)
      i->to = BITS(i->word, 16, 21);
   i->slot = BITS(i->word, 30, 32);
   u32 count = i->op->run == run_load ? loaded_registers(i) : i->op->run == run_store ? i->op->reads : 0;
   if (count && message_registers(i, i->op->run == run_load) != count)
      stop(FAULT, "%s: %u staging registers", i->op->name, message_registers(i, i->op->run == run_load));
   if (i->op->result == 'd' && i->result & 1)
      stop(FAULT, "%s: 64 bits of an odd number, %u", i->op->name, i->result);
}

static void find_flow(Instruction *i)
{
   static const u8 WAITS[] = {0, 1, 2, 3, 4, 5, 6, 7, 0x47, 0xc7};
   i->flow = BITS(i->word, 59, 62);
   if (i->flow < COUNT(WAITS))
      i->waits = WAITS[i->flow];
   else if (i->flow != RECONVERGE && i->flow != DISCARD && i->flow != END_OF_SHADER)
      stop(FAULT, "%s: the flow %u", i->op->name, i->flow);
}

void decode_words(Shader *s, u64 address)
{
   enum { MOST = 1 << 17, SIZE = 8 };
   u32 space = 64;
   s->instruction = malloc(space * sizeof *s->instruction);
   for (;;) {
      u64 word = 0;
      memcpy(&word, memory_mapped(address + SIZE * (u64)s->count, SIZE, SIZE, "the shader's code"), SIZE);
      if (!word) /* the compiler puts zeros after it */
         break;
      if (s->count == space)
         s->instruction = realloc(s->instruction, (space *= 2) * sizeof *s->instruction);
      if (s->count == MOST)
         stop(FAULT, "a shader of more than %u instructions", MOST);
      Instruction *i = &s->instruction[s->count++];
      memset(i, 0, sizeof *i);
      if (!decode_instruction(i, word, valhall_encodings, valhall_encoding_count))
         stop(FAULT, "the word 0x%016llx is not an instruction", (unsigned long long)word);
      i->flush = s->flush != 0, i->flush_halves = s->flush >= 2;
      for (u32 n = 0; n < i->op->sources; n++)
         find_source(i, n);
      i->offset = offset_of(i);
      i->target = s->count + (u32)i->offset;
      find_registers(i);
      find_flow(i);
   }
   s->size = SIZE * (u64)s->count;
}
