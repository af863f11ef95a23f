/* An instruction in words: its name, what it chooses, its ports. */
#include "bifrost.h"
#include <stdarg.h>
#include <stdio.h>

static _Thread_local char text[256];
static _Thread_local u32 length;

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...)
{
   va_list values;
   va_start(values, format);
   length += vsnprintf(text + length, sizeof text - length, format, values);
   va_end(values);
   length = length < sizeof text ? length : sizeof text - 1;
}

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
      add("u%u", 2 * (t->constant & 0x7f) + high);
   else if (t->constant && t->constant < 0x20)
      add("special%u.%u", t->constant, high);
   else
      add("0x%x", t->value[high]);
}

static void add_source(const Instruction *i, const Tuple *t, u32 n)
{
   const Source *s = &i->src[n];
   add("%s%s", n ? ", " : " ", s->inverted ? "~" : "");
   switch ((enum Port)s->port) {
   case PORT_0: case PORT_1: case PORT_2: t ? add("r%u", t->read[s->port]) : add("port%u", s->port); break;
   case PORT_STAGE: add(i->is_add ? "t" : "0"); break;
   case PORT_LOW: case PORT_HIGH: t ? add_constant(t, s->port == PORT_HIGH) : add(s->port == PORT_LOW ? "low" : "high"); break;
   case PORT_FMA: add("t0"); break;
   case PORT_ADD: add("t1"); break;
   }
}

const char *instruction_text(const Instruction *i)
{
   const Tuple *t = tuple_of(i);
   length = 0;
   text[0] = 0;
   add("%s%s", i->is_add ? "+" : "*", i->op->name);
   for (u32 m = 0; m < MODIFIERS; m++)
      if (i->mod[m])
         add(".%s", option_names[i->mod[m]]);
   for (u32 n = 0; n < i->op->sources; n++)
      add_source(i, t, n);
   if ((i->op->reads || i->op->writes || i->op->run == run_atomic) && i->clause)
      add(", @r%u", i->clause->staging);
   return text;
}

static void trace_write(const char *unit, u8 number, u8 halves)
{
   static const char *const SUFFIX[] = {"", ".h0", ".h1", ""};
   if (number != NO_REGISTER)
      trace("         r%u%s = %s", number, SUFFIX[halves], unit);
}

void trace_shader(const Shader *shader)
{
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
