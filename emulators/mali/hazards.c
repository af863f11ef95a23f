/* Whether a shader waits for its messages: along all paths, by the finished binary alone.
 *
 * A clause has at most one message, which runs beside the clauses behind it, in a slot. Its staging registers are there, or may
 * be written again, once a clause has waited for that slot; a staging barrier waits until all have been read. What a clause's
 * header waits for is waited for at the clause's end. The rules stand in Mesa's src/panfrost/compiler/bifrost/bi_scoreboard.c.
 */
#include "images.h"
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 8, BARRIER_SLOT = 7, FREE_SLOTS = 6, MOST = 16 };
enum Message { NO_MESSAGE, VARYING, ATTRIBUTE, TEXTURE, VARYING_TEXTURE, LOAD_MESSAGE, STORE_MESSAGE, ATOMIC_MESSAGE, BARRIER_MESSAGE, BLEND_MESSAGE, TEST_MESSAGE = 13, CLOCK = 15 };

/* What may be under way where a clause begins. */
typedef struct {
   u64 written[SLOTS], read[SLOTS]; /* staging registers */
   bool loads[SLOTS], stores[SLOTS]; /* messages that read, that write memory */
   bool barrier, reached;
} Pending;

typedef struct {
   const Shader *shader;
   Pending *entry, now;
   bool *queued, speaks;
   u32 *work, work_count, findings;
   FILE *out;
} Check;

static void say(Check *c, const Instruction *i, const char *what, const char *why)
{
   if (!c->speaks || c->findings++ >= MOST)
      return;
   const Clause *clause = i->clause;
   fprintf(c->out, "%s before %s (clause %u): %s\n", what, instruction_text(i), (u32)(clause - c->shader->clause), why);
}

static u64 bit(u32 number) { return number < REGISTERS ? 1ull << number : 0; }

static u64 span(u32 first, u32 count)
{
   u64 all = 0;
   for (u32 n = 0; n < count; n++)
      all |= bit(first + n);
   return all;
}

static const char *name_of(u64 registers)
{
   static _Thread_local char text[32];
   snprintf(text, sizeof text, "r%u", (u32)__builtin_ctzll(registers));
   return text;
}

static void check_registers(Check *c, const Instruction *i, u64 reads, u64 writes)
{
   char what[64], why[96];
   for (u32 slot = 0; slot < SLOTS; slot++) {
      u64 late = c->now.written[slot] & (reads | writes);
      if (late) {
         snprintf(what, sizeof what, "wait for slot %u missing", slot);
         snprintf(why, sizeof why, "%s is %s before the message that writes it is done", name_of(late), late & reads ? "read" : "written");
         say(c, i, what, why);
         c->now.written[slot] &= ~late;
      }
      u64 early = c->now.read[slot] & writes;
      if (early) {
         snprintf(why, sizeof why, "%s is written before the message of slot %u has read it", name_of(early), slot);
         say(c, i, "staging barrier missing", why);
         c->now.read[slot] &= ~early;
      }
   }
}

static enum Message message_of(const Instruction *i)
{
   if (i->op->run == run_load) /* the unit for attributes has the constants */
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

/* Loads of constants need no order: nothing writes them. */
static void check_memory(Check *c, const Instruction *i, bool loads, bool stores)
{
   char what[64];
   bool barrier = i->op->run == run_barrier;
   for (u32 slot = 0; slot < SLOTS; slot++) {
      bool late = barrier || stores ? c->now.loads[slot] || c->now.stores[slot] : loads && c->now.stores[slot];
      if (!late)
         continue;
      snprintf(what, sizeof what, "wait for slot %u missing", slot);
      say(c, i, what, "a message to memory is still under way");
      c->now.loads[slot] = c->now.stores[slot] = false;
   }
}

static u32 staging_count(const Instruction *i, bool writes)
{
   if (message_of(i) == TEXTURE || message_of(i) == VARYING_TEXTURE)
      return texture_registers(i, writes);
   if (message_of(i) == ATTRIBUTE || message_of(i) == VARYING || i->op->run == run_store_converted)
      return i->op->run == run_load ? i->op->writes * writes : attribute_registers(i, writes);
   if (i->op->run != run_atomic)
      return writes ? i->op->writes : i->op->reads;
   const Instruction *begin = i - 1; /* ATOM_C in FMA of the same tuple */
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
      say(c, i, "another kind of message in the header", "the clause's header has to name its message");
   if (kind == BARRIER_MESSAGE ? slot != BARRIER_SLOT : slot >= FREE_SLOTS)
      say(c, i, "a slot for another kind of message", "barriers have slot 7, loads, stores and atomics one of 0 to 5");
   if (c->now.barrier)
      say(c, i, "wait for slot 7 missing", "the barrier before it is not done");
   check_memory(c, i, loads, stores);
   u32 reads = staging_count(i, false), writes = staging_count(i, true);
   u32 first = 0, second = kind == TEXTURE ? second_registers(i, &first) : 0;
   u64 written = span(clause->staging, writes) | span(first, second);
   check_registers(c, i, span(clause->staging, reads), written);
   c->now.read[slot] |= span(clause->staging, reads);
   c->now.written[slot] |= written;
   c->now.loads[slot] |= loads;
   c->now.stores[slot] |= stores;
   c->now.barrier |= kind == BARRIER_MESSAGE;
}

static u64 ports_read(const Tuple *t, const Instruction *i)
{
   u64 all = 0;
   for (u32 n = 0; n < i->op->sources; n++)
      if (i->src[n].port <= PORT_2)
         all |= bit(t->read[i->src[n].port]);
   return all;
}

static void step(Check *c, const Clause *clause)
{
   u32 messages = 0;
   for (u32 n = 0; n < clause->count; n++) {
      const Tuple *t = &clause->tuple[n], *next = &clause->tuple[(n + 1) % clause->count];
      check_registers(c, &t->fma, ports_read(t, &t->fma), bit(next->write_fma));
      check_registers(c, &t->add, ports_read(t, &t->add), bit(next->write_add));
      if (message_of(&t->add) == NO_MESSAGE)
         continue;
      if (messages++)
         say(c, &t->add, "a second message in the clause", "a clause has one");
      begin_message(c, &t->add);
   }
   for (u32 slot = 0; slot < SLOTS; slot++) {
      if (clause->waits >> slot & 1) {
         c->now.written[slot] = c->now.read[slot] = 0;
         c->now.loads[slot] = c->now.stores[slot] = false;
      }
      if (clause->staging_barrier)
         c->now.read[slot] = 0;
   }
   c->now.barrier &= !(clause->waits >> BARRIER_SLOT & 1);
}

static void flow_to(Check *c, u32 to)
{
   if (to >= c->shader->count)
      return;
   Pending *p = &c->entry[to], before = *p;
   for (u32 slot = 0; slot < SLOTS; slot++) {
      p->written[slot] |= c->now.written[slot];
      p->read[slot] |= c->now.read[slot];
      p->loads[slot] |= c->now.loads[slot];
      p->stores[slot] |= c->now.stores[slot];
   }
   p->barrier |= c->now.barrier;
   p->reached = true;
   if (!memcmp(&before, p, sizeof before) || c->queued[to])
      return;
   c->queued[to] = true;
   c->work[c->work_count++] = to;
}

static bool jumps_always(const Clause *clause)
{
   for (u32 n = 0; n < clause->count; n++)
      if (clause->tuple[n].add.op->run == run_jump)
         return true;
   return false;
}

/* What is wrong, a line each. */
char *hazards_of(const Shader *shader)
{
   Check c = {.shader = shader};
   char *text = NULL;
   size_t size = 0;
   c.entry = calloc(shader->count, sizeof *c.entry);
   c.queued = calloc(shader->count, sizeof *c.queued);
   c.work = calloc(shader->count + 1, sizeof *c.work);
   c.out = open_memstream(&text, &size);
   flow_to(&c, 0);
   while (c.work_count) {
      u32 at = c.work[--c.work_count];
      c.queued[at] = false;
      c.now = c.entry[at];
      const Clause *clause = &shader->clause[at];
      step(&c, clause);
      if (clause->target != NOWHERE)
         flow_to(&c, clause->target);
      if (clause->flow && !jumps_always(clause))
         flow_to(&c, at + 1);
   }
   c.speaks = true;
   for (u32 at = 0; at < shader->count; at++) {
      c.now = c.entry[at];
      if (c.now.reached)
         step(&c, &shader->clause[at]);
   }
   fclose(c.out);
   free(c.entry), free(c.queued), free(c.work);
   return text;
}

/* Each finding is a mark of each case that launches the shader. */
void hazards_report(Shader *shader, const State *state)
{
   if (!shader->findings)
      shader->findings = is_valhall() ? waits_of(shader, state->stage == FRAGMENT_STAGE) : hazards_of(shader);
   if (shader->reported == marks_taken + 1)
      return;
   shader->reported = marks_taken + 1;
   for (const char *line = shader->findings; *line;) {
      const char *end = strchr(line, '\n');
      mark(HAZARD, "%.*s", (int)(end - line), line);
      line = end + 1;
   }
}
