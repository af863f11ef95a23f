/* Control flow, and the run of a thread.
 *
 * Channels that diverge are the engine's paths: each goes on at the address that if, else, break, cont, halt and while
 * give it, and the lowest address runs. The hardware has one address for all, and by JIP it skips code that no channel
 * waits in. A JIP that skips waiting channels would lose them, and is a fault.
 */
#include "draw.h"
#include <stdio.h>

enum { SYNC_BARRIER = 14 };

static _Thread_local const Instruction *now;

static const char *place_of_now(void)
{
   static _Thread_local char text[320];
   if (!now)
      return "";
   snprintf(text, sizeof text, "%s (at 0x%x)", instruction_text(now), now->address);
   return text;
}

static Mask mask_of_channels(u32 channels)
{
   Mask m = {{channels}};
   return m;
}

/* The active channels for which an instruction's predicate holds. */
static u32 predicated_channels(Wave *wave, const Instruction *i)
{
   return (u32)wave->active.w[0] & (predicate_of(wave, i) & channels_of(wave, i)) << i->first;
}

/* Some channels go to another address, the rest to the next instruction. */
static void jump_channels(Wave *wave, const Instruction *i, u32 taken, u32 to)
{
   bool all = taken == (u32)wave->active.w[0];
   u32 next = wave->pc + 1;
   wave->turns = 0; /* the hardware does not switch between paths, so a path that spins on another one does not end */
   wave_branch(wave, mask_of_channels(taken), to, next);
   if (all && wave->pc != next && i->jip > (i32)wave->pc)
      stop(FAULT, "%s: no channel is left, and instruction %u, where some wait, is before %d", i->op->name, wave->pc, i->jip);
}

void run_if(Wave *wave, const Instruction *i)
{
   u32 taken = (u32)wave->active.w[0] & ~predicated_channels(wave, i);
   jump_channels(wave, i, taken, i->jip);
}

void run_else(Wave *wave, const Instruction *i) { jump_channels(wave, i, (u32)wave->active.w[0], i->uip); }
void run_endif(Wave *wave, const Instruction *i) { (void)i, wave->pc++; }
void run_break(Wave *wave, const Instruction *i) { jump_channels(wave, i, predicated_channels(wave, i), i->uip); }
void run_cont(Wave *wave, const Instruction *i) { jump_channels(wave, i, predicated_channels(wave, i), i->uip); }
void run_halt(Wave *wave, const Instruction *i) { jump_channels(wave, i, predicated_channels(wave, i), i->uip); }
void run_while(Wave *wave, const Instruction *i) { jump_channels(wave, i, predicated_channels(wave, i), i->jip); }

/* The whole thread jumps, by the first channel's predicate. */
void run_jmpi(Wave *wave, const Instruction *i)
{
   u32 bits = predicate_of(wave, i);
   wave->turns = 0;
   wave_goto(wave, bits & 1 ? (u32)i->jip : wave->pc + 1);
}

void run_sync(Wave *wave, const Instruction *i)
{
   if (i->sync != SYNC_BARRIER) {
      wave->pc++;
      return;
   }
   if (!wave->reg.signalled)
      stop(FAULT, "a wait for a barrier that the thread has not signalled");
   wave->reg.signalled = false;
   wave_barrier(wave, wave->pc + 1);
}

void run_send(Wave *wave, const Instruction *i)
{
   send_message(wave, i, channels_of(wave, i) & predicate_of(wave, i));
   if (!i->ends) {
      wave->pc++;
      return;
   }
   if (wave->parked_count)
      stop(FAULT, "the thread ends while channels wait at instruction %u", wave->parked[0].pc);
   wave_end(wave);
}

/* The first channels of the destination after an instruction. */
static void trace_instruction(const Wave *wave, const Instruction *i)
{
   u32 at = i->dst.at < GRF_BYTES - 8 ? i->dst.at : 0;
   u32 value[2];
   memcpy(value, wave->reg.grf + at, 8);
   trace("   %u/%u %4x %08x %-80s 0x%08x 0x%08x  f 0x%08x 0x%08x", wave->group->index, wave->index, i->address,
         (u32)wave->active.w[0], instruction_text(i), value[0], value[1], wave->reg.flag[0], wave->reg.flag[1]);
}

void family_run(Wave *wave, u64 budget)
{
   const Kernel *kernel = wave->group->launch->code;
   u64 begun = wave->executed, end = begun + budget, lanes = 0;
   mark_place = place_of_now;
   while (wave->state == RUNS && wave->executed < end) {
      if (wave->pc >= kernel->count)
         stop(FAULT, "the kernel goes on at instruction %u of %u", wave->pc, kernel->count);
      if (kernel->code[wave->pc].joins && wave->parked_count)
         wave_join(wave);
      const Instruction *i = now = &kernel->code[wave->pc];
      u32 pc = wave->pc;
      i->op->run(wave, i);
      wave->executed++;
      lanes += i->no_mask ? 1 : (u32)__builtin_popcountll(wave->active.w[0]);
      if (tracing && wave->group->index == 0 && wave->index == 0)
         trace_instruction(wave, i);
      if (!i->op->flow && i->op->run != run_send && i->op->run != run_sync)
         wave->pc = pc + 1;
   }
   now = NULL;
   statistics.instructions += wave->executed - begun;
   statistics.lane_instructions += lanes;
}
