/* The numbered assumptions of docs/emulation.md that the launched shaders rest on.
 *
 * They are found by instruction. 11 is left out because it is about memory, and 18 because every float rests on it.
 */
#include "ir3.h"
#include <stdio.h>

static const struct {
   const char *name; /* the beginning of the instruction's name */
   u8 number;
} BY_NAME[] = {
   {"sign.f", 1}, {"bfrev.b", 2}, {"madsh.m16", 3}, {"mad.f", 4}, {"rcp", 5}, {"rsq", 5}, {"log2", 5}, {"exp2", 5}, {"sin", 5},
   {"cos", 5}, {"sqrt", 5}, {"ldg.a", 6}, {"stg.a", 6}, {"sam", 12}, {"getsize", 13}, {"resinfo", 13}, {"sam", 14}, {"isam", 14},
   {"ldib", 14}, {"sam", 15}, {"stib", 16}, {"isam", 17}, {"ldib", 17}, {"stib", 17}, {"sam", 19}, {"isam", 19}, {"sam", 21},
};

static u64 met;

static u64 of(const Instruction *i)
{
   Operand constants[OPERANDS];
   u64 bits = 0;
   for (u32 n = 0; n < COUNT(BY_NAME); n++)
      if (!strncmp(i->op->name, BY_NAME[n].name, strlen(BY_NAME[n].name)))
         bits |= 1ull << BY_NAME[n].number;
   if (strstr(i->op->name, "cmpxchg"))
      bits |= 1ull << 10;
   if ((i->op->category == 2 || i->op->category == 3) && i->half && constants_of(i, constants))
      bits |= 1ull << 7;
   if (i->op->run == run_move && i->type != i->src_type) {
      bool cuts = !i->round && (i->src_type == F16 || i->src_type == F32);
      bits |= (u64)cuts << 8 | (u64)(i->src_type == TYPE_U8) << 9;
   }
   if (i->saturate && i->op->result == K_FLOAT)
      bits |= 1ull << 20;
   if (i->saturate && i->op->kind == K_BITS)
      bits |= 1ull << 22;
   return bits;
}

void note_assumptions(const Shader *shader)
{
   for (u32 pc = 0; pc < shader->count; pc++)
      if (shader->code[pc].op->category <= 7)
         met |= of(&shader->code[pc]);
}

/* Writes the numbers, as "3, 4", for the launches since the last call. Returns the text's length. */
__attribute__((visibility("default"))) int emulator_assumptions(char *buffer, int size);
int emulator_assumptions(char *buffer, int size)
{
   int length = 0;
   if (size > 0)
      *buffer = 0;
   for (u32 n = 0; n < 64; n++)
      if (met >> n & 1 && length < size)
         length += snprintf(buffer + length, size - length, "%s%u", length ? ", " : "", n);
   met = 0;
   return length;
}
