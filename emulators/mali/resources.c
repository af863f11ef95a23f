/* Valhall's resources, which replace Bifrost's tables: tables of descriptors of 32 bytes (Mesa's genxml/v9.xml). */
#include "shader.h"

enum { SIZE = 32, BUFFER = 9 };

static u64 pair(const u32 *w) { return w[0] | (u64)w[1] << 32; }

/* The highest bits of a resource's number are the number of its table. */
u64 resource_at(const State *state, u32 handle, const char *what)
{
   u32 table = handle >> 24, index = handle & 0xffffff, tables = state->resources & 63, w[4];
   if (table >= tables)
      stop(FAULT, "%s: the table of resources %u of %u", what, table, tables);
   memcpy(w, memory_mapped((state->resources & ~63ull) + sizeof w * table, sizeof w, 16, "a table of resources"), sizeof w);
   if ((index + 1ull) * SIZE > pair(w + 2))
      stop(FAULT, "%s: resource %u of a table of %llu bytes", what, index, (unsigned long long)pair(w + 2));
   return (pair(w) & 0x00ffffffffffffff) + (u64)SIZE * index;
}

static u64 buffer_of(const State *state, u32 handle, u32 *size, const char *what)
{
   u32 w[4];
   memcpy(w, memory_mapped(resource_at(state, handle, what), sizeof w, SIZE, "a buffer's descriptor"), sizeof w);
   if ((w[0] & 15) != BUFFER)
      stop(FAULT, "%s: resource 0x%x is a descriptor of type %u", what, handle, w[0] & 15);
   *size = w[1];
   return pair(w + 2);
}

/* Beyond the end of a buffer zeros are read. */
const u8 *buffer_bytes(const State *state, u32 handle, u32 offset, u32 bytes, const char *what)
{
   static const u8 zeros[16];
   u32 size;
   u64 base = buffer_of(state, handle, &size, what);
   return offset + (u64)bytes <= size ? memory_at(base + offset, bytes, 1, what) : zeros;
}

/* LEA_BUFFER */
void run_address_buffer(Wave *wave, const Instruction *i)
{
   const u32 *offset = raw_operand(wave, i, 0), *handle = raw_operand(wave, i, 1);
   u32 row[2][LANES] = {0}, size;
   Mask exec = exec_of(wave);
   EACH_LANE(lane, exec)
   {
      u64 address = buffer_of(state_of(wave), handle[lane], &size, i->op->name) + offset[lane];
      row[0][lane] = (u32)address, row[1][lane] = address >> 32;
   }
   for (u32 n = 0; n < 2; n++)
      write_register(wave, i->to + n, 3, row[n]);
}
