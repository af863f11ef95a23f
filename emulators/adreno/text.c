/* An instruction in words, near to what Mesa's disassembler writes. */
#include "ir3.h"
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

static void add_register(u32 number, bool half, char file)
{
   if (number >= P0 && number < DUMMY)
      add("p0.%c", "xyzw"[number & 3]);
   else if (number == A0 || number == A1)
      add("a%u.x", number - A0);
   else
      add("%s%c%u.%c", half ? "h" : "", file, number >> 2, "xyzw"[number & 3]);
}

static void add_source(const Source *s)
{
   add("%s", s->absolute && s->negate ? "(absneg)" : s->absolute ? "(abs)" : s->negate ? "(neg)" : "");
   if (s->repeats)
      add("(r)");
   switch ((enum Where)s->where) {
   case GPR: add_register(s->number, s->half, 'r'); break;
   case CONSTANT: add_register(s->number, s->half, 'c'); break;
   case IMMEDIATE: add(s->value > -4096 && s->value < 4096 ? "%d" : "0x%x", s->value); break;
   case RELATIVE_GPR: add("%sr<a0.x + %d>", s->half ? "h" : "", s->value); break;
   case RELATIVE_CONSTANT: add("%sc<a0.x + %d>", s->half ? "h" : "", s->value); break;
   }
}

static void add_destination(const Instruction *i)
{
   if (i->uniform)
      add("u");
   if (i->dst_relative)
      add("%sr<a0.x + %u>", i->dst_half ? "h" : "", i->dst);
   else
      add_register(i->dst, i->dst_half, 'r');
}

static void add_operands(const Instruction *i)
{
   const char *separator = " ";
   if (i->dst < DUMMY) {
      add("%s", separator);
      add_destination(i);
      separator = ", ";
   }
   for (u32 n = 1; n < i->size && (i->op->flag == SWZ || i->op->flag == SCT); n++) {
      add("%s", separator);
      add_register(i->targets[n], i->dst_half, 'r');
   }
   u32 sources = i->op->run == run_movmsk ? 0 : i->op->category == 1 ? (i->op->flag == PLAIN || i->op->flag == SCT ? 1 : i->size) : i->op->category == 3 ? 3 : i->op->sources;
   for (u32 n = 0; n < sources && i->op->category != 5; n++, separator = ", ") {
      add("%s", separator);
      add_source(&i->src[n]);
   }
   if (i->of_lane)
      add(i->index == OF_A0 ? ", a0.x" : ", %u", i->index);
}

static void add_memory(const Instruction *i)
{
   bool stores = i->op->run == run_store_global || i->op->run == run_store_local || i->op->run == run_store_private;
   add_operands(i);
   add("%s[", i->dst < DUMMY ? ", " : " ");
   add_register(i->address, false, i->address_const ? 'c' : 'r');
   if (i->op->flag == INDEXED || i->op->flag == SUM) {
      add("+");
      add_register(i->index, false, 'r');
      add("<<%u", i->shift);
   }
   add("%+d]", i->offset);
   if (stores) {
      add(", ");
      add_register(i->data, i->half, 'r');
   }
   add(", %u", i->size);
}

const char *instruction_text(const Instruction *i)
{
   static const char *const TYPES[] = {"f16", "f32", "u16", "u32", "s16", "s32", "u8", "u8_32"};
   static const char *const CONDITIONS[] = {"lt", "le", "gt", "ge", "eq", "ne", "?", "?"};
   length = 0;
   text[0] = 0;
   add("%s%s%s%s%s", i->sy ? "(sy)" : "", i->ss ? "(ss)" : "", i->jp ? "(jp)" : "", i->saturate ? "(sat)" : "", i->halve ? "(ei)" : "");
   if (i->repeat)
      add("(rpt%u)", i->repeat);
   if (i->nops)
      add("(nop%u) ", i->nops);
   add("%s%s", i->op->name, i->of_lane ? "s" : "");
   if (i->op->run == run_compare)
      add(".%s", CONDITIONS[i->condition & 7]);
   if (i->op->run == run_movmsk)
      add(".w%u", i->size * 32);
   else if (i->op->category == 1)
      add(".%s%s", TYPES[i->src_type & 7], TYPES[i->type & 7]);
   else if (i->op->category == 5 || i->op->category == 6)
      add(".%s", TYPES[i->type & 7]);
   if (i->op->category == 0) {
      if (i->op->run == run_branch)
         add(" %sp0.%c,", i->inverted ? "!" : "", "xyzw"[i->predicate & 3]);
      if (i->op->flag == BRAO || i->op->flag == BRAA)
         add(" %sp0.%c,", i->inverted2 ? "!" : "", "xyzw"[i->predicate2 & 3]);
      if (i->offset)
         add(" #%d", i->offset);
   } else if (i->op->category == 6) {
      add_memory(i);
   } else {
      add_operands(i);
   }
   return text;
}
