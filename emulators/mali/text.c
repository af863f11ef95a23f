/* An instruction as text: its name, its modifiers, its ports. */
#include "shader.h"

static const Tuple *tuple_of(const Instruction *i)
{
   for (u32 n = 0; i->clause && n < i->clause->count; n++)
      if (i == &i->clause->tuple[n].fma || i == &i->clause->tuple[n].add)
         return &i->clause->tuple[n];
   return NULL;
}

static void add_constant(const Tuple *t, bool high)
{
   if (t->constant & 0x80)
      words_add("u%u", 2 * (t->constant & 0x7f) + high);
   else if (t->constant && t->constant < 0x20)
      words_add("special%u.%u", t->constant, high);
   else
      words_add("0x%x", t->value[high]);
}

static void add_source(const Instruction *i, const Tuple *t, u32 n)
{
   const Source *s = &i->src[n];
   words_add("%s%s", n ? ", " : " ", s->inverted ? "~" : "");
   switch ((enum Port)s->port) {
   case PORT_0: case PORT_1: case PORT_2: t ? words_add("r%u", t->read[s->port]) : words_add("port%u", s->port); break;
   case PORT_STAGE: words_add(i->is_add ? "t" : "0"); break;
   case PORT_LOW: case PORT_HIGH: t ? add_constant(t, s->port == PORT_HIGH) : words_add(s->port == PORT_LOW ? "low" : "high"); break;
   case PORT_FMA: words_add("t0"); break;
   case PORT_ADD: words_add("t1"); break;
   }
}

static void add_place(const Source *s, bool first)
{
   words_add("%s%s", first ? " " : ", ", s->inverted ? "~" : "");
   switch ((enum Place)s->place) {
   case IN_REGISTER: words_add("%sr%u%s", s->last ? "^" : "", s->number, s->wide ? ":2" : ""); break;
   case IN_UNIFORM: words_add("u%u", s->number); break;
   case IN_CONSTANT: words_add("0x%x", s->value); break;
   case IN_SPECIAL: words_add("special%u.%u.%u", s->number >> 5, s->number >> 1 & 15, s->number & 1); break;
   }
}

/* A message's registers: the first, and how many. */
static void add_staging(const char *before, u32 first, u32 count)
{
   if (count)
      words_add("%sr%u:%u", before, first, count);
}

static const char *word_text(const Instruction *i)
{
   static const char *const HALVES[] = {".none", ".h0", ".h1", ""};
   words_begin();
   words_add("%s", i->op->name);
   for (u32 m = 0; m < MODIFIERS; m++)
      if (i->mod[m])
         words_add(".%s", option_names[i->mod[m]]);
   if (i->op->staged || i->op->run == run_barrier)
      words_add(".slot%u", i->slot);
   if (i->waits)
      words_add(".wait%x", i->waits);
   else if (i->flow)
      words_add(i->flow == RECONVERGE ? ".reconverge" : i->flow == DISCARD ? ".discard" : ".end");
   bool first = i->op->result == ' ';
   if (!first)
      words_add(" r%u%s%s", i->result, i->op->result == 'd' ? ":2" : "", HALVES[i->halves]);
   for (u32 n = 0; n < i->op->sources; n++, first = false)
      add_place(&i->src[n], first);
   if (i->op->run == run_branch)
      words_add(", %u", i->target);
   else if (i->offset)
      words_add(", offset %d", i->offset);
   add_staging(", @", i->from, message_registers(i, false));
   add_staging(" to @", i->to, message_registers(i, true));
   return words_text();
}

const char *instruction_text(const Instruction *i)
{
   if (is_valhall())
      return word_text(i);
   const Tuple *t = tuple_of(i);
   words_begin();
   words_add("%s%s", i->is_add ? "+" : "*", i->op->name);
   for (u32 m = 0; m < MODIFIERS; m++)
      if (i->mod[m])
         words_add(".%s", option_names[i->mod[m]]);
   for (u32 n = 0; n < i->op->sources; n++)
      add_source(i, t, n);
   if (i->op->staged && i->clause) {
      add_staging(", @", i->from, clause_registers(i, false));
      add_staging(" to @", i->to, clause_registers(i, true));
   }
   return words_text();
}

static void trace_write(const char *unit, u8 number, u8 halves)
{
   static const char *const SUFFIX[] = {"", ".h0", ".h1", ""};
   if (number != NO_REGISTER)
      trace("         r%u%s = %s", number, SUFFIX[halves], unit);
}

void trace_shader(const Shader *shader)
{
   for (u32 k = 0; shader->instruction && k < shader->count; k++)
      trace("  %4u  %s", k, instruction_text(&shader->instruction[k]));
   if (shader->instruction)
      return;
   for (u32 k = 0; k < shader->count; k++) {
      const Clause *c = &shader->clause[k];
      trace("  clause %u: flow %u, slot %u, waits 0x%02x%s, message %u", k, c->flow, c->slot, c->waits, c->staging_barrier ? ", staging barrier" : "",
            c->message);
      if (c->target != NOWHERE)
         trace("      branches to %d", (i32)c->target);
      for (u32 n = 0; n < c->count; n++) {
         const Tuple *t = &c->tuple[n], *next = &c->tuple[(n + 1) % c->count];
         trace("      %s", instruction_text(&t->fma));
         trace_write("t0", next->write_fma, next->halves_fma);
         trace("      %s", instruction_text(&t->add));
         trace_write("t1", next->write_add, next->halves_add);
      }
   }
}
