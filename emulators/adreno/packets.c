/* The packets (PM4) that compute needs. Numbers: Mesa's src/freedreno/registers/adreno/adreno_pm4.xml and a6xx.xml. */
#include "packets.h"
#include "draw.h"
#include <stdio.h>
#include <time.h>

enum {
   CP_NOP = 0x10, CP_WAIT_MEM_WRITES = 0x12, CP_WAIT_FOR_ME = 0x13, CP_WAIT_MEM_GTE = 0x14, CP_INVALIDATE_STATE = 0x3b,
   CP_REG_RMW = 0x21, CP_DRAW_INDX_OFFSET = 0x38, CP_WAIT_FOR_IDLE = 0x26, CP_BLIT = 0x2c, CP_LOAD_STATE6_GEOM = 0x32,
   CP_EXEC_CS = 0x33, CP_LOAD_STATE6_FRAG = 0x34, CP_LOAD_STATE6 = 0x36, CP_WAIT_REG_MEM = 0x3c, CP_MEM_WRITE = 0x3d,
   CP_REG_TO_MEM = 0x3e, CP_INDIRECT_BUFFER = 0x3f, CP_EXEC_CS_INDIRECT = 0x41, CP_MEM_TO_REG = 0x42,
   CP_SET_DRAW_STATE = 0x43, CP_EVENT_WRITE = 0x46, CP_CONTEXT_REG_BUNCH = 0x5c, CP_SET_MODE = 0x63,
   CP_SET_VISIBILITY_OVERRIDE = 0x64, CP_SET_MARKER = 0x65, CP_REG_WRITE = 0x6d, CP_MEM_TO_MEM = 0x73, CP_MEMCPY = 0x75,
   CP_SKIP_IB2_ENABLE_GLOBAL = 0x1d, CP_SKIP_IB2_ENABLE_LOCAL = 0x23, CP_COND_REG_EXEC = 0x47, CP_SET_AMBLE = 0x55, CP_THREAD_CONTROL = 0x17,
   CP_RESOURCE_LIST = 0x18, CP_CONTEXT_REG_BUNCH2 = 0x5d, CP_CCHE_INVALIDATE = 0x3a,
   CP_BV_BR_COUNT_OPS = 0x1b, CP_REG_TEST = 0x39, CP_COND_EXEC = 0x44,
};

enum { CP_ALWAYS_ON_COUNTER = 0x980 };
enum {
   SP_CS_CTRL_REG0 = 0xa9b0, SP_CS_CTRL_REG1 = 0xa9b1, SP_CS_OBJ_START = 0xa9b4, SP_CS_PVT_MEM_PARAM = 0xa9b6,
   SP_CS_INSTRLEN = 0xa9bc, SP_CS_BINDLESS_BASE = 0xa9e8, SP_CS_IBO = 0xa9f2, SP_TP_BORDER_COLOR_BASE = 0xb302,
};

/* Registers that a7xx has elsewhere. */
static const struct generation {
   u16 cs_control, ndrange, ids, threads, threads_bit, wave_control;
} GENERATIONS[] = {
   [6] = {.cs_control = 0xb987, .ndrange = 0xb990, .ids = 0xb997, .threads = 0xb998, .threads_bit = 9, .wave_control = 0xb980},
   [7] = {.cs_control = 0xa9cd, .ndrange = 0xa9d4, .ids = 0xa9c2, .threads = 0xa9c3, .threads_bit = 8, .wave_control = 0xa9c6},
};
enum { CS_TEXTURES = 5, VS_SHADER = 8, FS_SHADER = 12, CS_SHADER = 13 };                   /* state blocks */
enum { OF_SHADER, OF_CONSTANTS, OF_UBO };                                  /* state types */
enum { DIRECT, BINDLESS_STATE, INDIRECT };                                 /* and the source of the state */
enum { DEEPEST = 8, MOST_ITEMS = 2048 };

u32 gpu_register[REGISTERS];
static State state, of_vertices, of_fragments;
/* The constants as the command stream left them. A launch has a copy, which its preamble may write. A submission
 * begins without constants. */
static u32 constants[CONSTANTS];
static bool constant_loaded[CONSTANTS];

static void set_register(u32 number, u32 value)
{
   if (number >= REGISTERS)
      stop(FAULT, "there is no register 0x%x", number);
   gpu_register[number] = value;
}

u64 register_pair(u32 number) { return gpu_register[number] | (u64)gpu_register[number + 1] << 32; }

u64 now_in_ticks(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (now.tv_sec * 1000000000ull + now.tv_nsec) * 12 / 625;
}

static u64 pair(const u32 *words) { return words[0] | (u64)words[1] << 32; }

static const u32 *words_at(u64 address, u64 count, const char *what)
{
   return (const u32 *)(const void *)memory_at(address, count * 4, 4, what);
}

static void write_words(u64 address, const void *words, u32 bytes, const char *what)
{
   memcpy(memory_at(address, bytes, 4, what), words, bytes);
}

/* ---- state */

static void load_constants(u32 offset, u32 count, const u32 *words, u32 *constants, bool *constant_loaded)
{
   if (offset * 4 + count * 4 > CONSTANTS)
      stop(FAULT, "CP_LOAD_STATE6: constants up to %u", offset * 4 + count * 4);
   memcpy(constants + offset * 4, words, count * 16);
   memset(constant_loaded + offset * 4, true, count * 4);
}

static void load_ubos(u32 offset, u32 count, const u32 *words, Buffer *ubo)
{
   if (offset + count > UBOS)
      stop(FAULT, "CP_LOAD_STATE6: constant buffers up to %u", offset + count);
   for (u32 n = 0; n < count; n++) {
      u64 descriptor = pair(words + 2 * n);
      ubo[offset + n] = (Buffer){descriptor & ((1ull << 49) - 1), (descriptor >> 49) * 16};
   }
}

static void load_textures(bool samplers, u32 offset, u32 count, const u32 *words)
{
   if (offset + count > TEXTURES)
      stop(FAULT, "CP_LOAD_STATE6: textures up to %u", offset + count);
   for (u32 n = 0; n < count; n++) {
      if (samplers)
         memcpy(state.sampler[offset + n], words + 4 * n, 16);
      else
         memcpy(state.texture[offset + n], words + 16 * n, 64);
      (samplers ? state.has_sampler : state.has_texture)[offset + n] = true;
   }
}

static void load_state(const u32 *body, u32 size)
{
   u32 offset = BITS(body[0], 0, 13), type = BITS(body[0], 14, 15), source = BITS(body[0], 16, 17), block = BITS(body[0], 18, 21);
   u32 count = body[0] >> 22;
   State *drawn = block == VS_SHADER ? &of_vertices : block == FS_SHADER ? &of_fragments : NULL;
   u32 unit = block == CS_SHADER || drawn ? (type == OF_CONSTANTS ? 4 : type == OF_UBO ? 2 : 0)
              : block == CS_TEXTURES ? (type == OF_SHADER ? 4 : type == OF_CONSTANTS ? 16 : 0) : 0;
   if (!unit || !count || source == BINDLESS_STATE)
      return; /* other stages; a shader's code, which is fetched from its own address; descriptors, only a hint to fetch them early */
   if (source > INDIRECT)
      stop(UNKNOWN, "CP_LOAD_STATE6 from source %u", source);
   if (source == DIRECT && 3 + unit * count > size)
      stop(FAULT, "CP_LOAD_STATE6: %u words of state in a packet of %u", unit * count, size);
   const u32 *words = source == DIRECT ? body + 3 : words_at(pair(body + 1), unit * count, "CP_LOAD_STATE6");
   trace("   state: block %u, type %u, source %u, %u from %u", block, type, source, count, offset);
   if (block == CS_TEXTURES)
      load_textures(type == OF_SHADER, offset, count, words);
   else if (type == OF_CONSTANTS)
      load_constants(offset, count, words, drawn ? drawn->constants : constants, drawn ? drawn->constant_loaded : constant_loaded);
   else
      load_ubos(offset, count, words, (drawn ? drawn : &state)->ubo);
}

/* ---- launches */

static u32 private_size(void) { return (gpu_register[SP_CS_PVT_MEM_PARAM] & 0xff) << 9; }

/* The lanes of a wave. If a device cannot have waves of 128 for compute only, the fragment shader's word must allow them, too. */
static u32 wave_lanes(const struct generation *g)
{
   bool wide = gpu_register[g->threads] >> g->threads_bit & 1, half = gpu_without_double_threads && !(gpu_register[g->wave_control] & 1);
   return wide && !half ? 2 * gpu_narrow_wave : gpu_narrow_wave;
}

static const Shader *launched_shader(void)
{
   u64 code = register_pair(SP_CS_OBJ_START), bytes = gpu_register[SP_CS_INSTRLEN] * 128ull;
   if (!bytes)
      stop(FAULT, "a launch without a shader");
   const Shader *shader = shader_at(code, bytes);
   if (!shader->count)
      stop(FAULT, "a shader without an end");
   return shader;
}

static void launch(const u32 *groups)
{
   const Shader *shader = launched_shader();
   const struct generation *g = &GENERATIONS[gpu_generation];
   u32 ndrange = gpu_register[g->ndrange], ids = gpu_register[g->ids], control = gpu_register[SP_CS_CTRL_REG0];
   u32 shared = BITS(gpu_register[SP_CS_CTRL_REG1], 0, 4);
   Launch l = {
      .groups = {groups[0], groups[1], groups[2]},
      .size = {BITS(ndrange, 2, 11) + 1, BITS(ndrange, 12, 21) + 1, BITS(ndrange, 22, 31) + 1},
      .wave_lanes = wave_lanes(g),
      .local_size = shared ? (shared + 1) * 1024 : 32 * 1024,
      .private_size = private_size(),
      .state = &state,
   };
   u64 items = (u64)l.size[0] * l.size[1] * l.size[2];
   if (!(control >> 31))
      stop(UNKNOWN, "a launch whose half registers are not parts of its full ones (MERGEDREGS)");
   if ((control >> 20 & 1) != (gpu_register[g->threads] >> g->threads_bit & 1)) /* "Must match", a6xx.xml */
      stop(FAULT, "a launch with two sizes of waves, in SP_CS_CTRL_REG0 and in the register 0x%x", g->threads);
   if (items > MOST_ITEMS)
      stop(FAULT, "a work-group of %ux%ux%u", l.size[0], l.size[1], l.size[2]);
   l.items = (u32)items;
   l.code = shader;
   memcpy(state.constants, constants, sizeof constants);
   memcpy(state.constant_loaded, constant_loaded, sizeof constant_loaded);
   state.constant_count = BITS(gpu_register[g->cs_control], 0, 7) * 16;
   for (u32 n = 0; n < (gpu_generation == 6 ? 5 : 8); n++)
      state.bindless[n] = register_pair(SP_CS_BINDLESS_BASE + 2 * n) & ~3ull;
   state.images = register_pair(SP_CS_IBO);
   state.border_colours = register_pair(SP_TP_BORDER_COLOR_BASE);
   u32 footprint = BITS(control, 7, 12);
   state.footprint = (footprint ? footprint : 1) * 4;
   state.group_id = ids & 0xff;
   state.local_id = ids >> 24;
   state.linear_id = gpu_register[g->threads] & 0xff;
   state.preamble_done = false;
   trace("launch: groups %ux%ux%u of %ux%ux%u, %u lanes a wave, %u rows, local %u, private %u, shader 0x%llx of %u", l.groups[0], l.groups[1],
         l.groups[2], l.size[0], l.size[1], l.size[2], l.wave_lanes, state.footprint, l.local_size, l.private_size,
         (unsigned long long)register_pair(SP_CS_OBJ_START), shader->count);
   if (tracing)
      for (u32 n = 0; n < shader->count; n++)
         trace("   %4u %016llx %s", n, (unsigned long long)shader->code[n].word, instruction_text(&shader->code[n]));
   launch_run(&l);
}

void forget_constants(void)
{
   memset(constant_loaded, 0, sizeof constant_loaded);
   of_vertices.vertices = NULL; /* of a draw that a fault has ended */
   of_fragments.fragments = NULL;
}

/* ---- other packets */

/* On a7xx the packet says what is written. */
static void event_write_7(const u32 *body, u32 size)
{
   enum { USER_32, USER_64, TIMESTAMP_SUM, ALWAYS_ON, CCU_RESOLVE = 30 };
   if (BITS(body[0], 0, 7) == CCU_RESOLVE)
      clear();
   u32 from = BITS(body[0], 20, 22);
   bool enabled = body[0] >> 27 & 1, on_chip = body[0] >> 24 & 1;
   if (!enabled || on_chip || size < 3)
      return;
   u64 ticks = now_in_ticks();
   if (from == ALWAYS_ON)
      write_words(pair(body + 1), &ticks, 8, "CP_EVENT_WRITE7");
   else if ((from == USER_32 && size >= 4) || (from == USER_64 && size >= 5))
      write_words(pair(body + 1), body + 3, from == USER_64 ? 8 : 4, "CP_EVENT_WRITE7");
   else
      stop(UNKNOWN, "CP_EVENT_WRITE7 of %u words from source %u", size, from);
}

static void event_write(const u32 *body, u32 size)
{
   if (size < 4)
      return;
   u64 ticks = now_in_ticks();
   bool timestamp = body[0] >> 30 & 1;
   write_words(pair(body + 1), timestamp ? (const void *)&ticks : body + 3, timestamp ? 8 : 4, "CP_EVENT_WRITE");
}

static void register_to_memory(const u32 *body)
{
   u32 number = BITS(body[0], 0, 17), count = BITS(body[0], 18, 29);
   u64 ticks = now_in_ticks();
   count = count ? count : 1;
   if (number == CP_ALWAYS_ON_COUNTER)
      write_words(pair(body + 1), &ticks, 8, "CP_REG_TO_MEM");
   else if (number + count <= REGISTERS)
      write_words(pair(body + 1), gpu_register + number, count * 4, "CP_REG_TO_MEM");
   else
      stop(FAULT, "CP_REG_TO_MEM: there is no register 0x%x", number + count);
}

static void memory_to_register(const u32 *body)
{
   u32 number = BITS(body[0], 0, 17), count = BITS(body[0], 19, 29);
   count = count ? count : 1;
   const u32 *words = words_at(pair(body + 1), count, "CP_MEM_TO_REG");
   for (u32 n = 0; n < count; n++)
      set_register(number + n, words[n]);
}

/* The sum of up to three operands; a bit of each says whether it is negated. */
static void memory_to_memory(const u32 *body, u32 size)
{
   u32 bytes = body[0] >> 29 & 1 ? 8 : 4;
   u64 sum = 0;
   for (u32 n = 0; 3 + 2 * n + 1 < size; n++) {
      u64 value = 0;
      memcpy(&value, memory_at(pair(body + 3 + 2 * n), bytes, 4, "CP_MEM_TO_MEM"), bytes);
      sum += body[0] >> n & 1 ? -value : value;
   }
   write_words(pair(body + 1), &sum, bytes, "CP_MEM_TO_MEM");
}

static void draw_state(const u32 *body, u32 size, u32 depth)
{
   for (u32 n = 0; n + 2 < size; n += 3) {
      u32 count = body[n] & 0xffff;
      bool disabled = BITS(body[n], 17, 18), other_mode = BITS(body[n], 20, 21) && !(body[n] >> 22 & 1); /* only the write to a register, not to memory */
      if (count && !disabled && !other_mode)
         run_commands(pair(body + n + 1), count, depth + 1);
   }
}

static void need(u32 packet, u32 size)
{
   static const u8 least[128] = {
      [CP_REG_WRITE] = 3, [CP_INDIRECT_BUFFER] = 3, [CP_LOAD_STATE6_GEOM] = 3, [CP_LOAD_STATE6_FRAG] = 3, [CP_LOAD_STATE6] = 3,
      [CP_EXEC_CS] = 4, [CP_EXEC_CS_INDIRECT] = 3, [CP_MEM_WRITE] = 3, [CP_REG_TO_MEM] = 3, [CP_MEM_TO_REG] = 3, [CP_MEM_TO_MEM] = 3,
      [CP_MEMCPY] = 5, [CP_COND_EXEC] = 6, [CP_COND_REG_EXEC] = 2,
   };
   if (size < least[packet])
      stop(FAULT, "packet 0x%x has %u words and needs %u", packet, size, least[packet]);
}

/* The packets that lead to a launch: all that matters if nothing is executed. */
static bool leads_to_launches(u32 packet)
{
   return packet == CP_INDIRECT_BUFFER || packet == CP_SET_DRAW_STATE || packet == CP_CONTEXT_REG_BUNCH;
}

static void run_packet(u32 packet, const u32 *body, u32 size, u32 depth)
{
   if (!executes()) {
      if (packet == CP_EXEC_CS || packet == CP_EXEC_CS_INDIRECT)
         launched_shader();
      if (!leads_to_launches(packet))
         return;
   }
   need(packet, size);
   switch (packet) {
   case CP_NOP: case CP_WAIT_MEM_WRITES: case CP_WAIT_FOR_ME: case CP_WAIT_MEM_GTE: case CP_INVALIDATE_STATE:
   case CP_WAIT_FOR_IDLE: case CP_WAIT_REG_MEM: case CP_SET_MODE: case CP_SET_VISIBILITY_OVERRIDE:
   case CP_SKIP_IB2_ENABLE_GLOBAL: case CP_SKIP_IB2_ENABLE_LOCAL: case CP_REG_RMW: case CP_SET_AMBLE:
   case CP_THREAD_CONTROL: case CP_RESOURCE_LIST: case CP_CCHE_INVALIDATE: case CP_BV_BR_COUNT_OPS: case CP_REG_TEST:
   case CP_COND_EXEC: case CP_COND_REG_EXEC: /* left_out_by() */
      break;
   case CP_SET_MARKER:
      render_mode = size ? body[0] : 0;
      break;
   case CP_REG_WRITE:
      set_register(body[1] & 0x3ffff, body[2]);
      break;
   case CP_DRAW_INDX_OFFSET:
      of_vertices.constant_count = of_fragments.constant_count = CONSTANTS;
      draw(body, size, &of_vertices, &of_fragments);
      break;
   case CP_INDIRECT_BUFFER:
      run_commands(pair(body), body[2] & 0xfffff, depth + 1);
      break;
   case CP_LOAD_STATE6_GEOM: case CP_LOAD_STATE6_FRAG: case CP_LOAD_STATE6:
      load_state(body, size);
      break;
   case CP_SET_DRAW_STATE:
      draw_state(body, size, depth);
      break;
   case CP_EXEC_CS:
      launch(body + 1);
      break;
   case CP_EXEC_CS_INDIRECT:
      launch(words_at(pair(body + 1), 3, "CP_EXEC_CS_INDIRECT"));
      break;
   case CP_EVENT_WRITE:
      (gpu_generation == 7 && size ? event_write_7 : event_write)(body, size);
      break;
   case CP_MEM_WRITE:
      write_words(pair(body), body + 2, (size - 2) * 4, "CP_MEM_WRITE");
      break;
   case CP_REG_TO_MEM:
      register_to_memory(body);
      break;
   case CP_MEM_TO_REG:
      memory_to_register(body);
      break;
   case CP_MEM_TO_MEM:
      memory_to_memory(body, size);
      break;
   case CP_MEMCPY:
      memmove(memory_at(pair(body + 3), body[0] * 4ull, 4, "CP_MEMCPY"), memory_at(pair(body + 1), body[0] * 4ull, 4, "CP_MEMCPY"), body[0] * 4ull);
      break;
   case CP_BLIT:
      blit();
      break;
   case CP_CONTEXT_REG_BUNCH: case CP_CONTEXT_REG_BUNCH2: /* the second one begins with two more words */
      for (u32 n = packet == CP_CONTEXT_REG_BUNCH2 ? 2 : 0; n + 1 < size; n += 2)
         set_register(body[n], body[n + 1]);
      break;
   default:
      stop(UNKNOWN, "packet 0x%x of %u words", packet, size);
   }
}

/* How many words after a packet are skipped. CP_COND_EXEC executes its words if one word of memory is not 0 and
 * another one is less than a number. */
static u32 left_out_by(u32 packet, const u32 *body, u32 size)
{
   if (!executes())
      return 0;
   if (packet == CP_COND_REG_EXEC) {
      return is_for_this_mode(body[0]) ? 0 : BITS(body[size - 1], 0, 23);
   }
   if (packet != CP_COND_EXEC)
      return 0;
   bool holds = memory_u32(pair(body), "CP_COND_EXEC") && (i32)memory_u32(pair(body + 2), "CP_COND_EXEC") < (i32)body[4];
   return holds ? 0 : body[5];
}

void run_commands(u64 address, u32 dwords, u32 depth)
{
   if (depth > DEEPEST)
      stop(FAULT, "commands are nested %u deep", depth);
   const u32 *words = words_at(address, dwords, "commands");
   for (u32 n = 0; n < dwords;) {
      u32 left_out = 0, head = words[n], size = head >> 28 == 4 ? head & 0x7f : head & 0x3fff;
      if (n + 1 + size > dwords)
         stop(FAULT, "packet 0x%08x is cut off after %u words", head, dwords - n - 1);
      const u32 *body = words + n + 1;
      spend(1);
      if (head >> 28 == 4) {
         for (u32 k = 0; k < size; k++)
            set_register(BITS(head, 8, 25) + k, body[k]);
      } else if (head >> 28 == 7) {
         if (tracing)
            trace("%*spacket 0x%x, %u words", 2 * (int)depth, "", BITS(head, 16, 22), size);
         run_packet(BITS(head, 16, 22), body, size, depth);
         left_out = left_out_by(BITS(head, 16, 22), body, size);
      } else {
         stop(FAULT, "0x%08x is not the header of a packet", head);
      }
      n += size + 1;
      n = left_out > dwords - n ? dwords : n + left_out;
   }
}
