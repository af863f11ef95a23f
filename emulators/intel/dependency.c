/* The dependency control of Gen9 and Gen11: what the hardware is told not to guard.
 *
 * Their hardware guards registers: an instruction waits for what it reads, and for the register that it writes. Two
 * bits switch that off (Intel's Skylake reference manual, volume 7, destination dependency): NoDDClr leaves the
 * register guarded when the instruction is over, NoDDChk writes it without waiting. With them several instructions
 * write parts of one register without waiting: the first has NoDDClr, the last NoDDChk, those between have both. Any
 * other instruction that touches a register that is left guarded waits for ever. A chain of them ends in the block in
 * which it begins, as Mesa's do. cr0 is not guarded; instructions that use it switch the thread.
 */
#include "hazards.h"

enum { LEAST_LAST = 112 }; /* for a thread's last message: lower registers may belong to another thread by then */

static u32 register_of(u32 unit) { return unit < DWORDS ? unit * 4 / REGISTER : OF_A0; }

static const char *name_of(u32 number)
{
   static _Thread_local char name[8];
   snprintf(name, sizeof name, number == OF_A0 ? "a0" : "r%u", number);
   return name;
}

/* The guarded registers of a set. The accumulator does not count: it keeps its order. */
static void registers_of(const Set *set, bool touched[GUARDED])
{
   for (u32 u = 0; u < UNIT_ACC; u++)
      touched[register_of(u)] |= set->w[u / 64] >> u % 64 & 1;
}

static void report_left(Check *c, const char *what, u32 number)
{
   char why[400];
   const Instruction *by = c->left[number];
   snprintf(why, sizeof why, "%s is left guarded by %s (at 0x%x)", name_of(number), instruction_text(by), by->address);
   add_finding(c, what, why);
   c->left[number] = NULL; /* reported once */
}

void dependency_of_last(Check *c, const Instruction *i, const Set *reads)
{
   for (u32 u = 0; i->ends && u < LEAST_LAST * REGISTER / 4; u++)
      if (reads->w[u / 64] >> u % 64 & 1) {
         add_finding(c, "a payload from r112 on", "the thread's registers may be gone before its last message has read them");
         return;
      }
}

static bool is_control(const Operand *o) { return is_architecture(o, AR_CONTROL); }

void dependency_step(Check *c, const Instruction *i)
{
   Set reads = {0}, writes = {0}, needs = {0};
   bool read[GUARDED] = {0}, written[GUARDED] = {0}, control = is_control(&i->dst);
   hazards_touched(c, i, &reads, &writes, &needs);
   registers_of(&reads, read), registers_of(&needs, read), registers_of(&writes, written);
   for (u32 number = 0; number < GUARDED; number++) {
      if (c->left[number] && (read[number] || i->joins || i->op->flow || i->ends))
         report_left(c, "an end of NoDDClr", number);
      else if (c->left[number] && written[number] && !i->no_check)
         report_left(c, "NoDDChk", number);
      else if (!c->left[number] && written[number] && i->no_check)
         add_finding(c, "NoDDClr", "its register is written without a wait, and no instruction before left it guarded");
      else if (c->left[number] && written[number] && !i->no_clear && i->predicate)
         report_left(c, "an end of NoDDClr without a predicate", number);
      if (written[number])
         c->left[number] = i->no_clear ? i : NULL;
   }
   for (u32 n = 0; i->op->sources && n < i->sources; n++)
      control |= is_control(&i->src[n]);
   if (control && i->op->sources && !i->switches)
      add_finding(c, "a switch", "the hardware does not guard cr0");
   dependency_of_last(c, i, &reads);
}
