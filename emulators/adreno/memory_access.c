/* Category 6: global, local, private memory, constants, and atomics on them. */
#include "packets.h"

#define CLOCK_PAGE (0x1fffffffff000ull >> 12) /* the trap base of the UCHE (the cache of global memory), as the kernel calls it */

/* ---- registers of a load or store: `size` components from a number on */

static void load_component(const u8 *from, u32 bytes, u32 *to)
{
   *to = 0;
   memcpy(to, from, bytes);
}

/* The bytes of a lane. */
typedef u8 *(*Find)(Wave *wave, const Instruction *i, u32 lane, u32 bytes, enum Access access);

static const char *what_of(const Instruction *i) { return i->op->name; }

static void load(Wave *wave, const Instruction *i, Find find)
{
   enum { MOST = 4 };
   u32 values[MOST][LANES], bytes = bytes_of(i->type);
   Mask exec = exec_of(wave);
   for (u32 first = 0; first < i->size; first += MOST) {
      u32 count = i->size - first < MOST ? i->size - first : MOST;
      EACH_LANE(lane, exec)
      {
         const u8 *at = find(wave, i, lane, bytes * i->size, LOAD) + first * bytes;
         for (u32 n = 0; n < count; n++)
            load_component(at + n * bytes, bytes, &values[n][lane]);
      }
      for (u32 n = 0; n < count; n++)
         put(wave, i->dst + first + n, i->dst_half, values[n]);
   }
}

static void store(Wave *wave, const Instruction *i, Find find)
{
   u32 space[LANES], bytes = bytes_of(i->type);
   Mask exec = exec_of(wave);
   for (u32 n = 0; n < i->size; n++) {
      const u32 *values = row_of(wave, i->data + n, i->half, space);
      EACH_LANE(lane, exec) memcpy(find(wave, i, lane, bytes * i->size, STORE) + n * bytes, &values[lane], bytes);
   }
}

/* ---- global memory: 64-bit addresses in two registers */

static u64 global_address(Wave *wave, const Instruction *i, u32 lane)
{
   u64 base;
   if (i->address_const)
      base = state_of(wave)->constants[i->address & (CONSTANTS - 1)] |
             (u64)state_of(wave)->constants[(i->address + 1) & (CONSTANTS - 1)] << 32;
   else
      base = address_of(wave, i->address, lane);
   if (i->op->flag == PLAIN)
      return base + (i64)i->offset;
   if (i->index >= ROWS)
      stop(FAULT, "there is no register %u", i->index);
   u64 index = wave->reg.row[i->index][lane];
   if (i->op->flag == SUM)
      return base + index + (i64)i->offset;
   u32 unit = __builtin_ctz(bytes_of(i->type)); /* [6]: the index counts elements */
   return base + (index << (i->shift + unit)) + ((i64)i->offset << unit);
}

static u8 *find_global(Wave *wave, const Instruction *i, u32 lane, u32 bytes, enum Access access)
{
   u64 address = global_address(wave, i, lane);
   if (address >> 12 == CLOCK_PAGE && access == LOAD) { /* the always-on counter is read here */
      static _Thread_local u64 ticks[4]; /* the high half is read separately, and belongs to the last low half */
      ticks[0] = address & 7 ? ticks[0] : now_in_ticks();
      return (u8 *)ticks + (address & 7);
   }
   return memory_at(address, bytes, bytes_of(i->type), what_of(i));
}

void run_load_global(Wave *wave, const Instruction *i) { load(wave, i, find_global); }
void run_store_global(Wave *wave, const Instruction *i) { store(wave, i, find_global); }

/* ---- local and private memory: 32-bit offsets in one register */

static i64 offset_of(Wave *wave, const Instruction *i, u32 lane)
{
   if (i->address >= ROWS)
      stop(FAULT, "there is no register %u", i->address);
   return (i64)(i32)wave->reg.row[i->address][lane] + i->offset;
}

static u8 *find_local(Wave *wave, const Instruction *i, u32 lane, u32 bytes, enum Access access)
{
   return local_at(wave, lane, offset_of(wave, i, lane), bytes, bytes_of(i->type), access, what_of(i));
}

static u8 *find_private(Wave *wave, const Instruction *i, u32 lane, u32 bytes, enum Access access)
{
   return private_at(wave, lane, offset_of(wave, i, lane), bytes, bytes_of(i->type), access, what_of(i));
}

void run_load_local(Wave *wave, const Instruction *i) { load(wave, i, find_local); }
void run_store_local(Wave *wave, const Instruction *i) { store(wave, i, find_local); }
void run_load_private(Wave *wave, const Instruction *i) { load(wave, i, find_private); }
void run_store_private(Wave *wave, const Instruction *i) { store(wave, i, find_private); }

/* ---- constants: constant buffers, and the constants that a preamble writes */

static Buffer buffer_of(Wave *wave, const Instruction *i, u32 index)
{
   const State *state = state_of(wave);
   if (i->bindless) {
      u64 descriptor = memory_u64(state->bindless[i->base & (BINDLESS - 1)] + index * 64ull, "a buffer's descriptor");
      return (Buffer){descriptor & ((1ull << 49) - 1), (descriptor >> 49) * 16};
   }
   if (index >= UBOS || !state->ubo[index].size)
      stop(FAULT, "constant buffer %u was not loaded", index);
   return state->ubo[index];
}

static u32 descriptor_of(Wave *wave, const Instruction *i, u32 lane)
{
   return i->mode == 0 ? i->descriptor : wave->reg.row[i->descriptor < ROWS ? i->descriptor : 0][lane];
}

/* Beyond the end of a buffer a load returns 0. */
void run_load_ubo(Wave *wave, const Instruction *i)
{
   u32 values[4][LANES];
   Mask exec = exec_of(wave);
   EACH_LANE(lane, exec)
   {
      Buffer buffer = buffer_of(wave, i, descriptor_of(wave, i, lane));
      u64 at = (i->address_immediate ? i->address : wave->reg.row[i->address < ROWS ? i->address : 0][lane]) * 16ull + i->offset * 4;
      for (u32 n = 0; n < i->size; n++)
         values[n][lane] = at + 4 * n + 4 <= buffer.size ? memory_u32(buffer.base + at + 4 * n, what_of(i)) : 0;
   }
   for (u32 n = 0; n < i->size; n++)
      put(wave, i->dst + n, i->dst_half, values[n]);
}

static u32 *constants_at(Wave *wave, u32 first, u32 count)
{
   State *state = state_of(wave);
   if (first > CONSTANTS || first + count > CONSTANTS || first + count > state->constant_count)
      stop(FAULT, "the launch has %u constants, and %u to %u are written", state->constant_count, first, first + count);
   memset(state->constant_loaded + first, true, count);
   return state->constants + first;
}

void run_load_ubo_constants(Wave *wave, const Instruction *i)
{
   u32 lane = mask_lowest(exec_of(wave)), count = i->size * 4;
   if (lane == LANES)
      return;
   Buffer buffer = buffer_of(wave, i, descriptor_of(wave, i, lane));
   u64 at = (i->address_immediate ? i->address : wave->reg.row[i->address < ROWS ? i->address : 0][lane]) * 16ull;
   memcpy(constants_at(wave, wave->reg.a1, count), memory_at(buffer.base + at, count * 4, 4, what_of(i)), count * 4);
}

void run_load_constants(Wave *wave, const Instruction *i)
{
   u32 lane = mask_lowest(exec_of(wave));
   if (lane == LANES)
      return;
   u32 *to = constants_at(wave, i->dst + (i->dst_a1 ? wave->reg.a1 : 0), i->size);
   memcpy(to, memory_at(address_of(wave, i->address, lane) + (i64)i->offset, i->size * 4, 4, what_of(i)), i->size * 4);
}

void run_store_constant(Wave *wave, const Instruction *i)
{
   u32 space[LANES], lane = mask_lowest(exec_of(wave));
   if (lane == LANES)
      return;
   u32 *to = constants_at(wave, i->dst + (i->dst_a1 ? wave->reg.a1 : 0), i->size);
   for (u32 n = 0; n < i->size; n++) {
      const u32 *values = row_of(wave, i->data + n, i->half, space);
      if (i->half)
         memcpy((u16 *)to + n, &values[lane], 2);
      else
         to[n] = values[lane];
   }
}

/* ---- atomics */

u64 atomic_result(const Instruction *i, u64 old, u64 data, u64 compare)
{
   bool negative = i->type == S32;
   switch (i->op->flag) {
   case ATOMIC_ADD: return old + data;
   case ATOMIC_SUB: return old - data;
   case ATOMIC_XCHG: return data;
   case ATOMIC_INC: return old + 1;
   case ATOMIC_DEC: return old - 1;
   case ATOMIC_CMPXCHG: return old == compare ? data : old; /* [10]: first the new value, then the value to compare with */
   case ATOMIC_MIN: return negative ? ((i32)old < (i32)data ? old : data) : old < data ? old : data;
   case ATOMIC_MAX: return negative ? ((i32)old > (i32)data ? old : data) : old > data ? old : data;
   case ATOMIC_AND: return old & data;
   case ATOMIC_OR: return old | data;
   case ATOMIC_XOR: return old ^ data;
   default: stop(UNKNOWN, "an atomic operation");
   }
}

/* One lane after the other, lowest first. Each lane gets the value before its own operation. */
static void atomic(Wave *wave, const Instruction *i, Find find, bool wide)
{
   u32 low[LANES], high[LANES], bytes = wide ? 8 : 4;
   Mask exec = exec_of(wave);
   bool compares = i->op->flag == ATOMIC_CMPXCHG;
   u32 last = i->data + (wide ? 2 : 1) * (compares ? 2 : 1);
   if (!i->data_immediate && last > ROWS)
      stop(FAULT, "there is no register %u", last - 1);
   EACH_LANE(lane, exec)
   {
      u8 *at = find(wave, i, lane, bytes, ATOMIC);
      u64 old = 0, data, compare = 0;
      memcpy(&old, at, bytes);
      if (i->data_immediate)
         data = i->data;
      else
         data = wide ? address_of(wave, i->data, lane) : wave->reg.row[i->data][lane];
      if (compares)
         compare = wide ? address_of(wave, i->data + 2, lane) : wave->reg.row[i->data + 1][lane];
      u64 value = atomic_result(i, old, data, compare);
      memcpy(at, &value, bytes);
      low[lane] = (u32)old;
      high[lane] = old >> 32;
   }
   put(wave, i->dst, false, low);
   if (wide)
      put(wave, i->dst + 1, false, high);
}

static u8 *find_atomic_local(Wave *wave, const Instruction *i, u32 lane, u32 bytes, enum Access access)
{
   i64 offset = i->address_immediate ? i->address : offset_of(wave, i, lane);
   return local_at(wave, lane, offset, bytes, bytes, access, what_of(i));
}

static u8 *find_atomic_global(Wave *wave, const Instruction *i, u32 lane, u32 bytes, enum Access access)
{
   (void)access;
   return memory_at(address_of(wave, i->address, lane), bytes, bytes, what_of(i));
}

void run_atomic_local(Wave *wave, const Instruction *i) { atomic(wave, i, find_atomic_local, false); }
/* The 64-bit type has the number of the first narrow type. */
void run_atomic_global(Wave *wave, const Instruction *i) { atomic(wave, i, find_atomic_global, i->type == TYPE_U8); }
