/* What the hardware puts into a thread's registers. */
#include "draw.h"

/* r0 of a compute thread: the group's ids, scratch memory, and which thread of the group it is. */
static void set_header(Wave *wave)
{
   const State *s = state_of(wave);
   const Group *group = wave->group;
   u64 scratch = s->scratch_base ? s->scratch_base + (u64)wave->index * (1024u << s->scratch_code) : 0;
   u32 header[8] = {
      [1] = group->id[0] + s->start[0], [6] = group->id[1] + s->start[1], [7] = group->id[2] + s->start[2],
      [2] = wave->index << 24, [3] = s->scratch_code, [5] = ((u32)scratch & ~0x3ffu) | (wave->index & 0x1ff),
   };
   memcpy(wave->reg.grf, header, sizeof header);
   memset(wave->reg.written, 1, sizeof header);
}

/* The constants: those that all threads have, then each thread's own. */
static void load_constants(Wave *wave)
{
   const State *s = state_of(wave);
   u32 count = s->cross_thread + s->per_thread;
   if ((1 + count) * REGISTER > GRF_BYTES)
      stop(FAULT, "%u registers of constants", count);
   for (u32 k = 0; k < count; k++) {
      u32 place = k < s->cross_thread ? k : k + wave->index * s->per_thread;
      if ((place + 1) * REGISTER > s->curbe_length)
         stop(FAULT, "a thread's constants end at byte %u of %u", (place + 1) * REGISTER, s->curbe_length);
      memcpy(wave->reg.grf + (1 + k) * REGISTER, memory_at(s->curbe + (u64)place * REGISTER, REGISTER, REGISTER, "a thread's constants"), REGISTER);
   }
   memset(wave->reg.written + REGISTER, 1, count * REGISTER);
}

void family_start(Wave *wave)
{
   struct Registers *r = &wave->reg;
   const State *s = state_of(wave);
   for (u32 k = 0; k < GRF_BYTES; k += 4)
      memcpy(r->grf + k, &(u32){POISON}, 4);
   memset(r->written, 0, sizeof *r - offsetof(struct Registers, written));
   for (u32 k = 0; k < LANES; k++)
      r->acc[k] = POISON;
   for (u32 k = 0; k < ADDRESSES; k++)
      r->a0[k] = (u16)POISON;
   for (u32 k = 0; k < FLAGS; k++)
      r->flag[k] = POISON;
   r->control = s->control;
   if (s->fragments) {
      start_fragments(wave);
      return;
   }
   set_header(wave);
   load_constants(wave);
   r->dispatched = (u32)wave->active.w[0];
}
