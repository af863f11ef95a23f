/* The registers that the hardware sets before a thread starts. */
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
   if (generation == GEN125) {
      header[2] = wave->index;
      header[3] = 0;
      header[5] = s->scratch_surface | (wave->index & 0x1ff);
   }
   header[3] |= s->samplers;
   memcpy(wave->reg.grf, header, sizeof header);
   memset(wave->reg.written, 1, sizeof header);
}

/* Gen12.5: the local ids that the walker makes, 16 bits each. */
static void load_local_ids(Wave *wave)
{
   static const u8 ORDERS[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
   const State *s = state_of(wave);
   u32 at = REGISTER;
   if (s->walk_order >= COUNT(ORDERS))
      stop(UNKNOWN, "order %u of the ids in a group", s->walk_order);
   const u8 *order = ORDERS[s->walk_order];
   for (u32 n = 0; n < 3; n++) {
      if (!(s->emit_local >> n & 1))
         continue;
      for (u32 k = 0; k < wave->lanes; k++) {
         u32 rest = wave->index * wave->lanes + k, id[3];
         for (u32 axis = 0; axis < 3; axis++) {
            id[order[axis]] = rest % s->local[order[axis]];
            rest /= s->local[order[axis]];
         }
         memcpy(wave->reg.grf + at + 2 * k, &(u16){(u16)id[n]}, 2);
         wave->reg.written[at + 2 * k] = wave->reg.written[at + 2 * k + 1] = 1;
      }
      at += wave->lanes == 32 ? 2 * REGISTER : REGISTER;
   }
}

/* The constants: those of all threads, then the thread's own. */
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
      if (place >= s->curbe_registers)
         stop(FAULT, "a thread's constants end in register %u of %u that MEDIA_VFE_STATE gives them", place + 1, s->curbe_registers);
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
   if (generation == GEN125)
      load_local_ids(wave);
   else
      load_constants(wave);
   r->dispatched = (u32)wave->active.w[0];
}
