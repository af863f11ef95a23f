/* Control flow, and the run of a wave. */
#include "draw.h"
#include <stdio.h>

static _Thread_local const Instruction *now;
static _Thread_local u32 now_pc;

static const char *place_of_now(void)
{
   static _Thread_local char text[320];
   if (!now)
      return "";
   snprintf(text, sizeof text, "%s (instruction %u)", instruction_text(now), now_pc);
   return text;
}

static Mask predicate(const Wave *wave, u32 number, bool inverted)
{
   Mask m;
   EACH_WORD(k) m.w[k] = inverted ? ~wave->reg.p[number][k] : wave->reg.p[number][k];
   return mask_and(m, wave->active);
}

void run_branch(Wave *wave, const Instruction *i)
{
   Mask taken = predicate(wave, i->predicate, i->inverted), none = {{0}};
   switch (i->op->flag) {
   case BRAO: taken = mask_or(taken, predicate(wave, i->predicate2, i->inverted2)); break;
   case BRAA: taken = mask_and(taken, predicate(wave, i->predicate2, i->inverted2)); break;
   case BANY: taken = mask_any(taken) ? wave->active : none; break;
   case BALL: taken = mask_equal(taken, wave->active) ? wave->active : none; break;
   }
   wave_branch(wave, taken, wave->pc + i->offset, wave->pc + 1);
}

void run_fence(Wave *wave, const Instruction *i) { (void)i, wave->fences++; }
void run_jump(Wave *wave, const Instruction *i) { wave_goto(wave, wave->pc + i->offset); }
static bool in_preamble(const Wave *wave)
{
   u64 any = 0;
   EACH_WORD(k) any |= wave->reg.resume[k];
   return any;
}

void run_end(Wave *wave, const Instruction *i)
{
   (void)i;
   if (in_preamble(wave))
      stop(FAULT, "the shader ends in its preamble");
   if (state_of(wave)->vertices)
      end_vertices(wave);
   if (state_of(wave)->fragments)
      end_fragments(wave);
   wave_end(wave);
}

void run_barrier(Wave *wave, const Instruction *i) { (void)i, wave_barrier(wave, wave->pc + 1); }

/* All but one lane jump. */
void run_getone(Wave *wave, const Instruction *i)
{
   Mask one = mask_of(mask_lowest(wave->active));
   wave_branch(wave, mask_without(wave->active, one), wave->pc + i->offset, wave->pc + 1);
}

/* In the first group of eight lanes with an active one, all lanes but the last active one jump; other groups of eight do not. */
void run_getlast(Wave *wave, const Instruction *i)
{
   u32 first = mask_lowest(wave->active) & ~7u;
   Mask cluster = mask_and(mask_without(mask_first(first + 8), mask_first(first)), wave->active);
   u32 last = first;
   EACH_LANE(lane, cluster) last = lane;
   wave_branch(wave, mask_without(cluster, mask_of(last)), wave->pc + i->offset, wave->pc + 1);
}

/* The preamble runs once per launch, in one lane, and writes constants for all waves. */
void run_shps(Wave *wave, const Instruction *i)
{
   if (state_of(wave)->preamble_done) {
      wave_goto(wave, wave->pc + i->offset);
      return;
   }
   if (in_preamble(wave))
      stop(FAULT, "a preamble begins in the preamble");
   memcpy(wave->reg.resume, wave->active.w, sizeof wave->reg.resume);
   wave->active = mask_of(mask_lowest(wave->active));
   wave->pc++;
}

void run_shpe(Wave *wave, const Instruction *i)
{
   (void)i;
   if (wave->parked_count)
      stop(FAULT, "lanes diverge at the end of the preamble");
   if (!in_preamble(wave))
      stop(FAULT, "the end of a preamble that has not begun");
   memcpy(wave->active.w, wave->reg.resume, sizeof wave->reg.resume);
   memset(wave->reg.resume, 0, sizeof wave->reg.resume);
   state_of(wave)->preamble_done = true;
   wave->pc++;
}

void run_predicate(Wave *wave, const Instruction *i)
{
   struct Registers *r = &wave->reg;
   r->predicating = i->op->name[4] != 'e';
   EACH_WORD(k) r->predicated[k] = i->op->name[4] == 'f' ? ~r->p[0][k] : r->p[0][k];
   wave->pc++;
}

static void set_coordinates(Wave *wave, u32 number, const u32 *sizes, bool of_group)
{
   if (number >= DUMMY)
      return;
   for (u32 axis = 0, scale = 1; axis < 3; scale *= sizes[axis++]) {
      u32 values[LANES];
      for (u32 lane = 0; lane < LANES; lane++)
         values[lane] = of_group ? wave->group->id[axis] : wave_item(wave, lane) / scale % sizes[axis];
      put(wave, number + axis, false, values);
   }
}

void family_start(Wave *wave)
{
   const State *state = state_of(wave);
   struct Registers *r = &wave->reg;
   u32 rows = state->footprint < SHARED ? state->footprint : SHARED;
   for (u32 row = 0; row < ROWS; row = row + 1 == rows ? SHARED : row + 1)
      for (u32 lane = 0; lane < LANES; lane++)
         r->row[row][lane] = POISON;
   memset(r->written, 0, sizeof *r - offsetof(struct Registers, written));
   refresh(wave);
   set_coordinates(wave, state->local_id, wave->group->launch->size, false);
   set_coordinates(wave, state->group_id, wave->group->launch->size, true);
   if (state->linear_id < DUMMY) {
      u32 values[LANES];
      for (u32 lane = 0; lane < LANES; lane++)
         values[lane] = wave_item(wave, lane);
      put(wave, state->linear_id, false, values);
   }
   if (state->vertices)
      start_vertices(wave);
}

/* The registers of the first executing lane after an instruction. */
static void trace_instruction(const Wave *wave, const Instruction *i, u32 pc)
{
   u32 lane = mask_lowest(exec_of(wave)), row = i->dst_half ? i->dst >> 1 : i->dst;
   u32 value = lane < LANES && row < ROWS ? wave->reg.row[row][lane] : 0;
   if (lane < LANES && i->dst < A0 && row < ROWS)
      trace("   %u/%u %4u %-56s %3u lanes, %u: 0x%08x", wave->group->index, wave->index, pc, instruction_text(i),
            mask_count(exec_of(wave)), lane, value);
   else
      trace("   %u/%u %4u %-56s %3u lanes", wave->group->index, wave->index, pc, instruction_text(i), mask_count(exec_of(wave)));
}

void family_run(Wave *wave, u64 budget)
{
   const Shader *shader = wave->group->launch->code;
   u64 begun = wave->executed, end = begun + budget, lanes = 0;
   mark_place = place_of_now;
   refresh(wave);
   u32 count = mask_count(exec_of(wave));
   while (wave->state == RUNS && wave->executed < end) {
      if (wave->pc >= shader->count)
         stop(FAULT, "the shader goes on at instruction %u of %u", wave->pc, shader->count);
      if (shader->code[wave->pc].joins && wave->parked_count) {
         wave_join(wave);
         refresh(wave);
         count = mask_count(exec_of(wave));
      }
      const Instruction *i = now = &shader->code[now_pc = wave->pc];
      i->op->run(wave, i);
      wave->executed += i->repeat + 1;
      lanes += (i->repeat + 1) * (u64)count;
      if (tracing && wave->group->index == 0 && wave->index == 0)
         trace_instruction(wave, i, now_pc);
      if (i->controls) {
         refresh(wave);
         count = mask_count(exec_of(wave));
      } else {
         wave->pc++;
      }
   }
   now = NULL;
   statistics.instructions += wave->executed - begun;
   statistics.lane_instructions += lanes;
}
