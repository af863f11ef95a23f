/* Shared by both checks of finished code: hazards.c for Bifrost's clauses, waits.c for Valhall's instructions. */
#ifndef SCOREBOARD_H
#define SCOREBOARD_H

#include "../engine/paths.h"
#include "shader.h"

enum { SLOTS = 8, BARRIER_SLOT = 7 };

/* What may be pending when a clause or an instruction begins. */
typedef struct {
   u64 written[SLOTS], read[SLOTS]; /* staging registers */
   u8 loads, stores; /* slots of messages that read memory, that write memory */
   u8 missing;       /* slots 6 and 7, which earlier fragments of a frame hold; 7: a barrier */
} Pending;

typedef struct {
   Paths p;
   const Shader *shader;
   Pending *entry, now;
   u32 *ways; /* in how many ways each place is reached */
   bool fragments;
   u32 findings;
} Check;

void report(Check *c, const Instruction *i, const char *what, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Checks that no register that a pending message writes is read or written. */
void check_written(Check *c, const Instruction *i, u64 reads, u64 writes);
/* Checks what a message to memory, or a barrier, has to wait for. */
void check_memory(Check *c, const Instruction *i, bool loads, bool stores, bool barrier);
/* Checks that the last instruction of a place reconverges if lanes may part or meet after it, and that a path ends. */
void check_flow(Check *c, u32 at, const Instruction *last, bool reconverges);
void wait_for(Check *c, u8 slots);
/* Merges what is pending into each place to which control may go. */
void flow_on(Check *c, u32 at);

/* The registers of a range, as bits. */
static inline u64 span(u32 first, u32 count)
{
   u64 all = count >= 64 ? ~0ull : (1ull << count) - 1;
   return first < 64 ? all << first : 0;
}
static inline u32 lowest(u64 registers) { return (u32)__builtin_ctzll(registers); }

/* hazards.c, waits.c: checks a place's instructions; the places at which control goes on after it, and their number. */
void clause_step(Paths *p, u32 at);
void word_step(Paths *p, u32 at);
u32 clause_follows(const Shader *shader, u32 at, u32 to[2]);
u32 word_follows(const Shader *shader, u32 at, u32 to[2]);

#endif
