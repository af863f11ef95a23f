/* Control flow, and the run of a warp. */
#include "draw.h"
#include <stdio.h>

static _Thread_local const Instruction *now;
static _Thread_local u32 now_clause, now_tuple;

static const char *place_of_now(void)
{
   static _Thread_local char text[320];
   if (!now)
      return "";
   snprintf(text, sizeof text, "%s (clause %u, tuple %u)", instruction_text(now), now_clause, now_tuple);
   return text;
}

void refresh(Wave *wave)
{
   struct Registers *r = &wave->reg;
   r->exec = (u16)wave->active.w[0];
   for (u32 lane = 0; lane < LANES; lane++)
      r->blend[lane] = -(u32)(r->exec >> lane & 1);
}

/* ---- instructions */

static float float_operand(const Instruction *i, u32 word, bool half)
{
   return half ? half_float(word >> (i->mod[M_widen0] == O_h1 ? 16 : 0) & 0xffff) : as_float(word);
}

/* The value that is compared with zero: a word or a half, as a signed or unsigned integer, or as a float. */
static u8 relation_to_zero(const Instruction *i, u32 word)
{
   const char *type = i->op->name + sizeof "BRANCHZ." - 1;
   bool half = type[1] == '1';
   if (*type == 'f') {
      float x = float_operand(i, word, half);
      return x < 0 ? LESS : x == 0 ? EQUAL : x > 0 ? GREATER : UNORDERED;
   }
   if (half)
      word = word >> (i->mod[M_widen0] == O_h1 ? 16 : 0) & 0xffff;
   bool negative = *type == 's' && word >> (half ? 15 : 31) & 1;
   return word == 0 ? EQUAL : negative ? LESS : GREATER;
}

void run_branch_zero(Wave *wave, const Instruction *i)
{
   const u32 *v = raw_operand(wave, i, 0);
   Mask exec = exec_of(wave);
   EACH_LANE(lane, exec) wave->reg.taken |= ((i->compare & relation_to_zero(i, v[lane])) != 0) << lane;
}

void run_jump(Wave *wave, const Instruction *i) { (void)i, wave->reg.taken = wave->reg.exec; }

void run_unknown(Wave *wave, const Instruction *i) { (void)wave, (void)i, stop(UNKNOWN, "not emulated"); }

void run_barrier(Wave *wave, const Instruction *i)
{
   (void)i;
   if (!state_of(wave)->barriers)
      stop(FAULT, "a barrier in a launch that says that it has none");
}

/* ---- clauses */

static void fill(u32 *row, u32 value)
{
   for (u32 lane = 0; lane < LANES; lane++)
      row[lane] = value;
}

static void read_ports(Wave *wave, const Tuple *t)
{
   struct Registers *r = &wave->reg;
   for (u32 n = 0; n < 3; n++) {
      if (t->read[n] == NO_REGISTER) {
         r->missing[n][0] = r->missing[n][1] = r->exec;
         continue;
      }
      check_register(state_of(wave), t->read[n]);
      memcpy(r->port[n], r->row[t->read[n]], sizeof r->port[n]);
      r->missing[n][0] = r->exec & ~r->written[2 * t->read[n]];
      r->missing[n][1] = r->exec & ~r->written[2 * t->read[n] + 1];
   }
}

enum { LANE_NUMBER = 1, ATEST_PARAMETER = 5, BLEND = 8 };

static void read_constant(Wave *wave, const Tuple *t)
{
   struct Registers *r = &wave->reg;
   const State *state = state_of(wave);
   if (t->constant & 0x80) {
      u32 number = 2 * (t->constant & 0x7f);
      if (number + 1 >= state->uniforms)
         stop(FAULT, "the launch has %u uniforms, not u%u", state->uniforms, number + 1);
      fill(r->port[PORT_LOW], state->uniform[number]);
      fill(r->port[PORT_HIGH], state->uniform[number + 1]);
   } else if (t->constant == LANE_NUMBER) {
      for (u32 lane = 0; lane < LANES; lane++)
         r->port[PORT_LOW][lane] = lane;
      fill(r->port[PORT_HIGH], 0);
   } else if (t->constant == ATEST_PARAMETER || (t->constant == BLEND && state->fragments)) {
      fill(r->port[PORT_LOW], t->constant == BLEND ? state->blend[0] : 0);
      fill(r->port[PORT_HIGH], t->constant == BLEND ? state->blend[1] : 0);
   } else if (t->constant < 0x20 && t->constant) {
      stop(UNKNOWN, "the special value %u", t->constant);
   } else {
      fill(r->port[PORT_LOW], t->value[0]);
      fill(r->port[PORT_HIGH], t->value[1]);
   }
}

static void write_results(Wave *wave, const Tuple *t)
{
   if (t->write_fma != NO_REGISTER)
      write_register(wave, t->write_fma, t->halves_fma, wave->reg.result[0]);
   if (t->write_add != NO_REGISTER)
      write_register(wave, t->write_add, t->halves_add, wave->reg.result[1]);
}

static void trace_tuple(const Wave *wave, const Tuple *t)
{
   u32 lane = mask_lowest(exec_of(wave)) % LANES;
   char fma[256];
   snprintf(fma, sizeof fma, "%s", instruction_text(&t->fma));
   trace("   %u/%u %3u.%u %-40s 0x%08x  %-40s 0x%08x  %u lanes, %u", wave->group->index, wave->index, now_clause, now_tuple, fma,
         wave->reg.result[0][lane], instruction_text(&t->add), wave->reg.result[1][lane], mask_count(exec_of(wave)), lane);
}

static void run_instruction(Wave *wave, const Instruction *i)
{
   now = i;
   if (i->op->run != run_alu)
      fill(result_of(wave, i), POISON);
   i->op->run(wave, i);
}

/* A tuple reads its registers before the results of the previous tuple are written. It gets those results by ports 6 and 7. */
static void run_tuple(Wave *wave, const Clause *c, u32 n)
{
   const Tuple *t = &c->tuple[n];
   struct Registers *r = &wave->reg;
   now_tuple = n;
   now = &t->fma;
   read_ports(wave, t);
   if (n)
      write_results(wave, t);
   memcpy(r->port[PORT_FMA], r->result[0], sizeof r->port[0]);
   memcpy(r->port[PORT_ADD], r->result[1], sizeof r->port[0]);
   if (t->used & (1 << PORT_LOW | 1 << PORT_HIGH))
      read_constant(wave, t);
   fill(r->port[PORT_STAGE], 0);
   run_instruction(wave, &t->fma);
   memcpy(r->port[PORT_STAGE], r->result[0], sizeof r->port[0]);
   run_instruction(wave, &t->add);
   if (tracing && wave->group->index == 0 && wave->index == 0)
      trace_tuple(wave, t);
}

/* Lanes that diverge wait for each other, and go on together, only at a place that asks for it. Elsewhere the lanes
 * that run go on without the others, as was seen on a board (M14). */
void branch_from(Wave *wave, Mask taken, u32 to, u32 next, bool reconverges)
{
   bool some = mask_any(taken);
   if (reconverges || (some && !mask_equal(taken, wave->active)))
      wave_branch(wave, taken, to, next);
   else
      wave->pc = some ? to : next;
}

static void branch_from_clause(Wave *wave, const Clause *c)
{
   Mask taken = {{wave->reg.taken}};
   bool barrier = false;
   for (u32 n = 0; n < c->count; n++)
      barrier |= c->tuple[n].add.op->run == run_barrier;
   if (barrier) {
      if (mask_any(taken) && !mask_equal(taken, wave->active))
         stop(UNKNOWN, "a clause with a barrier and a branch that diverges");
      wave_barrier(wave, mask_any(taken) ? c->target : c->flow ? wave->pc + 1 : END);
   } else {
      branch_from(wave, taken, c->target, c->flow ? wave->pc + 1 : END, clause_reconverges(c));
   }
}

static void run_clause(Wave *wave, const Clause *c)
{
   struct Registers *r = &wave->reg;
   r->taken = 0;
   fill(r->result[0], POISON);
   fill(r->result[1], POISON);
   for (u32 n = 0; n < c->count; n++)
      run_tuple(wave, c, n);
   write_results(wave, &c->tuple[0]);
   wave->executed += 2 * c->count;
   if (c->waits & 0x7f) /* the warp's own messages are done, for all of its lanes */
      wave->fences++;
   if (c->controls)
      branch_from_clause(wave, c);
   else
      wave->pc++;
}

void run_clauses(Wave *wave, u64 end)
{
   const Shader *shader = wave->group->launch->code;
   u64 lanes = 0;
   mark_place = place_of_now;
   while (wave->state == RUNS && wave->executed < end) {
      if (wave->pc == END) {
         wave_end(wave);
         continue;
      }
      if (wave->pc >= shader->count)
         stop(FAULT, "the shader goes on after its last clause");
      refresh(wave);
      now_clause = wave->pc;
      const Clause *c = &shader->clause[wave->pc];
      lanes += 2 * c->count * (u64)mask_count(wave->active);
      run_clause(wave, c);
   }
   now = NULL;
   statistics.lane_instructions += lanes;
}

void family_run(Wave *wave, u64 budget)
{
   u64 begun = wave->executed;
   is_valhall() ? run_words(wave, begun + budget) : run_clauses(wave, begun + budget);
   statistics.instructions += wave->executed - begun;
}

/* The registers that the hardware sets if the launch asks for them: r55 to r62. */
static void start_items(Wave *wave)
{
   const State *state = state_of(wave);
   u32 values[LANES];
   const u32 *group = wave->group->id, *size = wave->group->launch->size;
   for (u32 bit = 7; bit <= 14; bit++) {
      if (!(state->preload >> bit & 1))
         continue;
      for (u32 lane = 0; lane < LANES; lane++) {
         u32 item = wave_item(wave, lane), local[3] = {item % size[0], item / size[0] % size[1], item / size[0] / size[1]};
         values[lane] = bit == 7 ? local[0] | local[1] << 16 : bit == 8 ? local[2] : bit < 12 ? group[bit - 9] : group[bit - 12] * size[bit - 12] + local[bit - 12];
      }
      write_register(wave, 48 + bit, 3, values);
   }
}

void family_start(Wave *wave)
{
   const Launch *launch = wave->group->launch;
   const State *state = launch->state;
   struct Registers *r = &wave->reg;
   for (u32 row = 0; row < REGISTERS; row++)
      fill(r->row[row], POISON);
   memset(r->written, 0, sizeof *r - offsetof(struct Registers, written));
   refresh(wave);
   if (state->stage == VERTEX_STAGE)
      start_vertices(wave);
   else if (state->stage == FRAGMENT_STAGE)
      start_fragments(wave);
   else
      start_items(wave);
}
