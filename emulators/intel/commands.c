/* A batch: the command streamer's own commands, state, launches. Numbers: Intel's Tiger Lake reference manual, volume 2a. */
#include "commands.h"
#include "draw.h"
#include <time.h>

enum { /* MI commands, by bits 23 to 28 */
   MI_BATCH_BUFFER_END = 0x0a, MI_MATH = 0x1a, MI_STORE_DATA_IMM = 0x20, MI_LOAD_REGISTER_IMM = 0x22,
   MI_STORE_REGISTER_MEM = 0x24, MI_FLUSH_DW = 0x26, MI_LOAD_REGISTER_MEM = 0x29, MI_LOAD_REGISTER_REG = 0x2a,
   MI_COPY_MEM_MEM = 0x2e, MI_BATCH_BUFFER_START = 0x31,
};
enum { /* others, by their upper half */
   STATE_BASE_ADDRESS = 0x6101, PIPELINE_SELECT = 0x6904, MEDIA_VFE_STATE = 0x7000, MEDIA_CURBE_LOAD = 0x7001,
   MEDIA_INTERFACE_DESCRIPTOR_LOAD = 0x7002, GPGPU_WALKER = 0x7105, CFE_STATE = 0x7200, COMPUTE_WALKER = 0x7208, BINDING_TABLE_POOL_ALLOC = 0x7919,
   VERTEX_BUFFERS = 0x7808, SBE = 0x781f, PS = 0x7820, BINDING_TABLE_PS = 0x782a, SAMPLERS_PS = 0x782f, PIPE_CONTROL = 0x7a00,
   PRIMITIVE = 0x7b00, STATE_SIP = 0x6102, VF_STATISTICS = 0x680b,
};
enum { COPY_ENGINE_FILL = 0x144 }; /* by the bits from 22 on */
enum { TIMESTAMP = 0x2358, DISPATCH_DIMENSIONS = 0x2500, GPRS = 0x2600, GT_MODE = 0x7008, REGISTERS = 0x20000, DEEPEST = 8, RECTANGLES = 15 };

typedef struct {
   u32 key;
   State state;
   DrawState draw;
   u32 kernel_threads, barrier;
   bool large_tables; /* binding tables lie at multiples of 256 bytes (GT_MODE), and their offsets count eight times as much */
} Context;

static u32 mmio[REGISTERS / 4];
static Context contexts[512], *context = contexts;

u64 now_in_ticks(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (u64)((double)(now.tv_sec * 1000000000ull + now.tv_nsec) * 19.2e6 / 1e9) & 0xfffffffffu;
}

static u64 address_of(const u32 *d) { return (d[0] | (u64)d[1] << 32) & 0xfffffffffffcu; }

static u32 *reg(u32 number)
{
   number &= REGISTERS - 1;
   if (number == TIMESTAMP || number == TIMESTAMP + 4) {
      u64 now = now_in_ticks();
      mmio[TIMESTAMP / 4] = (u32)now;
      mmio[TIMESTAMP / 4 + 1] = now >> 32;
   }
   return &mmio[number / 4];
}

static void write_words(u64 address, const u32 *words, u32 count, const char *what)
{
   memcpy(memory_at(address, 4 * count, 4, what), words, 4 * count);
}

/* ---- MI_MATH: a small ALU with 16 registers, two operands and a result */

static u64 *general(u32 n) { return (u64 *)(void *)&mmio[GPRS / 4 + 2 * n]; }

struct math {
   u64 a, b, result;
   bool zero, carry;
};

static u64 math_read(const struct math *m, u32 n)
{
   switch (n) {
   case 0x20: return m->a;
   case 0x21: return m->b;
   case 0x31: return m->result;
   case 0x32: return -(u64)m->zero;
   case 0x33: return -(u64)m->carry;
   }
   if (n >= 16)
      stop(UNKNOWN, "MI_MATH: operand 0x%x", n);
   return *general(n);
}

static void math_step(struct math *m, u32 word)
{
   enum { NOOP = 0, LOAD = 0x080, LOAD0 = 0x081, ADD = 0x100, SUB, AND, OR, XOR, SHL, SHR, STORE = 0x180, LOADINV = 0x480, LOAD1, STOREINV = 0x580 };
   u32 operation = word >> 20, to = BITS(word, 10, 19), from = BITS(word, 0, 9);
   u64 value;
   switch (operation) {
   case NOOP: return;
   case LOAD: case LOADINV: case LOAD0: case LOAD1:
      value = operation == LOAD0 ? 0 : operation == LOAD1 ? ~0ull : math_read(m, from);
      *(to == 0x20 ? &m->a : &m->b) = operation == LOADINV ? ~value : value;
      return;
   case STORE: case STOREINV:
      if (to >= 16)
         stop(UNKNOWN, "MI_MATH: a store to 0x%x", to);
      value = math_read(m, from);
      *general(to) = operation == STOREINV ? ~value : value;
      return;
   case ADD: m->result = m->a + m->b, m->carry = m->result < m->a; break;
   case SUB: m->result = m->a - m->b, m->carry = m->a < m->b; break;
   case AND: m->result = m->a & m->b; break;
   case OR: m->result = m->a | m->b; break;
   case XOR: m->result = m->a ^ m->b; break;
   case SHL: m->result = m->b < 64 ? m->a << m->b : 0; break;
   case SHR: m->result = m->b < 64 ? m->a >> m->b : 0; break;
   default: stop(UNKNOWN, "MI_MATH: operation 0x%x", operation);
   }
   m->zero = !m->result;
}

/* ---- launches */

static u32 table_of(u32 word) { return generation == GEN125 ? word & 0x1fffe0 : (word & 0xffe0) << (context->large_tables ? 3 : 0); }

static void set_mode(u32 value)
{
   enum { LARGE_TABLES = 10 };
   if (value >> 16 >> LARGE_TABLES & 1)
      context->large_tables = value >> LARGE_TABLES & 1;
}

/* Gen12.5 has no bit that enables it. */
static void set_pool(const u32 *d)
{
   enum { ENABLE = 11 };
   context->state.binding_pool = generation == GEN125 || d[1] >> ENABLE & 1 ? address_of(d + 1) & ~0xfffull : 0;
}

static void interface_descriptor(const u32 *i)
{
   State *s = &context->state;
   u32 threads = generation == GEN125 ? i[5] : i[6], local = BITS(threads, 16, 20);
   if (local > 7)
      stop(FAULT, "an interface descriptor with local memory of size %u", local);
   s->kernel = s->instruction_base + ((u64)(i[1] & 0xffff) << 32 | (i[0] & ~63u));
   s->samplers = i[3] & ~31u;
   s->binding_table = table_of(i[4]);
   s->per_thread = i[5] >> 16;
   s->cross_thread = i[7] & 0xff;
   s->local_size = local ? 1024u << (local - 1) : 0;
   /* cr0.0: the float mode, the rounding mode, and which denormals are kept. */
   s->control = (i[2] >> 16 & 1) | BITS(threads, 22, 23) << 4 | (i[2] >> 19 & 1 ? 0x4c0 : 0);
   context->kernel_threads = BITS(threads, 0, 9);
}

/* Launches the groups from `begin` on, with the given threads per group, lanes per thread, and `scratch` bytes per thread. */
static void launch(u32 lanes, u32 threads, u32 last, const u32 begin[3], const u32 end[3], u32 scratch)
{
   State *s = &context->state;
   last = lanes >= 32 ? last : last & ((1u << lanes) - 1);
   if (lanes > 32 || last & (last + 1) || !last || !threads)
      stop(FAULT, "a walker: %u threads of %u lanes, and the last one has 0x%x", threads, lanes, last);
   Kernel *kernel = kernel_at(s->kernel);
   Launch l = {
      .wave_lanes = lanes,
      .items = (threads - 1) * lanes + (u32)__builtin_popcount(last),
      .local_size = s->local_size,
      .private_size = scratch / lanes,
      .code = kernel,
      .state = s,
   };
   l.size[0] = l.items, l.size[1] = l.size[2] = 1;
   for (u32 n = 0; n < 3; n++) {
      s->start[n] = begin[n];
      l.groups[n] = end[n] > begin[n] ? end[n] - begin[n] : 0;
   }
   trace("launch: groups %ux%ux%u of %u threads of %u lanes, the last one 0x%x, local %u, scratch %u, kernel 0x%llx", l.groups[0],
         l.groups[1], l.groups[2], threads, lanes, last, l.local_size, l.private_size * lanes, (unsigned long long)s->kernel);
   for (u32 n = 0; tracing && n < kernel->count; n++)
      trace("   %4x %s", kernel->code[n].address, instruction_text(&kernel->code[n]));
   hazards_report(kernel);
   s->fragments = NULL;
   if (executes())
      launch_run(&l);
}

enum { INDIRECT = 10 }; /* the number of groups is in registers */

static void walk(const u32 *d)
{
   const State *s = &context->state;
   u32 end[3] = {d[7], d[10], d[12]}, begin[3] = {d[5], d[8], d[11]};
   if (d[0] >> INDIRECT & 1)
      memcpy(end, &mmio[DISPATCH_DIMENSIONS / 4], sizeof end);
   launch(8u << (d[4] >> 30), (d[4] & 0x3f) + 1, d[13], begin, end, s->scratch_base ? 1024u << s->scratch_code : 0);
}

/* The bytes of a thread, by the surface that r0 names. Mesa 25.0 names it the way messages want it, two bits higher
 * (iris_state.c). */
static u32 scratch_of_surface(const State *s)
{
   const u32 shifts[] = {12, 10};
   for (u32 n = 0; s->scratch_surface && n < COUNT(shifts); n++) {
      const u8 *at = memory_find(s->surface_base + ((u64)(s->scratch_surface >> shifts[n]) << 6), 64);
      u32 d[4];
      if (at && (memcpy(d, at, sizeof d), d[0] >> 29 == SURFACE_SCRATCH))
         return BITS(d[3], 0, 17) + 1;
   }
   if (s->scratch_surface)
      stop(FAULT, "scratch memory by the surface 0x%x, which is not a surface", s->scratch_surface);
   return 0;
}

static void walk_compute(const u32 *d)
{
   enum { GENERATE = 29, INLINE_DATA = 25 };
   State *s = &context->state;
   u32 end[3] = {d[7], d[8], d[9]};
   interface_descriptor(d + 18);
   if (d[0] >> INDIRECT & 1)
      memcpy(end, &mmio[DISPATCH_DIMENSIONS / 4], sizeof end);
   if (d[4] >> INLINE_DATA & 1 || BITS(d[4], 19, 21) || d[26] & 3 || d[2] & 0x1ffff)
      stop(UNKNOWN, "COMPUTE_WALKER with inline data, a tiled order, or a write at its end");
   s->emit_local = d[4] >> GENERATE & 1 ? BITS(d[4], 26, 28) : 0;
   s->walk_order = BITS(d[4], 22, 24);
   for (u32 n = 0; n < 3; n++)
      s->local[n] = BITS(d[6], 10 * n, 10 * n + 9) + 1;
   launch(8u << (d[4] >> 30), context->kernel_threads, d[5], d + 10, end, scratch_of_surface(s));
}

/* The only command of the copy engine: the driver fills four bytes before it flushes the engine (Wa_16018063123). */
static void fill_rectangle(const u32 *d)
{
   u32 bytes = 1u << BITS(d[0], 19, 21), pitch = BITS(d[1], 0, 17) + 1, left = d[2] & 0xffff, right = d[3] & 0xffff;
   if (bytes > 4 || d[1] >> 30 || right < left)
      stop(UNKNOWN, "a fill of the copy engine: texels of %u bytes, tiles %u, from %u to %u", bytes, d[1] >> 30, left, right);
   for (u32 y = d[2] >> 16; y < d[3] >> 16; y++)
      for (u32 x = left; x < right; x++)
         memcpy(memory_at(address_of(d + 4) + (u64)y * pitch + x * bytes, bytes, 1, "a fill of the copy engine"), d + 7, bytes);
}

/* ---- by their numbers */

static void need(u32 command, u32 size, u32 least)
{
   if (size < least)
      stop(FAULT, "command 0x%x has %u words and needs %u", command, size, least);
}

static void base_addresses(const u32 *d)
{
   State *s = &context->state;
   const struct {
      u32 word;
      u64 *base;
   } bases[] = {{1, &s->general_base}, {4, &s->surface_base}, {6, &s->dynamic_base}, {10, &s->instruction_base}, {16, &s->bindless_base}};
   for (u32 n = 0; n < COUNT(bases); n++)
      if (d[bases[n].word] & 1)
         *bases[n].base = address_of(d + bases[n].word) & ~0xfffull;
}

static void pipe_control(const u32 *d)
{
   enum { NOTHING, WRITE, COUNT_, TIME };
   u32 after = BITS(d[1], 14, 15);
   u64 now = now_in_ticks(), zero = 0;
   if (after == WRITE)
      write_words(address_of(d + 2), d + 4, 2, "PIPE_CONTROL");
   else if (after == TIME)
      write_words(address_of(d + 2), (const u32 *)&now, 2, "PIPE_CONTROL");
   else if (after == COUNT_)
      write_words(address_of(d + 2), (const u32 *)&zero, 2, "PIPE_CONTROL");
}

static void render(u32 command, const u32 *d, u32 size)
{
   State *s = &context->state;
   DrawState *draws = &context->draw;
   switch (command) {
   case STATE_BASE_ADDRESS: need(command, size, 18), base_addresses(d); break;
   case BINDING_TABLE_POOL_ALLOC: need(command, size, 3), set_pool(d); break;
   case MEDIA_VFE_STATE:
      need(command, size, 9);
      s->scratch_code = d[1] & 15;
      s->curbe_registers = d[5] & 0xffff;
      s->scratch_base = ((u64)d[2] << 32 | (d[1] & ~0x3ffu)) & 0xffffffffffffu;
      break;
   case MEDIA_CURBE_LOAD: need(command, size, 4), s->curbe_length = d[2] & 0x1ffff, s->curbe = s->dynamic_base + d[3]; break;
   case MEDIA_INTERFACE_DESCRIPTOR_LOAD:
      need(command, size, 4);
      interface_descriptor((const u32 *)(const void *)memory_at(s->dynamic_base + d[3], 32, 32, "an interface descriptor"));
      break;
   case CFE_STATE: need(command, size, 6), s->scratch_surface = d[1] & ~0x3ffu; break;
   case COMPUTE_WALKER: need(command, size, 39), walk_compute(d); break;
   case GPGPU_WALKER: need(command, size, 15), walk(d); break;
   case PIPE_CONTROL: need(command, size, 6), pipe_control(d); break;
   case PS: need(command, size, 12), memcpy(draws->shader, d, sizeof draws->shader); break;
   case BINDING_TABLE_PS: need(command, size, 2), draws->binding_table = table_of(d[1]); break;
   case SAMPLERS_PS: need(command, size, 2), draws->samplers = d[1] & ~31u; break;
   case SBE: need(command, size, 2), draws->attributes = BITS(d[1], 22, 27); break;
   case VERTEX_BUFFERS:
      for (u32 n = 1; n + 3 < size; n += 4)
         if (d[n] >> 26 < COUNT(draws->vertices))
            draws->vertices[d[n] >> 26] = (d[n + 1] | (u64)d[n + 2] << 32) & 0xffffffffffffu;
      break;
   case PRIMITIVE:
      need(command, size, 7);
      if ((d[1] & 63) != RECTANGLES || d[2] != 3)
         stop(UNKNOWN, "a draw that is not a rectangle");
      draw(draws, s, d[4]);
      break;
   default:
      break; /* the state of stages that copies do not use */
   }
}

static void copy_register(const u32 *d, bool to_memory)
{
   if (to_memory)
      write_words(address_of(d + 2), reg(d[1]), 1, "MI_STORE_REGISTER_MEM");
   else
      *reg(d[1]) = memory_u32(address_of(d + 2), "MI_LOAD_REGISTER_MEM");
}

static void streamer(u32 command, const u32 *d, u32 size)
{
   switch (command) {
   case MI_MATH: {
      struct math m = {0};
      for (u32 n = 1; n < size; n++)
         math_step(&m, d[n]);
      break;
   }
   case MI_STORE_DATA_IMM: need(command, size, 4), write_words(address_of(d + 1), d + 3, d[0] >> 21 & 1 ? 2 : 1, "MI_STORE_DATA_IMM"); break;
   case MI_LOAD_REGISTER_IMM:
      for (u32 n = 1; n + 1 < size; n += 2)
         d[n] == GT_MODE ? set_mode(d[n + 1]) : (void)(*reg(d[n]) = d[n + 1]);
      break;
   case MI_STORE_REGISTER_MEM: need(command, size, 4), copy_register(d, true); break;
   case MI_LOAD_REGISTER_MEM: need(command, size, 4), copy_register(d, false); break;
   case MI_LOAD_REGISTER_REG: need(command, size, 3), *reg(d[2]) = *reg(d[1]); break;
   case MI_COPY_MEM_MEM: {
      need(command, size, 5);
      u32 word = memory_u32(address_of(d + 3), "MI_COPY_MEM_MEM");
      write_words(address_of(d + 1), &word, 1, "MI_COPY_MEM_MEM");
      break;
   }
   case 0x00: case 0x01: case 0x02: case 0x03: case 0x04: case 0x05: case 0x07: case 0x08: case 0x0b: case 0x0c: /* waits and marks */
   case 0x1b: case 0x1c: case MI_FLUSH_DW: case 0x28: case 0x36: break;
   default: stop(UNKNOWN, "MI command 0x%x", command);
   }
}

static u32 size_of(u32 head)
{
   u32 type = head >> 29, mi = BITS(head, 23, 28);
   if (type == 0)
      return mi < 0x10 ? 1 : (head & 0xff) + 2;
   if (head >> 16 == PIPELINE_SELECT || head >> 16 == VF_STATISTICS)
      return 1;
   return (head & 0xff) + 2;
}

static void run_from(u64 at, u32 depth)
{
   enum { SECOND_LEVEL = 22 };
   if (depth > DEEPEST)
      stop(FAULT, "batches are nested %u deep", depth);
   for (;;) {
      u32 head = memory_u32(at, "a batch"), size = size_of(head), command = BITS(head, 23, 28);
      const u32 *d = (const u32 *)(const void *)memory_at(at, 4ull * size, 4, "a batch");
      spend(1);
      if (head >> 29 == 0) {
         if (command == MI_BATCH_BUFFER_END)
            return;
         if (command == MI_BATCH_BUFFER_START) {
            need(command, size, 3);
            if (head >> SECOND_LEVEL & 1) {
               run_from(address_of(d + 1), depth + 1);
            } else {
               at = address_of(d + 1);
               continue;
            }
         } else {
            streamer(command, d, size);
         }
      } else if (head >> 29 == 3) {
         render(head >> 16, d, size);
      } else if (head >> 22 == COPY_ENGINE_FILL) {
         need(head >> 22, size, 16);
         fill_rectangle(d);
      } else {
         stop(UNKNOWN, "command 0x%08x", head);
      }
      at += 4ull * size;
   }
}

void run_batch(u64 address, u32 key)
{
   u32 n = 0;
   while (n + 1 < COUNT(contexts) && contexts[n].key && contexts[n].key != key)
      n++;
   context = &contexts[n];
   context->key = key;
   run_from(address, 0);
}
