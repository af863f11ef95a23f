/* The command stream of Valhall from its tenth version on: instructions of 64 bits on 96 registers (Mesa's genxml/v10.xml). */
#include "draw.h"
#include "jobs.h"
#include <time.h>

enum Command {
   NOP, MOVE, MOVE32, WAIT, RUN_COMPUTE, RUN_IDVS = 6, RUN_FRAGMENT, FINISH_TILING = 9, FINISH_FRAGMENT = 11, ADD32 = 16, ADD64, UMIN32,
   LOAD_MULTIPLE = 20, STORE_MULTIPLE, BRANCH, SET_SB_ENTRY, SET_EXCEPTION_HANDLER = 25, CALL = 32, JUMP, REQ_RESOURCE, FLUSH_CACHE2 = 36,
   SYNC_ADD32, SYNC_SET32, SYNC_WAIT32, STORE_STATE, ERROR_BARRIER = 47, HEAP_SET, HEAP_OPERATION, SYNC_ADD64 = 51, SYNC_SET64, SYNC_WAIT64,
};
enum { DEPTH = 8, WORD = 8 };

static u8 byte_of(u64 w, u32 at) { return w >> at & 0xff; }

static void check_number(const Queue *q, u32 number)
{
   (void)q;
   if (number >= QUEUE_REGISTERS)
      stop(FAULT, "the command stream has no register r%u", number);
}

/* The registers of a load hold their values once its slot has been waited for. */
static u32 get(Queue *q, u32 number)
{
   check_number(q, number);
   if (q->pending[number])
      mark(HAZARD, "the command stream reads r%u before it waits for slot %u, in which it is loaded", number, q->pending[number] - 1);
   q->pending[number] = 0;
   return q->reg[number];
}

static u64 get64(Queue *q, u32 number) { return get(q, number) | (u64)get(q, number + 1) << 32; }

static void put(Queue *q, u32 number, u32 value)
{
   check_number(q, number);
   q->reg[number] = value;
   q->pending[number] = 0;
}

static void put64(Queue *q, u32 number, u64 value) { put(q, number, (u32)value), put(q, number + 1, value >> 32); }

static bool holds(i32 value, u32 condition)
{
   switch (condition) {
   case 0: return value <= 0;
   case 1: return value > 0;
   case 2: return value == 0;
   case 3: return value != 0;
   case 4: return value < 0;
   case 5: return value >= 0;
   default: return true;
   }
}

/* ---- launches */

/* A shader's environment: which registers hold its resources, uniforms, program and storage. */
static void environment(Queue *q, u32 resources, u32 uniforms, u32 program, u32 storage, u32 *w)
{
   u64 fau = get64(q, uniforms);
   memset(w, 0, 16 * sizeof *w);
   w[1] = fau >> 56;
   w[8] = get(q, resources), w[9] = get(q, resources + 1);
   w[10] = get(q, program), w[11] = get(q, program + 1);
   w[12] = get(q, storage), w[13] = get(q, storage + 1);
   w[14] = (u32)fau, w[15] = BITS(fau, 32, 55);
}

static void run_compute(Queue *q, u64 w)
{
   u32 env[16], size = get(q, 33), first[3], groups[3];
   environment(q, 2 * BITS(w, 40, 41), 8 + 2 * BITS(w, 46, 47), 16 + 2 * BITS(w, 42, 43), 24 + 2 * BITS(w, 44, 45), env);
   for (u32 k = 0; k < 3; k++)
      first[k] = get(q, 34 + k), groups[k] = get(q, 37 + k);
   run_groups(&size, first, groups, env);
}

static void run_vertices(Queue *q, u64 w)
{
   u32 flags = (u32)w | get(q, 56);
   Vertices v = {
      .mode = BITS(flags, 0, 10), .count = get(q, 33), .instances = get(q, 34), .first = get(q, 36), .sizes = get(q, 48) << 16,
      .tiler = get64(q, 40), .varies = flags >> 18 & 1,
   };
   v.scissor[0] = get(q, 42), v.scissor[1] = get(q, 43);
   v.words[12] = get(q, 50), v.words[13] = get(q, 51);
   environment(q, 0, 8, 16, 24, v.position);
   if (v.varies)
      environment(q, w >> 35 & 1 ? 2 : 0, w >> 36 & 1 ? 10 : 8, 18, w >> 37 & 1 ? 26 : 24, v.varying);
   environment(q, w >> 38 & 1 ? 4 : 0, 12, 20, w >> 39 & 1 ? 28 : 24, v.words + 16);
   if (executes())
      draw_vertices(&v);
}

/* ---- memory */

static void move_memory(Queue *q, u64 w, bool loads)
{
   u64 address = get64(q, byte_of(w, 40)) + (i64)(i16)w;
   for (u32 k = 0, base = byte_of(w, 48); k < 16; k++) {
      if (!(w >> (16 + k) & 1))
         continue;
      u8 *at = memory_at(address + 4 * k, 4, 4, "the command stream's memory");
      u32 value = loads ? 0 : get(q, base + k);
      if (!loads) {
         memcpy(at, &value, sizeof value);
         continue;
      }
      memcpy(&value, at, sizeof value);
      put(q, base + k, value);
      q->pending[base + k] = 1 + q->slot;
   }
}

static void synchronise(Queue *q, u64 w, u32 bytes, bool adds)
{
   u8 data = byte_of(w, 32);
   u8 *at = memory_at(get64(q, byte_of(w, 40)), bytes, bytes, "a synchronisation object");
   u64 value = bytes == 8 ? get64(q, data) : get(q, data), old = 0;
   memcpy(&old, at, bytes);
   value += adds ? old : 0;
   memcpy(at, &value, bytes);
}

static void store_state(Queue *q, u64 w)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   u64 value = BITS(w, 32, 33) < 2 ? t.tv_sec * 1000000000ull + t.tv_nsec : 0;
   memcpy(memory_at(get64(q, byte_of(w, 40)) + (i64)(i16)w, 8, 8, "the command stream's memory"), &value, 8);
}

static void wait(Queue *q, u32 slots)
{
   for (u32 n = 0; n < QUEUE_REGISTERS; n++)
      if (q->pending[n] && slots >> (q->pending[n] - 1) & 1)
         q->pending[n] = 0;
}

/* ---- the stream */

static void run_commands(Queue *q, u64 address, u64 size, u32 depth);

/* Commands that only compute in registers. */
static bool run_simple(Queue *q, u64 w)
{
   u8 to = byte_of(w, 48), a = byte_of(w, 40), b = byte_of(w, 32);
   switch ((enum Command)(w >> 56)) {
   case MOVE: put64(q, to, BITS(w, 0, 31) | (u64)BITS(w, 32, 47) << 32); return true;
   case MOVE32: put(q, to, (u32)w); return true;
   case ADD32: put(q, to, get(q, a) + (u32)w); return true;
   case ADD64: put64(q, to, get64(q, a) + (u64)(i64)(i32)w); return true;
   case UMIN32: {
      u32 x = get(q, a), y = get(q, b);
      put(q, to, x < y ? x : y);
      return true;
   }
   case WAIT: wait(q, BITS(w, 16, 23)); return true;
   case SET_SB_ENTRY: q->slot = BITS(w, 4, 6); return true;
   /* A wait for a value in memory is over: the queue that writes it ran before. */
   case NOP: case FINISH_TILING: case FINISH_FRAGMENT: case SET_EXCEPTION_HANDLER: case REQ_RESOURCE: case FLUSH_CACHE2: case SYNC_WAIT32:
   case SYNC_WAIT64: case ERROR_BARRIER: case HEAP_SET: case HEAP_OPERATION: return true;
   default: return false;
   }
}

static void run_command(Queue *q, u64 w, u32 depth)
{
   u8 a = byte_of(w, 40), b = byte_of(w, 32);
   switch ((enum Command)(w >> 56)) {
   case RUN_COMPUTE: run_compute(q, w); break;
   case RUN_IDVS: run_vertices(q, w); break;
   case RUN_FRAGMENT:
      if (executes())
         run_frame(get64(q, 40) & ~63ull);
      break;
   case LOAD_MULTIPLE: move_memory(q, w, true); break;
   case STORE_MULTIPLE: move_memory(q, w, false); break;
   case CALL: run_commands(q, get64(q, a), get(q, b), depth + 1); break;
   case SYNC_ADD32: synchronise(q, w, 4, true); break;
   case SYNC_SET32: synchronise(q, w, 4, false); break;
   case SYNC_ADD64: synchronise(q, w, 8, true); break;
   case SYNC_SET64: synchronise(q, w, 8, false); break;
   case STORE_STATE: store_state(q, w); break;
   default:
      if (!run_simple(q, w))
         stop(UNKNOWN, "the command 0x%016llx", (unsigned long long)w);
   }
}

static void run_commands(Queue *q, u64 address, u64 size, u32 depth)
{
   if (depth > DEPTH)
      stop(FAULT, "calls of the command stream are nested %u deep", depth);
   for (i64 at = 0, count = size / WORD; at >= 0 && at < count; at++) {
      u64 w;
      memcpy(&w, memory_mapped(address + WORD * (u64)at, WORD, WORD, "the command stream"), WORD);
      spend(1);
      if (w >> 56 == BRANCH && holds((i32)get(q, byte_of(w, 40)), BITS(w, 28, 30)))
         at += (i16)w;
      else if (w >> 56 == JUMP)
         address = get64(q, byte_of(w, 40)), count = get(q, byte_of(w, 32)) / WORD, at = -1;
      else if (w >> 56 != BRANCH)
         run_command(q, w, depth);
   }
}

void run_queue(Queue *q, u64 address, u64 size) { run_commands(q, address, size, 0); }
