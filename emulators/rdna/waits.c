/* Hazards of memory: the hardware does not wait by itself for a register that memory has not written yet. "RDNA3" ISA,
 * 4.4 and 5.6.
 *
 * A counter counts requests; s_waitcnt waits until no more than its number are pending. Vector memory and local memory
 * answer in order, and so do messages. Scalar memory does not, so it needs a wait for all. If requests to local and
 * scalar memory are pending together, at most the counter's number of them are to local memory, so a wait covers local
 * memory's oldest ones; so it does those of messages. A counter holds up to 63; a further request waits for the oldest one. gfx9 counts stores with the loads. vscnt
 * and expcnt are not needed for registers: the hardware does not let an instruction write the data of a store before
 * the store has read it.
 */
#include "waits.h"
#include <stdio.h>

#define STORE_MISSING " is not waited for, and a store to local memory may not be there"
enum Counter { OF_VECTORS, OF_SAMPLES, OF_LOCAL, OF_SCALARS };
static const char *counter_name(enum Counter counter)
{
   static const char *const names[2][4] = {{"vmcnt", "vmcnt", "lgkmcnt", "lgkmcnt"}, {"loadcnt", "samplecnt", "dscnt", "kmcnt"}};
   return names[gpu.gfx >= 12][counter];
}

static void missing(const Waits *w, const Instruction *i, enum Counter counter, u32 number)
{
   char text[80];
   snprintf(text, sizeof text, "%s is not waited for, and %s%u may not be there", counter_name(counter), number >= 256 ? "v" : "s", number & 255);
   if (w->report)
      w->report(w->to, i, text);
}

/* ---- arms of an if: the requests of one arm concern its lanes only, which are not in the other arm */

static Masks bit_of(u32 number) { return (Masks)1 << (number & 127); }

static void forget_mask(Pending *p, u32 number)
{
   Masks rest = ~bit_of(number);
   if (!(p->kept & ~rest))
      return;
   p->kept &= rest;
   for (u32 v = 0; v < VECTORS; v++)
      p->within[v] &= rest, p->others[v] &= rest;
}

static void follow_masks(Pending *p, const Instruction *i)
{
   const char *name = i->op->name;
   bool saves = strstr(name, "_SAVEEXEC_") || (!strncmp(name, "S_MOV_B", 7) && i->source[0] == EXEC_LO);
   if (saves && i->dst < EXEC_LO) {
      forget_mask(p, i->dst);
      p->kept |= bit_of(i->dst);
   } else if (i->dst == EXEC_LO && i->source[0] < EXEC_LO && !strncmp(name, "S_AND_NOT1_B", 12) && i->source[1] == EXEC_LO) {
      for (u32 v = 0; v < VECTORS; v++)
         p->others[v] |= p->within[v] & bit_of(i->source[0]);
   } else if (i->dst == EXEC_LO) { /* all lanes again */
      for (u32 n = 0; n < i->op->sources; n++)
         for (u32 v = 0; v < VECTORS && i->source[n] < EXEC_LO; v++)
            p->others[v] &= ~bit_of(i->source[n]);
   }
}

static bool is_sample(const Instruction *i) { return i->form == VSAMPLE; }
static bool is_message(const Instruction *i) { return i->op->run == run_message; }
static bool is_vector_memory(const Instruction *i) { return i->form == GLOBAL || i->form == SCRATCH || i->form == FLAT || i->form >= MUBUF; }

static void check_register(const Waits *w, const Instruction *i, const Use *use, u32 number)
{
   if (number < 256) {
      if (w->now.scalar[number & 127] || w->now.message[number & 127])
         missing(w, i, OF_SCALARS, number);
      return;
   }
   u32 v = number & 255;
   if (w->now.others[v])
      return;
   bool ordered = use->how == AWAITED; /* answers of one kind of memory come in order */
   if (w->now.vector[v] && !(ordered && is_vector_memory(i) && !is_sample(i)))
      missing(w, i, OF_VECTORS, number);
   if (w->now.sample[v] && !(ordered && is_sample(i)))
      missing(w, i, OF_SAMPLES, number);
   if (w->now.local[v] && !(ordered && i->form == DS))
      missing(w, i, OF_LOCAL, number);
}

static u32 count_of(const Waits *w, const Use *use) { return use->mask ? w->lanes / 32 : use->count; }

/* Up to `open` requests may be pending afterwards. */
static void wait_for(u8 *ages, u32 count, u32 open)
{
   for (u32 n = 0; n < count; n++)
      ages[n] = ages[n] > open ? 0 : ages[n];
}

static void grow(u8 *ages, u32 count)
{
   for (u32 n = 0; n < count; n++)
      ages[n] += ages[n] && ages[n] < 255;
}

static void wait_local(Pending *p, u32 open)
{
   wait_for(p->local, VECTORS, open);
   wait_for(&p->local_store, 1, open);
}

static void wait(Pending *p, u32 vector, u32 scalar)
{
   wait_for(p->vector, VECTORS, vector);
   wait_local(p, scalar);
   wait_for(p->message, SCALARS, scalar);
   if (!scalar)
      memset(p->scalar, 0, sizeof p->scalar);
}

static void begin(Pending *p, const Instruction *i, bool answers)
{
   if (i->form == DS) {
      grow(p->local, VECTORS);
      grow(&p->local_store, 1);
      if (i->op->bytes && i->op->access != LOAD)
         p->local_store = 1;
   } else if (is_message(i)) {
      grow(p->message, SCALARS);
   } else if (is_vector_memory(i) && (answers || (gpu.gfx == 9 && i->op->access))) {
      grow(is_sample(i) ? p->sample : p->vector, VECTORS);
   }
}

/* gfx12: a counter for each kind of memory. */
static bool wait_12(Pending *p, const char *name, u32 number)
{
   if (!strcmp(name, "S_WAIT_LOADCNT"))
      wait_for(p->vector, VECTORS, number);
   else if (!strcmp(name, "S_WAIT_SAMPLECNT"))
      wait_for(p->sample, VECTORS, number);
   else if (!strcmp(name, "S_WAIT_DSCNT"))
      wait_local(p, number);
   else if (!strcmp(name, "S_WAIT_LOADCNT_DSCNT"))
      wait_for(p->vector, VECTORS, BITS(number, 8, 13)), wait_local(p, BITS(number, 0, 5));
   else if (!strcmp(name, "S_WAIT_STORECNT_DSCNT"))
      wait_local(p, BITS(number, 0, 5));
   else if (strcmp(name, "S_WAIT_KMCNT") != 0)
      return false;
   else if (wait_for(p->message, SCALARS, number), !number)
      memset(p->scalar, 0, sizeof p->scalar);
   return true;
}

static void control(Waits *w, const Instruction *i)
{
   const char *name = i->op->name;
   if (gpu.gfx >= 12 && wait_12(&w->now, name, i->offset & 0xffff))
      return;
   if (!strcmp(name, "S_WAITCNT"))
      gpu.gfx <= 10 ? wait(&w->now, BITS(i->offset, 0, 3) | BITS(i->offset, 14, 15) << 4, BITS(i->offset, 8, gpu.gfx == 9 ? 11 : 13))
                    : wait(&w->now, BITS(i->offset, 10, 15), BITS(i->offset, 4, 9));
   else if (!strcmp(name, "S_WAITCNT_VMCNT"))
      wait(&w->now, i->offset & 63, 63);
   else if (!strcmp(name, "S_WAITCNT_LGKMCNT"))
      wait(&w->now, 63, i->offset & 63);
   else if ((!strcmp(name, "S_WAITCNT_DEPCTR") || !strcmp(name, "S_WAIT_ALU")) && !BITS(i->offset, 2, 4))
      w->now.local_store = 0; /* VM_VSRC(0): the data has left the registers; after that, local memory keeps the order */
   else if ((!strcmp(name, "S_BARRIER") || !strcmp(name, "S_BARRIER_SIGNAL")) && !w->alone && w->now.local_store && w->report)
      w->report(w->to, i, gpu.gfx >= 12 ? "dscnt" STORE_MISSING : "lgkmcnt" STORE_MISSING);
}

static void written(Pending *p, const Instruction *i, u32 number, bool awaited)
{
   u32 v = number & 255;
   if (number < 256) {
      p->scalar[number & 127] = awaited && !is_message(i);
      p->message[number & 127] = awaited && is_message(i);
      forget_mask(p, number);
      return;
   }
   if (!awaited && p->others[v])
      return;
   p->vector[v] = awaited && i->form != DS && !is_sample(i);
   p->sample[v] = awaited && is_sample(i);
   p->local[v] = awaited && i->form == DS;
   p->within[v] = awaited ? p->kept : 0;
   p->others[v] = 0;
}

void waits_step(Waits *w, const Instruction *i)
{
   Pending *p = &w->now;
   if (i->form == SOPP || i->form == SOPK || i->form == SOP1)
      control(w, i);
   bool answers = false;
   for (u32 n = 0; n < i->use_count; n++) {
      const Use *use = &i->uses[n];
      answers |= use->how == AWAITED;
      for (u32 k = 0; k < count_of(w, use); k++)
         check_register(w, i, use, use->number + k);
   }
   begin(p, i, answers);
   for (u32 n = 0; n < i->use_count; n++) {
      const Use *use = &i->uses[n];
      for (u32 k = 0; use->how != READ && k < count_of(w, use); k++)
         written(p, i, use->number + k, use->how == AWAITED);
   }
   if (i->form == SOP1 || i->form == SOP2)
      follow_masks(p, i);
   delays_step(&p->delays, i, w->lanes, w->report, w->to);
}

static bool is_pending(const Pending *p, u32 v) { return p->vector[v] || p->sample[v] || p->local[v]; }

static bool join_masks(Pending *to, const Pending *from)
{
   bool grew = to->kept & ~from->kept;
   to->kept &= from->kept;
   for (u32 v = 0; v < VECTORS; v++) {
      Masks within = is_pending(to, v) ? to->within[v] : ~(Masks)0, others = is_pending(to, v) ? to->others[v] : ~(Masks)0;
      to->within[v] = to->kept & within & (is_pending(from, v) ? from->within[v] : ~(Masks)0);
      to->others[v] = to->kept & others & (is_pending(from, v) ? from->others[v] : ~(Masks)0);
      grew |= is_pending(to, v) && (to->within[v] != within || to->others[v] != others);
   }
   return grew;
}

bool waits_join(Pending *to, const Pending *from)
{
   bool grew = join_masks(to, from);
   grew |= delays_join(&to->delays, &from->delays);
   grew |= join_ages(to->vector, from->vector, VECTORS);
   grew |= join_ages(to->sample, from->sample, VECTORS);
   grew |= join_ages(to->local, from->local, VECTORS);
   grew |= join_ages(to->message, from->message, SCALARS);
   grew |= join_ages(&to->local_store, &from->local_store, 1);
   for (u32 n = 0; n < SCALARS; n++) {
      grew |= from->scalar[n] && !to->scalar[n];
      to->scalar[n] |= from->scalar[n];
   }
   return grew;
}
