/* Finds missing (ss), (sy) and cycles between a result and its use in a finished shader, along every path through it.
 *
 * The hardware does not wait for registers by itself; the compiler must make it wait. synchronisation.py says for what,
 * and how. A state is what is still pending before an instruction. States flow along the control flow until nothing is
 * new; where paths meet, the state is the union of theirs. Then each block is walked once more, and findings are
 * reported.
 */
#include "hazards.h"
#include <stdlib.h>

/* Pending results in shared registers also concern lanes that took another way, because the whole wave has one register. */
static const u8 OF_WAVE = 1 << RESULT_SS | 1 << SCALAR_FULL | 1 << SCALAR_HALF | 1 << SCALAR_READ;

/* Merges what is pending now, `c->cycle` cycles into a block, into the state at `to`: all of it, or only what
 * concerns the whole wave. */
static void flow(Check *c, u32 to, bool wave_only)
{
   if (to >= c->shader->count)
      return;
   bool grew = !c->entry[to];
   if (grew)
      c->entry[to] = calloc(1, sizeof(Entry));
   Entry *e = c->entry[to];
   const Entry *now = &c->now;
   for (u32 p = 0; p < PENDING; p++)
      for (u32 w = wave_only ? SHARED_WORD : 0; w < (wave_only ? SHARED_WORD + 1 : WORDS); w++) {
         u64 more = wave_only && !(OF_WAVE >> p & 1) ? 0 : now->pending[p][w] & ~e->pending[p][w];
         e->pending[p][w] |= more;
         grew |= more != 0;
         for (; more; more &= more - 1)
            e->by[w * 64 + __builtin_ctzll(more)] = now->by[w * 64 + __builtin_ctzll(more)];
      }
   if (!wave_only) {
      for (u32 w = 0; w < COUNT(now->constants_ss); w++) {
         grew |= (now->constants_ss[w] & ~e->constants_ss[w]) != 0;
         e->constants_ss[w] |= now->constants_ss[w];
      }
      u8 differs = now->differs | (c->target[to] ? now->same : 0), same = c->target[to] ? 0 : now->same;
      grew |= differs & ~e->differs || same & ~e->same || now->constants_sy > e->constants_sy || now->barrier_ss > e->barrier_ss || now->barrier_sy > e->barrier_sy;
      e->differs |= differs;
      e->same |= same;
      e->constants_sy |= now->constants_sy;
      e->barrier_ss |= now->barrier_ss;
      e->barrier_sy |= now->barrier_sy;
      for (u32 r = 0; r < READERS; r++)
         for (u32 u = 0; u < UNITS; u++)
            if (c->ready[r][u] > c->cycle + e->ready[r][u]) {
               e->ready[r][u] = c->ready[r][u] - c->cycle;
               e->by[u] = now->by[u];
               grew = true;
            }
   }
   if (grew)
      paths_queue(&c->p, to);
}

/* The branch after another one that takes all lanes that the first one has left: Mesa's way to go to one of two places. */
static bool is_rest(const Check *c, u32 pc)
{
   static const u8 OPPOSITE[] = {[BR] = BR, [BRAO] = BRAA, [BRAA] = BRAO, [BANY] = BALL, [BALL] = BANY};
   const Instruction *i = &c->shader->code[pc], *first = i - 1;
   if (!pc || c->target[pc] || i->op->run != run_branch || first->op->run != run_branch || first->op->flag != OPPOSITE[i->op->flag])
      return false;
   bool two = i->op->flag == BRAO || i->op->flag == BRAA;
   bool same = i->predicate == first->predicate && (!two || i->predicate2 == first->predicate2);
   return same && i->inverted != first->inverted && (!two || i->inverted2 != first->inverted2);
}

/* False if control never goes on at the next instruction, even for other lanes that wait there. The wave goes on at
 * the lowest place at which lanes are, so it does not get there after a jump back. */
static bool falls_through(const Check *c, u32 pc)
{
   return c->shader->code[pc].op->run != run_jump && !(c->part[pc] && c->second[pc]) && !is_rest(c, pc);
}

/* Whether lanes may diverge at a branch: not by a predicate that the unit for shared registers wrote, nor by one
 * that was computed from what is the same in all lanes. */
static bool may_split(const Check *c, const Instruction *i)
{
   if (i->op->run != run_branch)
      return i->op->run == run_predicate || i->op->run == run_getone || i->op->run == run_getlast || i->op->run == run_shps;
   bool two = i->op->flag == BRAO || i->op->flag == BRAA, all = i->op->flag == BANY || i->op->flag == BALL;
   return !all && (c->now.differs >> i->predicate & 1 || (two && c->now.differs >> i->predicate2 & 1));
}

/* The places at which control goes on after an instruction; returns how many. Lanes that predt or predf hold back
 * have skipped its part. */
static u32 follows(const Check *c, u32 pc, u32 to[2])
{
   const Instruction *i = &c->shader->code[pc];
   bool branches = i->op->run == run_branch || i->op->run == run_getone || i->op->run == run_getlast || i->op->run == run_shps;
   u32 n = 0;
   if (branches || i->op->run == run_jump)
      to[n++] = (u32)((i64)pc + i->offset);
   if (c->part[pc])
      to[n++] = c->part[pc];
   if (i->op->run != run_end && falls_through(c, pc))
      to[n++] = pc + 1;
   return n;
}

/* predt, a part for some lanes, predf, a part for the others, prede. The second part may be missing. */
static void find_parts(Check *c)
{
   u32 first = c->shader->count, second = first;
   for (u32 pc = 0; pc < c->shader->count; pc++) {
      const Instruction *i = &c->shader->code[pc];
      if (i->op->run != run_predicate)
         continue;
      if (i->op->name[4] == 'e') {
         if (second < pc)
            c->part[second] = pc, c->second[second] = true;
         else if (first < pc)
            c->part[first] = pc;
         first = second = c->shader->count;
      } else if (first == c->shader->count) {
         first = pc;
      } else {
         second = pc;
         c->part[first] = pc + 1;
      }
   }
}

static void find_blocks(Check *c)
{
   c->begins[0] = true;
   for (u32 pc = 0; pc < c->shader->count; pc++) {
      const Instruction *i = &c->shader->code[pc];
      if (i->op->category != 0 || i->op->run == run_nop)
         continue;
      c->begins[pc + 1] = true;
      u64 to = (u64)((i64)pc + i->offset);
      if (i->op->run != run_predicate && i->op->run != run_end && i->op->run != run_shpe && to < c->shader->count)
         c->begins[to] = c->target[to] = true;
      if (c->part[pc])
         c->begins[c->part[pc]] = c->target[c->part[pc]] = true;
   }
}

/* Walks a block from its first instruction on. */
static void walk(Paths *p, u32 pc)
{
   Check *c = (Check *)p;
   u32 to[2];
   c->now = *c->entry[pc];
   c->cycle = 0;
   c->a1 = -1;
   for (u32 r = 0; r < READERS; r++)
      for (u32 u = 0; u < UNITS; u++)
         c->ready[r][u] = c->now.ready[r][u];
   for (;; pc++) {
      const Instruction *i = &c->shader->code[c->pc = pc];
      if (i->op->category > 7) {
         if (c->p.reports)
            fprintf(c->p.out, UNCHECKED "nothing is checked after 0x%016llx (instruction %u)\n", (unsigned long long)i->word, pc);
         return;
      }
      hazards_step(c, i);
      if (pc + 1 >= c->shader->count || c->begins[pc + 1])
         break;
   }
   if (c->p.reports)
      return;
   const Instruction *last = &c->shader->code[pc];
   for (u32 n = follows(c, pc, to); n-- > 0;) {
      flow(c, to[n], false);
      if (to[n] < c->shader->count && !c->splits[to[n]] && may_split(c, last))
         c->splits[to[n]] = c->splits_grew = true;
   }
   if (!falls_through(c, pc) && last->offset >= 0 && c->splits[pc + 1])
      flow(c, pc + 1, true);
}

static const Delays *delays_of(u32 gpu)
{
   for (u32 n = 0; n < delays_count; n++)
      if (delays[n].first <= gpu && gpu <= delays[n].last)
         return &delays[n];
   return NULL;
}

/* EMULATOR_ACCEPT: the rules to leave out, separated by commas. */
static bool is_accepted(const char *rule)
{
   const char *list = getenv("EMULATOR_ACCEPT");
   size_t length = strlen(rule);
   while (list && *list) {
      size_t n = strcspn(list, ",");
      if (n == length && !memcmp(list, rule, n))
         return true;
      list += n + (list[n] == ',');
   }
   return false;
}

/* Until nothing is new. Only then it is known where lanes may wait. */
static void find_pending(Check *c)
{
   c->entry[0] = calloc(1, sizeof(Entry));
   c->entry[0]->differs = 15;
   paths_queue(&c->p, 0);
   do {
      c->splits_grew = false;
      paths_settle(&c->p);
      for (u32 pc = 0; pc < c->shader->count && c->splits_grew; pc++)
         if (c->entry[pc])
            paths_queue(&c->p, pc);
   } while (c->splits_grew);
}

/* The findings, a line each; the caller frees them. None for a GPU without rules. */
char *hazards_of(const Shader *shader, u32 gpu)
{
   u32 count = shader->count;
   Check *c = calloc(1, sizeof *c);
   c->shader = shader;
   c->delays = delays_of(gpu);
   c->all_late = c->delays && c->delays->all_late && is_accepted("third-source");
   c->barriers = !is_accepted("barrier");
   c->entry = calloc(count + 1, sizeof *c->entry);
   c->part = calloc(count + 1, sizeof *c->part);
   c->begins = calloc(count + 2, 1);
   c->target = calloc(count + 1, 1);
   c->second = calloc(count + 1, 1);
   c->splits = calloc(count + 2, 1);
   paths_begin(&c->p, count, walk);
   if (c->delays && count) {
      find_parts(c);
      find_blocks(c);
      find_pending(c);
   }
   char *text = paths_end(&c->p);
   for (u32 pc = 0; pc < count; pc++)
      free(c->entry[pc]);
   free(c->entry), free(c->part), free(c->begins), free(c->target), free(c->second), free(c->splits), free(c);
   return text;
}

/* Marks the findings of a shader, once for each case that takes the marks. */
void hazards_report(Shader *shader)
{
   if (shader->reported != marks_taken + 1)
      note_assumptions(shader);
   if (!shader->findings)
      shader->findings = hazards_of(shader, gpu_number);
   findings_report(shader->findings, &shader->reported);
}

/* For tests: the findings for a shader's words on a GPU (such as 630), or on the first GPU of a generation. Returns
 * their length. */
__attribute__((visibility("default"))) int adreno_hazards(const u64 *words, int count, int generation, char *out, int size);
int adreno_hazards(const u64 *words, int count, int generation, char *out, int size)
{
   u32 before = gpu_generation, gpu = generation < 100 ? generation * 100 + 30 : generation;
   gpu_generation = gpu / 100;
   Shader shader = {.count = count > 0 ? count : 0, .code = calloc(count > 0 ? count : 1, sizeof(Instruction))};
   for (u32 n = 0; n < shader.count; n++)
      decode(&shader.code[n], words[n]);
   gpu_generation = before;
   char *text = hazards_of(&shader, gpu);
   int length = (int)strlen(text);
   if (size > 0)
      snprintf(out, size, "%s", text);
   free(text);
   free(shader.code);
   return length;
}
