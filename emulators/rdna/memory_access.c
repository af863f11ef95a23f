/* Global, private and constant memory; "RDNA3" ISA, 8, 11, 12. */
#include "primitives.h"

/* ---- the values of a lane, in registers from a number on */

void load_value(Wave *wave, const Instruction *i, u32 number, u32 lane, const u8 *from)
{
   const Opcode *op = i->op;
   u32 word = 0;
   if (op->bytes >= 4) {
      for (u32 n = 0; n < op->bytes / 4u; n++) {
         memcpy(&word, from + 4 * n, 4);
         put_word(wave, number + n, lane, word);
      }
      return;
   }
   memcpy(&word, from, op->bytes);
   bool is_signed = op->part == SIGNED || op->part == LOW_SIGNED || op->part == HIGH_SIGNED;
   if (is_signed)
      word = (u32)sign_extend(word, 8 * op->bytes);
   if (op->part == WHOLE || op->part == SIGNED)
      put_word(wave, number, lane, word);
   else
      put_half(wave, number, lane, op->part >= HIGH_HALF, word);
}

void store_value(Wave *wave, const Instruction *i, u32 number, u32 lane, u8 *to)
{
   const Opcode *op = i->op;
   u64 one = 1ull << lane;
   if (op->bytes < 4) {
      enum Halves half = op->part == HIGH_HALF ? HIGH : LOW;
      u32 word = vector_source(wave, number, half, one)[lane] >> (half == HIGH ? 16 : 0);
      memcpy(to, &word, op->bytes);
      return;
   }
   for (u32 n = 0; n < op->bytes / 4u; n++)
      memcpy(to + 4 * n, &vector_source(wave, number + n, BOTH, one)[lane], 4);
}

/* ---- atomics */

u64 atomic_result(enum Operation operation, u64 old, u64 data, u64 compare, u32 bytes)
{
   i64 signed_old = bytes == 8 ? (i64)old : (i32)old, signed_data = bytes == 8 ? (i64)data : (i32)data;
   switch (operation) {
   case ADD: return old + data;
   case SUB: return old - data;
   case RSUB: return data - old;
   case CSUB: return old < data ? 0 : old - data;
   case COND_SUB: return old < data ? old : old - data;
   case INC: return old >= data ? 0 : old + 1;
   case DEC: return !old || old > data ? data : old - 1;
   case MIN_I: return signed_data < signed_old ? data : old;
   case MAX_I: return signed_data > signed_old ? data : old;
   case MIN_U: return data < old ? data : old;
   case MAX_U: return data > old ? data : old;
   case AND: return old & data;
   case OR: return old | data;
   case XOR: return old ^ data;
   case MSKOR: return (old & ~data) | compare;
   case SWAP: return data;
   case CMPSWAP: return old == compare ? data : old;
   case CMPSWAP_F: return as_float((u32)old) == as_float((u32)compare) ? data : old;
   case ADD_F: return float_bits(as_float((u32)old) + as_float((u32)data));
   case MIN_F: return bytes == 8 ? double_bits(v_min_f64(as_double(old), as_double(data))) : float_bits(v_min_f32(as_float((u32)old), as_float((u32)data)));
   case MAX_F: return bytes == 8 ? double_bits(v_max_f64(as_double(old), as_double(data))) : float_bits(v_max_f32(as_float((u32)old), as_float((u32)data)));
   default: stop(UNKNOWN, "an atomic operation");
   }
}

static u64 wide_value(Wave *wave, u32 number, u32 lane, u32 bytes)
{
   u64 value = vector_source(wave, number, BOTH, 1ull << lane)[lane];
   return bytes == 8 ? value | (u64)vector_source(wave, number + 1, BOTH, 1ull << lane)[lane] << 32 : value;
}

/* The new value comes first, then the value to compare with. */
void atomic_value(Wave *wave, const Instruction *i, u32 data, u32 result, u32 lane, u8 *at)
{
   const Opcode *op = i->op;
   u64 old = 0, compare = 0, value = wide_value(wave, data, lane, op->bytes);
   if (op->operation == CMPSWAP || op->operation == CMPSWAP_F)
      compare = wide_value(wave, data + op->bytes / 4, lane, op->bytes);
   memcpy(&old, at, op->bytes);
   value = atomic_result(op->operation, old, value, compare, op->bytes);
   memcpy(at, &value, op->bytes);
   if (!i->glc)
      return;
   put_word(wave, result, lane, (u32)old);
   if (op->bytes == 8)
      put_word(wave, result + 1, lane, old >> 32);
}

static void access(Wave *wave, const Instruction *i, u32 lane, u8 *at)
{
   switch (i->op->access) {
   case LOAD: load_value(wave, i, i->dst, lane, at); break;
   case STORE: store_value(wave, i, i->data, lane, at); break;
   default: atomic_value(wave, i, i->data, i->dst, lane, at); break;
   }
}

/* ---- global memory: an address of 64 bits in vector registers, or one of scalar registers and an offset of 32 bits */

void run_flat(Wave *wave, const Instruction *i)
{
   u64 exec = exec_of(wave), base = 0;
   bool scalar = i->form == GLOBAL && i->scalar_address != NULL_REGISTER;
   u32 align = i->op->access == ATOMIC ? i->op->bytes : 1;
   if (scalar && exec)
      base = scalar_word(wave, i->scalar_address) | (u64)scalar_word(wave, i->scalar_address + 1) << 32;
   const u32 *low = vector_source(wave, i->address, BOTH, exec), *high = low;
   if (!scalar)
      high = vector_source(wave, i->address + 1, BOTH, exec);
   u64 address[LANES];
   for (u32 lane = 0; lane < wave->lanes; lane++)
      address[lane] = (scalar ? base + low[lane] : low[lane] | (u64)high[lane] << 32) + (i64)i->offset;
   EACH_LANE(lane, (Mask){{exec}})
      access(wave, i, lane, memory_at(address[lane] & 0xffffffffffffull, i->op->bytes, align, i->op->name));
}

/* ---- private memory: offsets of a scalar register, of a vector register, and of the instruction */

/* gfx9 and gfx10: the shader itself sets the address of the wave's part. */
static void check_scratch(Wave *wave, const Instruction *i)
{
   u64 said = gpu.gfx == 9 ? scalar_word(wave, FLAT_SCRATCH_9) | (u64)scalar_word(wave, FLAT_SCRATCH_9 + 1) << 32 : wave->reg.scratch;
   u64 at = said & 0xffffffffffffull, size = (u64)wave->group->launch->private_size * wave->lanes;
   if (!size || !memory_find(at, size))
      stop(FAULT, "%s: the %llu bytes at FLAT_SCRATCH (0x%llx) are not all in a buffer of the submission", i->op->name, (unsigned long long)size,
           (unsigned long long)at);
}

void run_scratch(Wave *wave, const Instruction *i)
{
   u64 exec = exec_of(wave);
   if (gpu.gfx <= 10)
      check_scratch(wave, i);
   u32 base = i->scalar_address != NULL_REGISTER && exec ? scalar_word(wave, i->scalar_address) : 0;
   const u32 *offsets = i->offset_lane ? vector_source(wave, i->address, BOTH, exec) : NULL;
   i64 at[LANES];
   for (u32 lane = 0; lane < wave->lanes; lane++)
      at[lane] = (i64)(i32)(base + (offsets ? offsets[lane] : 0)) + i->offset;
   EACH_LANE(lane, (Mask){{exec}})
      access(wave, i, lane, private_at(wave, lane, at[lane], i->op->bytes, 1, i->op->access, i->op->name));
}

/* ---- constants, into scalar registers */

static void put_scalars(Wave *wave, const Instruction *i, const u32 *words)
{
   if (i->op->bytes < 4)
      put_scalar(wave, i->dst, 32, i->op->part == SIGNED ? (u32)sign_extend(words[0], 8 * i->op->bytes) : words[0]);
   for (u32 n = 0; n < i->op->bytes / 4u; n++)
      put_scalar(wave, i->dst == NULL_REGISTER ? NULL_REGISTER : i->dst + n, 32, words[n]);
}

/* gfx9 and gfx10: the shader's clock, or one that never stops. */
void run_clock(Wave *wave, const Instruction *i) { put_scalar(wave, i->dst, 64, strstr(i->op->name, "REAL") ? now_in_ticks() : wave->executed * 4); }

static i64 scalar_offset(Wave *wave, const Instruction *i)
{
   return (i64)i->offset + (i->source[1] == NULL_REGISTER ? 0 : scalar_word(wave, i->source[1]));
}

void run_scalar_load(Wave *wave, const Instruction *i)
{
   u64 base = scalar_word(wave, i->source[0]) | (u64)scalar_word(wave, i->source[0] + 1) << 32;
   u64 sum = base + scalar_offset(wave, i), address = sum & 0xfffffffffffcull, low = sum & 3;
   u32 words[16] = {0}, bytes = i->op->bytes;
   memcpy(words, memory_at(bytes < 4 ? address | low : address, bytes, bytes < 4 ? bytes : 4, i->op->name), bytes);
   put_scalars(wave, i, words);
}

/* Words after the buffer's end are 0. */
void run_scalar_buffer_load(Wave *wave, const Instruction *i)
{
   u32 r[4], words[16] = {0};
   for (u32 n = 0; n < 4; n++)
      r[n] = scalar_word(wave, i->source[0] + n);
   u64 base = r[0] | (u64)BITS(r[1], 0, 15) << 32, stride = BITS(r[1], 16, 29);
   u64 size = stride ? stride * r[2] : r[2], at = scalar_offset(wave, i);
   if (i->op->bytes < 4) {
      if (at + i->op->bytes <= size)
         memcpy(words, memory_at(base + at, i->op->bytes, i->op->bytes, i->op->name), i->op->bytes);
      put_scalars(wave, i, words);
      return;
   }
   at &= ~3ull;
   for (u32 n = 0; n < i->op->bytes / 4u; n++)
      if (at + 4 * n + 4 <= size)
         words[n] = memory_u32(base + at + 4 * n, i->op->name);
   put_scalars(wave, i, words);
}
