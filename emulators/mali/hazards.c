/* Whether a Bifrost shader waits for its messages: the rules of its clauses (scoreboard.c has what Valhall shares).
 *
 * A clause has at most one message, which runs in parallel with the clauses after it. A staging barrier waits until all
 * messages have read their registers. A clause's waits, which its header names, happen at its end.
 */
#include "images.h"
#include "scoreboard.h"

enum { FREE_SLOTS = 6 };
enum Message { NO_MESSAGE, VARYING, ATTRIBUTE, TEXTURE, VARYING_TEXTURE, LOAD_MESSAGE, STORE_MESSAGE, ATOMIC_MESSAGE, BARRIER_MESSAGE, BLEND_MESSAGE, TEST_MESSAGE = 13, CLOCK = 15 };

static u64 bit(u32 number) { return number < REGISTERS ? 1ull << number : 0; }

static void check_registers(Check *c, const Instruction *i, u64 reads, u64 writes)
{
   check_written(c, i, reads, writes);
   for (u32 slot = 0; slot < SLOTS; slot++) {
      u64 early = c->now.read[slot] & writes;
      if (early)
         report(c, i, "staging barrier missing before", "r%u is written before the message of slot %u has read it", lowest(early), slot);
      c->now.read[slot] &= ~early;
   }
}

static enum Message message_of(const Instruction *i)
{
   if (i->op->run == run_load) /* the attribute unit has the constants */
      return i->mod[M_seg] == O_ubo ? ATTRIBUTE : LOAD_MESSAGE;
   if (i->op->run == run_texture || i->op->run == run_texture_2d)
      return TEXTURE;
   if (i->op->run == run_varying_texture)
      return VARYING_TEXTURE;
   if (i->op->run == run_load_image || i->op->run == run_address_image || i->op->run == run_load_attribute || i->op->run == run_address_attribute)
      return ATTRIBUTE;
   if (i->op->run == run_load_varying || i->op->run == run_load_flat)
      return VARYING;
   if (i->op->run == run_test || i->op->run == run_blend)
      return i->op->run == run_test ? TEST_MESSAGE : BLEND_MESSAGE;
   if (i->op->run == run_store || i->op->run == run_store_converted)
      return STORE_MESSAGE;
   if (i->op->run == run_atomic || i->op->run == run_exchange)
      return ATOMIC_MESSAGE;
   return i->op->run == run_barrier ? BARRIER_MESSAGE : i->op->run == run_clock ? CLOCK : NO_MESSAGE;
}

u32 clause_registers(const Instruction *i, bool writes)
{
   if (i->op->run == run_load)
      return loaded_registers(i) * writes;
   if (message_of(i) == TEXTURE || message_of(i) == VARYING_TEXTURE)
      return texture_registers(i, writes);
   if (message_of(i) == ATTRIBUTE || message_of(i) == VARYING || i->op->run == run_store_converted)
      return attribute_registers(i, writes);
   if (i->op->run != run_atomic)
      return writes ? i->op->writes : i->op->reads;
   const Instruction *begin = i - 1; /* ATOM_C, in the FMA of the same tuple */
   bool wide = strstr(begin->op->name, "64"), one = strstr(begin->op->name, "C1"), returns = strstr(begin->op->name, "RETURN");
   return writes ? (returns ? 2 << wide : 0) : wide && !one ? 2 : 0;
}

static void begin_message(Check *c, const Instruction *i)
{
   const Clause *clause = i->clause;
   enum Message kind = message_of(i);
   u32 slot = clause->slot;
   bool loads = kind == LOAD_MESSAGE || i->op->run == run_load_image, stores = kind == STORE_MESSAGE || kind == ATOMIC_MESSAGE;
   if (clause->message != kind)
      report(c, i, "another kind of message in the header before", "the clause's header has to name its message");
   if (kind == BARRIER_MESSAGE ? slot != BARRIER_SLOT : slot >= FREE_SLOTS)
      report(c, i, "a slot for another kind of message before", "barriers have slot 7, loads, stores and atomics one of 0 to 5");
   if (c->now.missing)
      report(c, i, "wait for slot 7 missing before", "the barrier before it is not done");
   check_memory(c, i, loads, stores, kind == BARRIER_MESSAGE);
   u32 reads = clause_registers(i, false), writes = clause_registers(i, true);
   u32 first = 0, second = kind == TEXTURE ? second_registers(i, &first) : 0;
   u64 written = span(clause->staging, writes) | span(first, second);
   check_registers(c, i, span(clause->staging, reads), written);
   c->now.read[slot] |= span(clause->staging, reads);
   c->now.written[slot] |= written;
   c->now.loads |= loads << slot;
   c->now.stores |= stores << slot;
   c->now.missing |= (kind == BARRIER_MESSAGE) << BARRIER_SLOT;
}

static u64 ports_read(const Tuple *t, const Instruction *i)
{
   u64 all = 0;
   for (u32 n = 0; n < i->op->sources; n++)
      if (i->src[n].port <= PORT_2)
         all |= bit(t->read[i->src[n].port]);
   return all;
}

static bool jumps_always(const Clause *clause)
{
   for (u32 n = 0; n < clause->count; n++)
      if (clause->tuple[n].add.op->run == run_jump)
         return true;
   return false;
}

u32 clause_follows(const Shader *shader, u32 at, u32 to[2])
{
   const Clause *clause = &shader->clause[at];
   u32 n = 0;
   if (clause->target != NOWHERE)
      to[n++] = clause->target;
   if (clause->flow && !jumps_always(clause))
      to[n++] = at + 1;
   return n;
}

void clause_step(Paths *p, u32 at)
{
   Check *c = (Check *)p;
   const Clause *clause = &c->shader->clause[at];
   u32 messages = 0;
   c->now = c->entry[at];
   for (u32 n = 0; n < clause->count; n++) {
      const Tuple *t = &clause->tuple[n], *next = &clause->tuple[(n + 1) % clause->count];
      check_registers(c, &t->fma, ports_read(t, &t->fma), bit(next->write_fma));
      check_registers(c, &t->add, ports_read(t, &t->add), bit(next->write_add));
      if (message_of(&t->add) == NO_MESSAGE)
         continue;
      if (messages++)
         report(c, &t->add, "a second message in the clause before", "a clause has one");
      begin_message(c, &t->add);
   }
   check_flow(c, at, &clause->tuple[clause->count - 1].add, clause_reconverges(clause));
   wait_for(c, clause->waits);
   if (clause->staging_barrier)
      memset(c->now.read, 0, sizeof c->now.read);
   flow_on(c, at);
}
