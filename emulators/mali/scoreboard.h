/* What both checks of finished code share: hazards.c of Bifrost's clauses, waits.c of Valhall's instructions. */
#ifndef SCOREBOARD_H
#define SCOREBOARD_H

#include "../engine/paths.h"
#include "shader.h"

enum { SLOTS = 8, BARRIER_SLOT = 7 };

/* What may be under way where a clause or an instruction begins. */
typedef struct {
   u64 written[SLOTS], read[SLOTS]; /* staging registers */
   u8 loads, stores; /* slots of messages that read, that write memory */
   u8 missing;       /* of the slots 6 and 7, which a frame's fragments before hold; 7: a barrier */
} Pending;

typedef struct {
   Paths p;
   const Shader *shader;
   Pending *entry, now;
   u32 *ways; /* in how many each place is reached */
   bool fragments;
   u32 findings;
} Check;

void say(Check *c, const Instruction *i, const char *what, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Registers are read or written that a message is to write. */
void check_written(Check *c, const Instruction *i, u64 reads, u64 writes);
/* A message to memory, or a barrier, begins. */
void check_memory(Check *c, const Instruction *i, bool loads, bool stores, bool barrier);
/* Where lanes may part or meet behind a place, its last instruction has to say so; and a path has to end. */
void check_flow(Check *c, u32 at, const Instruction *last, bool reconverges);
void wait_for(Check *c, u8 slots);
/* What is pending now goes on to wherever control does. */
void flow_on(Check *c, u32 at);

/* The registers of a span, as bits. */
static inline u64 span(u32 first, u32 count)
{
   u64 all = count >= 64 ? ~0ull : (1ull << count) - 1;
   return first < 64 ? all << first : 0;
}
static inline u32 lowest(u64 registers) { return (u32)__builtin_ctzll(registers); }

/* hazards.c, waits.c: a place's instructions; where control goes on behind them, in how many ways. */
void clause_step(Paths *p, u32 at);
void word_step(Paths *p, u32 at);
u32 clause_follows(const Shader *shader, u32 at, u32 to[2]);
u32 word_follows(const Shader *shader, u32 at, u32 to[2]);

#endif
