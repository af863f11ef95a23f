/* An instruction as text, nearly as Mesa's disassembler writes it. */
#include "eu.h"

static const char *const TYPES[16] = {"ub", "uw", "ud", "uq", "b", "w", "d", "q", "vf", "hf", "f", "df", "?", "?", "?", "?"};
static const char *const CONDITIONS[16] = {"", ".z", ".nz", ".g", ".ge", ".l", ".le", ".7", ".r", ".o", ".u"};
static const char *const FILES[16] = {"null", "a", "acc", "f", "ce", "msg", "sp", "sr", "cr", "n", "ip", "tdr", "tm", "?", "?", "?"};
static const char *const PREDICATES[16] = {"", "", ".anyv", ".allv", ".any2h", ".all2h", ".any4h", ".all4h", ".any8h", ".all8h",
                                           ".any16h", ".all16h", ".any32h", ".all32h", ".?", ".?"};
static const char *const FUNCTIONS[16] = {[2] = "sampler", [3] = "gateway", [5] = "render", [7] = "end", [9] = "constant", [10] = "data0",
                                          [12] = "data1", [13] = "typed", [14] = "slm", [15] = "ugm"};

static void print_register(const Operand *o)
{
   if (o->indirect)
      words_add("r[a0.%u%+d]", o->address, o->distance);
   else if (o->file == GRF)
      words_add("r%u.%u", o->at / REGISTER, o->at % REGISTER / bytes_of(o->type));
   else if (o->number >> 4 == 0)
      words_add("null");
   else
      words_add("%s%u.%u", FILES[o->number >> 4], o->number & 15, o->sub / bytes_of(o->type));
}

static void print_source(const Operand *o)
{
   if (o->file == IMMEDIATE) {
      words_add(" 0x%llx:%s", (unsigned long long)o->value, TYPES[o->type]);
      return;
   }
   words_add(" %s%s", o->negate ? "-" : "", o->absolute ? "|" : "");
   print_register(o);
   if (o->vertical == VXH)
      words_add("<vxh;%u,%u>%s%s", o->width, o->horizontal, TYPES[o->type], o->absolute ? "|" : "");
   else if (o->width)
      words_add("<%u;%u,%u>%s%s", o->vertical, o->width, o->horizontal, TYPES[o->type], o->absolute ? "|" : "");
   else
      words_add("<%u>%s%s", o->horizontal, TYPES[o->type], o->absolute ? "|" : "");
}

static void print_scoreboard(const Instruction *i)
{
   u32 x = i->swsb, set = i->op->run == run_send || i->op->run == run_math;
   if (x & 0x80)
      words_add(" {@%u $%u%s}", x >> 4 & 7, x & 15, set ? "" : ".dst");
   else if ((x & 0x70) == 0x20 || (x & 0x70) == 0x30 || (x & 0x70) == 0x40)
      words_add(" {$%u%s}", x & 15, (x & 0x70) == 0x20 ? ".dst" : (x & 0x70) == 0x30 ? ".src" : "");
   else if (x)
      words_add(" {%s@%u}", x >> 3 == 1 ? "A" : x >> 3 == 2 ? "F" : x >> 3 == 3 ? "I" : "", x & 7);
}

const char *instruction_text(const Instruction *i)
{
   words_begin();
   if (i->predicate)
      words_add("(%cf%u.%u%s) ", i->inverted ? '-' : '+', i->flag, i->flag_half, PREDICATES[i->predicate]);
   if (i->no_mask)
      words_add("(W) ");
   words_add("%s", i->op->name);
   if (i->op->run == run_math)
      words_add(".%s", math_functions[i->function].name ? math_functions[i->function].name : "?");
   words_add("%s%s(%u|M%u)", i->saturate ? ".sat" : "", CONDITIONS[i->condition], i->channels, i->first);
   if (i->condition)
      words_add(" f%u.%u", i->flag, i->flag_half);
   if (i->op->flow) {
      words_add(" jip %d uip %d", i->jip, i->uip);
   } else if (i->op->run == run_send) {
      words_add(" %s r%u r%u %s%u 0x%08x%s 0x%08x%s%s", FUNCTIONS[i->function] ? FUNCTIONS[i->function] : "?", i->dst.number,
          i->src[0].number, i->src[1].file ? "r" : "null", i->src[1].number, i->descriptor, i->descriptor_a0 ? "+a0" : "",
          i->extended, i->extended_a0 ? "+a0" : "", i->ends ? " eot" : "");
   } else if (i->op->run == run_sync) {
      words_add(".%u 0x%x", i->sync, i->wanted);
   } else if (i->op->run != run_nop) {
      words_add(" ");
      print_register(&i->dst);
      words_add("<%u>%s", i->dst.horizontal, TYPES[i->dst.type]);
      for (u32 n = 0; n < i->sources; n++)
         print_source(&i->src[n]);
   }
   print_scoreboard(i);
   words_add("%s%s%s", i->no_clear ? " NoDDClr" : "", i->no_check ? " NoDDChk" : "", i->switches ? " switch" : "");
   if (i->accumulates)
      words_add(" acc");
   return words_text();
}
