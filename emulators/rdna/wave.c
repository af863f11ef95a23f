/* A wave: its registers at the start, and its run. */
#include "gfx.h"
#include <stdio.h>

static _Thread_local const Instruction *now;

static const char *place_of_now(void)
{
   static _Thread_local char text[320];
   if (!now)
      return "";
   snprintf(text, sizeof text, "%s (0x%llx)", instruction_text(now), (unsigned long long)now->pc);
   return text;
}

/* The x, y and z of an item in its group. gfx12 orders items by tiles, which may be smaller at the ends. */
static void place_of(const State *state, const u32 size[3], u32 item, u32 at[3])
{
   u32 wide = state->tile[0] ? 1u << state->tile[0] : size[0], high = 1u << state->tile[1];
   u32 in_plane = item % (size[0] * size[1]), row = in_plane / (size[0] * high), in_row = in_plane % (size[0] * high);
   u32 height = size[1] - row * high < high ? size[1] - row * high : high;
   u32 tile = in_row / (wide * height), in_tile = in_row % (wide * height);
   u32 width = size[0] - tile * wide < wide ? size[0] - tile * wide : wide;
   at[0] = tile * wide + in_tile % width;
   at[1] = row * high + in_tile / width;
   at[2] = item / (size[0] * size[1]);
}

/* USER_DATA, the group's ids, and the other values that the driver requested. The work-item's ids are in v0 with 10
 * bits each, or in a register each. gfx12 has the group's ids in special registers. That of y also has z, in its upper
 * half, only if z was requested: otherwise both ACO and LLVM take all of it as y. */
static void start_registers(Wave *wave)
{
   const Group *group = wave->group;
   const State *state = state_of(wave);
   u32 n = 0;
   for (; n < state->user_count; n++)
      put_scalar(wave, n, 32, state->user[n]);
   if (gpu.gfx >= 12) {
      put_scalar(wave, TTMP + 9, 32, group->id[0] + state->first[0]);
      put_scalar(wave, TTMP + 7, 32, (group->id[1] + state->first[1]) | (state->rsrc2 >> 9 & 1 ? group->id[2] + state->first[2] : 0) << 16);
      put_scalar(wave, TTMP + 8, 32, wave->index << 25);
   }
   for (u32 axis = 0; axis < 3 && gpu.gfx < 12; axis++)
      if (state->rsrc2 >> (7 + axis) & 1)
         put_scalar(wave, n++, 32, group->id[axis] + state->first[axis]);
   if (state->rsrc2 >> 10 & 1) /* the wave's number, a second time as the ordinal of ordered_append: waves in the order of their launch */
      put_scalar(wave, n++, 32, (wave->index == 0 ? 1u << 31 : 0) | wave->index << 20 | wave->index << 6 | group->waves);
   if (gpu.gfx <= 10 && state->rsrc2 & 1) /* the beginning of the wave's part of private memory */
      put_scalar(wave, n++, 32, wave->index * group->launch->private_size * wave->lanes);
   const u32 *size = group->launch->size;
   EACH_LANE(lane, wave->alive)
   {
      u32 at[3];
      place_of(state, size, wave_item(wave, lane), at);
      for (u32 axis = 0; gpu.gfx <= 10 && axis <= BITS(state->rsrc2, 11, 12) && axis < 3; axis++)
         put_word(wave, axis, lane, at[axis]);
      if (gpu.gfx > 10)
         put_word(wave, 0, lane, at[0] | at[1] << 10 | at[2] << 20);
   }
}

void family_start(Wave *wave)
{
   const State *state = state_of(wave);
   struct Registers *r = &wave->reg;
   u32 granule = wave->lanes == 32 ? 8 : 4;
   u32 vectors = (BITS(state->rsrc1, 0, 5) + 1) * granule, shared = gpu.gfx == 10 && wave->lanes == 64 ? 8 * BITS(state->rsrc3, 0, 3) : 0;
   if (vectors + shared > VECTORS)
      stop(FAULT, "a launch with %u vector registers", vectors + shared);
   for (u32 row = 0; row < vectors + shared; row++)
      for (u32 lane = 0; lane < LANES; lane++)
         r->v[row][lane] = POISON;
   for (u32 n = 0; n < COUNT(r->s); n++)
      r->s[n] = POISON;
   memset(r->v_written, 0, sizeof *r - offsetof(struct Registers, v_written));
   r->vectors = vectors, r->shared = shared;
   r->base = state->code;
   r->mode = BITS(state->rsrc1, 12, 19);
   r->ieee = gpu.gfx < 12 && state->rsrc1 >> 23 & 1;
   put_scalar(wave, EXEC_LO, 64, wave->alive.w[0]);
   state->start ? state->start(wave) : start_registers(wave);
}

/* The result of the first executing lane after an instruction. */
static void trace_instruction(const Wave *wave, const Instruction *i)
{
   u64 exec = exec_of(wave);
   u32 lane = exec ? __builtin_ctzll(exec) : 0;
   bool scalar = i->form <= SMEM || i->op->flags & COMPARES || !strncmp(i->op->name, "V_READ", 6);
   u32 value = scalar ? (i->dst < SCALARS ? wave->reg.s[i->dst] : 0) : wave->reg.v[i->dst & 255][lane];
   trace("   %u/%u 0x%llx %-72s %2u lanes, %u: 0x%08x", wave->group->index, wave->index, (unsigned long long)i->pc, instruction_text(i),
         __builtin_popcountll(exec), lane, value);
}

void family_run(Wave *wave, u64 budget)
{
   u64 begun = wave->executed, end = begun + budget, lanes = 0;
   bool traced = tracing && wave->group->index == 0 && wave->index == 0;
   Instruction own;
   mark_place = place_of_now;
   while (wave->state == RUNS && wave->executed < end) {
      now = NULL;
      const Instruction *i = now = instruction_at(wave->reg.base + 4 * (i64)(i32)wave->pc);
      wave->pc += i->words;
      i->run(wave, wave->reg.indexed ? indexed(wave, i, &own) : i);
      wave->executed++;
      lanes += __builtin_popcountll(exec_of(wave));
      if (traced)
         trace_instruction(wave, i);
   }
   now = NULL;
   statistics.instructions += wave->executed - begun;
   statistics.lane_instructions += lanes;
}
