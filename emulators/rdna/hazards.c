/* Finds missing waits in a finished shader, along every path through it, by its machine code only.
 *
 * What is pending flows along the control flow until nothing is new; where paths meet, it is the union of theirs. Then
 * each block is walked once more, and findings are reported.
 */
#include "../engine/paths.h"
#include "hazards.h"
#include "waits.h"
#include <stdlib.h>

enum { MOST_WORDS = 1 << 18, KEPT = 64, ZERO = 128, ALL = 193 };

typedef struct {
   Paths p;
   u64 address;
   const u32 *words;
   u32 count, last; /* the number of words that can be read; the end of those that are reached */
   Instruction **at; /* per word; NULL: not reached */
   bool *begins; /* a block */
   Pending **entry;
   Waits waits;
} Check;

static bool is_end(const Instruction *i)
{
   return i->op->run == run_end || i->op->run == run_unknown || i->op->run == run_set_pc || i->op->run == run_swap_pc || i->op->run == run_call;
}
static bool is_jump(const Instruction *i) { return !strcmp(i->op->name, "S_BRANCH"); }
static bool is_if_no_lane(const Instruction *i) { return !strcmp(i->op->name, "S_CBRANCH_EXECZ"); }
static u32 target_of(const Instruction *i, u32 pc) { return (u32)((i64)pc + i->words + i->offset); }

/* Decodes all that can be reached. */
static void reach(Check *c)
{
   c->p.work[c->p.work_count++] = 0;
   while (c->p.work_count) {
      u32 pc = c->p.work[--c->p.work_count];
      while (pc < c->count && !c->at[pc]) {
         Instruction *i = c->at[pc] = calloc(1, sizeof *i);
         u32 words[5] = {0};
         for (u32 n = 0; n < 5 && pc + n < c->count; n++)
            words[n] = c->words[pc + n];
         decode(i, words);
         i->pc = c->address + 4ull * pc;
         c->last = c->last > pc + i->words ? c->last : pc + i->words;
         if (i->op->run == run_branch && target_of(i, pc) < c->count) {
            c->begins[target_of(i, pc)] = true;
            c->p.work[c->p.work_count++] = target_of(i, pc);
         }
         if (is_end(i) || is_jump(i))
            break;
         pc += i->words;
      }
   }
}

/* The place at which a path that skips a block because no lane executes it goes on. Then all lanes are in the other arm
 * of the if, so that arm is not skipped: the exec mask is exchanged for the other lanes, and the jump over their arm
 * follows at once.
 */
static u32 behind_skip(const Check *c, u32 pc)
{
   u32 to = pc;
   for (bool exchanged = false; to < c->count && c->at[to]; to += c->at[to]->words) {
      const Instruction *i = c->at[to];
      if (is_if_no_lane(i))
         return exchanged ? to + i->words : pc;
      exchanged |= !strncmp(i->op->name, "S_AND_NOT1_B", 12) || !strncmp(i->op->name, "S_XOR_B", 7);
      if (!i->op->scalar && strcmp(i->op->name, "S_DELAY_ALU") && strcmp(i->op->name, "S_WAIT_ALU"))
         return pc;
   }
   return pc;
}

static void flow(Check *c, u32 to)
{
   if (to >= c->count || !c->at[to])
      return;
   bool grew = !c->entry[to];
   if (grew) {
      c->entry[to] = malloc(sizeof(Pending));
      *c->entry[to] = c->waits.now;
   } else {
      grew = waits_join(c->entry[to], &c->waits.now);
   }
   if (grew)
      paths_queue(&c->p, to);
}

/* LLVM chooses between two blocks by a flag that all lanes or none have: the jump that tests one which a path has just set, or 0. */
static bool sets_flag(const Instruction *i) { return !strncmp(i->op->name, "S_MOV_B", 7) && (i->source[0] == ZERO || i->source[0] == ALL); }

static u32 jump_by_flag(const Check *c, u32 pc, const Instruction *flag)
{
   for (bool looked = false; pc < c->count && c->at[pc]; pc += c->at[pc]->words) {
      const Instruction *i = c->at[pc];
      if (looked && !strncmp(i->op->name, "S_CBRANCH_VCC", 13))
         return pc;
      if (!strncmp(i->op->name, "S_AND_NOT1_B", 12) && i->dst == VCC_LO && i->source[0] == EXEC_LO && i->source[1] == flag->dst)
         looked = true;
      else if (strcmp(i->op->name, "S_DELAY_ALU") && strncmp(i->op->name, "S_WAIT", 6))
         return 0;
   }
   return 0;
}

/* Goes on at a block, past operations on masks up to `end`, and on to the target of a jump whose flag is known. */
static void go_on(Check *c, u32 to, u32 end, const Instruction *flag)
{
   Waits here = c->waits;
   u32 jump = flag ? jump_by_flag(c, end, flag) : 0;
   c->waits.report = NULL;
   for (end = jump ? jump : end; to < end; to += c->at[to]->words)
      waits_step(&c->waits, c->at[to]);
   bool taken = jump && (flag->source[0] == ALL) == !strcmp(c->at[jump]->op->name, "S_CBRANCH_VCCZ");
   to = taken ? target_of(c->at[jump], jump) : jump ? jump + c->at[jump]->words : to;
   if (jump && to < c->count)
      c->begins[to] = true;
   flow(c, to);
   c->waits = here;
}

/* A jump that is taken: between its target and the place at which it is known to go on, instructions only set masks. */
static void follow(Check *c, const Instruction *i, u32 pc, const Instruction *flag)
{
   u32 to = target_of(i, pc);
   go_on(c, to, is_if_no_lane(i) ? behind_skip(c, to) : to, is_jump(i) ? flag : NULL);
}

static void report(void *to, const Instruction *i, const char *what)
{
   fprintf(to, "%s (0x%llx): %s\n", instruction_text(i), (unsigned long long)i->pc, what);
}

/* Walks a block from its first instruction on. */
static void walk(Paths *p, u32 pc)
{
   Check *c = (Check *)p;
   c->waits.report = p->reports ? report : NULL;
   c->waits.now = *c->entry[pc];
   for (const Instruction *flag = NULL;;) {
      const Instruction *i = c->at[pc];
      waits_step(&c->waits, i);
      if (is_end(i) && i->op->run != run_end && c->waits.report)
         fprintf(p->out, UNCHECKED "nothing is checked after %s (0x%llx)\n", i->op->name, (unsigned long long)i->pc);
      if (is_end(i))
         return;
      u32 next = pc + i->words;
      flag = sets_flag(i) ? i : is_jump(i) || !strcmp(i->op->name, "S_DELAY_ALU") ? flag : NULL;
      if (i->op->run == run_branch)
         follow(c, i, pc, flag);
      if (is_jump(i))
         return;
      if (next >= c->count || !c->at[next])
         return;
      if (c->begins[next] || i->op->run == run_branch) {
         c->begins[next] = true;
         go_on(c, next, next, flag);
         return;
      }
      pc = next;
   }
}

/* The findings, a line each; the caller frees them. *last: how many words the shader has. */
static char *hazards_of(u64 address, const u32 *words, u32 count, u32 lanes, bool alone, u32 *last)
{
   Check c = {.address = address, .words = words, .count = count, .waits = {.lanes = lanes, .alone = alone}};
   c.at = calloc(count + 1, sizeof *c.at);
   c.begins = calloc(count + 1, 1);
   c.entry = calloc(count + 1, sizeof *c.entry);
   paths_begin(&c.p, count, walk);
   c.waits.to = c.p.out;
   reach(&c);
   flow(&c, 0);
   char *text = paths_end(&c.p);
   for (u32 pc = 0; pc < c.last && pc < count; pc++)
      free(c.at[pc]), free(c.entry[pc]);
   free(c.at), free(c.begins), free(c.entry);
   *last = c.last < count ? c.last : count;
   return text;
}

/* The number of words that follow an address, up to a bound. */
static u32 words_at(u64 address)
{
   u32 least = 0, most = MOST_WORDS;
   while (least < most) {
      u32 middle = (least + most + 1) / 2;
      if (memory_find(address, 4ull * middle))
         least = middle;
      else
         most = middle - 1;
   }
   return least;
}

void hazards_report(u64 address, u32 lanes, bool alone)
{
   static struct {
      u64 address, hash;
      u32 words, lanes, reported;
      bool alone;
      char *findings;
   } shaders[KEPT], *s;
   s = &shaders[address / 256 % KEPT];
   const u8 *code = s->findings && s->address == address && s->lanes == lanes && s->alone == alone ? memory_find(address, 4ull * s->words) : NULL;
   if (!code || code_hash(code, 4ull * s->words) != s->hash) {
      free(s->findings);
      u32 count = words_at(address);
      code = memory_find(address, 4);
      *s = (typeof(*s)){.address = address, .lanes = lanes, .alone = alone};
      s->findings = hazards_of(address, (const u32 *)code, count, lanes, alone, &s->words);
      s->hash = code_hash(code, 4ull * s->words);
      code_keep(s->hash, code, 4ull * s->words);
   }
   findings_report(s->findings, &s->reported);
}

/* For tests: the findings for a shader's words. Returns their length. */
__attribute__((visibility("default"))) int rdna_hazards(const u32 *words, int count, int lanes, char *out, int size);
int rdna_hazards(const u32 *words, int count, int lanes, char *out, int size)
{
   u32 last;
   choose_gpu();
   char *text = hazards_of(0, words, (u32)count, (u32)lanes, false, &last);
   int length = (int)strlen(text);
   snprintf(out, size, "%s", text);
   free(text);
   return length;
}
