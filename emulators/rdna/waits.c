/* What the hardware does not wait for by itself: a register into which memory has not answered yet. "RDNA3" ISA, 4.4 and 5.6.
 *
 * A counter counts requests that were made; s_waitcnt waits until no more than so many are open. Vector memory answers in
 * order, local memory too, scalar memory does not: it is waited for by a wait for all. With both under way no more than so many
 * of local memory's are open, which is enough for the oldest of them.
 */
#include "gfx.h"

static const char *const COUNTERS[] = {"vmcnt", "lgkmcnt"};

static void missing(u32 counter, u32 number)
{
   mark(HAZARD, "%s is not waited for, and %s%u may not be there", COUNTERS[counter], number >= 256 ? "v" : "s", number & 255);
}

static bool is_vector_memory(const Instruction *i) { return i->form == GLOBAL || i->form == SCRATCH || i->form == FLAT || i->form >= MUBUF; }

static void check_register(const struct Pending *p, const Instruction *i, const Use *use, u32 number)
{
   if (number < 256) {
      if (p->scalar_of[number & 127] > p->scalar_done)
         missing(1, number);
      return;
   }
   u32 v = number & 255;
   bool ordered = use->how == AWAITED; /* answers of one kind of memory come in order, and do not overtake each other */
   if (p->vector_of[v] > p->vector_done && !(ordered && is_vector_memory(i)))
      missing(0, number);
   if (p->local_of[v] > p->local_done && !(ordered && i->form == DS))
      missing(1, number);
}

static u32 count_of(const Wave *wave, const Use *use) { return use->mask ? wave->lanes / 32 : use->count; }

/* Up to `open` requests may be under way afterwards. */
static void wait_for(u32 made, u32 *done, u32 open)
{
   if (made - *done > open)
      *done = made - open;
}

static void wait(struct Pending *p, u32 vector, u32 scalar)
{
   if (vector < 63)
      wait_for(p->vector_made, &p->vector_done, vector);
   if (scalar < 63)
      wait_for(p->local_made, &p->local_done, scalar);
   if (!scalar)
      p->scalar_done = p->scalar_made;
}

static void begin(struct Pending *p, const Instruction *i, bool answers)
{
   if (i->form < DS) { /* scalar memory, a message */
      p->scalar_made += answers;
   } else if (i->form == DS) {
      p->local_made++;
      if (!answers)
         p->local_store = p->local_made;
   } else if (answers) {
      p->vector_made++;
   }
}

void check_waits(Wave *wave, const Instruction *i)
{
   struct Pending *p = &wave->reg.pending;
   if (i->form == SOPP || i->form == SOPK) {
      const char *name = i->op->name;
      if (!strcmp(name, "S_WAITCNT"))
         wait(p, BITS(i->offset, 10, 15), BITS(i->offset, 4, 9));
      else if (!strcmp(name, "S_WAITCNT_VMCNT"))
         wait(p, i->offset & 63, 63);
      else if (!strcmp(name, "S_WAITCNT_LGKMCNT"))
         wait(p, 63, i->offset & 63);
      else if (!strcmp(name, "S_WAITCNT_DEPCTR") && !BITS(i->offset, 2, 4))
         p->local_store = 0; /* VM_VSRC(0): the data has left the registers, and from there on local memory keeps the order */
      else if (!strcmp(name, "S_BARRIER") && wave->group->waves > 1 && p->local_store > p->local_done)
         mark(HAZARD, "lgkmcnt is not waited for, and a store to local memory may not be there");
   }
   bool answers = false;
   for (u32 n = 0; n < i->use_count; n++) {
      const Use *use = &i->uses[n];
      answers |= use->how == AWAITED;
      for (u32 k = 0; k < count_of(wave, use); k++)
         check_register(p, i, use, use->number + k);
   }
   if (i->form == SMEM || i->form >= DS || i->op->run == run_message)
      begin(p, i, answers);
   for (u32 n = 0; n < i->use_count; n++) {
      const Use *use = &i->uses[n];
      for (u32 k = 0; use->how != READ && k < count_of(wave, use); k++) {
         u32 number = use->number + k, v = number & 255;
         bool awaited = use->how == AWAITED;
         if (number < 256)
            p->scalar_of[number & 127] = awaited ? p->scalar_made : 0;
         else
            p->vector_of[v] = awaited && i->form != DS ? p->vector_made : 0, p->local_of[v] = awaited && i->form == DS ? p->local_made : 0;
      }
   }
}
