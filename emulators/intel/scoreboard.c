/* What an instruction waits for, needs, and leaves pending. */
#include "hazards.h"

enum { ALLRD = 2, ALLWR, TOKENS = 16, MOST_DISTANCE = 7, MOST_SAID = 16 };

/* An annotation of eight bits, decoded. */
typedef struct {
   u32 distance;      /* 0: none */
   u32 pipes;         /* the pipes that the distance counts, a bit each */
   u16 written, read; /* the tokens whose messages must have written, must have read */
   i32 token;         /* the token that it takes itself; -1: none */
} Wait;

/* Gen12.5 computes doubles in the pipe of `math`. */
static bool is_double(const Instruction *i)
{
   bool has = i->op->sources && i->dst.type == T_DF;
   for (u32 n = 0; n < i->sources; n++)
      has |= i->src[n].type == T_DF;
   return has && generation == GEN125;
}

static bool is_unordered(const Instruction *i) { return i->op->run == run_send || i->op->run == run_math || is_double(i); }

/* The pipe that computes an instruction. */
static enum Pipe pipe_of(const Instruction *i)
{
   return generation < GEN125 || (i->op->sources && is_real(i->dst.type)) ? FLOATS : INTEGERS;
}

/* The pipe of a distance without a pipe: all pipes for a message. */
static u32 implied_pipes(const Instruction *i)
{
   bool integer = false;
   if (generation < GEN125 || !i->op->sources)
      return (1u << PIPES) - 1;
   for (u32 n = 0; n < i->sources; n++)
      integer |= !is_real(i->src[n].type);
   return 1u << (integer ? INTEGERS : FLOATS);
}

static Wait wait_of(const Instruction *i)
{
   u32 x = i->swsb, token = x & 15;
   Wait wait = {.token = -1, .pipes = implied_pipes(i)};
   if (generation == GEN125 && x < 0x20 && x >> 3)
      wait.pipes = x >> 3 == 1 ? (1u << PIPES) - 1 : 1u << (x >> 3 == 2 ? FLOATS : INTEGERS);
   if (x & 0x80) {
      wait.distance = x >> 4 & 7;
      if (is_unordered(i))
         wait.token = (i32)token;
      else
         wait.written = 1u << token;
      return wait;
   }
   switch (x >> 4) {
   case 2: wait.written = 1u << token; break;
   case 3: wait.read = 1u << token; break;
   case 4: wait.token = (i32)token; break;
   default: wait.distance = x & 7;
   }
   if (i->op->run == run_sync && (i->sync == ALLRD || i->sync == ALLWR))
      *(i->sync == ALLRD ? &wait.read : &wait.written) |= i->src[0].immediate ? i->wanted : 0xffff;
   return wait;
}

/* ---- registers */

static void add(Set *set, u32 byte, u32 bytes, u32 end)
{
   for (u32 u = byte / 4; u <= (byte + bytes - 1) / 4 && u < end; u++)
      set->w[u / 64] |= 1ull << u % 64;
}

bool is_architecture(const Operand *o, u32 kind) { return o->file == ARF && !o->indirect && o->number >> 4 == kind; }

/* A register that a0 names can be any, and is not checked; a0 itself is. */
static void add_operand(Set *set, const Instruction *i, const Operand *o, Set *needs)
{
   u32 bytes = bytes_of(o->type), base = o->file == GRF ? 0 : 4 * UNIT_A0;
   if (o->file == IMMEDIATE)
      return;
   if (o->indirect) {
      u32 count = o->vertical == VXH ? (i->channels + o->width - 1) / o->width : 1;
      add(needs, 4 * UNIT_A0 + 2 * o->address, 2 * count, UNIT_ACC);
   } else if (is_architecture(o, AR_ACCUMULATOR)) {
      add(set, 4 * UNIT_ACC, 1, UNITS);
   } else if (o->file == GRF || is_architecture(o, AR_ADDRESS)) {
      for (u32 k = 0; k < i->channels; k++)
         add(set, base + o->at + o->offset[k], bytes, o->file == GRF ? DWORDS : UNIT_ACC);
   }
}

/* A message's lengths are in its descriptors; for those in a0, in the value that was put there. */
static u32 descriptor_of(const Check *c, bool of_a0, u32 word, u32 itself)
{
   return !of_a0 ? itself : c->lengths_known[word] ? c->lengths[word] : 0;
}

static void add_message(const Check *c, const Instruction *i, Set *reads, Set *writes, Set *needs)
{
   u32 word = i->extended_sub;
   u32 descriptor = descriptor_of(c, i->descriptor_a0, 0, i->descriptor), extended = descriptor_of(c, i->extended_a0, word, i->extended);
   u32 length = BITS(descriptor, 25, 28), response = BITS(descriptor, 20, 24), more = BITS(i->bindless_offset ? i->extended : extended, 6, 10);
   if (length)
      add(reads, i->src[0].at, length * REGISTER, DWORDS);
   if (more && i->src[1].file == GRF)
      add(reads, i->src[1].at, more * REGISTER, DWORDS);
   if (response && i->dst.file == GRF)
      add(writes, i->dst.at, response * REGISTER, DWORDS);
   if (i->descriptor_a0)
      add(needs, 4 * UNIT_A0, 4, UNIT_ACC);
   if (i->extended_a0)
      add(needs, 4 * (UNIT_A0 + word), 4, UNIT_ACC);
}

void hazards_touched(const Check *c, const Instruction *i, Set *reads, Set *writes, Set *needs)
{
   if (i->op->run == run_send) {
      add_message(c, i, reads, writes, needs);
   } else if (i->op->sources) {
      add_operand(writes, i, &i->dst, needs);
      for (u32 n = 0; n < i->sources; n++)
         add_operand(reads, i, &i->src[n], needs);
   }
}

static void note_lengths(Check *c, const Instruction *i)
{
   const Operand *last = i->sources ? &i->src[i->sources - 1] : NULL;
   if (!is_architecture(&i->dst, AR_ADDRESS) || !last)
      return;
   for (u32 k = i->dst.at / 4; k < ADDRESSES / 2 && k <= (i->dst.last - 1u) / 4; k++) {
      c->lengths_known[k] = last->file == IMMEDIATE && !i->predicate;
      c->lengths[k] = (u32)last->value;
   }
}

/* ---- findings */

static const char *unit_name(u32 unit)
{
   static _Thread_local char name[16];
   if (unit == UNIT_ACC)
      return "acc0";
   if (unit >= UNIT_A0)
      snprintf(name, sizeof name, "a0.%u", 2 * (unit - UNIT_A0));
   else
      snprintf(name, sizeof name, "r%u.%u", unit / 8, unit % 8);
   return name;
}

void add_finding(Check *c, const char *what, const char *why)
{
   const Instruction *i = &c->kernel->code[c->pc];
   if (c->p.reports && c->said++ < MOST_SAID)
      fprintf(c->p.out, "%s missing before %s (at 0x%x): %s\n", what, instruction_text(i), i->address, why);
}

static void report_register(Check *c, const char *what, u32 unit, enum How how, u32 pc)
{
   char why[400];
   const Instruction *by = &c->kernel->code[pc];
   snprintf(why, sizeof why, "%s is %s by %s (at 0x%x)", unit_name(unit), how == READ ? "read" : "written", instruction_text(by), by->address);
   add_finding(c, what, why);
}

/* ---- what is over, and what is still pending */

static void end_tokens(Pending *now, enum How how, u16 tokens, bool maskless_too)
{
   for (u32 u = 0; tokens && u < UNITS; u++) {
      now->waited[how][u] |= tokens;
      now->tokens[how][u][0] &= ~tokens;
      now->tokens[how][u][1] &= maskless_too ? ~tokens : ~0;
   }
}

/* An instruction with a mask does not wait if no channel is left, but one without a mask runs even then. Those with a mask in
 * the same block do not: for them the tokens are over. */
static void end_waited(Check *c, const Instruction *i, const Wait *wait)
{
   for (u32 p = 0; p < PIPES; p++) {
      i32 over = c->count[p] - (i32)wait->distance;
      for (u32 masked = !i->no_mask; wait->distance && wait->pipes >> p & 1 && masked < 2; masked++)
         c->done[masked][p] = over > c->done[masked][p] ? over : c->done[masked][p];
   }
   end_tokens(&c->now, WRITTEN, wait->written, i->no_mask);
   end_tokens(&c->now, READ, wait->read | wait->written, i->no_mask);
}

/* ---- needs */

/* How many instructions of a pipe ago a register was read, or written, if that may still be pending; 0: it is over,
 * or `wait` covers it. */
static u32 pending_since(const Check *c, enum How how, u32 p, u32 unit, const Wait *wait)
{
   i32 stamp = c->now.stamp[how][p][unit], done = c->done[!c->kernel->code[c->now.by[how][p][unit]].no_mask][p];
   u32 since = (u32)(c->count[p] - stamp);
   bool waited = wait->distance && wait->pipes >> p & 1 && since >= wait->distance;
   return stamp > done && since <= DEPTH && !waited ? since : 0;
}

/* Checks the registers that an instruction reads, or writes; reports the first that is pending. `pipes`: the pipes to check. */
static void check_units(Check *c, const Set *set, enum How how, const Wait *wait, u32 pipes)
{
   u16 over = how == READ ? wait->read | wait->written : wait->written;
   bool maskless_too = c->kernel->code[c->pc].no_mask;
   u32 unit[PIPES], nearest[PIPES] = {0};
   char what[16];
   for (u32 w = 0; w < WORDS; w++)
      for (u64 bits = set->w[w]; bits; bits &= bits - 1) {
         u32 u = w * 64 + (u32)__builtin_ctzll(bits);
         Pending *now = &c->now;
         u16 maskless = now->tokens[how][u][1] & (maskless_too ? ~0 : ~now->waited[how][u]);
         u16 tokens = (now->tokens[how][u][0] | maskless) & ~over;
         for (u32 p = 0; p < PIPES; p++) {
            u32 since = pipes >> p & 1 ? pending_since(c, how, p, u, wait) : 0;
            if (since && (!nearest[p] || since < nearest[p]))
               nearest[p] = since, unit[p] = u;
         }
         if (tokens) {
            snprintf(what, sizeof what, "$%d.%s", __builtin_ctz(tokens), how == READ ? "src" : "dst");
            report_register(c, what, u, how, now->taken_by[how][u]);
            end_tokens(now, how, tokens, true); /* reported once */
         }
      }
   for (u32 p = 0; p < PIPES; p++) {
      if (!nearest[p])
         continue;
      snprintf(what, sizeof what, "%s@%u", generation == GEN12 ? "" : p == FLOATS ? "F" : "I", nearest[p] < MOST_DISTANCE ? nearest[p] : MOST_DISTANCE);
      report_register(c, what, unit[p], how, c->now.by[how][p][unit[p]]);
   }
}

/* Registers that the hardware does not keep in order: the instruction that uses one, and the next one, wait for the
 * one before. */
static bool is_apart(const Operand *o)
{
   return is_architecture(o, AR_MASK) || is_architecture(o, AR_STATE) || is_architecture(o, AR_CONTROL) || is_architecture(o, AR_CLOCK);
}

static void check_apart(Check *c, const Instruction *i, const Wait *wait)
{
   bool apart = !is_unordered(i) && i->op->sources && is_apart(&i->dst);
   for (u32 n = 0; n < i->sources && !is_unordered(i); n++)
      apart |= is_apart(&i->src[n]);
   if (c->alone && wait->distance != 1)
      add_finding(c, "@1", "the instruction before it has a register that the hardware does not guard");
   else if (apart && wait->distance != 1)
      add_finding(c, "@1", "the hardware does not guard its register");
   c->alone = apart;
}

static void add_pending(Check *c, const Set *set, enum How how, bool ordered, i32 token)
{
   enum Pipe pipe = pipe_of(&c->kernel->code[c->pc]);
   for (u32 w = 0; w < WORDS; w++)
      for (u64 bits = set->w[w]; bits; bits &= bits - 1) {
         u32 u = w * 64 + (u32)__builtin_ctzll(bits);
         if (ordered) {
            for (u32 p = 0; p < PIPES && how == WRITTEN; p++)
               c->now.stamp[how][p][u] = NEVER; /* earlier writes have been waited for, or reported */
            c->now.stamp[how][pipe][u] = c->count[pipe], c->now.by[how][pipe][u] = c->pc;
         } else {
            c->now.tokens[how][u][c->kernel->code[c->pc].no_mask] |= 1u << token, c->now.taken_by[how][u] = c->pc;
            c->now.waited[how][u] &= ~(1u << token);
         }
      }
}

void hazards_step(Check *c, const Instruction *i)
{
   Set reads = {0}, writes = {0}, needs = {0}; /* `needs` leaves nothing pending */
   Wait wait = wait_of(i);
   bool unordered = is_unordered(i), computes = !unordered && i->op->run != run_sync;
   if (wait.token >= 0) /* the instruction waits until its token is free */
      wait.written |= 1u << wait.token;
   hazards_touched(c, i, &reads, &writes, &needs);
   for (u32 w = 0; w < WORDS; w++)
      needs.w[w] |= reads.w[w];
   /* The hardware guards reads of a0: on Gen12.5 Mesa's pass leaves it to the hardware, and so does Intel's own
    * assembler (nGEN). */
   for (u32 u = UNIT_A0; u < UNIT_ACC && generation == GEN125; u++)
      needs.w[u / 64] &= ~(1ull << u % 64);
   Set guarded = writes;
   guarded.w[UNIT_ACC / 64] &= ~(1ull << UNIT_ACC % 64);
   u32 all = (1u << PIPES) - 1, others = unordered ? all : all & ~(1u << pipe_of(i));
   check_units(c, &needs, WRITTEN, &wait, all);
   check_units(c, &guarded, WRITTEN, &wait, others); /* instructions of one pipe write in order [I6] */
   check_units(c, &guarded, READ, &wait, others);
   check_apart(c, i, &wait);
   dependency_of_last(c, i, &reads);
   end_waited(c, i, &wait);
   note_lengths(c, i);
   if (i->accumulates)
      add(&writes, 4 * UNIT_ACC, 1, UNITS);
   if (i->ends)
      return;
   if (unordered && wait.token < 0)
      add_finding(c, "a token", "nothing can wait for it");
   else if (computes || unordered)
      add_pending(c, &writes, WRITTEN, computes, wait.token), add_pending(c, &reads, READ, computes, wait.token);
   c->count[pipe_of(i)] += computes;
}
