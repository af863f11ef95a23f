/* The run of a Valhall warp. */
#include "draw.h"
#include <stdio.h>

static _Thread_local const Instruction *now;
static _Thread_local u32 now_at;

static const char *place_of_now(void)
{
   static _Thread_local char text[320];
   if (!now)
      return "";
   snprintf(text, sizeof text, "%s (instruction %u)", instruction_text(now), now_at);
   return text;
}

static void fill(u32 *row, u32 value)
{
   for (u32 lane = 0; lane < LANES; lane++)
      row[lane] = value;
}

/* ---- sources */

/* Pages of 16 values of 64 bits (ISA.xml, "FAU special page"). The lowest bit of the number chooses the word. */
static void read_special(Wave *wave, u32 number, u32 *row)
{
   const State *state = state_of(wave);
   bool high = number & 1;
   switch (number >> 1) {
   case 0x05: fill(row, 0); break; /* read by ATEST */
   case 0x08:
      if (!state->fragments)
         stop(FAULT, "a blend descriptor without fragments");
      fill(row, state->blend[high]);
      break;
   case 0x11: fill(row, high ? PRIVATE_WINDOW >> 32 : 0); break;
   case 0x13: fill(row, high ? LOCAL_WINDOW >> 32 : 0); break;
   case 0x31:
      for (u32 lane = 0; lane < LANES; lane++)
         row[lane] = high ? 0 : lane;
      break;
   default: stop(UNKNOWN, "the special value %u of page %u", number >> 1 & 15, number >> 5);
   }
}

static void read_word(Wave *wave, const Source *s, u32 number, u8 halves, u32 *row)
{
   const State *state = state_of(wave);
   switch ((enum Place)s->place) {
   case IN_REGISTER:
      check_read(wave, number, halves);
      memcpy(row, wave->reg.row[number], sizeof wave->reg.row[0]);
      break;
   case IN_UNIFORM:
      if (number >= state->uniforms)
         stop(FAULT, "the launch has %u uniforms, not u%u", state->uniforms, number);
      fill(row, state->uniform[number]);
      break;
   case IN_CONSTANT: fill(row, number == s->number ? s->value : 0); break;
   case IN_SPECIAL: read_special(wave, number, row); break;
   }
}

static void read_sources(Wave *wave, const Instruction *i)
{
   for (u32 n = 0; n < i->op->sources; n++) {
      const Source *s = &i->src[n];
      read_word(wave, s, s->number, s->halves, wave->reg.port[n]);
      if (s->wide)
         read_word(wave, s, s->number + 1, 3, wave->reg.port[4 + n]);
   }
}

/* ---- results */

static bool writes(const Instruction *i, u32 number)
{
   u32 count = i->op->result == 'd' ? 2 : 1;
   if (i->op->result != ' ')
      return number >= i->result && number < i->result + count;
   count = message_registers(i, true);
   return number >= i->to && number < i->to + count;
}

/* A register's contents are gone after its last use. */
static void forget(Wave *wave, const Instruction *i)
{
   struct Registers *r = &wave->reg;
   for (u32 n = 0; n < i->op->sources; n++) {
      const Source *s = &i->src[n];
      for (u32 k = 0; s->place == IN_REGISTER && s->last && k <= s->wide; k++) {
         u32 number = s->number + k;
         if (writes(i, number))
            continue;
         for (u32 lane = 0; lane < LANES; lane++)
            r->row[number][lane] = (r->row[number][lane] & ~r->blend[lane]) | (POISON & r->blend[lane]);
         r->written[2 * number] &= ~r->exec, r->written[2 * number + 1] &= ~r->exec;
      }
   }
}

static void write_result(Wave *wave, const Instruction *i)
{
   if (i->op->result == ' ')
      return;
   write_register(wave, i->result, i->halves, wave->reg.result[0]);
   if (i->op->result == 'd')
      write_register(wave, i->result + 1, 3, wave->reg.result[1]);
}

/* ---- control flow */

/* The branch is taken if the source, or the named half of it, is 0, or if it is not 0. */
void run_branch(Wave *wave, const Instruction *i)
{
   u32 space[LANES];
   const u32 *v = operand(wave, i, 0, space);
   Mask exec = exec_of(wave);
   EACH_LANE(lane, exec) wave->reg.taken |= ((i->compare & (v[lane] ? GREATER : EQUAL)) != 0) << lane;
}

static void branch_from_instruction(Wave *wave, const Instruction *i)
{
   Mask taken = {{wave->reg.taken}};
   if (i->flow == END_OF_SHADER)
      wave_end(wave);
   else if (i->op->run == run_barrier)
      wave_barrier(wave, wave->pc + 1);
   else
      branch_from(wave, taken, i->target, wave->pc + 1, i->flow == RECONVERGE);
}

static void trace_step(const Wave *wave, const Instruction *i)
{
   u32 lane = mask_lowest(exec_of(wave)) % LANES;
   trace("   %u/%u %4u %-60s 0x%08x  %u lanes, %u", wave->group->index, wave->index, now_at, instruction_text(i),
         i->op->result == ' ' ? wave->reg.row[i->to & 63][lane] : wave->reg.row[i->result][lane], mask_count(exec_of(wave)), lane);
}

static void step(Wave *wave, const Instruction *i)
{
   struct Registers *r = &wave->reg;
   now = i, now_at = wave->pc;
   r->taken = 0;
   read_sources(wave, i);
   if (i->op->run != run_alu)
      fill(r->result[0], POISON);
   i->op->run(wave, i);
   forget(wave, i);
   write_result(wave, i);
   if (tracing && wave->group->index == 0 && wave->index == 0)
      trace_step(wave, i);
   if (i->waits)
      wave->fences++;
   wave->executed++;
   branch_from_instruction(wave, i);
}

void run_words(Wave *wave, u64 end)
{
   const Shader *shader = wave->group->launch->code;
   u64 lanes = 0;
   mark_place = place_of_now;
   while (wave->state == RUNS && wave->executed < end) {
      if (wave->pc >= shader->count)
         stop(FAULT, "the shader goes on after its last instruction");
      refresh(wave);
      const Instruction *i = &shader->instruction[wave->pc];
      lanes += mask_count(wave->active);
      step(wave, i);
   }
   now = NULL;
   statistics.lane_instructions += lanes;
}
