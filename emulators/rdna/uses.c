/* The registers that an instruction reads and writes. */
#include "gfx.h"

static void use_part(Instruction *i, u32 number, u32 count, enum How how, bool mask, u8 halves)
{
   bool constant = number >= SCALARS && number < 256;
   if (!count || constant || number == NULL_REGISTER || i->use_count == USES)
      return;
   i->uses[i->use_count++] = (Use){(u16)number, (u16)count, how, halves, mask};
}

static void use(Instruction *i, u32 number, u32 count, enum How how, bool mask) { use_part(i, number, count, how, mask, BOTH); }

/* Which halves of a register the `bits` bits of operand n are. */
static u8 halves_of(const Instruction *i, u32 bits, u32 n)
{
   return bits != 16 || gpu.gfx < 11 || i->form == VOP3P ? BOTH : i->high >> n & 1 ? HIGH : LOW;
}

static void use_source(Instruction *i, const Opcode *op, u32 n, u32 number)
{
   bool mask = n == 2 && op->flags & CARRY_IN_SOURCE;
   use_part(i, number, mask ? 1 : op->bits[n] == 64 ? 2 : 1, READ, mask, halves_of(i, i->form == VOPD ? 32 : op->bits[n], n));
}

static void uses_of_vector(Instruction *i)
{
   const Opcode *op = i->op;
   bool reads = !strncmp(op->name, "V_READ", 6) || op->flags & SCALAR_RESULT;
   if (op->flags & COMPARES || (gpu.gfx == 9 && op->flags & COMPARES_EXEC))
      use(i, i->dst, 1, WRITTEN, true);
   else if (!(op->flags & COMPARES_EXEC))
      use_part(i, reads ? i->dst : 256u + i->dst, op->result == 64 ? 2 : 1, op->flags & READS_RESULT ? READ : WRITTEN, false, halves_of(i, op->result, 3));
   for (u32 n = 0; n < op->sources; n++)
      use_source(i, op, n, i->source[n]);
   if (op->flags & SETS_CARRY)
      use(i, i->form == VOP3SD ? i->mask_dst : VCC_LO, 1, WRITTEN, true);
   if (op->flags & READS_CARRY && !i->long_form)
      use(i, VCC_LO, 1, READ, true);
}

static void uses_of_pair(Instruction *i)
{
   use(i, 256u + i->dst, 1, WRITTEN, false);
   use(i, 256u + i->dst2, 1, WRITTEN, false);
   for (u32 n = 0; n < i->op->sources && n < 2; n++)
      use_source(i, i->op, n, i->source[n]);
   for (u32 n = 0; n < i->second->sources && n < 2; n++)
      use_source(i, i->second, n, i->source2[n]);
}

static void uses_of_scalar(Instruction *i)
{
   const Opcode *op = i->op;
   if (op->run == run_message)
      use(i, i->dst, op->name[strlen(op->name) - 2] == '6' ? 2 : 1, AWAITED, false);
   else if (op->result && i->form != SOPC)
      use(i, i->dst, op->result == 64 ? 2 : 1, WRITTEN, false);
   else if (i->form == SOPK)
      use(i, i->dst, 1, READ, false);
   for (u32 n = 0; n < op->sources && i->form != SOPK; n++)
      use_source(i, op, n, i->source[n]);
}

static u32 words_of(const Opcode *op) { return (op->bytes + 3) / 4; }

/* Data, and the returned values. */
static void uses_of_data(Instruction *i)
{
   const Opcode *op = i->op;
   u32 words = words_of(op);
   bool compares = op->operation == CMPSWAP || op->operation == CMPSWAP_F;
   if (op->access == LOAD)
      use(i, 256u + i->dst, words, AWAITED, false);
   else
      use(i, 256u + i->data, words << (op->access == ATOMIC && compares), READ, false);
   if (op->access == ATOMIC && i->glc)
      use(i, 256u + i->dst, words, AWAITED, false);
}

static void uses_of_local(Instruction *i)
{
   const Opcode *op = i->op;
   u32 words = op->bytes ? words_of(op) : 1;
   bool two = op->flags & TWO_ADDRESSES, append = op->run == run_local_append, permute = op->run == run_local_permute;
   bool returns = op->access == LOAD || op->flags & RETURNS;
   if (!op->bytes)
      returns = true;
   if (returns)
      use(i, 256u + i->dst, words << two, AWAITED, false);
   if (op->flags & ADDRESS_BY_LANE)
      use(i, M0, 1, READ, false);
   else if (!append)
      use(i, 256u + i->address, 1, READ, false);
   if (permute || (op->bytes && op->access != LOAD))
      use(i, 256u + i->data, words, READ, false);
   if (op->bytes && op->access != LOAD && (two || op->operation == CMPSWAP || op->operation == CMPSWAP_F || op->operation == MSKOR))
      use(i, 256u + i->data2, words, READ, false);
}

static void uses_of_buffer(Instruction *i)
{
   const Opcode *op = i->op;
   u32 lanes = i->offset_lane + i->index_lane;
   if (op->flags & FORMATTED)
      use(i, 256u + i->data, op->part == LOW_HALF ? (op->bytes + 1) / 2 : op->bytes, op->access == LOAD ? AWAITED : READ, false);
   else
      uses_of_data(i);
   use(i, 256u + i->address, lanes, READ, false);
   use(i, i->source[0], 4, READ, false);
   use(i, i->source[1], 1, READ, false);
}

static void uses_of_image(Instruction *i)
{
   u32 words = __builtin_popcount(i->mask);
   words = i->d16 ? (words + 1) / 2 : words;
   bool reads = i->op->access == LOAD || i->op->operation == RESINFO, samples = i->op->operation >= SAMPLE && i->op->operation <= SAMPLE_B;
   use(i, 256u + i->data, words, reads || i->glc ? AWAITED : READ, false);
   u32 addresses = image_addresses(i);
   for (u32 n = 0; n < addresses; n++)
      use(i, 256u + i->coordinates[n], 1, READ, false);
   use(i, i->source[0], i->r128 ? 4 : 8, READ, false);
   if (samples)
      use(i, i->source[1], 4, READ, false);
}

void collect_uses(Instruction *i)
{
   switch (i->form) {
   case SOP1: case SOP2: case SOPC: case SOPK: uses_of_scalar(i); break;
   case VOP1: case VOP2: case VOPC: case VOP3: case VOP3SD: case VOP3P: uses_of_vector(i); break;
   case VOPD: uses_of_pair(i); break;
   case EXPORT:
      for (u32 n = 0; n < 4; n++)
         use(i, 256u + i->coordinates[n], i->mask >> n & 1, READ, false);
      break;
   case PARAMETERS_OF_DRAW:
      use(i, 256u + i->dst, 1, WRITTEN, false);
      for (u32 n = 0; n < 3; n++)
         use(i, i->source[n], i->source[n] >= 256, READ, false);
      break;
   case SMEM:
      if (!i->op->bytes)
         break;
      use(i, i->dst, words_of(i->op), AWAITED, false);
      if (i->op->run == run_clock)
         break;
      use(i, i->source[0], i->op->run == run_scalar_buffer_load ? 4 : 2, READ, false);
      use(i, i->source[1], 1, READ, false);
      break;
   case DS: uses_of_local(i); break;
   case FLAT: case GLOBAL:
      uses_of_data(i);
      use(i, 256u + i->address, i->form == GLOBAL && i->scalar_address != NULL_REGISTER ? 1 : 2, READ, false);
      if (i->form == GLOBAL)
         use(i, i->scalar_address, 2, READ, false);
      break;
   case SCRATCH:
      uses_of_data(i);
      use(i, 256u + i->address, i->offset_lane, READ, false);
      use(i, i->scalar_address, 1, READ, false);
      break;
   case MUBUF: case MTBUF: uses_of_buffer(i); break;
   case MIMG: case VSAMPLE: uses_of_image(i); break;
   }
}
