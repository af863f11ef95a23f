/* What an instruction needs from those before it, and what it leaves pending, by the rules of synchronisation.py. */
#include "hazards.h"

static const u8 UNTIL_SS = 1 << RESULT_SS | 1 << SCALAR_FULL | 1 << SCALAR_HALF | 1 << READ_SS | 1 << READ_EITHER | 1 << SCALAR_READ;
static const u8 UNTIL_SY = 1 << RESULT_SY | 1 << READ_EITHER;

/* The halves that an instruction reads or writes, and how many cycles after its start. */
typedef struct {
   u16 unit, cycle;
   bool half; /* as a half register */
} Unit;
typedef struct {
   u32 count;
   Unit unit[4 * HALVES];
} Units;

/* ---- findings */

static const char *unit_name(u32 unit, bool half)
{
   static char name[16];
   u32 number = unit >= UNIT_A0 ? unit - UNIT_A0 : !half ? unit / 2 : unit < 2 * SHARED ? unit : unit - SHARED;
   if (unit >= UNIT_P0)
      snprintf(name, sizeof name, "p0.%c", "xyzw"[unit - UNIT_P0]);
   else if (unit >= UNIT_A0)
      snprintf(name, sizeof name, "a%u.x", number);
   else
      snprintf(name, sizeof name, "%sr%u.%c", half ? "h" : "", number / 4, "xyzw"[number % 4]);
   return name;
}

static void report(Check *c, const char *what, u32 unit, bool half, const char *why)
{
   if (!c->p.reports)
      return;
   fprintf(c->p.out, "%s before %s (instruction %u)", what, instruction_text(&c->shader->code[c->pc]), c->pc);
   if (unit < UNITS) {
      u32 by = c->now.by[unit];
      fprintf(c->p.out, ": %s %s %s (instruction %u)", unit_name(unit, half), why, instruction_text(&c->shader->code[by]), by);
   } else if (why) {
      fprintf(c->p.out, ": %s", why);
   }
   fputc('\n', c->p.out);
}

/* ---- registers */

static u32 unit_of(u32 number, bool half)
{
   if (number >= P0)
      return UNIT_P0 + (number - P0);
   if (number >= A0)
      return UNIT_A0 + (number - A0);
   return !half ? 2 * number : number < SHARED ? number : SHARED + number;
}

static void add_operand(Units *units, const Instruction *i, const Operand *o, u32 late)
{
   u32 begin = late + (i->op->run == run_multi ? o->index : 0);
   for (u32 k = 0; k < o->count; k++) {
      u32 number = o->number + k, first = unit_of(number, o->half), count = number >= A0 || o->half ? 1 : 2;
      bool exists = number >= A0 ? number <= A1 || (number >= P0 && number < DUMMY) : first + count <= HALVES;
      for (u32 u = 0; u < count && exists && units->count < COUNT(units->unit); u++)
         units->unit[units->count++] = (Unit){first + u, begin + (i->repeat ? k : 0), o->half && number < A0};
   }
}

static void find_units(const Check *c, const Instruction *i, Units *reads, Units *writes)
{
   Operand operands[OPERANDS];
   reads->count = writes->count = 0;
   for (u32 n = 0, count = reads_of(c->shader, i, operands); n < count; n++) {
      bool late = i->op->category == 3 && operands[n].index == 2 && (c->all_late || i->op->late);
      add_operand(reads, i, &operands[n], late ? c->delays->late : 0);
   }
   for (u32 n = 0, count = writes_of(i, operands); n < count; n++)
      add_operand(writes, i, &operands[n], 0);
}

static bool has(const u64 *set, u32 unit) { return set[unit / 64] >> unit % 64 & 1; }
static void put_in(u64 *set, u32 unit) { set[unit / 64] |= 1ull << unit % 64; }
static bool is_shared(u32 unit) { return unit / 64 == SHARED_WORD; }

/* Executed by the unit for shared registers (is_scalar_alu()). */
static bool is_scalar(const Check *c, const Instruction *i)
{
   bool alu = i->op->category >= 1 && i->op->category <= 3 && i->op->run != run_movmsk;
   if (!c->delays->scalar || !alu || (!i->uniform && (i->dst < SHARED || i->dst >= A0)))
      return false;
   const Source *s = &i->src[0];
   return i->op->run != run_move || s->where == CONSTANT || s->where == IMMEDIATE || (s->where == GPR && s->number >= SHARED);
}

/* In an early preamble a1.x is waited for by (ss). The (r) of the instruction that writes it says so (writes_addr1()). */
static bool is_early_a1(const Instruction *i) { return i->op->category == 1 && i->dst == A1 && !i->repeat && i->word >> 43 & 1; }

/* ---- an instruction */

static void wait_for(Entry *e, bool ss, bool sy)
{
   for (u32 p = 0; p < PENDING; p++)
      if ((ss && UNTIL_SS >> p & 1) || (sy && UNTIL_SY >> p & 1))
         memset(e->pending[p], 0, sizeof e->pending[p]);
   if (ss) {
      memset(e->constants_ss, 0, sizeof e->constants_ss);
      e->barrier_ss = false;
   }
   if (sy)
      e->constants_sy = e->barrier_sy = false;
}

/* After a finding, the check goes on as if the flag were there, so that each missing flag is reported once. */
static void need(Check *c, bool ss, bool sy, u32 unit, bool half, const char *why)
{
   report(c, ss && sy ? "(ss) and (sy) missing" : ss ? "(ss) missing" : "(sy) missing", unit, half, why);
   wait_for(&c->now, ss, sy);
}

static void check_barrier(Check *c, const Instruction *i)
{
   Entry *e = &c->now;
   bool idle = i->op->category == 0 && (i->op->run == run_nop || i->op->run == run_end), all = i->op->waits;
   bool ss = (e->barrier_ss && !idle) || (all && !i->ss), sy = (e->barrier_sy && !idle) || (all && !i->sy);
   if (ss || sy)
      need(c, ss, sy, UNITS, false, all ? "it waits for all" : "a barrier is before it");
}

static void check_flag(Check *c, const Unit *u, bool scalar)
{
   Entry *e = &c->now;
   if (has(e->pending[RESULT_SY], u->unit))
      need(c, false, true, u->unit, u->half, "comes from");
   bool fast = scalar && !has(e->pending[u->half ? SCALAR_HALF : SCALAR_FULL], u->unit);
   bool slow = !fast && (has(e->pending[SCALAR_FULL], u->unit) || has(e->pending[SCALAR_HALF], u->unit));
   if (slow || has(e->pending[RESULT_SS], u->unit))
      need(c, true, false, u->unit, u->half, "comes from");
}

static void check_flags(Check *c, const Instruction *i, const Units *reads, const Units *writes)
{
   Entry *e = &c->now;
   bool scalar = is_scalar(c, i);
   for (u32 n = 0; n < reads->count; n++)
      check_flag(c, &reads->unit[n], scalar);
   for (u32 n = 0; n < writes->count; n++) {
      const Unit *u = &writes->unit[n];
      check_flag(c, u, scalar);
      if (has(e->pending[READ_SS], u->unit) || has(e->pending[READ_EITHER], u->unit) || (!scalar && has(e->pending[SCALAR_READ], u->unit)))
         need(c, true, false, u->unit, u->half, "is read by");
   }
}

static void check_constants(Check *c, const Instruction *i)
{
   Operand read[OPERANDS];
   u32 count = constants_of(i, read);
   if (count && c->now.constants_sy)
      need(c, false, true, UNITS, false, "constants are loaded before it");
   for (u32 n = 0; n < count; n++)
      for (u32 k = read[n].number; k < (u32)read[n].number + read[n].count && k < CONSTANTS; k++)
         if (has(c->now.constants_ss, k))
            need(c, true, false, UNITS, false, "a constant is stored before it");
}

static bool is_alu(const Instruction *i) { return i->op->category >= 1 && i->op->category <= 3; }

static void check_slots(Check *c, const Instruction *i, const Units *reads)
{
   const Unit *at = NULL;
   u32 worst = 0;
   for (u32 n = 0; n < reads->count && i->op->run != run_end; n++) {
      const Unit *u = &reads->unit[n];
      u32 ready = c->ready[!is_alu(i) ? OTHERS : u->half ? HALVED : FULL][u->unit], read = c->cycle + u->cycle;
      if (ready > read + worst)
         worst = ready - read, at = u;
   }
   char text[40];
   snprintf(text, sizeof text, "%u delay slot%s missing", worst, worst == 1 ? "" : "s");
   if (worst)
      report(c, text, at->unit, at->half, "is written by");
}

/* The number of nops that are executed from there on, following jumps that are always taken. */
static u32 nops_from(const Shader *shader, u32 pc)
{
   enum { FAR = 16 };
   u32 nops = 0;
   for (u32 n = 0; n < FAR && pc < shader->count && shader->code[pc].op->category == 0; n++) {
      const Instruction *i = &shader->code[pc];
      if (i->op->run != run_nop && i->op->run != run_jump)
         break;
      nops += i->op->run == run_nop ? i->repeat + 1 : 0;
      pc += i->op->run == run_nop ? 1 : i->offset;
   }
   return nops;
}

/* Some GPUs need nops after the parts of a predication (add_predication_workaround()). If a jump follows, 26.2.6
 * puts them at its target. */
static void check_nops(Check *c, const Instruction *i)
{
   bool second = c->part[c->pc] && c->second[c->pc], ends = i->op->run == run_predicate && i->op->name[4] == 'e';
   u32 need_of = second ? c->delays->after_second : ends ? c->delays->after_prede : 0;
   u32 nops = c->p.reports && need_of ? nops_from(c->shader, c->pc + 1) : need_of;
   if (nops < need_of)
      fprintf(c->p.out, "%u nops missing after %s (instruction %u)\n", need_of - nops, instruction_text(i), c->pc);
}

static void set_ready(Check *c, u32 reader, u32 unit, bool alu, u32 cycle)
{
   u32 *ready = &c->ready[reader][unit];
   *ready = !alu ? 0 : *ready > cycle ? *ready : cycle;
}

/* The time at which its results may be read. A result that flags wait for comes after all earlier writes to the register. */
static void write_slots(Check *c, const Instruction *i, const Units *writes)
{
   const Delays *d = c->delays;
   bool alu = is_alu(i);
   for (u32 n = 0; n < writes->count && !is_early_a1(i); n++) {
      u32 unit = writes->unit[n].unit, at = c->cycle + writes->unit[n].cycle;
      bool half = writes->unit[n].half, special = unit >= HALVES;
      if (is_shared(unit) || is_scalar(c, i))
         continue;
      set_ready(c, OTHERS, unit, alu, at + d->other);
      set_ready(c, HALVED, unit, alu, at + (half && !special ? d->alu : d->other));
      set_ready(c, FULL, unit, alu, at + (half || special ? d->other : d->alu));
   }
}

static void leave_pending(Check *c, const Instruction *i, const Units *reads, const Units *writes)
{
   Entry *e = &c->now;
   bool scalar = is_scalar(c, i), ss = i->op->source_wait == BY_SS, same = is_alu(i);
   for (u32 n = 0; n < reads->count; n++)
      same &= is_shared(reads->unit[n].unit);
   for (u32 n = 0; n < writes->count; n++) {
      u32 unit = writes->unit[n].unit;
      if (i->op->result_wait == BY_SS || is_early_a1(i))
         put_in(e->pending[RESULT_SS], unit);
      if (i->op->result_wait == BY_SY)
         put_in(e->pending[RESULT_SY], unit);
      if (is_shared(unit) || scalar)
         put_in(e->pending[!scalar ? RESULT_SS : writes->unit[n].half ? SCALAR_FULL : SCALAR_HALF], unit);
      ss |= is_shared(unit);
      e->by[unit] = c->pc;
      if (unit >= UNIT_P0) {
         u8 bit = 1 << (unit - UNIT_P0);
         e->differs = (u8)((e->differs & ~bit) | (!i->uniform && !same ? bit : 0));
         e->same = (u8)((e->same & ~bit) | (!i->uniform && same ? bit : 0));
      }
   }
   for (u32 n = 0; n < reads->count && (ss || i->op->source_wait == BY_EITHER); n++) {
      u32 unit = reads->unit[n].unit;
      if (scalar && !is_shared(unit) && unit != UNIT_A0)
         continue;
      put_in(e->pending[scalar ? SCALAR_READ : ss ? READ_SS : READ_EITHER], unit);
      if (!has(e->pending[SCALAR_FULL], unit) && !has(e->pending[SCALAR_HALF], unit)) /* a finding names its writer first */
         e->by[unit] = c->pc;
   }
}

static void leave_constants(Check *c, const Instruction *i)
{
   c->now.constants_sy |= i->op->constant_wait == BY_SY;
   if (i->op->constant_wait != BY_SS)
      return;
   bool anywhere = i->dst_a1 && c->a1 < 0;
   u32 first = anywhere ? 0 : i->dst + (i->dst_a1 ? c->a1 : 0), end = anywhere ? CONSTANTS : first + i->size;
   for (u32 k = first; k < end && k < CONSTANTS; k++)
      put_in(c->now.constants_ss, k);
}

void hazards_step(Check *c, const Instruction *i)
{
   Units reads, writes;
   find_units(c, i, &reads, &writes);
   wait_for(&c->now, i->ss, i->sy);
   check_barrier(c, i);
   check_flags(c, i, &reads, &writes);
   check_constants(c, i);
   check_slots(c, i, &reads);
   check_nops(c, i);
   bool counts = i->op->cycle && !is_scalar(c, i);
   c->cycle += counts;
   write_slots(c, i, &writes);
   if (counts)
      c->cycle += i->repeat + (i->op->run == run_multi ? i->size - 1 : 0);
   c->cycle += i->nops;
   leave_pending(c, i, &reads, &writes);
   leave_constants(c, i);
   if (i->op->category == 1 && i->dst == A1)
      c->a1 = i->src[0].where == IMMEDIATE ? i->src[0].value & 0xffff : -1;
   if (i->op->barrier && c->barriers)
      c->now.barrier_ss = c->now.barrier_sy = true;
}
