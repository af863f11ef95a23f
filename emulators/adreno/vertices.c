/* The vertices of a draw: their attributes, their shader, its results. Registers: Mesa's a6xx.xml. */
#include "draw.h"

enum {
   VPC_VS_LAYER_CNTL = 0x9104, VPC_VS_PACK = 0x9301, VFD_CONTROL_0 = 0xa000, VFD_CONTROL_1 = 0xa001, VFD_FETCH = 0xa010,
   VFD_DECODE = 0xa090, VFD_DEST = 0xa0d0, SP_VS_CTRL_REG0 = 0xa800, SP_VS_PRIMITIVE_CNTL = 0xa802, SP_VS_OUT = 0xa803,
   SP_VS_VPC_DST = 0xa813, SP_VS_OBJ_START = 0xa81c, SP_VS_INSTRLEN = 0xa824,
};
enum { FETCH_BASE, FETCH_SIZE = 2, FETCH_STRIDE }; /* of VFD_FETCH */
enum { RGBA32F = 0x82, INSTANCED = 1 << 17, WAVE = 64, OUTPUTS = 32 };

struct vertices {
   u32 count;
   struct vertex *to;
   bool numbers; /* there are some besides the position */
};

static u32 reg(u32 number) { return gpu_register[number]; }

static void read_attribute(u32 n, u32 vertex, u32 to[4])
{
   u32 decode = reg(VFD_DECODE + 2 * n), fetch = VFD_FETCH + 4 * BITS(decode, 0, 4);
   u64 at = (u64)vertex * BITS(reg(fetch + FETCH_STRIDE), 0, 11) + BITS(decode, 5, 16);
   if (BITS(decode, 20, 27) != RGBA32F || decode & INSTANCED)
      stop(UNKNOWN, "a draw whose vertices have the format 0x%x", BITS(decode, 20, 27));
   if (at + 16 > reg(fetch + FETCH_SIZE))
      stop(FAULT, "a draw: vertex %u is beyond the end of its buffer", vertex);
   memcpy(to, memory_at(register_pair(fetch + FETCH_BASE) + at, 16, 4, "a vertex"), 16);
}

void start_vertices(Wave *wave)
{
   const struct vertices *v = state_of(wave)->vertices;
   for (u32 n = 0; n < BITS(reg(VFD_CONTROL_0), 8, 13); n++) {
      u32 values[4][LANES] = {{0}}, place = reg(VFD_DEST + n);
      for (u32 vertex = 0; vertex < v->count; vertex++) {
         u32 words[4];
         read_attribute(n, vertex, words);
         for (u32 c = 0; c < 4; c++)
            values[c][vertex] = words[c];
      }
      for (u32 c = 0; c < 4; c++)
         if (place >> c & 1)
            put(wave, BITS(place, 4, 11) + c, false, values[c]);
   }
}

/* One component of a vertex's results. */
static void store_result(struct vertices *v, struct vertex *to, u32 location, u32 value)
{
   u32 position = BITS(reg(VPC_VS_PACK), 8, 15), layer = BITS(reg(VPC_VS_LAYER_CNTL), 0, 7);
   if (location == layer) {
      to->layer = value;
   } else if (location >= position && location < position + 4) {
      memcpy(&to->position[location - position], &value, 4);
   } else if (location < 4) {
      v->numbers = true;
      memcpy(&to->number[location], &value, 4);
   }
}

void end_vertices(Wave *wave)
{
   struct vertices *v = state_of(wave)->vertices;
   u32 space[LANES];
   for (u32 n = 0; n < OUTPUTS && n < BITS(reg(SP_VS_PRIMITIVE_CNTL), 0, 5); n++) {
      u32 output = reg(SP_VS_OUT + n / 2) >> n % 2 * 16, location = reg(SP_VS_VPC_DST + n / 4) >> n % 4 * 8 & 0xff;
      for (u32 c = 0; c < 4; c++) {
         if (!(output >> (8 + c) & 1))
            continue;
         const u32 *values = row_of(wave, BITS(output, 0, 7) + c, false, space);
         EACH_LANE(lane, exec_of(wave)) store_result(v, &v->to[lane], location + c, values[lane]);
      }
   }
}

bool run_vertices(State *state, struct vertex *to, u32 count)
{
   struct vertices v = {.count = count, .to = to};
   memset(to, 0, count * sizeof *to);
   u32 footprint = BITS(reg(SP_VS_CTRL_REG0), 7, 12);
   state->footprint = (footprint ? footprint : 1) * 4;
   state->group_id = state->local_id = DUMMY;
   state->linear_id = BITS(reg(VFD_CONTROL_1), 0, 7);
   state->preamble_done = false;
   state->vertices = &v;
   Launch l = {.groups = {1, 1, 1}, .size = {count, 1, 1}, .items = count, .wave_lanes = WAVE, .state = state};
   l.code = shader_at(register_pair(SP_VS_OBJ_START), reg(SP_VS_INSTRLEN) * 128ull);
   launch_run(&l);
   statistics.launches--; /* not a kernel's */
   state->vertices = NULL;
   return v.numbers;
}
