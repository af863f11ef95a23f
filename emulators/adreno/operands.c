/* The registers that an instruction reads and writes, for checks that do not run the shader. */
#include "ir3.h"

static u32 add(Operand *operands, u32 n, u32 number, bool half, u32 count, u32 index)
{
   if (number >= DUMMY || !count)
      return n;
   operands[n] = (Operand){.number = number, .count = count, .half = half, .index = index};
   return n + 1;
}

static u32 add_a0(Operand *operands, u32 n) { return add(operands, n, A0, false, 1, 0); }
static u32 add_a1(Operand *operands, u32 n) { return add(operands, n, A1, false, 1, 0); }

static u32 sources_of(const Instruction *i)
{
   switch (i->op->category) {
   case 1: return i->op->run == run_movmsk ? 0 : i->op->run == run_multi ? i->size : 1;
   case 3: return 3;
   default: return i->op->sources;
   }
}

static u32 reads_of_alu(const Instruction *i, Operand *operands)
{
   u32 n = 0;
   bool relative = i->dst_relative || (i->of_lane && i->index == OF_A0);
   for (u32 k = 0; k < sources_of(i); k++) {
      const Source *s = &i->src[k];
      relative |= s->where == RELATIVE_GPR || s->where == RELATIVE_CONSTANT;
      if (s->where == GPR)
         n = add(operands, n, s->number, s->half, s->repeats ? i->repeat + 1 : 1, k);
   }
   return relative ? add_a0(operands, n) : n;
}

static u32 reads_of_flow(const Instruction *i, Operand *operands)
{
   if (i->op->run == run_predicate)
      return i->op->name[4] == 'e' ? 0 : add(operands, 0, P0, false, 1, 0);
   if (i->op->run != run_branch)
      return 0;
   u32 n = add(operands, 0, P0 + i->predicate, false, 1, 0);
   return i->op->flag == BRAO || i->op->flag == BRAA ? add(operands, n, P0 + i->predicate2, false, 1, 1) : n;
}

/* Sources of a texture instruction: an alias before it may replace a register by another one, or by none. */
static u32 add_rows(const Shader *shader, const Instruction *i, Operand *operands, u32 n, u32 number, u32 count, u32 index)
{
   for (u32 k = 0; k < count; k++) {
      const Instruction *alias = alias_before(shader, i, number + k, i->half);
      if (!alias)
         n = add(operands, n, number + k, i->half, 1, index);
      else if (alias->src[0].where == GPR)
         n = add(operands, n, alias->src[0].number, i->half, 1, index);
   }
   return n;
}

/* The coordinates come first, then the value to compare with and the layer, then offsets and the level [19]. */
static u32 reads_of_texture(const Shader *shader, const Instruction *i, Operand *operands)
{
   bool fetches = i->op->name[0] == 'i' && i->op->sources == 1; /* two bits have another meaning for isam */
   u32 coordinates = (i->is_3d ? 3 : fetches && i->bit50 ? 1 : 2) + i->is_array + (!fetches && i->bit50) + (!fetches && i->bit53);
   u32 offsets = i->has_offset ? (i->is_3d ? 3 : 2) : 0;
   bool samples = i->op->run == run_sample;
   u32 n = 0;
   if (i->op->sources)
      n = add_rows(shader, i, operands, n, i->src[0].number, samples ? coordinates : 1, 0);
   if (samples && (offsets || i->op->sources > 1) && !(fetches && i->bit53))
      n = add_rows(shader, i, operands, n, i->src[1].number, offsets + (i->op->sources > 1), 1);
   if (i->op->run == run_broadcast && i->dst < DUMMY) /* some lanes keep what they had */
      n = add(operands, n, i->dst, i->dst_half, 1, 3);
   if (i->op->run == run_quad_shuffle && !i->base_high)
      n = add(operands, n, i->src[1].number, i->half, 1, 1);
   if (!i->indirect || i->op->run == run_broadcast || i->op->run == run_quad_shuffle)
      return n;
   if (i->mode < 6) /* bindless modes have a full register, with one component if a1.x is used, else two */
      n = add(operands, n, i->descriptor, i->mode == 0 || i->mode == 4, 1, 2);
   return i->mode == 1 || i->mode == 3 || i->mode == 7 ? add_a1(operands, n) : n;
}

static bool is_run(const Instruction *i, Run a, Run b, Run c) { return i->op->run == a || i->op->run == b || i->op->run == c; }

static u32 words_of_atomic(const Instruction *i) { return i->op->run != run_atomic_local && i->type == TYPE_U8 ? 2 : 1; }

static u32 reads_of_memory(const Instruction *i, Operand *operands)
{
   u32 n = 0;
   bool compares = i->op->flag == ATOMIC_CMPXCHG;
   if (is_run(i, run_load_global, run_store_global, run_atomic_global) || i->op->run == run_load_constants) {
      if (!i->address_const)
         n = add(operands, n, i->address, false, 2, 0);
   } else if (is_run(i, run_load_resource, run_store_resource, run_atomic_resource)) {
      n = add(operands, n, i->address, false, i->dimensions, 0);
   } else if (!is_run(i, run_shuffle, run_store_constant, run_resource_info) && !is_run(i, run_get_wave, run_get_fiber, run_resource_base)) {
      if (!i->address_immediate)
         n = add(operands, n, i->address, false, 1, 0);
   }
   if (i->op->flag == INDEXED || i->op->flag == SUM)
      n = add(operands, n, i->index, false, 1, 1);
   if (is_run(i, run_store_global, run_store_local, run_store_private) || is_run(i, run_store_constant, NULL, run_store_resource))
      /* A store of a byte through a typed buffer names four components, and has one. */
      n = add(operands, n, i->data, i->half, i->typed && i->dimensions == 1 && i->half ? 1 : i->size, 2);
   if (is_run(i, run_atomic_local, run_atomic_global, NULL) && !i->data_immediate)
      n = add(operands, n, i->data, false, words_of_atomic(i) * (compares ? 2 : 1), 2);
   if (i->op->run == run_atomic_resource && i->dst < DUMMY) /* after the result's place */
      n = add(operands, n, i->dst + words_of_atomic(i), false, words_of_atomic(i) * (compares ? 2 : 1), 2);
   if (i->op->run == run_shuffle) {
      n = add(operands, n, i->data, i->half, 1, 0);
      if (!i->data_immediate)
         n = add(operands, n, i->index, false, 1, 1);
   }
   bool describes = is_run(i, run_load_ubo, run_load_ubo_constants, run_load_resource) ||
                    is_run(i, run_store_resource, run_atomic_resource, run_resource_info) || i->op->run == run_resource_base;
   if (describes && i->mode)
      n = add(operands, n, i->descriptor, false, 1, 3);
   return i->dst_a1 || i->op->run == run_load_ubo_constants ? add_a1(operands, n) : n;
}

u32 reads_of(const Shader *shader, const Instruction *i, Operand *operands)
{
   switch (i->op->category) {
   case 0: return reads_of_flow(i, operands);
   case 1: case 2: case 3: case 4: return reads_of_alu(i, operands);
   case 5: return reads_of_texture(shader, i, operands);
   case 6: return reads_of_memory(i, operands);
   default: return 0;
   }
}

u32 writes_of(const Instruction *i, Operand *operands)
{
   u32 n = 0;
   if (i->op->category == 0 || i->op->category == 7 || i->op->result_wait == NO_WAIT || i->dst_relative)
      return 0;
   if (i->op->run == run_multi) {
      for (u32 k = 0; k < i->size; k++)
         n = add(operands, n, i->targets[k], i->dst_half, 1, k);
      return n;
   }
   if (i->op->category == 5) {
      for (u32 k = 0; k < 4; k++)
         if (i->mask >> k & 1)
            n = add(operands, n, i->dst + k, i->dst_half, 1, k);
      return n;
   }
   if (i->op->category < 5)
      return add(operands, 0, i->dst, i->dst_half, i->op->run == run_movmsk ? i->size : i->dst < A0 ? i->repeat + 1 : 1, 0);
   bool atomic = is_run(i, run_atomic_local, run_atomic_global, run_atomic_resource);
   u32 count = atomic ? words_of_atomic(i) : is_run(i, run_shuffle, run_get_wave, run_get_fiber) ? 1 : i->op->run == run_resource_info ? 3 : i->size;
   return add(operands, 0, i->dst, i->dst_half, count, 0);
}

u32 constants_of(const Instruction *i, Operand *operands)
{
   u32 n = 0;
   if (i->op->category == 6 && i->address_const)
      operands[n++] = (Operand){.number = i->address, .count = 2};
   for (u32 k = 0; i->op->category >= 1 && i->op->category <= 4 && k < sources_of(i); k++) {
      const Source *s = &i->src[k];
      if (s->where == CONSTANT)
         operands[n++] = (Operand){.number = s->number, .count = s->repeats ? i->repeat + 1 : 1, .index = k};
      else if (s->where == RELATIVE_CONSTANT)
         operands[n++] = (Operand){.count = CONSTANTS, .index = k};
   }
   return n;
}
