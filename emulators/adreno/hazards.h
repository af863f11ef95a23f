/* Shared by hazards.c, which walks along the paths, and pending.c, which knows what an instruction needs and leaves pending. */
#ifndef HAZARDS_H
#define HAZARDS_H

#include "../engine/paths.h"
#include "ir3.h"

/* Registers are counted in halves, as in the register file; then come a0.x, a1.x and p0.x to p0.w. */
enum { HALVES = 2 * ROWS, UNIT_A0 = HALVES, UNIT_P0 = UNIT_A0 + 2, UNITS = UNIT_P0 + 4, WORDS = (UNITS + 63) / 64 };
enum { SHARED_WORD = 2 * SHARED / 64 };
_Static_assert(SHARED_WORD * 64 == 2 * SHARED && HALVES == 2 * SHARED + 64, "the shared registers are one word");

enum Pending {
   RESULT_SY, RESULT_SS,        /* being written */
   SCALAR_FULL, SCALAR_HALF,    /* the same, by the unit for shared registers, which can read results of the same size itself */
   READ_SS, READ_EITHER,        /* being read: must not be written */
   SCALAR_READ,                 /* the same, by the unit for shared registers, which keeps its own order */
   PENDING,
};
enum Reader { FULL, HALVED, OTHERS, READERS };

typedef struct {
   u64 pending[PENDING][WORDS];
   u64 constants_ss[CONSTANTS / 64];
   bool constants_sy, barrier_ss, barrier_sy;
   u8 differs; /* a bit for each predicate that may differ between lanes */
   u8 same;    /* and for each that is the same in the lanes here only: others may have another value when paths meet */
   u8 ready[READERS][UNITS]; /* cycles until an instruction of the categories 1 to 3, or another one, may read */
   u32 by[UNITS];            /* the instruction to report */
} Entry;

typedef struct {
   Paths p;
   const Shader *shader;
   const Delays *delays;
   Entry **entry; /* for the instructions at which a block begins */
   u32 *part;     /* the place at which lanes that predt or predf hold back go on; 0: not known */
   bool *begins, *target, *second; /* a block, one that is jumped to, the second part of a predication */
   bool *splits, splits_grew; /* targets of jumps that only some lanes may have taken */
   Entry now;
   u32 ready[READERS][UNITS]; /* in cycles of this block */
   u32 cycle, pc;
   i32 a1; /* a1.x if this block sets it, else -1 */
   bool all_late, barriers; /* the rules that EMULATOR_ACCEPT leaves out */
} Check;

/* pending.c: checks an instruction's flags and cycles against what is pending, then adds what it leaves pending. */
void hazards_step(Check *c, const Instruction *i);

#endif
