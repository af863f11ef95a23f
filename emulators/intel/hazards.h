/* Shared by hazards.c, which goes along the paths, and scoreboard.c and dependency.c, which know what an instruction needs and leaves. */
#ifndef HAZARDS_H
#define HAZARDS_H

#include "../engine/paths.h"
#include "eu.h"

/* A dword of a register is one: no compiler relies on less. Behind them a0, and the accumulators as one. */
enum { DWORDS = GRF_BYTES / 4, UNIT_A0 = DWORDS, UNIT_ACC = UNIT_A0 + ADDRESSES / 2, UNITS, WORDS = (UNITS + 63) / 64 };
enum { OF_A0 = GRF_BYTES / REGISTER, GUARDED }; /* what Gen9 and Gen11 guard as one: a register, a0 */
enum { DEPTH = 10, NEVER = -1000 }; /* a result is there DEPTH instructions later */
enum How { WRITTEN, READ, HOWS };
enum Pipe { FLOATS, INTEGERS, PIPES }; /* of Gen12.5; each keeps its own order, and Gen12 has only the first */

enum { AR_ADDRESS = 1, AR_ACCUMULATOR, AR_FLAG, AR_MASK, AR_STATE = 7, AR_CONTROL, AR_CLOCK = 12 }; /* architecture registers */

/* What an instruction may not have written, or read, yet. */
typedef struct {
   i32 stamp[HOWS][PIPES][UNITS]; /* by one that computes: which of its pipe's it was; at a block's begin below 0, and 0: none */
   u16 tokens[HOWS][UNITS][2]; /* by messages and `math` with these tokens: that obey channels, that do not */
   u32 by[HOWS][PIPES][UNITS], taken_by[HOWS][UNITS]; /* the instruction to name: one that computes, one with a token */
} Pending;

/* Of all units, a bit each. */
typedef struct {
   u64 w[WORDS];
} Set;

typedef struct {
   Paths p;
   const Kernel *kernel;
   Pending **entry; /* of the instructions at which a block begins */
   Pending now;
   i32 count[PIPES], done[2][PIPES]; /* instructions of this block that compute; those up to there are over: without a mask, with one */
   u32 pc, said;
   u32 lengths[ADDRESSES / 2]; /* what a0 will hold of a message's lengths, if this block says so */
   bool lengths_known[ADDRESSES / 2];
   bool alone; /* the instruction before asks this one to wait for it */
   const Instruction *left[GUARDED]; /* Gen9, Gen11: which left a register guarded */
} Check;

/* scoreboard.c: an instruction's waits are held against what is pending; then so is what it begins. */
void hazards_step(Check *c, const Instruction *i);
/* What it reads and writes, and what it needs beside that and leaves nothing of. */
void hazards_touched(const Check *c, const Instruction *i, Set *reads, Set *writes, Set *needs);
void hazards_say(Check *c, const char *what, const char *why); /* of the instruction at c->pc */
bool is_architecture(const Operand *o, u32 kind);
/* dependency.c: the same of Gen9 and Gen11, in the order of the code. */
void dependency_step(Check *c, const Instruction *i);
void dependency_of_last(Check *c, const Instruction *i, const Set *reads); /* of all generations: a thread's last message */

#endif
