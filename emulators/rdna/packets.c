/* The packets (PM4) that radeonsi and RADV send for compute; numbers and fields: Mesa's src/amd/registers/pkt3.json, common/sid.h. */
#include "draw.h"
#include "packets.h"
#include <time.h>

enum {
   NOP = 0x10, SET_BASE = 0x11, CLEAR_STATE = 0x12, DISPATCH_DIRECT = 0x15, DISPATCH_INDIRECT = 0x16, SET_PREDICATION = 0x20, CONTEXT_CONTROL = 0x28,
   INDEX_TYPE = 0x2a, DRAW_INDEX_AUTO = 0x2d, NUM_INSTANCES = 0x2f, WRITE_DATA = 0x37, WAIT_REG_MEM = 0x3c, INDIRECT_BUFFER = 0x3f, COPY_DATA = 0x40, PFP_SYNC_ME = 0x42, EVENT_WRITE = 0x46,
   RELEASE_MEM = 0x49, DMA_DATA = 0x50, ACQUIRE_MEM = 0x58, REWIND = 0x59, PRIME_UTCL2 = 0x5d, SET_CONFIG_REG = 0x68, SET_CONTEXT_REG = 0x69,
   SET_SH_REG = 0x76, SET_UCONFIG_REG = 0x79, SET_UCONFIG_REG_INDEX = 0x7a, HDP_FLUSH = 0x95, SET_SH_REG_INDEX = 0x9b, DISPATCH_DIRECT_INTERLEAVED = 0xa7, DISPATCH_INDIRECT_INTERLEAVED = 0xa8,
   SET_CONTEXT_REG_PAIRS = 0xb8, SET_CONTEXT_REG_PAIRS_PACKED = 0xb9, SET_SH_REG_PAIRS = 0xba, SET_SH_REG_PAIRS_PACKED = 0xbb,
   SET_SH_REG_PAIRS_PACKED_N = 0xbd, SET_UCONFIG_REG_PAIRS = 0xbe,
};
enum { NESTED = 8, SHADER_SPACE = 0x2c00, SHADER_END = 0x3000 }; /* first register numbers, in words */

static u32 registers[REGISTERS];
u32 context_register[REGISTERS], user_register[USER_REGISTERS];
static u32 instances = 1; /* for draws */
static u64 base_address;

u64 now_in_ticks(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (u64)now.tv_sec * 100000000 + now.tv_nsec / 10;
}

static void set_register(u32 number, u32 value)
{
   if (number >= REGISTERS)
      stop(FAULT, "a packet sets the shader register 0x%x", number);
   registers[number] = value;
}

static void set_context(u32 number, u32 value) { context_register[number % REGISTERS] = value; }
static void set_user(u32 number, u32 value) { user_register[number % USER_REGISTERS] = value; }

typedef void (*Set)(u32 number, u32 value);

/* Consecutive registers; pairs of number and value; or two numbers and then two values. */
static void set_row(Set set, const u32 *body, u32 count)
{
   for (u32 n = 1; n < count; n++)
      set(BITS(body[0], 0, 15) + n - 1, body[n]);
}

static void set_pairs(Set set, const u32 *body, u32 count)
{
   for (u32 n = 0; n + 1 < count; n += 2)
      set(body[n], body[n + 1]);
}

static void set_packed(Set set, const u32 *body, u32 count)
{
   for (u32 n = 1; n + 2 < count; n += 3) {
      set(BITS(body[n], 0, 15), body[n + 1]);
      set(BITS(body[n], 16, 31), body[n + 2]);
   }
}

static void need(const char *name, u32 count, u32 words)
{
   if (count < words)
      stop(FAULT, "the packet %s of %u words", name, count);
}

static u64 address_at(const u32 *body) { return (body[0] | (u64)body[1] << 32) & 0xffffffffffffull; }

/* ---- data that the command processor writes by itself */

static void write_data(const u32 *body, u32 count)
{
   u32 to = BITS(body[0], 8, 11);
   if (to == 0) { /* a register */
      if (body[1] >= SHADER_SPACE && body[1] < SHADER_END && count > 3)
         set_register(body[1] - SHADER_SPACE, body[3]);
      return;
   }
   if (count > 3 && executes())
      memcpy(memory_at(address_at(body + 1), 4 * (count - 3), 4, "WRITE_DATA"), body + 3, 4 * (count - 3));
}

enum { FROM_REGISTER = 0, FROM_MEMORY = 1, FROM_L2 = 2, IMMEDIATE = 5, CLOCK = 9 };

static void copy_data(const u32 *body)
{
   u32 from = BITS(body[0], 0, 3), to = BITS(body[0], 8, 11), bytes = body[0] >> 16 & 1 ? 8 : 4;
   u64 value = 0;
   switch (from) {
   case FROM_MEMORY: case FROM_L2: memcpy(&value, memory_at(address_at(body + 1), bytes, 4, "COPY_DATA"), bytes); break;
   case IMMEDIATE: value = body[1] | (u64)body[2] << 32; break;
   case CLOCK: value = now_in_ticks(); break;
   case FROM_REGISTER:
      if (body[1] >= SHADER_SPACE && body[1] < SHADER_END)
         value = registers[body[1] - SHADER_SPACE];
      break;
   default: stop(UNKNOWN, "COPY_DATA from %u", from);
   }
   if (to == 0) {
      if (body[3] >= SHADER_SPACE && body[3] < SHADER_END)
         set_register(body[3] - SHADER_SPACE, (u32)value);
   } else if (executes()) {
      memcpy(memory_at(address_at(body + 3), bytes, 4, "COPY_DATA"), &value, bytes);
   }
}

static void release_memory(const u32 *body)
{
   u32 data = body[1] >> 29;
   if (!data || !executes())
      return;
   u64 value = data >= 3 ? now_in_ticks() : body[4] | (u64)body[5] << 32, bytes = data == 1 ? 4 : 8;
   memcpy(memory_at(address_at(body + 2), bytes, 4, "RELEASE_MEM"), &value, bytes);
}

static void dma(const u32 *body)
{
   u32 from = BITS(body[0], 29, 30), to = BITS(body[0], 20, 21), bytes = BITS(body[5], 0, 25);
   if (to == 2 || !bytes || !executes()) /* without a destination: it warms up caches */
      return;
   u8 *target = memory_at(address_at(body + 3), bytes, 1, "DMA_DATA");
   if (from == 2) {
      for (u32 n = 0; n + 4 <= bytes; n += 4)
         memcpy(target + n, &body[1], 4);
      return;
   }
   memmove(target, memory_at(address_at(body + 1), bytes, 1, "DMA_DATA"), bytes);
}

/* ---- launches */

static void dispatch_indirect(const u32 *body)
{
   u32 groups[3];
   memcpy(groups, memory_at(base_address + body[0], sizeof groups, 4, "DISPATCH_INDIRECT"), sizeof groups);
   launch_of(registers, groups, body[1]);
}

static void run_packet(u32 number, const u32 *body, u32 count, u32 depth)
{
   switch (number) {
   case NOP: case SET_PREDICATION: case CONTEXT_CONTROL: case INDEX_TYPE: case WAIT_REG_MEM: case PFP_SYNC_ME:
   case EVENT_WRITE: case ACQUIRE_MEM: case REWIND: case PRIME_UTCL2: case SET_CONFIG_REG: case HDP_FLUSH:
      break; /* kernels' values do not depend on these */
   case CLEAR_STATE: clear_state(); break;
   case SET_BASE:
      need("SET_BASE", count, 3);
      if ((body[0] & 0xf) == 1)
         base_address = address_at(body + 1);
      break;
   case SET_SH_REG: case SET_SH_REG_INDEX: set_row(set_register, body, count); break;
   case SET_SH_REG_PAIRS: set_pairs(set_register, body, count); break;
   case SET_SH_REG_PAIRS_PACKED: case SET_SH_REG_PAIRS_PACKED_N: set_packed(set_register, body, count); break;
   case SET_CONTEXT_REG: set_row(set_context, body, count); break;
   case SET_CONTEXT_REG_PAIRS: set_pairs(set_context, body, count); break;
   case SET_CONTEXT_REG_PAIRS_PACKED: set_packed(set_context, body, count); break;
   case SET_UCONFIG_REG: case SET_UCONFIG_REG_INDEX: set_row(set_user, body, count); break;
   case SET_UCONFIG_REG_PAIRS: set_pairs(set_user, body, count); break;
   case NUM_INSTANCES: instances = body[0]; break;
   case DRAW_INDEX_AUTO: need("DRAW_INDEX_AUTO", count, 2), draw(registers, body[0], body[1], instances); break;
   case DISPATCH_DIRECT: case DISPATCH_DIRECT_INTERLEAVED: need("DISPATCH_DIRECT", count, 4), launch_of(registers, body, body[3]); break;
   case DISPATCH_INDIRECT: case DISPATCH_INDIRECT_INTERLEAVED: need("DISPATCH_INDIRECT", count, 2), dispatch_indirect(body); break;
   case WRITE_DATA: need("WRITE_DATA", count, 3), write_data(body, count); break;
   case COPY_DATA: need("COPY_DATA", count, 5), copy_data(body); break;
   case RELEASE_MEM: need("RELEASE_MEM", count, 6), release_memory(body); break;
   case DMA_DATA: need("DMA_DATA", count, 6), dma(body); break;
   case INDIRECT_BUFFER: need("INDIRECT_BUFFER", count, 3), run_commands(address_at(body), BITS(body[2], 0, 19), depth + 1); break;
   default: stop(UNKNOWN, "the packet 0x%02x of %u words", number, count);
   }
}

void run_commands(u64 address, u64 words, u32 depth)
{
   if (depth > NESTED)
      stop(FAULT, "indirect buffers are nested %u deep", depth);
   const u32 *stream = (const u32 *)memory_at(address, words * 4, 4, "the command stream");
   for (u64 at = 0; at < words;) {
      u32 head = stream[at], type = head >> 30, count = BITS(head, 16, 29) + 1;
      spend(1);
      if (type == 2 || head == 0xffff1000) { /* padding */
         at++;
         continue;
      }
      if (type != 3)
         stop(UNKNOWN, "the packet header 0x%08x", head);
      if (count > words - at - 1)
         stop(FAULT, "a packet of %u words in a command stream that has %llu more", count, (unsigned long long)(words - at - 1));
      const u32 *body = stream + at + 1;
      trace("packet 0x%02x, %u words: %08x %08x %08x %08x", BITS(head, 8, 15), count, body[0], count > 1 ? body[1] : 0, count > 2 ? body[2] : 0,
            count > 3 ? body[3] : 0);
      run_packet(BITS(head, 8, 15), body, count, depth);
      if (BITS(head, 8, 15) == INDIRECT_BUFFER && body[2] >> 20 & 1) /* chained: the stream goes on there */
         return;
      at += 1 + count;
   }
}
