/* Decodes instructions of 64 bits, and finds a shader's addresses at which paths may join. */
#include "ir3.h"
#include <stdio.h>
#include <stdlib.h>


static void gpr(Instruction *i, u32 n, u32 number, bool half)
{
   i->src[n] = (Source){.where = GPR, .number = number, .half = half};
}

static void relative(Source *s, u32 value) /* 10 bits of distance; the next bit says constants */
{
   s->where = value >> 10 & 1 ? RELATIVE_CONSTANT : RELATIVE_GPR;
   s->value = SBITS(value, 0, 9);
}

/* ir3-cat2.xml's float immediates. */
static const float TABLE[16] = {0.0f, 0.5f, 1.0f, 2.0f, 2.718281828459045f, 3.141592653589793f, 0.3183098861837907f,
                                0.6931471805599453f, 1.4426950408889634f, 0.3010299956639812f, 3.321928094887362f, 4.0f};

/* A source of categories 2 and 4. */
static void multi_source(Instruction *i, u32 n, u32 value, bool half, bool repeats)
{
   Source *s = &i->src[n];
   *s = (Source){.half = half, .negate = value >> 14 & 1, .absolute = value >> 15 & 1, .repeats = repeats};
   switch (BITS(value, 11, 13)) {
   case 0:
      s->number = BITS(value, 0, 7);
      break;
   case 1:
      relative(s, value);
      break;
   case 2: case 3: case 6: case 7:
      s->where = CONSTANT;
      s->number = BITS(value, 0, 10);
      break;
   case 4:
      s->where = IMMEDIATE;
      s->value = SBITS(value, 0, 10) & (half ? 0xffff : -1);
      break;
   case 5:
      s->where = IMMEDIATE;
      s->value = half ? half_bits(TABLE[value & 15]) : float_bits(TABLE[value & 15]);
      break;
   }
}

static void cat3_source(Instruction *i, u32 n, u32 value, bool half, bool negate, bool repeats, bool immediates)
{
   Source *s = &i->src[n];
   *s = (Source){.half = half, .negate = negate, .repeats = repeats};
   if (value >> 12 & 1) {
      s->where = immediates ? IMMEDIATE : CONSTANT;
      s->number = BITS(value, 0, 10);
      s->value = BITS(value, 0, 11);
   } else if (value >> 11 & 1) {
      relative(s, value);
   } else {
      s->number = BITS(value, 0, 7);
   }
}

/* (nopN) uses the bits of the (r) flags if nothing repeats. */
static void repeats_or_nops(Instruction *i, bool r1, bool r2)
{
   i->nops = i->repeat ? 0 : r1 | r2 << 1;
}

void finish_move(Instruction *i, u64 word)
{
   i->half = is_half(i->src_type);
   i->dst_half = is_half(i->type);
   Source *s = &i->src[0];
   *s = (Source){.half = i->half, .repeats = word >> 43 & 1};
   switch (BITS(word, 53, 54)) {
   case 2: case 3:
      s->where = IMMEDIATE;
      s->value = BITS(word, 0, 31);
      s->repeats = false;
      break;
   case 1:
      s->where = CONSTANT;
      s->number = BITS(word, 0, 10);
      break;
   default:
      if (word >> 11 & 1)
         relative(s, BITS(word, 0, 11));
      else
         s->number = BITS(word, 0, 7);
      i->of_lane = word >> 31 & 1;
      i->index = word >> 30 & 1 ? OF_A0 : BITS(word, 23, 29);
   }
}

void finish_multi(Instruction *i, u64 word)
{
   i->half = is_half(i->src_type);
   i->dst_half = is_half(i->type);
   u32 part[4] = {BITS(word, 0, 7), BITS(word, 8, 15), BITS(word, 16, 23), BITS(word, 24, 31)};
   u32 count = i->op->flag == SWZ ? 2 : 4;
   i->size = count;
   for (u32 n = 0; n < count; n++) {
      gpr(i, n, i->op->flag == SCT ? part[0] + n : part[n], i->half);
      i->targets[n] = n == 0 ? i->dst : i->op->flag == GAT ? i->dst + n : i->op->flag == SWZ ? part[2] : part[n];
   }
}

void finish_movmsk(Instruction *i, u64 word)
{
   (void)word;
   i->size++;
}

/* From a7xx on r61.x to r61.w of categories 2 and 3 are p0.x to p0.w, computed for a whole wave: up0 in 26.2.6's texts. */
static u16 uniform_predicate(u16 number)
{
   return gpu_generation >= 7 && number >= A0 && number < P0 ? P0 + (number - A0) : number;
}

static void find_uniform(Instruction *i)
{
   i->uniform = i->dst != uniform_predicate(i->dst);
   i->dst = uniform_predicate(i->dst);
   for (u32 n = 0; n < 3; n++)
      if (i->src[n].where == GPR)
         i->src[n].number = uniform_predicate(i->src[n].number);
}

void finish_cat2(Instruction *i, u64 word)
{
   bool full = word >> 52 & 1, r1 = word >> 43 & 1, r2 = word >> 51 & 1;
   i->half = !full;
   i->dst_half = full == (word >> 46 & 1) && i->dst < A0;
   repeats_or_nops(i, r1, r2);
   multi_source(i, 0, BITS(word, 0, 15), i->half, r1 && i->repeat);
   if (i->op->sources > 1)
      multi_source(i, 1, BITS(word, 16, 31), i->half, r2 && i->repeat);
   find_uniform(i);
}

static void three_sources(Instruction *i, u64 word, bool immediates)
{
   bool r1 = word >> 43 & 1, r2 = word >> 15 & 1, r3 = word >> 29 & 1;
   repeats_or_nops(i, r1, r2);
   cat3_source(i, 0, BITS(word, 0, 12), i->half, word >> 14 & 1, r1 && i->repeat, immediates);
   i->src[1] = (Source){.number = BITS(word, 47, 54), .half = i->half, .negate = word >> 30 & 1, .repeats = r2 && i->repeat};
   cat3_source(i, 2, BITS(word, 16, 28), i->half, word >> 31 & 1, r3, immediates);
   find_uniform(i);
}

void finish_cat3(Instruction *i, u64 word)
{
   i->half = i->op->flag == HALF;
   i->dst_half = !i->half == (word >> 46 & 1) && i->dst < A0;
   three_sources(i, word, false);
}

void finish_cat3_alt(Instruction *i, u64 word)
{
   i->half = !(word >> 42 & 1);
   i->dst_half = !i->half == (word >> 46 & 1) && i->dst < A0;
   three_sources(i, word, true);
}

void finish_dot(Instruction *i, u64 word)
{
   three_sources(i, word, false);
   i->src[0].negate = i->src[1].negate = false; /* their modifier bits say how the vectors are signed and packed */
}

void finish_cat4(Instruction *i, u64 word)
{
   bool full = word >> 52 & 1;
   i->half = !full;
   i->dst_half = full == (word >> 46 & 1) && i->dst < P0;
   multi_source(i, 0, BITS(word, 0, 15), i->half, word >> 43 & 1);
}

void finish_cat5(Instruction *i, u64 word)
{
   i->half = !(word & 1);
   i->dst_half = is_half(i->type);
   i->base = i->base_high * 2 + i->base_low;
   gpr(i, 0, BITS(word, 1, 8), i->half);
   gpr(i, 1, BITS(word, 9, 16), i->half);
}

void finish_load(Instruction *i, u64 word)
{
   (void)word;
   i->dst_half = is_half(i->type);
}

void finish_store(Instruction *i, u64 word)
{
   (void)word;
   i->half = is_half(i->type);
   i->dst = DUMMY;
   if (!i->op->flag)
      i->offset = i->offset_high * 256 + i->offset_low;
}

void finish_store_const(Instruction *i, u64 word)
{
   (void)word;
   i->half = is_half(i->type);
}

void finish_atomic(Instruction *i, u64 word)
{
   (void)word;
   i->size = 1;
}

void finish_shuffle(Instruction *i, u64 word)
{
   (void)word;
   i->half = i->dst_half = is_half(i->type);
}

void finish_resource(Instruction *i, u64 word)
{
   (void)word;
   i->dst_half = is_half(i->type);
   i->dimensions++;
   i->size++;
}

void finish_resource_load(Instruction *i, u64 word)
{
   finish_resource(i, word);
   i->offset = i->has_offset ? i->offset_high << 5 | i->offset_low : 0;
}

void finish_resource_store(Instruction *i, u64 word)
{
   finish_resource_load(i, word);
   i->half = is_half(i->type);
   i->dst = DUMMY;
}

void finish_resource_atomic(Instruction *i, u64 word)
{
   finish_resource(i, word);
   i->dst_half = false;
}

void finish_ldc(Instruction *i, u64 word)
{
   finish_resource(i, word);
   i->offset = BITS(word, 9, 10);
}

void finish_ldc_k(Instruction *i, u64 word)
{
   (void)word;
   i->size++;
   i->dst = DUMMY;
}

/* The replacement of the register is src[0]; base is the scope: 0 for textures, 1 for render targets. */
void finish_alias(Instruction *i, u64 word)
{
   static const u8 where[] = {GPR, CONSTANT, IMMEDIATE, IMMEDIATE};
   i->base = i->base_high * 2 + i->base_low;
   i->half = !i->bit50;
   i->src[0] = (Source){.where = where[BITS(word, 51, 52)], .half = i->half, .number = BITS(word, 0, 10), .value = BITS(word, 0, 31)};
}

static void run_unknown(Wave *wave, const Instruction *i)
{
   (void)wave;
   stop(UNKNOWN, "0x%016llx (category %u) is not a known instruction", (unsigned long long)i->word, (u32)(i->word >> 61));
}
static const Opcode UNKNOWN_OPCODE = {.name = "unknown", .run = run_unknown, .category = 8};

void decode(Instruction *i, u64 word)
{
   *i = (Instruction){.word = word, .op = &UNKNOWN_OPCODE, .dst = DUMMY};
   for (u32 n = 0; n < encoding_count; n++) {
      const Encoding *e = &encodings[n];
      if ((word & e->mask) != e->value || gpu_generation * 100 < e->from || gpu_generation * 100 > e->to)
         continue;
      i->op = &e->op;
      e->fields(i, word);
      break;
   }
   i->controls = (i->op->category == 0 && i->op->run != run_nop) || i->op->run == run_barrier;
}

static void mark_joins(Shader *shader)
{
   for (u32 pc = 0; pc < shader->count; pc++) {
      Instruction *i = &shader->code[pc];
      i->joins |= i->jp || pc == 0;
      if (!i->controls)
         continue;
      if (pc + 1 < shader->count)
         shader->code[pc + 1].joins = true;
      u64 to = (i64)pc + i->offset;
      if (i->op->category == 0 && to < shader->count)
         shader->code[to].joins = true;
   }
}

static Shader *known;
static u32 known_size; /* instructions of all shaders together */

static void forget_shaders(void)
{
   for (Shader *s = known, *next; s; s = next) {
      next = s->next;
      free(s->words);
      free(s->code);
      free(s->findings);
      free(s);
   }
   known = NULL;
   known_size = 0;
}

/* The shader at an address. It is decoded once for its contents, and kept at least until the next call. */
const Shader *shader_at(u64 address, u64 bytes)
{
   enum { MOST = 1 << 20, MOST_KNOWN = 1 << 16 };
   const u64 *words = (const u64 *)(const void *)memory_at(address, bytes, 8, "the shader's code");
   if (bytes / 8 > MOST)
      stop(UNKNOWN, "a shader of %llu bytes", (unsigned long long)bytes);
   u32 count = bytes / 8;
   u64 hash = code_hash(words, bytes);
   for (Shader *s = known; s; s = s->next)
      if (s->hash == hash && s->size == bytes && s->generation == gpu_generation && !memcmp(s->words, words, bytes)) {
         hazards_report(s);
         return s;
      }
   if (known_size + count > MOST_KNOWN)
      forget_shaders();
   known_size += count;
   Shader *s = calloc(1, sizeof *s);
   s->code = malloc((count + 1) * sizeof *s->code);
   s->words = memcpy(malloc(bytes), words, bytes);
   s->hash = hash;
   s->size = bytes;
   s->generation = gpu_generation;
   for (u32 n = 0; n < count; n++) {
      decode(&s->code[n], words[n]);
      if (s->code[n].op->run == run_end)
         s->count = n + 1;
   }
   s->next = known;
   known = s;
   mark_joins(s);
   code_keep(hash, words, 8ull * s->count);
   hazards_report(s);
   return s;
}
