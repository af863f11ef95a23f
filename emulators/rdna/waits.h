/* What memory has not answered yet, and the rules of waiting for it. */
#ifndef WAITS_H
#define WAITS_H

#include "delays.h"

typedef unsigned __int128 Masks; /* a bit a scalar register, in which an execution mask is kept */

/* Of each register how many requests of the kind that it waits for were made since, that one counted; 0: it waits for none. */
typedef struct {
   u8 vector[VECTORS], sample[VECTORS], local[VECTORS]; /* sample: gfx12 counts what a sampler answers for itself */
   bool scalar[SCALARS];
   u8 local_store;
   Delays delays;
   /* Which masks were kept when a register's request was made; of which the other lanes execute now, for which there was none. */
   Masks kept, within[VECTORS], others[VECTORS];
} Pending;

/* What the rules are applied to: a wave of `lanes` lanes, alone in its group or not. */
typedef struct {
   Pending now;
   u32 lanes;
   bool alone;
   void (*say)(void *to, const Instruction *i, const char *what); /* NULL: nobody asks */
   void *to;
} Waits;

void waits_step(Waits *w, const Instruction *i);
/* What is pending on either of two paths; false if the first had all of it. */
bool waits_join(Pending *to, const Pending *from);

#endif
