/* An instruction as text, nearly as AMD writes it. */
#include "gfx.h"
#include <ctype.h>
#include <stdio.h>

static char text[240];
static u32 at;

static void add(const char *format, u32 a, u32 b)
{
   int n = snprintf(text + at, sizeof text - at, format, a, b);
   at = n > 0 && at + n < sizeof text ? at + n : sizeof text - 1;
}

static void add_name(const char *name)
{
   for (; *name && at < sizeof text - 1; name++)
      text[at++] = (char)tolower(*name);
   text[at] = 0;
}

static void add_operand(u32 number, u32 words, u32 literal)
{
   const char *bank = number >= 256 ? "v" : "s";
   u32 n = number & (number >= 256 ? 255 : 127);
   if (number >= 128 && number < 256) {
      if (number == 255)
         add(" 0x%x", literal, 0);
      else if (number <= 208)
         add(number <= 192 ? " %u" : " -%u", number <= 192 ? number - 128 : number - 192, 0);
      else
         add(" #%u", number, 0);
   } else if (number == VCC_LO) {
      add(" vcc", 0, 0);
   } else if (number == EXEC_LO) {
      add(" exec", 0, 0);
   } else if (number == NULL_REGISTER) {
      add(" null", 0, 0);
   } else if (number == M0) {
      add(" m0", 0, 0);
   } else {
      add(words > 1 ? (*bank == 'v' ? " v[%u:%u]" : " s[%u:%u]") : *bank == 'v' ? " v%u" : " s%u", n, n + words - 1);
   }
}

const char *instruction_text(const Instruction *i)
{
   at = 0;
   add_name(i->op->name);
   for (u32 n = 0; n < i->use_count; n++)
      add_operand(i->uses[n].number, i->uses[n].count, i->literal);
   if (i->form >= SOP1 && i->form <= VOP3P)
      for (u32 n = 0; n < i->op->sources && n < 3; n++)
         if (i->source[n] >= 128 && i->source[n] < 256)
            add_operand(i->source[n], 1, i->literal);
   if (i->form == VOPD) {
      add(" :: ", 0, 0);
      add_name(i->second->name);
   }
   if (i->offset && (i->form == SOPK || i->form == SOPP || i->form == SMEM || i->form >= DS))
      add(" offset:%d", (u32)i->offset, 0);
   return text;
}
