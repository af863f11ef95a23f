/* An instruction as text, nearly as Mesa's disassembler writes it. */
#include "ir3.h"

static void add_register(u32 number, bool half, char file)
{
   if (number >= P0 && number < DUMMY)
      words_add("p0.%c", "xyzw"[number & 3]);
   else if (number == A0 || number == A1)
      words_add("a%u.x", number - A0);
   else
      words_add("%s%c%u.%c", half ? "h" : "", file, number >> 2, "xyzw"[number & 3]);
}

static void add_source(const Source *s)
{
   words_add("%s", s->absolute && s->negate ? "(absneg)" : s->absolute ? "(abs)" : s->negate ? "(neg)" : "");
   if (s->repeats)
      words_add("(r)");
   switch ((enum Where)s->where) {
   case GPR: add_register(s->number, s->half, 'r'); break;
   case CONSTANT: add_register(s->number, s->half, 'c'); break;
   case IMMEDIATE: words_add(s->value > -4096 && s->value < 4096 ? "%d" : "0x%x", s->value); break;
   case RELATIVE_GPR: words_add("%sr<a0.x + %d>", s->half ? "h" : "", s->value); break;
   case RELATIVE_CONSTANT: words_add("%sc<a0.x + %d>", s->half ? "h" : "", s->value); break;
   }
}

static void add_destination(const Instruction *i)
{
   if (i->uniform)
      words_add("u");
   if (i->dst_relative)
      words_add("%sr<a0.x + %u>", i->dst_half ? "h" : "", i->dst);
   else
      add_register(i->dst, i->dst_half, 'r');
}

static void add_operands(const Instruction *i)
{
   const char *separator = " ";
   if (i->dst < DUMMY) {
      words_add("%s", separator);
      add_destination(i);
      separator = ", ";
   }
   for (u32 n = 1; n < i->size && (i->op->flag == SWZ || i->op->flag == SCT); n++) {
      words_add("%s", separator);
      add_register(i->targets[n], i->dst_half, 'r');
   }
   u32 sources = i->op->run == run_movmsk ? 0 : i->op->category == 1 ? (i->op->flag == PLAIN || i->op->flag == SCT ? 1 : i->size) : i->op->category == 3 ? 3 : i->op->sources;
   for (u32 n = 0; n < sources && i->op->category != 5; n++, separator = ", ") {
      words_add("%s", separator);
      add_source(&i->src[n]);
   }
   if (i->of_lane)
      words_add(i->index == OF_A0 ? ", a0.x" : ", %u", i->index);
}

static void add_memory(const Instruction *i)
{
   bool stores = i->op->run == run_store_global || i->op->run == run_store_local || i->op->run == run_store_private;
   add_operands(i);
   words_add("%s[", i->dst < DUMMY ? ", " : " ");
   add_register(i->address, false, i->address_const ? 'c' : 'r');
   if (i->op->flag == INDEXED || i->op->flag == SUM) {
      words_add("+");
      add_register(i->index, false, 'r');
      words_add("<<%u", i->shift);
   }
   words_add("%+d]", i->offset);
   if (stores) {
      words_add(", ");
      add_register(i->data, i->half, 'r');
   }
   words_add(", %u", i->size);
}

const char *instruction_text(const Instruction *i)
{
   static const char *const TYPES[] = {"f16", "f32", "u16", "u32", "s16", "s32", "u8", "u8_32"};
   static const char *const CONDITIONS[] = {"lt", "le", "gt", "ge", "eq", "ne", "?", "?"};
   words_begin();
   words_add("%s%s%s%s%s", i->sy ? "(sy)" : "", i->ss ? "(ss)" : "", i->jp ? "(jp)" : "", i->saturate ? "(sat)" : "", i->halve ? "(ei)" : "");
   if (i->repeat)
      words_add("(rpt%u)", i->repeat);
   if (i->nops)
      words_add("(nop%u) ", i->nops);
   words_add("%s%s", i->op->name, i->of_lane ? "s" : "");
   if (i->op->run == run_compare)
      words_add(".%s", CONDITIONS[i->condition & 7]);
   if (i->op->run == run_movmsk)
      words_add(".w%u", i->size * 32);
   else if (i->op->category == 1)
      words_add(".%s%s", TYPES[i->src_type & 7], TYPES[i->type & 7]);
   else if (i->op->category == 5 || i->op->category == 6)
      words_add(".%s", TYPES[i->type & 7]);
   if (i->op->category == 0) {
      if (i->op->run == run_branch)
         words_add(" %sp0.%c,", i->inverted ? "!" : "", "xyzw"[i->predicate & 3]);
      if (i->op->flag == BRAO || i->op->flag == BRAA)
         words_add(" %sp0.%c,", i->inverted2 ? "!" : "", "xyzw"[i->predicate2 & 3]);
      if (i->offset)
         words_add(" #%d", i->offset);
   } else if (i->op->category == 6) {
      add_memory(i);
   } else {
      add_operands(i);
   }
   return words_text();
}
