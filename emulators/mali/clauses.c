/* The bits of a clause: quadwords of 12 forms, each with parts of tuples, of the header and of constants.
 *
 * Mesa's src/panfrost/compiler/bifrost.h has the forms (bi_clause_formats), the header and the modes of the registers.
 */
#include "shader.h"
#include <stdlib.h>

typedef unsigned __int128 u128;
enum { NONE = -1, HEADER = -2, CONSTANT = -3, PAIR = -4 };

/* A quadword: 8 bits of tag, 60, 15, 30 and 15 bits. A tuple has 78 bits, of which the three highest are stored elsewhere. */
static const struct form {
   u8 mask, value;       /* of the tag; without 0x40 if that bit says whether the clause ends here */
   i8 tag_high, tag_low; /* the tuples whose highest bits are the tag's bits 3 to 5, and 0 to 2 */
   i8 first;             /* the tuple that the 60 and the first 15 bits belong to, or CONSTANT */
   i8 third, fourth;     /* the same of the 30 and the last 15 bits: a tuple, HEADER, CONSTANT, or highest bits (fourth) */
   u8 part;              /* 0: `third` is the lowest 30 bits, `fourth` the next 15; else the highest */
   i8 upper[2];          /* the tuples whose highest bits are in `fourth` */
   u8 tuples;            /* of the clause, if it can end here */
} FORMS[] = {
   {0xf8, 0x28, NONE, 0, 0, HEADER, HEADER, 3, {NONE, NONE}, 0},
   {0xb8, 0x08, NONE, 0, 0, HEADER, HEADER, 3, {NONE, NONE}, 1},
   {0xbf, 0x03, NONE, NONE, 1, NONE, NONE, 3, {1, NONE}, 2},
   {0xf8, 0x20, NONE, 1, 1, 2, 2, 0, {NONE, NONE}, 0},
   {0xbf, 0x04, NONE, NONE, CONSTANT, 2, NONE, 3, {2, NONE}, 3},
   {0xff, 0x01, NONE, NONE, 3, 2, NONE, 3, {2, 3}, 0},
   {0xbf, 0x05, NONE, NONE, 3, 2, NONE, 3, {2, 3}, 4},
   {0xc0, 0x80, 3, 2, 3, 2, CONSTANT, 3, {NONE, NONE}, 0},
   {0xb8, 0x10, NONE, 4, 4, CONSTANT, PAIR, 3, {NONE, NONE}, 5},
   {0xf8, 0x60, NONE, 4, 4, 5, 5, 0, {NONE, NONE}, 0},
   {0xbf, 0x06, NONE, NONE, CONSTANT, 5, NONE, 3, {5, NONE}, 6},
   {0xbf, 0x07, NONE, NONE, 6, 5, NONE, 3, {5, 6}, 7},
   {0xc0, 0xc0, 6, 5, 6, 5, CONSTANT, 3, {NONE, NONE}, 0},
   {0xb8, 0x18, NONE, 7, 7, CONSTANT, PAIR, 3, {NONE, NONE}, 8},
};

/* The first of the two constants of a quadword of them, by its position in the clause. */
static const u8 FIRST_CONSTANT[16] = {0, 0, 0, 1, 1, 2, 0, 1, 3, 1, 2, 3, 3, 4, 5, 0};

typedef struct {
   u128 tuple[TUPLES];
   u64 constant[CONSTANTS + 1], header;
   u32 tuples;
} Bits;

static void add_quadword(Bits *b, const struct form *f, u8 tag, u128 q)
{
   u64 first = (u64)(q >> 8) & ((1ull << 60) - 1), second = (u64)(q >> 68) & 0x7fff, third = (u64)(q >> 83) & 0x3fffffff, fourth = (u64)(q >> 113);
   if (f->tag_low != NONE)
      b->tuple[f->tag_low] |= (u128)(tag & 7) << 75;
   if (f->tag_high != NONE)
      b->tuple[f->tag_high] |= (u128)(tag >> 3 & 7) << 75;
   if (f->first == CONSTANT)
      b->constant[0] = first << 4;
   else
      b->tuple[f->first] |= first | (u128)second << 60;
   if (f->third == HEADER)
      b->header = third | fourth << 30;
   else if (f->third == CONSTANT)
      b->constant[0] |= (third << 15 | fourth << 45) << 4;
   else if (f->third != NONE)
      b->tuple[f->third] |= f->part == 0 ? (u128)third | (u128)fourth << 30 : (u128)third << 45;
   if (f->fourth == CONSTANT)
      b->constant[0] |= fourth << 4;
   for (u32 n = 0; n < 2; n++)
      if (f->upper[n] != NONE)
         b->tuple[f->upper[n]] |= (u128)(fourth >> (12 - 3 * n) & 7) << 75;
}

/* Returns the quadwords of the clause. */
static u32 collect(Bits *b, const u8 *bytes, u32 quads)
{
   for (u32 n = 0; n < quads; n++) {
      u128 q;
      memcpy(&q, bytes + 16 * n, 16);
      u8 tag = (u8)q;
      if ((tag & 0xb0) == 0x30) {
         u32 at = FIRST_CONSTANT[tag & 15];
         b->constant[at] = ((u64)(q >> 8) & ((1ull << 60) - 1)) << 4;
         b->constant[at + 1] = (u64)(q >> 68) << 4;
         if (tag & 0x40)
            return n + 1;
         continue;
      }
      u32 k = 0;
      while (k < COUNT(FORMS) && (tag & FORMS[k].mask) != FORMS[k].value)
         k++;
      if (k == COUNT(FORMS))
         stop(FAULT, "a clause with a quadword of tag 0x%02x", tag);
      add_quadword(b, &FORMS[k], tag, q);
      if (FORMS[k].tuples) {
         b->tuples = FORMS[k].tuples;
         if (tag & 0x40)
            return n + 1;
      }
   }
   stop(FAULT, "a clause without an end");
}

/* ---- the registers of a tuple: 35 bits */

enum Use { IDLE, READ, WRITE, WRITE_LOW, WRITE_HIGH };
static const u8 HALVES_OF[] = {0, 0, 3, 1, 2};
/* What the third and the fourth port do, and whether the fourth takes FMA's result. */
static const struct { u8 third, fourth; bool fma; } MODES[32] = {
   [1] = {READ, WRITE_LOW, true}, [2] = {READ, WRITE_HIGH, true}, [3] = {READ, WRITE, true}, [4] = {READ, WRITE_LOW, false},
   [5] = {READ, WRITE_HIGH, false}, [6] = {READ, WRITE, false}, [7] = {WRITE_LOW, WRITE_LOW, false}, [8] = {WRITE_LOW, WRITE_HIGH, false},
   [9] = {WRITE_LOW, WRITE, false}, [10] = {WRITE_HIGH, WRITE_LOW, false}, [11] = {WRITE_HIGH, WRITE_HIGH, false},
   [12] = {WRITE_HIGH, WRITE, false}, [13] = {WRITE, WRITE_LOW, false}, [14] = {WRITE, WRITE_HIGH, false}, [15] = {WRITE, WRITE, false},
   [16] = {IDLE, IDLE, true}, [17] = {IDLE, WRITE, true}, [18] = {IDLE, WRITE_LOW, true}, [19] = {IDLE, WRITE_HIGH, true},
   [20] = {READ, IDLE, false}, [21] = {IDLE, WRITE, false}, [22] = {IDLE, WRITE_LOW, false}, [23] = {IDLE, WRITE_HIGH, false},
   [24] = {WRITE_LOW, WRITE_HIGH, false}, [26] = {WRITE_HIGH, WRITE_LOW, false}, [27] = {IDLE, IDLE, true},
};

static void decode_registers(Tuple *t, u64 w, bool first)
{
   u32 third = BITS(w, 14, 19), fourth = BITS(w, 8, 13), low = BITS(w, 20, 24), high = BITS(w, 25, 30), control = BITS(w, 31, 34);
   u32 mode = control ? control : high >> 2;
   t->read[0] = t->read[1] = t->read[2] = t->write_fma = t->write_add = NO_REGISTER;
   if (control) { /* two registers: the lower one comes first, else both are counted from the other end */
      t->read[0] = low <= high ? low : 63 - low;
      t->read[1] = low <= high ? high : 63 - high;
   } else if (!(high & 2)) {
      t->read[0] = low | (high & 1) << 5;
   }
   mode = first ? (mode & 7) | (mode & 8) << 1 : third == fourth ? mode + 16 : mode;
   if (mode == 0 || mode == 25 || mode > 27)
      stop(FAULT, "a tuple with the register mode %u", mode);
   if (MODES[mode].third == READ)
      t->read[2] = third;
   else if (MODES[mode].third)
      t->write_fma = third, t->halves_fma = HALVES_OF[MODES[mode].third];
   if (MODES[mode].fourth && MODES[mode].fma)
      t->write_fma = fourth, t->halves_fma = HALVES_OF[MODES[mode].fourth];
   else if (MODES[mode].fourth)
      t->write_add = fourth, t->halves_add = HALVES_OF[MODES[mode].fourth];
}

/* The values of ports 4 and 5: an embedded constant, whose lowest 4 bits are in its number, a uniform, or a special value. */
static void decode_constant(Tuple *t, u8 number, const u64 *constants)
{
   static const u8 EMBEDDED[8] = {0, 0, 4, 5, 0, 1, 2, 3};
   t->constant = number;
   if (number < 0x20 || number & 0x80)
      return;
   u64 value = constants[EMBEDDED[number >> 4]] | (number & 15);
   t->value[0] = (u32)value;
   t->value[1] = value >> 32;
}

static void decode_header(Clause *c, u64 header)
{
   u32 flush = BITS(header, 5, 6);
   if (BITS(header, 0, 4) || BITS(header, 7, 8))
      stop(UNKNOWN, "a clause's header 0x%012llx", (unsigned long long)header);
   c->flow = BITS(header, 11, 13);
   c->staging_barrier = BITS(header, 17, 17);
   c->staging = BITS(header, 18, 23);
   c->waits = BITS(header, 24, 31);
   c->slot = BITS(header, 32, 34);
   c->message = BITS(header, 35, 39);
   for (u32 n = 0; n < c->count; n++) {
      Instruction *both[] = {&c->tuple[n].fma, &c->tuple[n].add};
      for (u32 k = 0; k < 2; k++)
         both[k]->flush = flush != 0, both[k]->flush_halves = flush >= 2;
   }
}

static void decode_half(Instruction *i, u32 word, bool is_add)
{
   const Encoding *list = is_add ? add_encodings : fma_encodings;
   if (!decode_instruction(i, word, list, is_add ? add_encoding_count : fma_encoding_count))
      stop(FAULT, "the word 0x%05x of the unit %s is not an instruction", word, is_add ? "ADD" : "FMA");
   i->is_add = is_add;
}

/* Decodes the clause at that place; returns how many quadwords it has. */
u32 decode_clause(Clause *c, const u8 *bytes, u32 quads)
{
   Bits b = {0};
   u32 size = collect(&b, bytes, quads);
   if (!b.tuples)
      stop(FAULT, "a clause without tuples");
   memset(c, 0, sizeof *c);
   c->count = b.tuples;
   c->target = NOWHERE;
   for (u32 n = 0; n < b.tuples; n++) {
      Tuple *t = &c->tuple[n];
      u64 low = (u64)b.tuple[n] & ((1ull << 35) - 1);
      decode_registers(t, low, n == 0);
      decode_half(&t->fma, (u32)(b.tuple[n] >> 35) & 0x7fffff, false);
      decode_half(&t->add, (u32)(b.tuple[n] >> 58) & 0xfffff, true);
      for (u32 k = 0; k < t->fma.op->sources; k++)
         t->used |= 1 << t->fma.src[k].port;
      for (u32 k = 0; k < t->add.op->sources; k++)
         t->used |= 1 << t->add.src[k].port;
      decode_constant(t, low & 0xff, b.constant);
      t->fma.clause = t->add.clause = c;
   }
   decode_header(c, b.header);
   return size;
}

/* ---- shaders */

static u32 clause_at(const Shader *s, i64 quad)
{
   for (u32 n = 0; n < s->count; n++)
      if (s->clause[n].at == quad)
         return n;
   stop(FAULT, "a branch to %lld, where no clause begins", (long long)quad);
}

/* A branch's target is its clause plus a constant of 28 bits, in bytes. The constant 0 ends the shader. */
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
         stop(UNKNOWN, "%s to a target that is not a constant", i->op->name);
      c->controls = true;
      c->target = t->constant ? clause_at(s, (i64)c->at + SBITS(t->value[port == PORT_HIGH], 0, 27) / 16) : END;
   }
   c->controls |= c->flow == 0 || clause_reconverges(c);
}

void decode_clauses(Shader *s, u64 address)
{
   enum { MOST = 1 << 16, CLAUSE = 24 };
   u32 space = 16, at = 0;
   s->clause = malloc(space * sizeof *s->clause);
   for (;;) {
      const u8 *bytes = memory_mapped(address + 16ull * at, 16, 16, "the shader's code");
      u32 word;
      memcpy(&word, bytes, 4);
      if (!word) /* the compiler puts zeros after it, for the prefetch */
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
   s->size = 16ull * at;
   for (u32 n = 0; n < s->count; n++) {
      Clause *c = &s->clause[n];
      for (u32 k = 0; k < 2 * c->count; k++) {
         Instruction *i = k & 1 ? &c->tuple[k / 2].add : &c->tuple[k / 2].fma;
         i->clause = c;
         i->from = i->to = c->staging;
      }
      find_target(s, c);
   }
}
