/* Valhall's draws: the vertex shaders' results lie in the hardware's own memory, a packet for each vertex. */
#include "draw.h"

enum { JOB_WORDS = 96, TRIANGLE_FAN = 12, POSITION = 16, OWN_TABLE = 13 };

static u64 pair(const u32 *w) { return w[0] | (u64)w[1] << 32; }

/* LEA_BUF_IMM: the place of a vertex's position or varyings. */
void run_address_packet(Wave *wave, const Instruction *i)
{
   const State *state = state_of(wave);
   const u32 *vertex = raw_operand(wave, i, 0);
   u32 row[2][LANES];
   if (BITS(i->word, 8, 11) != OWN_TABLE || BITS(i->word, 12, 19))
      stop(UNKNOWN, "%s of the table %u, %u", i->op->name, BITS(i->word, 8, 11), BITS(i->word, 12, 19));
   if (state->stage != VERTEX_STAGE)
      stop(FAULT, "%s: the shader is not a vertex shader", i->op->name);
   for (u32 lane = 0; lane < LANES; lane++) {
      u64 address = PACKET_WINDOW + (u64)vertex[lane] * state->packet_size;
      row[0][lane] = (u32)address, row[1][lane] = address >> 32;
   }
   for (u32 n = 0; n < 2; n++)
      write_register(wave, i->to + n, 3, row[n]);
}

static void run_vertices(const Vertices *v, const u32 *environment, u8 *packets, u32 size, const char *what)
{
   static State state;
   Launch launch = {.wave_lanes = gpu_lanes, .state = &state, .groups = {1, 1, 1}, .size = {VERTICES, 1, 1}, .items = v->count};
   u64 code = read_environment(&state, environment);
   state.stage = VERTEX_STAGE;
   state.packets = packets, state.packet_size = size, state.packet_bytes = VERTICES * size;
   run_shader(&launch, code, what);
}

void draw_vertices(const Vertices *v)
{
   if (v->mode != TRIANGLE_FAN || v->count != VERTICES || v->instances != 1 || v->first)
      stop(UNKNOWN, "a draw of the mode %u, %u vertices from %u on, %u instances", v->mode, v->count, v->first, v->instances);
   u32 size = v->varies ? v->sizes >> 16 : 0;
   if (size > PACKET)
      stop(UNKNOWN, "a draw whose vertices have %u bytes of varyings", size);
   Draw *d = next_draw();
   u8 positions[VERTICES * POSITION] = {0}, packets[VERTICES * PACKET] = {0};
   run_vertices(v, v->position, positions, POSITION, "positions of vertices");
   if (v->varies)
      run_vertices(v, v->varying, packets, size, "varyings of vertices");
   if (!executes())
      return;
   float p[VERTICES][4];
   memcpy(p, positions, sizeof p);
   for (u32 n = 0; n < VERTICES; n++)
      memcpy(d->packets[n], packets + n * size, size);
   d->tiler = v->tiler;
   memcpy(d->words, v->words, sizeof d->words);
   find_rectangle(&d->fragments, p);
   cut_rectangle(&d->fragments, v->scissor);
   keep_draw();
}

void vertices_job(u64 job)
{
   u32 w[JOB_WORDS];
   memcpy(w, memory_at(job, sizeof w, 128, "a job"), sizeof w);
   Vertices v = {.mode = BITS(w[8], 0, 10), .first = w[9], .count = w[11], .instances = w[12], .sizes = w[13], .tiler = pair(w + 14), .varies = w[8] >> 18 & 1};
   memcpy(v.scissor, w + 26, sizeof v.scissor);
   memcpy(v.words, w + 32, sizeof v.words);
   memcpy(v.position, w + 64, sizeof v.position);
   memcpy(v.varying, w + 80, sizeof v.varying);
   draw_vertices(&v);
}
