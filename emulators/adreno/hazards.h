/* Shared by hazards.c, which goes along the paths, and pending.c, which knows what an instruction needs and leaves. */
#ifndef HAZARDS_H
#define HAZARDS_H

#include "../engine/paths.h"
#include "ir3.h"

/* A register is counted in halves, as they lie in the file; behind them a0.x, a1.x and p0.x to p0.w. */
enum { HALVES = 2 * ROWS, UNIT_A0 = HALVES, UNIT_P0 = UNIT_A0 + 2, UNITS = UNIT_P0 + 4, WORDS = (UNITS + 63) / 64 };
enum { SHARED_WORD = 2 * SHARED / 64 };
_Static_assert(SHARED_WORD * 64 == 2 * SHARED && HALVES == 2 * SHARED + 64, "the shared registers are one word");

enum Pending {
   RESULT_SY, RESULT_SS,        /* written, not there yet */
   SCALAR_FULL, SCALAR_HALF,    /* the same, by the unit for shared registers; it reads back what has the same size */
   READ_SS, READ_EITHER,        /* read, perhaps not yet: must not be written */
   SCALAR_READ,                 /* the same, by the unit for shared registers, which keeps its own order */
   PENDING,
};
enum Reader { FULL, HALVED, OTHERS, READERS };

typedef struct {
   u64 pending[PENDING][WORDS];
   u64 constants_ss[CONSTANTS / 64];
   bool constants_sy, barrier_ss, barrier_sy;
   u8 differs; /* a bit for each predicate that lanes may have unlike */
   u8 ready[READERS][UNITS]; /* cycles from here until an instruction of the categories 1 to 3, or another, may read */
   u32 by[UNITS];            /* the instruction to name */
} Entry;

typedef struct {
   Paths p;
   const Shader *shader;
   const Delays *delays;
   Entry **entry; /* of the instructions at which a block begins */
   u32 *part;     /* where predt, predf go on for lanes that they hold back; 0: not known */
   bool *begins, *target, *second; /* a block, one that is jumped to, the second part of a predication */
   bool *splits, splits_grew; /* where some lanes may have gone while others went on */
   Entry now;
   u32 ready[READERS][UNITS]; /* as cycles of this block */
   u32 cycle, pc;
   i32 a1; /* what a1.x holds, if this block says so; -1 */
   bool all_late, barriers; /* the rules that EMULATOR_ACCEPT changes */
} Check;

/* pending.c: an instruction's flags and cycles are held against what is pending; then so is what it begins. */
void hazards_step(Check *c, const Instruction *i);

#endif
