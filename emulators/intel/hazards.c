/* What a kernel forgets to wait for, along all paths, by its finished binary only.
 *
 * Gen12's hardware does not guard registers. An instruction that computes may begin before those in front of it have
 * written their results; an annotation @N makes it wait for the one N instructions before it. Messages and `math` run
 * in parallel: each takes a token, and an instruction that needs its result, or writes what it reads, waits for the
 * token ($N.dst, $N.src). The rules are those of Mesa's src/intel/compiler/brw_lower_scoreboard.cpp; the hardware
 * itself guards flags and implicit uses of the accumulator. A state is what may be pending before an instruction. Where
 * paths meet, it is the union of theirs. Gen9 and Gen11 guard registers unless an instruction switches that off:
 * dependency.c.
 */
#include "hazards.h"
#include <stdlib.h>

/* Merges what is pending now into the state at `to`. */
static void flow(Check *c, u32 to)
{
   if (to >= c->kernel->count)
      return;
   bool grew = !c->entry[to];
   if (grew)
      c->entry[to] = calloc(1, sizeof(Pending));
   Pending *e = c->entry[to];
   const Pending *now = &c->now;
   for (u32 how = 0; how < HOWS; how++)
      for (u32 u = 0; u < UNITS; u++) {
         for (u32 p = 0; p < PIPES; p++) {
            i32 stamp = now->stamp[how][p][u], there = e->stamp[how][p][u];
            u32 by = now->by[how][p][u];
            u32 age = stamp > c->done[!c->kernel->code[by].no_mask][p] ? (u32)(c->count[p] - stamp) : DEPTH + 1;
            bool later = age <= DEPTH && (!there || age < (u32)-there);
            if (later)
               e->stamp[how][p][u] = -(i32)age, e->by[how][p][u] = by;
            grew |= later;
         }
         for (u32 maskless = 0; maskless < 2; maskless++) {
            u16 more = now->tokens[how][u][maskless] & ~e->tokens[how][u][maskless];
            if (more)
               e->tokens[how][u][maskless] |= more, e->taken_by[how][u] = now->taken_by[how][u];
            grew |= more != 0;
         }
      }
   if (grew)
      paths_queue(&c->p, to);
}

/* Where control may go after an instruction, for channels that jump and for those that do not: the edges of Mesa's
 * brw_cfg.cpp. Jumps by JIP over code without channels do not count. */
static u32 follows(const Instruction *i, u32 pc, u32 to[2])
{
   u32 n = 0;
   bool never = i->ends || ((i->op->run == run_jmpi || i->op->run == run_while) && !i->predicate);
   if (!never)
      to[n++] = pc + 1;
   bool leaves_by_uip = i->op->run == run_else || i->op->run == run_break || i->op->run == run_cont || i->op->run == run_halt;
   if (i->op->flow && i->op->run != run_endif)
      to[n++] = (u32)(leaves_by_uip ? i->uip : i->jip);
   return n;
}

/* Walks from the first instruction of a block on. */
static void walk(Paths *p, u32 pc)
{
   Check *c = (Check *)p;
   const Kernel *kernel = c->kernel;
   u32 to[2];
   c->now = *c->entry[pc];
   for (u32 pipe = 0; pipe < PIPES; pipe++) {
      for (u32 how = 0; how < HOWS; how++)
         for (u32 u = 0; u < UNITS; u++)
            c->now.stamp[how][pipe][u] = c->now.stamp[how][pipe][u] ? c->now.stamp[how][pipe][u] : NEVER;
      c->count[pipe] = 0;
      c->done[0][pipe] = c->done[1][pipe] = NEVER;
   }
   memset(c->lengths_known, 0, sizeof c->lengths_known);
   c->alone = false;
   for (;; pc++) {
      c->pc = pc;
      hazards_step(c, &kernel->code[pc]);
      if (pc + 1 >= kernel->count || kernel->code[pc + 1].joins)
         break;
   }
   for (u32 n = c->p.reports ? 0 : follows(&kernel->code[pc], pc, to); n-- > 0;)
      flow(c, to[n]);
}

/* The findings, a line each; the caller frees them. */
char *hazards_of(const Kernel *kernel)
{
   Check *c = calloc(1, sizeof *c);
   c->kernel = kernel;
   c->entry = calloc(kernel->count + 1, sizeof *c->entry);
   paths_begin(&c->p, kernel->count, walk);
   if (generation < GEN12) {
      c->p.reports = true;
      for (; c->pc < kernel->count; c->pc++)
         dependency_step(c, &kernel->code[c->pc]);
   } else {
      flow(c, 0);
   }
   char *text = paths_end(&c->p);
   for (u32 pc = 0; pc < kernel->count; pc++)
      free(c->entry[pc]);
   free(c->entry), free(c);
   return text;
}

/* Marks the findings of a kernel. */
void hazards_report(Kernel *kernel)
{
   if (!kernel->findings)
      kernel->findings = hazards_of(kernel);
   findings_report(kernel->findings, &kernel->reported);
}

/* For tests: writes the findings for a kernel's code, and returns their length. */
__attribute__((visibility("default"))) int intel_hazards(const void *code, u32 bytes, char *out, u32 size);
int intel_hazards(const void *code, u32 bytes, char *out, u32 size)
{
   gpu_named();
   Kernel kernel = {.bytes = (u8 *)(uintptr_t)code, .size = bytes, .code = malloc((bytes / 8 + 1) * sizeof(Instruction))};
   decode_all(&kernel);
   char *text = hazards_of(&kernel);
   int length = snprintf(out, size, "%s", text);
   free(text);
   free(kernel.code);
   return length;
}
