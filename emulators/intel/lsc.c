/* The load and store cache of Gen12.5: memory by flat addresses, by surfaces, local memory; atomics, blocks, fences. */
#include "messages.h"

enum { OP_LOAD = 0, OP_LOAD_MASK = 2, OP_STORE = 4, OP_STORE_MASK = 6, OP_ATOMIC = 8, OP_FENCE = 31 };
enum { BY_ADDRESS, BY_BINDLESS, BY_STATE, BY_TABLE }; /* how a message names its surface */

/* The atomic operations from OP_ATOMIC on, as the data port numbers them. */
static const struct {
   u8 operation, operands;
   bool real;
} ATOMICS[] = {
   {5, 0, false}, {6, 0, false}, {2, 0, false}, {4, 1, false}, {7, 1, false}, {8, 1, false}, {11, 1, false}, {10, 1, false}, {13, 1, false},
   {12, 1, false}, {14, 2, false}, {4, 1, true}, {0, 1, true}, {2, 1, true}, {1, 1, true}, {3, 2, true}, {1, 1, false}, {2, 1, false}, {3, 1, false},
}; /* a load is an "or" with 0 */

typedef struct {
   const Message *m;
   Surface surface;
   u32 address_bytes, size, unit, components; /* bytes in memory, and in the register */
} Access;

static Surface surface_named(const Message *m, bool local)
{
   const State *state = state_of(m->wave);
   u64 handle = m->i->bindless_offset ? m->extended & ~63u : (m->extended >> 12) << 6;
   switch (BITS(m->descriptor, 29, 30)) {
   case BY_ADDRESS: return (Surface){.kind = local ? LOCAL : STATELESS};
   case BY_BINDLESS: return surface_of_state(state->bindless_base + handle);
   case BY_STATE: return surface_of_state(state->surface_base + handle);
   default: return surface_numbered(m, m->extended >> 24);
   }
}

static u64 bytes_at(const Message *m, u32 at, u32 size)
{
   u64 value = 0;
   check_payload(m, at, size);
   memcpy(&value, m->bytes + at, size);
   return value;
}

static u64 address_of(const Access *a, u32 channel) { return bytes_at(a->m, channel * a->address_bytes, a->address_bytes); }

/* The place of a channel's component in the registers' bytes: each component begins in a new register. */
static u32 place_of(const Access *a, u32 component, u32 channel)
{
   u32 each = (a->m->i->channels * a->unit + REGISTER - 1) / REGISTER * REGISTER;
   return component * each + channel * a->unit;
}

static void transfer(const Access *a, u32 channel, u64 address, u32 at, bool write)
{
   const Message *m = a->m;
   u64 value = 0;
   u32 align = a->components > 1 ? a->size : 1; /* a single value may lie at any byte [I8] */
   u8 *there = surface_at(m, &a->surface, channel, address, a->size, align, write ? STORE : LOAD);
   if (write) {
      value = bytes_at(m, m->length * REGISTER + at, a->unit);
      if (there)
         memcpy(there, &value, a->size);
      return;
   }
   if (there)
      memcpy(&value, there, a->size);
   memcpy(response_at(m, at, a->unit), &value, a->unit);
}

/* One address, and `count` elements from it on. */
static void block(const Access *a, bool write)
{
   if (!(a->m->channels & 1))
      return;
   u64 address = address_of(a, 0);
   for (u32 k = 0; k < a->components; k++)
      transfer(a, 0, address + (u64)k * a->size, k * a->unit, write);
}

static void each_channel(const Access *a, bool write, u32 left_out)
{
   for (u32 c = 0, at = 0; c < a->components; c++) {
      if (left_out >> c & 1)
         continue;
      for (u32 k = 0; k < a->m->i->channels; k++)
         if (a->m->channels >> k & 1)
            transfer(a, k, address_of(a, k) + c * a->size, place_of(a, at, k), write);
      at++;
   }
}

static void atomic(const Access *a, u32 operation)
{
   const Message *m = a->m;
   u32 data = m->length * REGISTER, operands = ATOMICS[operation].operands;
   if (!ATOMICS[operation].operation)
      stop(UNKNOWN, "%s: atomic operation %u", m->what, operation + OP_ATOMIC);
   for (u32 k = 0; k < m->i->channels; k++) {
      if (!(m->channels >> k & 1))
         continue;
      u8 *there = surface_at(m, &a->surface, k, address_of(a, k), a->size, a->size, ATOMIC);
      u64 x = operands > 0 ? bytes_at(m, data + place_of(a, 0, k), a->unit) : 0;
      u64 y = operands > 1 ? bytes_at(m, data + place_of(a, 1, k), a->unit) : 0;
      u64 old = there ? exchange(there, ATOMICS[operation].operation, ATOMICS[operation].real, x, y, 8 * a->size) : 0;
      if (m->response)
         memcpy(response_at(m, place_of(a, 0, k), a->unit), &old, a->unit);
   }
}

void memory_message(const Message *m, bool local)
{
   static const struct {
      u8 size, unit;
   } SIZES[8] = {{1, 1}, {2, 2}, {4, 4}, {8, 8}, {1, 4}, {2, 4}};
   static const u8 COUNTS[] = {1, 2, 3, 4, 8, 16, 32, 64};
   u32 operation = BITS(m->descriptor, 0, 5), code = BITS(m->descriptor, 9, 11);
   if (operation == OP_FENCE) {
      fence(m);
      return;
   }
   Access a = {
      .m = m,
      .surface = surface_named(m, local),
      .address_bytes = 1u << BITS(m->descriptor, 7, 8),
      .size = SIZES[code].size,
      .unit = SIZES[code].unit,
      .components = COUNTS[BITS(m->descriptor, 12, 14)],
   };
   bool transposed = m->descriptor >> 15 & 1, write = operation == OP_STORE || operation == OP_STORE_MASK;
   if (!a.size)
      stop(UNKNOWN, "%s: data of size %u", m->what, code);
   m->wave->fences++; /* messages of one thread to local memory keep their order */
   if (operation == OP_LOAD_MASK || operation == OP_STORE_MASK) {
      a.components = 4;
      each_channel(&a, write, ~BITS(m->descriptor, 12, 15) & 15);
   } else if (operation == OP_LOAD || operation == OP_STORE) {
      if (transposed)
         block(&a, write);
      else
         each_channel(&a, write, 0);
   } else if (operation - OP_ATOMIC < COUNT(ATOMICS)) {
      atomic(&a, operation - OP_ATOMIC);
   } else {
      stop(UNKNOWN, "%s: operation %u of the load and store cache", m->what, operation);
   }
}
