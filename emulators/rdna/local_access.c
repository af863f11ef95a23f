/* Local memory (LDS), and exchange between lanes by its instructions. */
#include "primitives.h"

/* The instructions of a wave are executed there in order, so no barrier is needed between them. */
static u8 *find(Wave *wave, const Instruction *i, u32 lane, u32 offset, u32 bytes)
{
   u32 align = i->op->access == ATOMIC ? bytes : 1;
   return local_at(wave, lane, offset, bytes, align, i->op->access, i->op->name);
}

static void access(Wave *wave, const Instruction *i, u32 lane, u32 address)
{
   u32 words = i->op->bytes / 4, unit = i->op->bytes * (i->op->flags & STRIDE64 ? 64 : 1);
   u32 first = address + (i->op->flags & TWO_ADDRESSES ? (i->offset & 255) * unit : (u32)i->offset);
   u32 second = address + (i->offset >> 8) * unit;
   bool two = i->op->flags & TWO_ADDRESSES;
   if (i->op->access == LOAD) {
      load_value(wave, i, i->dst, lane, find(wave, i, lane, first, i->op->bytes));
      if (two)
         load_value(wave, i, i->dst + words, lane, find(wave, i, lane, second, i->op->bytes));
   } else {
      store_value(wave, i, i->data, lane, find(wave, i, lane, first, i->op->bytes));
      if (two)
         store_value(wave, i, i->data2, lane, find(wave, i, lane, second, i->op->bytes));
   }
}

static u64 value_of(Wave *wave, u32 number, u32 lane, u32 bytes)
{
   u64 value = vector_source(wave, number, BOTH, 1ull << lane)[lane];
   return bytes == 8 ? value | (u64)vector_source(wave, number + 1, BOTH, 1ull << lane)[lane] << 32 : value;
}

static void atomic(Wave *wave, const Instruction *i, u32 lane, u32 address)
{
   const Opcode *op = i->op;
   u8 *at = find(wave, i, lane, address + i->offset, op->bytes);
   bool compares = op->operation == CMPSWAP || op->operation == CMPSWAP_F || op->operation == MSKOR;
   u64 old = 0, value = value_of(wave, i->data, lane, op->bytes);
   u64 other = compares ? value_of(wave, i->data2, lane, op->bytes) : 0;
   memcpy(&old, at, op->bytes);
   if (compares && gpu.gfx <= 10 && op->operation != MSKOR) { /* the value to compare with comes first */
      u64 new = other;
      other = value, value = new;
   }
   value = atomic_result(op->operation, old, value, other, op->bytes);
   memcpy(at, &value, op->bytes);
   if (!(op->flags & RETURNS))
      return;
   put_word(wave, i->dst, lane, (u32)old);
   if (op->bytes == 8)
      put_word(wave, i->dst + 1, lane, old >> 32);
}

void run_local(Wave *wave, const Instruction *i)
{
   u64 exec = exec_of(wave);
   u32 address[LANES];
   wave->fences++;
   if (i->op->flags & ADDRESS_BY_LANE)
      for (u32 lane = 0; lane < LANES; lane++)
         address[lane] = (scalar_word(wave, M0) & 0xffff) + 4 * lane;
   else
      memcpy(address, vector_source(wave, i->address, BOTH, exec), sizeof address);
   EACH_LANE(lane, (Mask){{exec}})
   {
      if (i->op->access == ATOMIC)
         atomic(wave, i, lane, address[lane]);
      else
         access(wave, i, lane, address[lane]);
   }
}

/* ---- without memory: a word of another lane, among 32 lanes, or on gfx9 and gfx12 among all */

void run_local_permute(Wave *wave, const Instruction *i)
{
   bool backward = i->op->name[3] == 'B';
   u64 exec = exec_of(wave);
   u32 to[LANES], values[LANES], result[LANES] = {0};
   memcpy(to, vector_source(wave, i->address, BOTH, exec), sizeof to);
   memcpy(values, vector_source(wave, i->data, BOTH, exec), sizeof values);
   EACH_LANE(lane, (Mask){{exec}})
   {
      u32 other = (to[lane] + i->offset) / 4, among = gpu.gfx >= 12 || gpu.gfx == 9 ? wave->lanes : 32;
      other = (other & (among - 1)) | (lane & ~(among - 1));
      if (!backward)
         result[other] = values[lane];
      else
         result[lane] = exec >> other & 1 ? values[other] : 0;
   }
   EACH_LANE(lane, (Mask){{exec}})
      put_word(wave, i->dst, lane, result[lane]);
}

static u32 swizzled(u32 lane, u32 pattern)
{
   if (pattern >> 13 == 6 || pattern >> 13 == 7) { /* rotate */
      u32 step = pattern >> 5 & 31, mask = pattern & 31, turned = pattern >> 10 & 1 ? lane - step : lane + step;
      return (lane & ~31u) | (lane & mask) | (turned & 31 & ~mask);
   }
   if (pattern & 0x8000)
      return (lane & ~3u) | (pattern >> 2 * (lane & 3) & 3);
   return (lane & ~31u) | ((((lane & pattern) | pattern >> 5) ^ pattern >> 10) & 31);
}

void run_local_swizzle(Wave *wave, const Instruction *i)
{
   u64 exec = exec_of(wave);
   u32 values[LANES];
   memcpy(values, vector_source(wave, i->address, BOTH, exec), sizeof values);
   EACH_LANE(lane, (Mask){{exec}})
   {
      u32 other = swizzled(lane, i->offset & 0xffff);
      put_word(wave, i->dst, lane, exec >> other & 1 ? values[other] : 0);
   }
}

/* A counter that all active lanes share. (The document adds M0 to its address; ACO does not set M0.) */
void run_local_append(Wave *wave, const Instruction *i)
{
   u64 exec = exec_of(wave);
   if (!exec)
      return;
   wave->fences++;
   u32 old, count = __builtin_popcountll(exec);
   u8 *at = local_at(wave, __builtin_ctzll(exec), i->offset, 4, 4, ATOMIC, i->op->name);
   memcpy(&old, at, 4);
   u32 next = !strcmp(i->op->name, "DS_APPEND") ? old + count : old - count;
   memcpy(at, &next, 4);
   EACH_LANE(lane, (Mask){{exec}})
      put_word(wave, i->dst, lane, old);
}
