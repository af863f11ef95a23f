/* Decodes words to instructions, by the generated tables. */
#include "shader.h"

static u32 field_bits(u64 word, const FieldOf *f)
{
   u32 low = (u32)(word >> f->bits[0]) & ((1u << f->bits[1]) - 1), high = (u32)(word >> f->bits[2]) & ((1u << f->bits[3]) - 1);
   return low | high << f->bits[1];
}

static u32 source_port(u64 word, const Encoding *e, u32 n) { return word >> (e->sources[n] & 63) & 7; }

/* False if a field has a reserved value. */
static bool decode_fields(Instruction *i, const Encoding *e, u64 word)
{
   memset(i->mod, O_none, sizeof i->mod);
   bool swapped = !is_valhall() && e->op->sources > 1 && source_port(word, e, 0) > source_port(word, e, 1);
   for (u32 n = 0; n < e->count; n++) {
      u8 option = e->fields[n].values[swapped][field_bits(word, &e->fields[n])];
      if (option == RESERVED_OPTION)
         return false;
      i->mod[e->fields[n].modifier] = option;
   }
   return true;
}

/* Which part of its word source n takes, by the modifier that says so. */
static Pick pick_of(const Instruction *i, u32 n)
{
   static const u8 MODIFIERS_OF[4][6] = {
      {M_widen0, M_swz0, M_lanes0, M_lane0, M_swap0, M_replicate0},
      {M_widen1, M_swz1, M_lanes1, M_lane1, M_swap1, M_replicate1},
      {M_swz2, M_lanes2, M_lane2, M_swap2, M_swz2, M_swz2},
      {M_lane3, M_lane3, M_lane3, M_lane3, M_lane3, M_lane3},
   };
   for (u32 k = 0; k < 6; k++)
      if (picks[i->mod[MODIFIERS_OF[n][k]]].width)
         return picks[i->mod[MODIFIERS_OF[n][k]]];
   return (Pick){0};
}

static void decode_source(Instruction *i, u32 n)
{
   Source *s = &i->src[n];
   char kind = i->op->kinds[n];
   u32 width = kind == 'U' || kind == 'S' || kind == 'h' ? 16 : kind == 'B' || kind == 'b' ? 8 : 32;
   s->pick = pick_of(i, n);
   s->plain = !s->pick.width || s->pick.width == width;
   for (u32 k = 0; k < 32 / width; k++)
      s->plain &= !s->pick.width || s->pick.at[k] == k;
   s->halves = kind == 'H' ? 1 << s->pick.at[0] : s->pick.width ? 0 : 3;
   for (u32 k = 0; s->pick.width && k < 32 / width; k++)
      s->halves |= s->pick.width == 32 ? 3 : 1 << (s->pick.at[k] * s->pick.width >> 4);
   static const u8 NEGATES[3] = {M_neg0, M_neg1, M_neg2}, ABSOLUTES[3] = {M_abs0, M_abs1, M_abs2};
   s->negate = n < 3 && i->mod[NEGATES[n]] == O_neg;
   s->absolute = n < 3 && i->mod[ABSOLUTES[n]] == O_abs;
   s->inverted = n == 1 && i->mod[M_not1] == O_not;
}

static u8 comparison(u8 option)
{
   switch (option) {
   case O_eq: return EQUAL;
   case O_gt: return GREATER;
   case O_ge: return GREATER | EQUAL;
   case O_ne: return LESS | GREATER | UNORDERED;
   case O_lt: return LESS;
   case O_le: return LESS | EQUAL;
   case O_gtlt: return LESS | GREATER;
   case O_total: return LESS | EQUAL | GREATER;
   default: return 0;
   }
}

/* A modifier that is not emulated: the instruction is refused only if it runs. */
static const Opcode *unknown_form(const Opcode *op)
{
   static Opcode forms[64];
   u32 n = 0;
   while (n < COUNT(forms) - 1 && forms[n].name && forms[n].name != op->name)
      n++;
   forms[n] = *op;
   forms[n].run = run_unknown;
   return &forms[n];
}

static void decode_modifiers(Instruction *i)
{
   i->compare = comparison(i->mod[M_cmpf]);
   bool rounds_itself = !strncmp(i->op->name, "FROUND", 6) || strstr(i->op->name, "_TO_S") || strstr(i->op->name, "_TO_U");
   i->rounds = i->op->run == run_alu && i->mod[M_round] && !rounds_itself && !strstr(i->op->name, "HADD");
   if (i->mod[M_round] == O_rtna && !strstr(i->op->name, "V2F32")) /* their functions apply it, exactly */
      i->rounds = false;
   bool away = i->mod[M_round] == O_rtna && !rounds_itself && !strstr(i->op->name, "_TO_");
   u8 round = i->mod[M_round];
   if (i->mod[M_mask] || i->mod[M_divzero] || i->mod[M_offset] || away || round == O_rto || round == O_inf || round == O_inf0)
      i->op = unknown_form(i->op);
}

bool decode_instruction(Instruction *i, u64 word, const Encoding *list, u32 count)
{
   const Encoding *e = list;
   while (e < list + count && ((word & e->mask) != e->value || !decode_fields(i, e, word)))
      e++;
   if (e == list + count)
      return false;
   i->op = e->op;
   i->word = word;
   for (u32 n = 0; n < i->op->sources; n++) {
      i->src[n].port = source_port(word, e, n);
      i->src[n].at = e->sources[n];
      decode_source(i, n);
   }
   decode_modifiers(i);
   return true;
}
