/* Decodes instructions, and finds a kernel's places at which paths may join. */
#include "eu.h"
#include <stdio.h>
#include <stdlib.h>

enum { COMPACTED = 29, JMPI = 32, IF = 34, ELSE = 36, WHILE = 39, BREAK = 40, CONT = 41, HALT = 42, SEND = 49, SENDSC = 52, MATH = 56 };

static u32 stride(u32 code) { return code ? 1u << (code - 1) : 0; }

/* ---- operands */

static void settle(Instruction *i, Operand *o)
{
   u32 bytes = bytes_of(o->type), most = 0;
   if (o->indirect || o->file == IMMEDIATE)
      return;
   bool packed = true, scalar = true;
   for (u32 k = 0; k < LANES; k++) {
      u32 elements = o->width ? k / o->width * o->vertical + k % o->width * o->horizontal : k * o->horizontal;
      o->offset[k] = elements * bytes;
      if (k >= i->channels)
         continue;
      packed &= o->offset[k] == k * bytes;
      scalar &= !o->offset[k];
      most = o->offset[k] > most ? o->offset[k] : most;
   }
   o->shape = scalar ? SCALAR : packed ? PACKED : SPREAD;
   o->at = o->file == GRF ? o->number * REGISTER + o->sub : o->sub;
   o->last = o->at + most + bytes;
   o->fits = o->file == GRF && (u32)o->at + most + bytes <= GRF_BYTES;
}

static void region(Instruction *i, Operand *o)
{
   o->vertical = o->vertical == 15 ? VXH : stride(o->vertical);
   o->width = 1u << o->width;
   o->horizontal = stride(o->horizontal);
   if (o->indirect)
      o->file = GRF;
   settle(i, o);
}

static void immediate(Operand *o, const u64 *w)
{
   o->file = IMMEDIATE;
   o->value = BITS(w[1], 32, 63);
   if (bytes_of(o->type) == 8)
      o->value = w[1] << 32 | w[1] >> 32;
}

static void common(Instruction *i)
{
   i->channels = 1u << i->size;
   i->first = (i->quarter * 2 + i->nibble) * 4;
   i->sources = i->op->sources;
   if (!i->op->conditional)
      i->condition = 0;
}

void finish_two(Instruction *i, const u64 *w)
{
   Operand *a = &i->src[0], *b = &i->src[1];
   i->function = i->condition;
   common(i);
   if (i->opcode == MATH)
      i->sources = math_functions[i->function].sources;
   i->dst.horizontal = stride(i->dst.horizontal);
   if (i->dst.indirect) {
      i->dst.distance = (i16)((w[0] >> 50 & 0x3ff) << 6) >> 6;
      i->dst.address = BITS(w[0], 60, 63);
      i->dst.file = GRF;
   }
   settle(i, &i->dst);
   if (a->immediate) {
      immediate(a, w);
      if (bytes_of(a->type) == 8)
         i->condition = 0; /* the immediate takes its bits */
   } else {
      if (a->indirect) {
         a->distance = (i16)((w[1] >> 2 & 0x3ff) << 6) >> 6;
         a->address = BITS(w[1], 12, 15);
      }
      region(i, a);
   }
   if (i->sources < 2)
      return;
   if (b->immediate) {
      b->negate = b->absolute = 0;
      immediate(b, w);
   } else {
      if (b->indirect) {
         b->distance = (i16)((w[1] >> 34 & 0x3ff) << 6) >> 6;
         b->address = BITS(w[1], 44, 47);
      }
      region(i, b);
   }
}

static void strides(Instruction *i, Operand *o, u32 vertical)
{
   static const u8 horizontal[] = {0, 1, 2, 4};
   const u8 steps[] = {0, generation < GEN12 ? 2 : 1, 4, 8};
   o->horizontal = horizontal[o->horizontal];
   if (!o->horizontal && vertical) { /* one element per channel */
      o->horizontal = steps[vertical];
   }
   o->width = 0;
   settle(i, o);
}

void finish_three(Instruction *i, const u64 *w)
{
   common(i);
   i->dst.type |= i->real << 3;
   i->dst.sub *= 8;
   i->dst.horizontal = 1u << i->dst.horizontal;
   settle(i, &i->dst);
   u32 vertical[] = {BITS(w[0], 43, 43) << 1 | BITS(w[0], 35, 35), BITS(w[1], 27, 27) << 1 | BITS(w[1], 19, 19), 0};
   const u32 value[] = {BITS(w[1], 0, 15), 0, BITS(w[1], 48, 63)};
   for (u32 n = 0; n < 3; n++) {
      Operand *o = &i->src[n];
      o->type |= i->real << 3;
      if (o->immediate) {
         o->file = IMMEDIATE;
         o->value = value[n];
      } else {
         strides(i, o, vertical[n]);
      }
   }
}

/* The table of bfn: eight bits in two halves. A condition would be in the first source's modifiers. */
void finish_table(Instruction *i, const u64 *w)
{
   i->function = BITS(w[1], 28, 31) << 4 | BITS(w[1], 20, 23);
   if (i->src[0].negate || i->src[0].absolute)
      stop(UNKNOWN, "bfn with a condition");
   finish_three(i, w);
}

void finish_branch(Instruction *i, const u64 *w)
{
   (void)w;
   common(i);
}

void finish_send(Instruction *i, const u64 *w)
{
   common(i);
   i->descriptor = BITS(w[1], 58, 59) << 30 | BITS(w[1], 3, 7) << 25 | BITS(w[0], 51, 55) << 20 | BITS(w[1], 49, 57) << 11 |
                   BITS(w[1], 17, 27);
   i->extended = BITS(w[1], 60, 63) << 28 | BITS(w[1], 32, 33) << 26 | BITS(w[1], 0, 1) << 24 | BITS(w[0], 35, 47) << 11 |
                 BITS(w[1], 35, 39) << 6;
   i->dst.at = i->dst.number * REGISTER;
   for (u32 n = 0; n < 2; n++)
      i->src[n].at = i->src[n].number * REGISTER;
}

void finish_sync(Instruction *i, const u64 *w)
{
   i->sync = BITS(w[1], 28, 31);
   common(i);
}

/* ---- compacted instructions */

/* Short immediates, by type. */
static u32 short_immediate(u32 type, u32 value)
{
   switch (type) {
   case T_F: return value << 20;
   case T_HF: return value << 20 | value << 4;
   case T_UW: return value << 16 | value;
   case T_D: return (u32)((i32)(value << 20) >> 20);
   case T_W: return (u16)((i16)(value << 4) >> 4) * 0x10001u;
   default: return value;
   }
}

static void expand_older(const Expansion *e, u64 compacted, u64 *w)
{
   enum { IMMEDIATE_FILE = 3, CSEL = 18, BFE = 24, BFI2 = 26, MAD = 91, MADM = 93 };
   u32 opcode = compacted & 127;
   if (opcode == CSEL || opcode == BFE || opcode == BFI2 || (opcode >= MAD && opcode <= MADM)) {
      e->three(compacted, w);
      return;
   }
   e->two(compacted, w);
   if (BITS(w[0], 41, 42) == IMMEDIATE_FILE || BITS(w[1], 25, 26) == IMMEDIATE_FILE)
      put_bits(w, 127, 96, (u32)((i32)((BITS(compacted, 35, 39) << 8 | compacted >> 56) << 19) >> 19));
   else
      e->source1(compacted, w);
}

static void expand(u64 compacted, u64 *w)
{
   const Expansion *e = &expansions[generation];
   w[0] = w[1] = 0;
   if (generation < GEN12) {
      expand_older(e, compacted, w);
      return;
   }
   if (opcodes[compacted & 127].sources == 3) {
      e->three(compacted, w);
      return;
   }
   e->two(compacted, w);
   bool first = w[0] >> 46 & 1, second = w[0] >> 47 & 1;
   if (first || second)
      put_bits(w, 127, 96, short_immediate(first ? BITS(w[0], 40, 43) : BITS(w[1], 24, 27), compacted >> 52));
   else
      e->source1(compacted, w);
}

bool decode(Instruction *i, const u64 *words)
{
   u64 w[2];
   memset(i, 0, sizeof *i);
   i->bytes = words[0] >> COMPACTED & 1 ? 8 : 16;
   if (i->bytes == 8)
      expand(words[0], w);
   else
      memcpy(w, words, sizeof w);
   if (generation < GEN12) {
      decode_older(i, w);
   } else {
      i->opcode = w[0] & 127;
      i->op = &opcodes[i->opcode];
      if (i->op->run)
         i->op->fields(i, w);
   }
   return i->op->run && i->op->since <= generation && generation <= i->op->until && i->channels <= LANES;
}

/* ---- kernels */

enum { MOST = 1 << 20, MOST_KNOWN = 1 << 15 };

/* Messages only. */
static bool ends_thread(const u8 *at, u32 bytes)
{
   u64 w[2] = {0};
   memcpy(w, at, bytes);
   return generation < GEN12 ? w[1] >> 63 : w[0] >> 34 & 1;
}

/* The bytes up to the message that ends the thread and that no jump skips. */
static u32 size_of(u64 address)
{
   u32 size = 0;
   for (u32 n = 0; n < MOST; n++) {
      const u8 *at = memory_at(address + size, 8, 8, "the kernel's code");
      u64 word;
      memcpy(&word, at, 8);
      u32 bytes = word >> COMPACTED & 1 ? 8 : 16;
      memory_at(address + size, bytes, 8, "the kernel's code");
      bool ends = (word & 127) >= SEND && (word & 127) <= SENDSC && ends_thread(at, bytes);
      size += bytes;
      if (ends)
         return size;
   }
   stop(FAULT, "a kernel without an end");
}

static u32 number_at(const Kernel *k, const i32 *numbers, i64 byte, const Instruction *from)
{
   if (byte < 0 || byte >= k->size || byte % 8 || numbers[byte / 8] < 0)
      stop(FAULT, "%s at 0x%x leads to 0x%llx, where no instruction begins", from->op->name, from->address, (unsigned long long)byte);
   return (u32)numbers[byte / 8];
}

static bool has_uip(const Instruction *i)
{
   return i->opcode == IF || i->opcode == ELSE || i->opcode == BREAK || i->opcode == CONT || i->opcode == HALT;
}

static void find_targets(Kernel *k, const i32 *numbers)
{
   for (u32 n = 0; n < k->count; n++) {
      Instruction *i = &k->code[n];
      if (!i->op->flow)
         continue;
      i64 from = i->address + (i->opcode == JMPI ? i->bytes : 0);
      i->jip = (i32)number_at(k, numbers, from + i->jip, i);
      i->uip = has_uip(i) ? (i32)number_at(k, numbers, (i64)i->address + i->uip, i) : i->jip;
      /* Channels that leave by a break go on after its while. */
      if (i->opcode == BREAK && k->code[i->uip].opcode == WHILE)
         i->uip++;
      k->code[i->jip].joins = true;
      if ((u32)i->uip < k->count)
         k->code[i->uip].joins = true;
      if (n + 1 < k->count)
         k->code[n + 1].joins = true;
   }
}

static Kernel *known;
static u32 known_size; /* instructions of all kernels together, each of half a KiB */

static void forget_kernels(void)
{
   for (Kernel *k = known, *next; k; k = next) {
      next = k->next;
      free(k->bytes);
      free(k->code);
      free(k->findings);
      free(k);
   }
   known = NULL;
   known_size = 0;
}

void decode_all(Kernel *k)
{
   i32 *numbers = malloc((k->size / 8 + 1) * sizeof *numbers);
   memset(numbers, 0xff, (k->size / 8 + 1) * sizeof *numbers);
   for (u32 at = 0; at < k->size;) {
      u64 words[2] = {0};
      memcpy(words, k->bytes + at, k->size - at < 16 ? k->size - at : 16);
      Instruction *i = &k->code[k->count];
      if (!decode(i, words))
         stop(UNKNOWN, "0x%016llx%016llx (opcode %u) is not a known instruction", (unsigned long long)words[1],
              (unsigned long long)words[0], (u32)(words[0] & 127));
      i->address = at;
      numbers[at / 8] = (i32)k->count++;
      at += i->bytes;
   }
   find_targets(k, numbers);
   free(numbers);
}

/* The kernel at an address. It is decoded once for its contents, and kept at least until the next call. */
Kernel *kernel_at(u64 address)
{
   u32 size = size_of(address);
   const u8 *bytes = memory_at(address, size, 8, "the kernel's code");
   u64 hash = code_hash(bytes, size);
   for (Kernel *k = known; k; k = k->next)
      if (k->hash == hash && k->size == size && !memcmp(k->bytes, bytes, size))
         return k;
   if (known_size > MOST_KNOWN)
      forget_kernels();
   Kernel *k = calloc(1, sizeof *k);
   k->bytes = memcpy(malloc(size), bytes, size);
   k->size = size;
   k->hash = hash;
   k->code = malloc((size / 8 + 1) * sizeof *k->code);
   code_keep(hash, bytes, size);
   decode_all(k); /* leaked, once, if decoding stops here */
   k->code = realloc(k->code, k->count * sizeof *k->code);
   known_size += k->count;
   k->next = known;
   known = k;
   return k;
}
