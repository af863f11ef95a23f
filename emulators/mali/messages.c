/* Memory and atomics. */
#include "shader.h"
#include <stdlib.h>
#include <time.h>

/* The bytes of a lane: sources 0 and 1 are an address, or an offset in the segment that the instruction names. Only
 * atomics must be aligned [M7]. */
static u8 *place(Wave *wave, const Instruction *i, u32 lane, u32 bytes, enum Access access)
{
   u32 align = access == ATOMIC ? bytes : 1;
   u32 low = raw_operand(wave, i, 0)[lane], high = raw_operand(wave, i, 1)[lane];
   u64 address = (low | (u64)high << 32) + (i64)i->offset;
   const char *what = i->op->name;
   if (i->mod[M_seg] == O_wls)
      return local_at(wave, lane, (i32)low, bytes, align, access, what);
   if (i->mod[M_seg] == O_tl)
      return private_at(wave, lane, (i32)low, bytes, align, access, what);
   if (i->mod[M_seg] != O_none)
      stop(UNKNOWN, "%s of the segment %s", what, option_names[i->mod[M_seg]]);
   if ((address & WINDOW_MASK) == LOCAL_WINDOW)
      return local_at(wave, lane, (i64)(address - LOCAL_WINDOW), bytes, align, access, what);
   if ((address & WINDOW_MASK) == PRIVATE_WINDOW)
      return private_at(wave, lane, (i64)(address - PRIVATE_WINDOW), bytes, align, access, what);
   const State *state = state_of(wave);
   if (state->packets && (address & WINDOW_MASK) == PACKET_WINDOW) {
      if (address - PACKET_WINDOW + bytes > state->packet_bytes)
         stop(FAULT, "%s: byte %llu of %u for the vertices", what, (unsigned long long)(address - PACKET_WINDOW), state->packet_bytes);
      return state->packets + (address - PACKET_WINDOW);
   }
   return memory_at(address, bytes, align, what);
}

void run_segment(Wave *wave, const Instruction *i)
{
   const u32 *v = raw_operand(wave, i, 0);
   u64 window = i->mod[M_seg] == O_wls ? LOCAL_WINDOW : PRIVATE_WINDOW;
   u32 base = i->is_add ? window >> 32 : (u32)window, *d = result_of(wave, i);
   for (u32 lane = 0; lane < LANES; lane++)
      d[lane] = i->mod[M_preserve_null] && !v[lane] ? 0 : v[lane] + base;
}

/* ---- loads and stores: their data in staging registers */

static const u32 *staging(Wave *wave, u32 number)
{
   check_register(state_of(wave), number);
   return wave->reg.row[number];
}

static u32 memory_bytes(const Instruction *i) { return (u32)atoi(strchr(i->op->name, '.') + 2) / 8; }

/* Beyond the end of a buffer zeros are read. */
static const u8 *uniform_bytes(Wave *wave, const Instruction *i, u32 lane, u32 bytes)
{
   static const u8 zeros[16];
   u32 offset = raw_operand(wave, i, 0)[lane], which = raw_operand(wave, i, 1)[lane];
   const State *state = state_of(wave);
   if (is_valhall())
      return buffer_bytes(state, which, offset, bytes, i->op->name);
   if (which >= state->ubos)
      stop(FAULT, "%s: uniform buffer %u of %u", i->op->name, which, state->ubos);
   u64 descriptor = memory_u64(state->ubo_table + 8ull * which, "a uniform buffer's descriptor");
   u64 size = ((descriptor & 0xfff) + 1) * 16, base = descriptor >> 12 << 4;
   return offset + (u64)bytes <= size ? memory_at(base + offset, bytes, 1, i->op->name) : zeros;
}

/* A value smaller than a word goes to a part of the register, or is extended to a word. */
static void load_part(const Instruction *i, u32 value, u32 bits, u32 *word, u8 *halves)
{
   u8 where = i->mod[M_lane_dest];
   const Pick *p = &picks[where];
   u32 shift = p->width == 32 ? 0 : p->width * p->at[0], width = p->width;
   if (!width)
      width = bits;
   if (i->mod[M_extend] == O_sext)
      value = (u32)((i32)(value << (32 - bits)) >> (32 - bits));
   u32 mask = (width == 32 ? ~0u : (1u << width) - 1) << shift;
   *word = (*word & ~mask) | (value << shift & mask);
   *halves = width == 32 ? 3 : 1 << (shift >> 4);
}

void run_load(Wave *wave, const Instruction *i)
{
   bool to_64 = i->mod[M_lane_dest] == O_d0;
   u32 values[4][LANES], bytes = memory_bytes(i), count = to_64 ? 2 : (bytes + 3) / 4;
   u8 halves = 3;
   Mask exec = exec_of(wave);
   EACH_LANE(lane, exec)
   {
      u32 word[4] = {0};
      const u8 *at = i->mod[M_seg] == O_ubo ? uniform_bytes(wave, i, lane, bytes) : place(wave, i, lane, bytes, LOAD);
      memcpy(word, at, bytes);
      if (to_64) {
         i64 value = (i64)((u64)word[0] << (64 - 8 * bytes)) >> (64 - 8 * bytes);
         word[0] = i->mod[M_extend] == O_sext ? (u32)value : word[0];
         word[1] = i->mod[M_extend] == O_sext ? (u64)value >> 32 : 0;
      } else if (bytes < 3) {
         u32 value = word[0];
         word[0] = staging(wave, i->to)[lane];
         load_part(i, value, 8 * bytes, &word[0], &halves);
      }
      for (u32 n = 0; n < count; n++)
         values[n][lane] = word[n];
   }
   for (u32 n = 0; n < count; n++)
      write_register(wave, i->to + n, halves, values[n]);
}

void run_store(Wave *wave, const Instruction *i)
{
   u32 bytes = memory_bytes(i), count = (bytes + 3) / 4;
   Mask exec = exec_of(wave);
   for (u32 n = 0; n < count; n++)
      check_read(wave, i->from + n, bytes - 4 * n >= 3 ? 3 : 1);
   EACH_LANE(lane, exec)
   {
      u32 word[4];
      for (u32 n = 0; n < count; n++)
         word[n] = wave->reg.row[i->from + n][lane];
      memcpy(place(wave, i, lane, bytes, STORE), word, bytes);
   }
}

/* ---- atomics: ATOM_C (FMA) says which operation, ATOM_CX (ADD of the same tuple) executes it */

static u64 atomic_result(u8 operation, bool wide, u64 old, u64 data)
{
   i64 x = wide ? (i64)old : (i32)old, y = wide ? (i64)data : (i32)data;
   switch (operation) {
   case O_aadd: return old + data;
   case O_asmin: return x < y ? old : data;
   case O_asmax: return x > y ? old : data;
   case O_aumin: return old < data ? old : data;
   case O_aumax: return old > data ? old : data;
   case O_aand: return old & data;
   case O_aor: return old | data;
   case O_axor: return old ^ data;
   case O_ainc: return old + 1;
   case O_adec: return old - 1;
   case O_aumax1: return old > 1 ? old : 1;
   case O_asmax1: return x > 1 ? old : 1;
   case O_aor1: return old | 1;
   default: stop(UNKNOWN, "the atomic operation %s", option_names[operation]);
   }
}

/* The neutral value of the operation: ATOM_POST combines it with the result of ATOM_CX, as other lanes' part. Lanes
 * are not joined here [M5]. */
static u64 neutral(u8 operation, bool wide)
{
   switch (operation) {
   case O_aand: case O_aumin: return wide ? UINT64_MAX : UINT32_MAX;
   case O_asmin: return wide ? INT64_MAX : INT32_MAX;
   case O_asmax: case O_asmax1: return wide ? (u64)INT64_MIN : (u32)INT32_MIN;
   default: return 0;
   }
}

void run_atomic_begin(Wave *wave, const Instruction *i)
{
   struct Registers *r = &wave->reg;
   const char *name = i->op->name;
   r->atomic_operation = i->mod[M_atom_opc];
   r->atomic_wide = strstr(name, "64") != NULL;
   r->atomic_one = !strncmp(name, "ATOM_C1", 7);
   r->atomic_returns = strstr(name, "RETURN") != NULL;
   if (!r->atomic_one)
      memcpy(r->atomic_data, raw_operand(wave, i, 2), sizeof r->atomic_data);
}

static u64 staged(Wave *wave, const Instruction *i, u32 n, u32 lane, bool wide)
{
   return staging(wave, i->from + n)[lane] | (wide ? (u64)staging(wave, i->from + n + 1)[lane] << 32 : 0);
}

static void return_values(Wave *wave, const Instruction *i, u32 n, const u64 *values, bool wide)
{
   u32 row[LANES];
   for (u32 k = 0; k <= wide; k++) {
      for (u32 lane = 0; lane < LANES; lane++)
         row[lane] = values[lane] >> 32 * k;
      write_register(wave, i->to + n + k, 3, row);
   }
}

/* One lane after the other, lowest first. Each lane gets the value before its own operation. */
void run_atomic(Wave *wave, const Instruction *i)
{
   struct Registers *r = &wave->reg;
   bool wide = r->atomic_wide;
   u32 bytes = wide ? 8 : 4;
   u64 old[LANES] = {0}, rest[LANES];
   Mask exec = exec_of(wave);
   if (wide && !r->atomic_one)
      check_read(wave, i->from, 3), check_read(wave, i->from + 1, 3);
   EACH_LANE(lane, exec)
   {
      u8 *at = place(wave, i, lane, bytes, ATOMIC);
      u64 data = r->atomic_one ? 1 : wide ? staged(wave, i, 0, lane, true) : r->atomic_data[lane];
      memcpy(&old[lane], at, bytes);
      u64 value = atomic_result(r->atomic_operation, wide, old[lane], data);
      memcpy(at, &value, bytes);
   }
   if (!r->atomic_returns)
      return;
   for (u32 lane = 0; lane < LANES; lane++)
      rest[lane] = neutral(r->atomic_operation, wide);
   return_values(wave, i, 0, old, wide);
   return_values(wave, i, wide ? 2 : 1, rest, wide);
}

/* Valhall's are one instruction. ATOM_RETURN returns the old value; with `compare` it exchanges if the old value is
 * the second one that it reads. ATOM1_RETURN need not have a register for the result. */
void run_atom(Wave *wave, const Instruction *i)
{
   bool wide = strstr(i->op->name, "64"), one = !strncmp(i->op->name, "ATOM1", 5), compares = i->mod[M_compare] == O_compare;
   u32 bytes = wide ? 8 : 4, words = wide ? 2 : 1;
   u8 operation = i->mod[M_atom_opc];
   u64 old[LANES] = {0};
   Mask exec = exec_of(wave);
   if (compares && operation != O_axchg)
      stop(FAULT, "an atomic operation that compares is %s", option_names[operation]);
   for (u32 n = 0; !one && n < words << compares; n++)
      check_read(wave, i->from + n, 3);
   EACH_LANE(lane, exec)
   {
      u8 *at = place(wave, i, lane, bytes, ATOMIC);
      u64 data = one ? 1 : staged(wave, i, 0, lane, wide);
      memcpy(&old[lane], at, bytes);
      u64 value = operation == O_axchg ? data : atomic_result(operation, wide, old[lane], data);
      if (!compares || old[lane] == staged(wave, i, words, lane, wide))
         memcpy(at, &value, bytes);
   }
   if (message_registers(i, true))
      return_values(wave, i, 0, old, wide);
}

void run_atomic_post(Wave *wave, const Instruction *i)
{
   const u32 *a = raw_operand(wave, i, 0), *b = raw_operand(wave, i, 1);
   u32 *d = result_of(wave, i);
   if (strstr(i->op->name, "64"))
      stop(UNKNOWN, "%s", i->op->name);
   Mask exec = exec_of(wave);
   EACH_LANE(lane, exec) d[lane] = (u32)atomic_result(i->mod[M_atom_opc], false, a[lane], b[lane]);
}

/* AXCHG takes the new value, ACMPXCHG the new value and then the value to compare with. */
void run_exchange(Wave *wave, const Instruction *i)
{
   bool compares = i->op->name[1] == 'C', wide = strstr(i->op->name, "64") != NULL;
   u32 bytes = wide ? 8 : 4;
   u64 old[LANES] = {0};
   Mask exec = exec_of(wave);
   for (u32 n = 0; n < i->op->reads; n++)
      check_read(wave, i->from + n, 3);
   EACH_LANE(lane, exec)
   {
      u8 *at = place(wave, i, lane, bytes, ATOMIC);
      u64 data = staged(wave, i, 0, lane, wide);
      memcpy(&old[lane], at, bytes);
      if (!compares || old[lane] == staged(wave, i, wide ? 2 : 1, lane, wide))
         memcpy(at, &data, bytes);
   }
   return_values(wave, i, 0, old, wide);
}

/* ---- the clock */

void run_clock(Wave *wave, const Instruction *i)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   u64 ticks[LANES];
   for (u32 lane = 0; lane < LANES; lane++)
      ticks[lane] = t.tv_sec * 1000000000ull + t.tv_nsec;
   return_values(wave, i, 0, ticks, true);
}
