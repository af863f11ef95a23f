/* Shared by hazards.c, which walks along the paths, and scoreboard.c and dependency.c, which know what an
 * instruction needs and leaves pending. */
#ifndef HAZARDS_H
#define HAZARDS_H

#include "../engine/paths.h"
#include "eu.h"

/* The units that are tracked: each dword of a register (no compiler relies on less), then a0, then the accumulators as one. */
enum { DWORDS = GRF_BYTES / 4, UNIT_A0 = DWORDS, UNIT_ACC = UNIT_A0 + ADDRESSES / 2, UNITS, WORDS = (UNITS + 63) / 64 };
enum { OF_A0 = GRF_BYTES / REGISTER, GUARDED }; /* what Gen9 and Gen11 guard: each register, and a0 */
enum { DEPTH = 10, NEVER = -1000 }; /* a result is written DEPTH instructions later */
enum How { WRITTEN, READ, HOWS };
enum Pipe { FLOATS, INTEGERS, PIPES }; /* Gen12.5's; each keeps its own order. Gen12 has only the first */

enum { AR_ADDRESS = 1, AR_ACCUMULATOR, AR_FLAG, AR_MASK, AR_STATE = 7, AR_CONTROL, AR_CLOCK = 12 }; /* architecture registers */

/* What pending instructions may not have written, or read, yet. */
typedef struct {
   i32 stamp[HOWS][PIPES][UNITS]; /* by the instruction of this number in its pipe; negative before the block, 0: none */
   u16 tokens[HOWS][UNITS][2]; /* by messages and `math` with these tokens: those that obey channels, those that do not */
   u16 waited[HOWS][UNITS]; /* the tokens that instructions with a mask of this block need not wait for */
   u32 by[HOWS][PIPES][UNITS], taken_by[HOWS][UNITS]; /* the instruction to report: one that computes, one with a token */
} Pending;

/* A set of units, a bit each. */
typedef struct {
   u64 w[WORDS];
} Set;

typedef struct {
   Paths p;
   const Kernel *kernel;
   Pending **entry; /* for the instructions at which a block begins */
   Pending now;
   i32 count[PIPES], done[2][PIPES]; /* of this block: instructions that compute; how many are over, without and with a mask */
   u32 pc, said;
   u32 lengths[ADDRESSES / 2]; /* a message's lengths in a0, if this block sets them */
   bool lengths_known[ADDRESSES / 2];
   bool alone; /* the instruction before asks this one to wait for it */
   const Instruction *left[GUARDED]; /* Gen9, Gen11: the instruction that left a register guarded */
} Check;

/* scoreboard.c: checks an instruction's waits against what is pending, then adds what it leaves pending. */
void hazards_step(Check *c, const Instruction *i);
/* What an instruction reads and writes, and what else must be over before it. */
void hazards_touched(const Check *c, const Instruction *i, Set *reads, Set *writes, Set *needs);
void add_finding(Check *c, const char *what, const char *why); /* for the instruction at c->pc */
bool is_architecture(const Operand *o, u32 kind);
/* dependency.c: the same for Gen9 and Gen11, in the order of the code. */
void dependency_step(Check *c, const Instruction *i);
void dependency_of_last(Check *c, const Instruction *i, const Set *reads); /* on all generations: a thread's last message */

#endif
