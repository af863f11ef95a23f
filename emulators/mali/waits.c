/* Whether a Valhall shader waits for its messages: along all paths, by the finished binary alone.
 *
 * A message runs beside the instructions behind it, in a slot. What it writes is there, and it has read its own registers, once
 * an instruction has waited for that slot. The rules stand in Mesa's src/panfrost/compiler/valhall/va_insert_flow.c and
 * va_mark_last.c.
 */
#include "shader.h"
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 3, BARRIER_SLOT = 7, MOST = 16 };

/* What may be under way where an instruction begins. */
typedef struct {
   u64 written[SLOTS], read[SLOTS]; /* staging registers */
   u8 loads, stores, reached;       /* slots of messages that read, that write memory */
   u8 missing;                      /* of the slots 6 and 7, which a frame's fragments before hold; 7: a barrier */
} Pending;

typedef struct {
   const Shader *shader;
   Pending *entry, now;
   bool *queued, speaks, fragments;
   u32 *work, work_count, findings;
   FILE *out;
} Check;

static void say(Check *c, u32 at, const char *what, const char *why)
{
   if (c->speaks && c->findings++ < MOST)
      fprintf(c->out, "%s before %s (instruction %u): %s\n", what, instruction_text(&c->shader->instruction[at]), at, why);
}

static u64 span(u32 first, u32 count) { return count ? ((1ull << count) - 1) << first : 0; }

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

static void check_registers(Check *c, u32 at, const Instruction *i)
{
   char what[64], why[96];
   u64 reads = registers_read(i, false), writes = registers_written(i), last = registers_read(i, true);
   for (u32 slot = 0; slot < SLOTS; slot++) {
      u64 late = c->now.written[slot] & (reads | writes), lost = c->now.read[slot] & last;
      snprintf(what, sizeof what, "wait for slot %u missing", slot);
      if (late) {
         snprintf(why, sizeof why, "r%u is %s before the message that writes it is done", (u32)__builtin_ctzll(late), late & reads ? "read" : "written");
         say(c, at, what, why);
         c->now.written[slot] &= ~late;
      }
      if (lost) {
         snprintf(why, sizeof why, "r%u is given up before the message has read it", (u32)__builtin_ctzll(lost));
         say(c, at, what, why);
         c->now.read[slot] &= ~lost;
      }
   }
}

static bool loads_memory(const Instruction *i)
{
   return (i->op->run == run_load && i->mod[M_seg] != O_ubo) || i->op->run == run_load_image;
}

static bool stores_memory(const Instruction *i) { return i->op->run == run_store || i->op->run == run_store_converted || i->op->run == run_atom; }

/* Loads of constants need no order: nothing writes them. */
static void check_memory(Check *c, u32 at, const Instruction *i)
{
   char what[64];
   bool barrier = i->op->run == run_barrier, stores = stores_memory(i);
   u8 late = barrier || stores ? c->now.loads | c->now.stores : loads_memory(i) ? c->now.stores : 0;
   if (late) {
      snprintf(what, sizeof what, "wait for slot %u missing", (u32)__builtin_ctz(late));
      say(c, at, what, "a message to memory is still under way");
      c->now.loads &= ~late, c->now.stores &= ~late;
   }
}

static void check_slots(Check *c, u32 at, const Instruction *i)
{
   bool barrier = i->op->run == run_barrier, blends = i->op->run == run_blend, tests = i->op->run == run_test;
   if ((i->op->staged && !tests && i->slot >= SLOTS) || (barrier && i->slot != BARRIER_SLOT))
      say(c, at, "a slot for another kind of message", "barriers have slot 7, the others one of 0 to 2");
   u8 needs = blends ? 0xc0 : tests ? 0x40 : !c->fragments && (i->op->staged || barrier) ? 0x80 : 0;
   if (c->now.missing & needs & 0x40)
      say(c, at, "wait for slot 6 missing", "the fragments before may still be under way");
   else if (c->now.missing & needs)
      say(c, at, "wait for slot 7 missing", blends ? "the fragments before may still be under way" : "the barrier before it is not done");
   c->now.missing &= ~needs;
}

static void begin_message(Check *c, const Instruction *i)
{
   u32 slot = i->slot < SLOTS ? i->slot : 0;
   c->now.written[slot] |= span(i->to, message_registers(i, true));
   c->now.read[slot] |= span(i->from, message_registers(i, false));
   c->now.loads |= (u32)loads_memory(i) << slot;
   c->now.stores |= (u32)stores_memory(i) << slot;
}

static void step(Check *c, u32 at)
{
   const Instruction *i = &c->shader->instruction[at];
   check_registers(c, at, i);
   check_memory(c, at, i);
   check_slots(c, at, i);
   if (i->op->staged)
      begin_message(c, i);
   if (i->op->run == run_barrier)
      c->now.missing |= 1 << BARRIER_SLOT;
   for (u32 slot = 0; slot < SLOTS; slot++)
      if (i->waits >> slot & 1)
         c->now.written[slot] = c->now.read[slot] = 0;
   c->now.loads &= ~i->waits, c->now.stores &= ~i->waits, c->now.missing &= ~i->waits;
}

static void flow_to(Check *c, u32 to)
{
   if (to >= c->shader->count)
      return;
   Pending *p = &c->entry[to], before = *p;
   for (u32 slot = 0; slot < SLOTS; slot++)
      p->written[slot] |= c->now.written[slot], p->read[slot] |= c->now.read[slot];
   p->loads |= c->now.loads, p->stores |= c->now.stores, p->missing |= c->now.missing;
   p->reached = true;
   if (!memcmp(&before, p, sizeof before) || c->queued[to])
      return;
   c->queued[to] = true;
   c->work[c->work_count++] = to;
}

/* A branch by a constant is taken always, or never. */
static void flow_on(Check *c, u32 at)
{
   const Instruction *i = &c->shader->instruction[at];
   bool branches = i->op->run == run_branch, known = branches && i->src[0].place == IN_CONSTANT;
   bool taken = known && (i->src[0].value == 0) == (i->compare == EQUAL);
   if (i->flow == END_OF_SHADER)
      return;
   if (branches && (!known || taken))
      flow_to(c, i->target);
   if (!known || !taken)
      flow_to(c, at + 1);
}

char *waits_of(const Shader *shader, bool of_fragments)
{
   Check c = {.shader = shader, .fragments = of_fragments, .now = {.missing = of_fragments ? 0xc0 : 0}};
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
      step(&c, at);
      flow_on(&c, at);
   }
   c.speaks = true;
   for (u32 at = 0; at < shader->count; at++) {
      c.now = c.entry[at];
      if (c.now.reached)
         step(&c, at);
   }
   fclose(c.out);
   free(c.entry), free(c.queued), free(c.work);
   return text;
}
