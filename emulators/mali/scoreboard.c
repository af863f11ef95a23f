/* What a finished shader forgets to wait for, along all paths, by its binary only: the part that Bifrost and Valhall
 * share.
 *
 * A message runs in a slot, in parallel with the instructions after it. Once its slot has been waited for, its results
 * are written and its registers have been read. The rules stand in Mesa's src/panfrost/compiler:
 * bifrost/bi_scoreboard.c, valhall/va_insert_flow.c and va_mark_last.c, bir.c (bi_reconverge_branches).
 */
#include "scoreboard.h"
#include <stdarg.h>
#include <stdlib.h>

enum { MOST = 16 };

void report(Check *c, const Instruction *i, const char *what, const char *format, ...)
{
   if (!c->p.reports || c->findings++ >= MOST)
      return;
   u32 at = i->clause ? (u32)(i->clause - c->shader->clause) : (u32)(i - c->shader->instruction);
   va_list values;
   fprintf(c->p.out, "%s %s (%s %u): ", what, instruction_text(i), i->clause ? "clause" : "instruction", at);
   va_start(values, format);
   vfprintf(c->p.out, format, values);
   va_end(values);
   fputc('\n', c->p.out);
}

void check_written(Check *c, const Instruction *i, u64 reads, u64 writes)
{
   char what[64];
   for (u32 slot = 0; slot < SLOTS; slot++) {
      u64 late = c->now.written[slot] & (reads | writes);
      if (!late)
         continue;
      snprintf(what, sizeof what, "wait for slot %u missing before", slot);
      report(c, i, what, "r%u is %s before the message that writes it is done", lowest(late), late & reads ? "read" : "written");
      c->now.written[slot] &= ~late;
   }
}

/* Loads of constants need no order, because nothing writes them. */
void check_memory(Check *c, const Instruction *i, bool loads, bool stores, bool barrier)
{
   char what[64];
   u8 late = barrier || stores ? c->now.loads | c->now.stores : loads ? c->now.stores : 0;
   if (!late)
      return;
   snprintf(what, sizeof what, "wait for slot %u missing before", lowest(late));
   report(c, i, what, "a message to memory is still under way");
   c->now.loads &= ~late, c->now.stores &= ~late;
}

static u32 follows(const Check *c, u32 at, u32 to[2]) { return (is_valhall() ? word_follows : clause_follows)(c->shader, at, to); }

/* Whether a jump leaves a loop: a place that it skips jumps back to it, or before it. If nothing else leads to the
 * jump's target, Mesa does not reconverge there, so reconvergence is not demanded. */
static bool leaves_loop(const Check *c, u32 at, u32 to)
{
   for (u32 n = at + 1, back[2]; n < to; n++)
      for (u32 k = follows(c, n, back); k-- > 0;)
         if (back[k] <= at)
            return true;
   return false;
}

void check_flow(Check *c, u32 at, const Instruction *last, bool reconverges)
{
   u32 to[2], ways = c->p.reports ? follows(c, at, to) : 0;
   for (u32 n = 0; n < ways; n++)
      if (to[n] == c->p.count)
         report(c, last, "an end missing after", "nothing is there");
   if (ways == 2 && !reconverges)
      report(c, last, "lanes part after", "it does not reconverge");
   /* If a block of Bifrost falls through an empty block into the place, Mesa counts only the ways to the empty one,
    * so reconvergence is not demanded. */
   else if (ways == 1 && (is_valhall() || to[0] != at + 1) && to[0] < c->p.count && c->ways[to[0]] > 1 && !reconverges && !leaves_loop(c, at, to[0]))
      report(c, last, "lanes join after", "it does not reconverge");
}

void wait_for(Check *c, u8 slots)
{
   for (u32 slot = 0; slot < SLOTS; slot++)
      if (slots >> slot & 1)
         c->now.written[slot] = c->now.read[slot] = 0;
   c->now.loads &= ~slots, c->now.stores &= ~slots, c->now.missing &= ~slots;
}

static void flow_to(Check *c, u32 to)
{
   if (to >= c->p.count)
      return;
   Pending *p = &c->entry[to], before = *p;
   for (u32 slot = 0; slot < SLOTS; slot++)
      p->written[slot] |= c->now.written[slot], p->read[slot] |= c->now.read[slot];
   p->loads |= c->now.loads, p->stores |= c->now.stores, p->missing |= c->now.missing;
   if (!c->p.reached[to] || memcmp(&before, p, sizeof before))
      paths_queue(&c->p, to);
}

void flow_on(Check *c, u32 at)
{
   u32 to[2];
   for (u32 n = c->p.reports ? 0 : follows(c, at, to); n-- > 0;)
      flow_to(c, to[n]);
}

/* The findings, a line each. */
static char *hazards_of(const Shader *shader, bool of_fragments)
{
   Check c = {.shader = shader, .fragments = of_fragments, .now = {.missing = of_fragments && is_valhall() ? 0xc0 : 0}};
   u32 to[2];
   c.entry = calloc(shader->count, sizeof *c.entry);
   c.ways = calloc(shader->count, sizeof *c.ways);
   paths_begin(&c.p, shader->count, is_valhall() ? word_step : clause_step);
   flow_to(&c, 0);
   paths_settle(&c.p);
   for (u32 at = 0; at < shader->count; at++)
      for (u32 n = c.p.reached[at] ? follows(&c, at, to) : 0; n-- > 0;)
         if (to[n] < shader->count)
            c.ways[to[n]]++;
   char *text = paths_end(&c.p);
   free(c.entry), free(c.ways);
   return text;
}

/* Each case that launches the shader gets each finding as a mark. */
void hazards_report(Shader *shader, const State *state)
{
   if (!shader->findings)
      shader->findings = hazards_of(shader, state->stage == FRAGMENT_STAGE);
   findings_report(shader->findings, &shader->reported);
}
