/* Instructions that need a distance from each other. gfx9: "Vega" ISA, 4.5 (manually inserted wait states). gfx11: no
 * text of AMD's states them; LLVM's GCNHazardRecognizer.cpp and ACO's aco_insert_NOPs.cpp have the same numbers under
 * the names used here. ACO is also the second source for gfx9. gfx11.5 waits for transcendental results by itself.
 */
#include "delays.h"
#include <stdio.h>

enum { DEALLOC = 3, LONGEST_9 = 5, VECTOR_GAP = 6, OWN_GAP = 2 };

static bool is_vector(const Instruction *i) { return i->form >= VOP1 && i->form <= VOPD; }
static bool is_scalar(const Instruction *i) { return i->form >= SOP1 && i->form <= SOPP; }
static bool is_named(const Instruction *i, const char *begin) { return !strncmp(i->op->name, begin, strlen(begin)); }

static u32 width(const Use *use, u32 lanes) { return use->mask ? lanes / 32 : use->count; }

/* ---- gfx9: wait states between a write and a read */

enum Rule { TO_MEMORY, TO_LANE, TO_FMAS, MASK_TO_DPP, VECTOR_TO_DPP, ZERO_TO_VECTOR, FROM_STORE, FROM_M0, FROM_SETREG };
static const struct {
   u8 states;
   const char *why;
} rules[] = {
   [TO_MEMORY] = {5, "memory reads a scalar register that a vector instruction wrote"},
   [TO_LANE] = {4, "a lane is selected by a scalar register that a vector instruction wrote"},
   [TO_FMAS] = {4, "V_DIV_FMAS reads VCC that a vector instruction wrote"},
   [MASK_TO_DPP] = {5, "DPP depends on EXEC that a vector instruction wrote"},
   [VECTOR_TO_DPP] = {2, "DPP reads a register that a vector instruction wrote"},
   [ZERO_TO_VECTOR] = {5, "VCCZ or EXECZ is read after a vector instruction wrote the mask"},
   [FROM_STORE] = {1, "a vector instruction writes data of a store of more than 64 bits"},
   [FROM_M0] = {1, "M0 is used that a scalar instruction wrote"},
   [FROM_SETREG] = {2, "a register of the hardware is used that S_SETREG wrote"},
};

static void need_9(enum Rule rule, u32 age, const Instruction *i, Lack report, void *to)
{
   char text[160];
   if (!report || !age || age > rules[rule].states)
      return;
   snprintf(text, sizeof text, "%u wait states instead of %u: %s", age - 1, rules[rule].states, rules[rule].why);
   report(to, i, text);
}

static u32 either(const u8 *ages) { return ages[0] && (!ages[1] || ages[0] < ages[1]) ? ages[0] : ages[1]; }

static bool uses_m0(const Instruction *i)
{
   return i->form == PARAMETERS_OF_DRAW || is_named(i, "S_SENDMSG") || is_named(i, "S_MOVREL") || is_named(i, "S_TTRACEDATA") || i->op->flags & ADDRESS_BY_LANE;
}

static void check_9(const Delays *d, const Instruction *i, u32 lanes, Lack report, void *to)
{
   for (u32 n = 0; n < i->use_count; n++) {
      const Use *use = &i->uses[n];
      for (u32 k = 0; k < width(use, lanes); k++) {
         u32 number = use->number + k;
         if (i->form >= FLAT && use->how == READ && number < SCALARS)
            need_9(TO_MEMORY, d->vector_unit[number], i, report, to);
         if (is_vector(i) && use->how == WRITTEN && number >= 256)
            need_9(FROM_STORE, d->stored[number & 255], i, report, to);
      }
   }
   if ((is_named(i, "V_READLANE") || is_named(i, "V_WRITELANE")) && i->source[1] < SCALARS)
      need_9(TO_LANE, d->vector_unit[i->source[1]], i, report, to);
   if (is_named(i, "V_DIV_FMAS"))
      need_9(TO_FMAS, either(&d->vector_unit[VCC_LO]), i, report, to);
   if (i->dpp_kind) {
      need_9(MASK_TO_DPP, either(&d->vector_unit[EXEC_LO]), i, report, to);
      need_9(VECTOR_TO_DPP, d->vector_unit[i->source[0] & 511], i, report, to);
   }
   enum { VCCZ = 251, EXECZ = 252 };
   for (u32 n = 0; is_vector(i) && n < i->op->sources; n++)
      if (i->source[n] == VCCZ || i->source[n] == EXECZ)
         need_9(ZERO_TO_VECTOR, either(&d->vector_unit[i->source[n] == VCCZ ? VCC_LO : EXEC_LO]), i, report, to);
   if (uses_m0(i))
      need_9(FROM_M0, d->m0, i, report, to);
   if (i->op->run == run_set_register || i->op->run == run_get_register)
      need_9(FROM_SETREG, d->mode[i->offset & 63], i, report, to);
}

static void grow(u8 *ages, u32 count, u32 by, u32 longest)
{
   for (u32 n = 0; n < count; n++)
      ages[n] = ages[n] && ages[n] + by <= longest ? (u8)(ages[n] + by) : 0;
}

static void step_9(Delays *d, const Instruction *i, u32 lanes)
{
   u32 states = !strcmp(i->op->name, "S_NOP") ? BITS(i->offset, 0, 3) + 1 : 1;
   grow(d->vector_unit, COUNT(d->vector_unit), states, LONGEST_9);
   grow(d->stored, VECTORS, states, LONGEST_9);
   grow(&d->m0, 1, states, LONGEST_9);
   grow(d->mode, COUNT(d->mode), states, LONGEST_9);
   for (u32 n = 0; n < i->use_count; n++) {
      const Use *use = &i->uses[n];
      for (u32 k = 0; use->how != READ && k < width(use, lanes); k++) {
         d->vector_unit[(use->number + k) & 511] = is_vector(i);
         d->m0 = use->number + k == M0 ? is_scalar(i) : d->m0;
      }
   }
   if (i->op->flags & COMPARES_EXEC)
      d->vector_unit[EXEC_LO] = d->vector_unit[EXEC_LO + 1] = 1;
   if (i->op->run == run_set_register)
      d->mode[i->offset & 63] = 1;
   bool flat = i->form == FLAT || i->form == GLOBAL || i->form == SCRATCH, buffer = (i->form == MUBUF || i->form == MTBUF) && i->source[1] >= SCALARS;
   for (u32 n = 0; (flat || buffer) && n < i->use_count; n++) {
      const Use *use = &i->uses[n];
      for (u32 k = 0; use->how == READ && use->number == 256u + i->data && use->count > 2 && k < use->count; k++)
         d->stored[(use->number + k) & 255] = 1;
   }
}

bool join_ages(u8 *to, const u8 *from, u32 count)
{
   bool grew = false;
   for (u32 n = 0; n < count; n++) {
      bool more = from[n] && (!to[n] || from[n] < to[n]);
      to[n] = more ? from[n] : to[n];
      grew |= more;
   }
   return grew;
}

/* ---- gfx11: what s_waitcnt_depctr waits for */

static bool is_transcendental(const Instruction *i)
{
   static const char *const names[] = {"V_EXP_F", "V_LOG_F", "V_RCP_", "V_RSQ_F", "V_SQRT_F", "V_SIN_F", "V_COS_F"};
   for (u32 n = 0; n < COUNT(names); n++)
      if (is_named(i, names[n]))
         return true;
   return false;
}

/* Memory instructions and exports read their registers after all earlier writes; s_waitcnt_depctr va_vdst(0) waits for them. */
static bool waits_for_vectors(const Instruction *i)
{
   return i->form >= DS || i->form == EXPORT || (is_named(i, "S_WAITCNT_DEPCTR") && !BITS(i->offset, 12, 15));
}

/* Halves of vector registers, at most 32: twice the register's number, and one more for the upper half. */
static u32 halves_of(const Instruction *i, bool read, u32 *numbers)
{
   u32 count = 0;
   for (u32 n = 0; n < i->use_count; n++)
      for (u32 k = 0; i->uses[n].number >= 256 && (i->uses[n].how == READ) == read && k < 2u * i->uses[n].count && count < 32; k++)
         if (i->uses[n].halves >> (k & 1) & 1)
            numbers[count++] = (2 * i->uses[n].number + k) & 511;
   return count;
}

static void check_11(const Delays *d, const Instruction *i, Lack report, void *to)
{
   u32 read[32], count = is_vector(i) ? halves_of(i, true, read) : 0, said = VECTORS;
   char text[160];
   for (u32 n = 0; !gpu.scalar_reals && n < count; n++)
      if (d->transcendental[read[n]] && d->own[read[n]] <= OWN_GAP && read[n] / 2 != said) {
         said = read[n] / 2;
         snprintf(text, sizeof text, "va_vdst is not waited for, and v%u of a transcendental instruction may not be there", said);
         report(to, i, text);
      }
   if (is_named(i, "S_SENDMSG") && i->offset == DEALLOC && !d->nop)
      report(to, i, "vector registers are given back without an s_nop before");
}

static void step_11(Delays *d, const Instruction *i)
{
   bool own = is_transcendental(i);
   u32 written[32], count = is_vector(i) ? halves_of(i, false, written) : 0;
   if (is_vector(i))
      grow(d->transcendental, COUNT(d->transcendental), 1, VECTOR_GAP);
   for (u32 v = 0; is_vector(i) && v < COUNT(d->own); v++)
      d->own[v] = d->transcendental[v] ? d->own[v] + own : 0;
   for (u32 n = 0; n < count; n++)
      d->transcendental[written[n]] = d->own[written[n]] = own;
   d->nop = !strcmp(i->op->name, "S_NOP");
}

void delays_step(Delays *d, const Instruction *i, u32 lanes, Lack report, void *to)
{
   if (gpu.gfx == 9) {
      if (report)
         check_9(d, i, lanes, report, to);
      step_9(d, i, lanes);
   } else if (gpu.gfx == 11) {
      if (waits_for_vectors(i))
         *d = (Delays){.nop = d->nop};
      if (report)
         check_11(d, i, report, to);
      step_11(d, i);
   }
}

/* ---- where paths meet */

bool delays_join(Delays *to, const Delays *from)
{
   bool grew = join_ages(to->vector_unit, from->vector_unit, COUNT(to->vector_unit));
   grew |= join_ages(to->stored, from->stored, VECTORS);
   grew |= join_ages(&to->m0, &from->m0, 1);
   grew |= join_ages(to->mode, from->mode, COUNT(to->mode));
   grew |= join_ages(to->own, from->own, COUNT(to->own));
   grew |= join_ages(to->transcendental, from->transcendental, COUNT(to->own));
   grew |= to->nop && !from->nop;
   to->nop &= from->nop;
   return grew;
}
