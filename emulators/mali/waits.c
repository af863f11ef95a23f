/* Whether a Valhall shader waits for its messages: the rules of its instructions (scoreboard.c has what Bifrost shares). */
#include "scoreboard.h"

enum { GENERAL = 3 }; /* slots */

static u64 registers_read(const Instruction *i, bool last)
{
   u64 all = last ? 0 : span(i->from, message_registers(i, false));
   for (u32 n = 0; n < i->op->sources; n++)
      if (i->src[n].place == IN_REGISTER && (!last || i->src[n].last))
         all |= span(i->src[n].number, 1 + i->src[n].wide);
   return all;
}

static u64 registers_written(const Instruction *i)
{
   if (i->op->result != ' ')
      return span(i->result, 1 + (i->op->result == 'd'));
   return span(i->to, message_registers(i, true));
}

/* A register that is written again counts as read: the hardware keeps that order. */
static void check_registers(Check *c, const Instruction *i)
{
   char what[64];
   check_written(c, i, registers_read(i, false), registers_written(i));
   u64 last = registers_read(i, true);
   for (u32 slot = 0; slot < GENERAL; slot++) {
      u64 lost = c->now.read[slot] & last;
      c->now.read[slot] &= ~(lost | registers_written(i));
      if (!lost)
         continue;
      snprintf(what, sizeof what, "wait for slot %u missing before", slot);
      report(c, i, what, "r%u is given up before the message has read it", lowest(lost));
   }
}

static bool loads_memory(const Instruction *i)
{
   return (i->op->run == run_load && i->mod[M_seg] != O_ubo) || i->op->run == run_load_image;
}

static bool stores_memory(const Instruction *i) { return i->op->run == run_store || i->op->run == run_store_converted || i->op->run == run_atom; }

static void check_slots(Check *c, const Instruction *i)
{
   bool barrier = i->op->run == run_barrier, blends = i->op->run == run_blend, tests = i->op->run == run_test;
   if ((i->op->staged && !tests && i->slot >= GENERAL) || (barrier && i->slot != BARRIER_SLOT))
      report(c, i, "a slot for another kind of message before", "barriers have slot 7, the others one of 0 to 2");
   u8 needs = blends ? 0xc0 : tests ? 0x40 : !c->fragments && (i->op->staged || barrier || i->flow == END_OF_SHADER) ? 0x80 : 0;
   if (c->now.missing & needs & 0x40)
      report(c, i, "wait for slot 6 missing before", "the fragments before may still be under way");
   else if (c->now.missing & needs)
      report(c, i, "wait for slot 7 missing before", blends ? "the fragments before may still be under way" : "the barrier before it is not done");
   c->now.missing &= ~needs;
}

static void begin_message(Check *c, const Instruction *i)
{
   u32 slot = i->slot < GENERAL ? i->slot : 0;
   c->now.written[slot] |= span(i->to, message_registers(i, true));
   c->now.read[slot] |= span(i->from, message_registers(i, false));
   c->now.loads |= (u32)loads_memory(i) << slot;
   c->now.stores |= (u32)stores_memory(i) << slot;
}

/* A branch by a constant is taken always, or never. */
u32 word_follows(const Shader *shader, u32 at, u32 to[2])
{
   const Instruction *i = &shader->instruction[at];
   bool branches = i->op->run == run_branch, known = branches && i->src[0].place == IN_CONSTANT;
   bool taken = known && (i->src[0].value == 0) == (i->compare == EQUAL);
   u32 n = 0;
   if (i->flow == END_OF_SHADER)
      return 0;
   if (branches && (!known || taken))
      to[n++] = i->target;
   if (!known || !taken)
      to[n++] = at + 1;
   return n;
}

void word_step(Paths *p, u32 at)
{
   Check *c = (Check *)p;
   const Instruction *i = &c->shader->instruction[at];
   c->now = c->entry[at];
   check_registers(c, i);
   check_memory(c, i, loads_memory(i), stores_memory(i), i->op->run == run_barrier);
   check_slots(c, i);
   check_flow(c, at, i, i->flow == RECONVERGE);
   if (i->op->staged)
      begin_message(c, i);
   if (i->op->run == run_barrier)
      c->now.missing |= 1 << BARRIER_SLOT;
   wait_for(c, i->waits);
   flow_on(c, at);
}
