/* Instructions of words, and the shaders that have been decoded. */
#include "bifrost.h"
#include <stdlib.h>

static u32 field_bits(u32 word, const FieldOf *f)
{
   u32 low = word >> f->bits[0] & ((1u << f->bits[1]) - 1), high = word >> f->bits[2] & ((1u << f->bits[3]) - 1);
   return low | high << f->bits[1];
}

static u32 source_port(u32 word, const Encoding *e, u32 n) { return word >> e->sources[n] & 7; }

/* False if one of the fields has a reserved value. */
static bool decode_fields(Instruction *i, const Encoding *e, u32 word)
{
   memset(i->mod, O_none, sizeof i->mod);
   bool swapped = e->op->sources > 1 && source_port(word, e, 0) > source_port(word, e, 1);
   for (u32 n = 0; n < e->count; n++) {
      u8 option = e->fields[n].values[swapped][field_bits(word, &e->fields[n])];
      if (option == RESERVED_OPTION)
         return false;
      i->mod[e->fields[n].modifier] = option;
   }
   return true;
}

static const Encoding *find_encoding(Instruction *i, u32 word, bool is_add)
{
   const Encoding *list = is_add ? add_encodings : fma_encodings;
   u32 count = is_add ? add_encoding_count : fma_encoding_count;
   for (u32 n = 0; n < count; n++)
      if ((word & list[n].mask) == list[n].value && decode_fields(i, &list[n], word))
         return &list[n];
   stop(FAULT, "the word 0x%05x of the unit %s is no instruction", word, is_add ? "ADD" : "FMA");
}

/* What source n takes of its word, by whichever of the modifiers says so. */
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

/* The same instruction with a modifier that is not emulated: it is one only where it runs. */
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

void decode_instruction(Instruction *i, u32 word, bool is_add)
{
   const Encoding *e = find_encoding(i, word, is_add);
   i->op = e->op;
   i->word = word;
   i->is_add = is_add;
   for (u32 n = 0; n < i->op->sources; n++) {
      i->src[n].port = source_port(word, e, n);
      decode_source(i, n);
   }
   i->compare = comparison(i->mod[M_cmpf]);
   bool rounds_itself = !strncmp(i->op->name, "FROUND", 6) || strstr(i->op->name, "_TO_S") || strstr(i->op->name, "_TO_U");
   i->rounds = i->op->run == run_alu && i->mod[M_round] && !rounds_itself && !strstr(i->op->name, "HADD");
   if (i->mod[M_round] == O_rtna && !strstr(i->op->name, "V2F32")) /* their functions do it, exactly */
      i->rounds = false;
   bool away = i->mod[M_round] == O_rtna && !rounds_itself && !strstr(i->op->name, "_TO_");
   u8 round = i->mod[M_round];
   if (i->mod[M_mask] || i->mod[M_divzero] || i->mod[M_offset] || away || round == O_rto || round == O_inf || round == O_inf0)
      i->op = unknown_form(i->op);
}

/* ---- shaders */

static u32 clause_at(const Shader *s, i64 quad)
{
   for (u32 n = 0; n < s->count; n++)
      if (s->clause[n].at == quad)
         return n;
   stop(FAULT, "a branch to %lld, where no clause begins", (long long)quad);
}

/* A branch goes as many bytes from its clause on as a constant of 28 bits says; the constant 0 ends the shader. */
static void find_target(const Shader *s, Clause *c)
{
   for (u32 n = 0; n < c->count; n++) {
      const Tuple *t = &c->tuple[n];
      const Instruction *i = &t->add;
      c->controls |= i->op->run == run_barrier;
      if (i->op->run != run_jump && i->op->run != run_branch_zero)
         continue;
      if (c->target != NOWHERE)
         stop(UNKNOWN, "a clause with two branches");
      u8 port = i->src[i->op->sources - 1].port;
      if ((port != PORT_LOW && port != PORT_HIGH) || (t->constant && (t->constant < 0x20 || t->constant & 0x80)))
         stop(UNKNOWN, "%s to what is no constant", i->op->name);
      c->controls = true;
      c->target = t->constant ? clause_at(s, (i64)c->at + SBITS(t->value[port == PORT_HIGH], 0, 27) / 16) : END;
   }
   c->controls |= c->flow == 0;
}

static void decode_shader(Shader *s, u64 address)
{
   enum { MOST = 1 << 16, CLAUSE = 24 };
   u32 space = 16, at = 0;
   s->clause = malloc(space * sizeof *s->clause);
   for (;;) {
      const u8 *bytes = memory_mapped(address + 16ull * at, 16, 16, "the shader's code");
      u32 word;
      memcpy(&word, bytes, 4);
      if (!word) /* the compiler puts zeros behind it, for the prefetch */
         break;
      if (s->count == space)
         s->clause = realloc(s->clause, (space *= 2) * sizeof *s->clause);
      if (at > MOST)
         stop(FAULT, "a shader of more than %u quadwords", MOST);
      u32 quads = 1;
      while (quads < CLAUSE && memory_find_mapped(address + 16ull * at, 16ull * (quads + 1)))
         quads++;
      Clause *c = &s->clause[s->count++];
      u32 size = decode_clause(c, bytes, quads);
      c->at = at;
      c->next = at += size;
   }
   if (!at)
      stop(FAULT, "a launch without a shader");
   s->size = 16ull * at;
   for (u32 n = 0; n < s->count; n++) {
      for (u32 k = 0; k < s->clause[n].count; k++)
         s->clause[n].tuple[k].fma.clause = s->clause[n].tuple[k].add.clause = &s->clause[n];
      find_target(s, &s->clause[n]);
   }
}

static Shader *known;
static u32 known_clauses; /* of all of them */

static void forget_shaders(void)
{
   for (Shader *s = known, *next; s; s = next) {
      next = s->next;
      free(s->bytes);
      free(s->clause);
      free(s->findings);
      free(s);
   }
   known = NULL;
   known_clauses = 0;
}

/* The shader at an address, decoded where what lies there is not what lay there. It is kept until the next call at least. */
Shader *shader_at(u64 address)
{
   enum { MOST = 1 << 14 };
   for (Shader *s = known; s; s = s->next) {
      const u8 *bytes = s->address == address ? memory_find_mapped(address, s->size + 4) : NULL;
      u32 behind;
      if (bytes && (memcpy(&behind, bytes + s->size, 4), !behind) && !memcmp(bytes, s->bytes, s->size))
         return s;
   }
   static Shader fresh; /* nobody's until it is whole: a stop may leave it */
   free(fresh.clause);
   fresh = (Shader){.address = address};
   decode_shader(&fresh, address);
   if (known_clauses + fresh.count > MOST)
      forget_shaders();
   known_clauses += fresh.count;
   Shader *s = malloc(sizeof *s);
   *s = fresh;
   fresh.clause = NULL;
   s->bytes = memcpy(malloc(s->size), memory_mapped(address, s->size, 1, "the shader's code"), s->size);
   code_keep(code_hash(s->bytes, s->size), s->bytes, s->size);
   s->next = known;
   return known = s;
}
