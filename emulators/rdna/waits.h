/* The pending requests to memory, and the rules of waiting for them. */
#ifndef WAITS_H
#define WAITS_H

#include "delays.h"

typedef unsigned __int128 Masks; /* a bit for each scalar register that holds a saved execution mask */

/* For each register: how many requests of its kind were made since the one that it waits for, inclusive; 0: it does not wait. */
typedef struct {
   u8 vector[VECTORS], sample[VECTORS], local[VECTORS]; /* sample: gfx12 counts the answers of samplers separately */
   bool scalar[SCALARS];
   u8 message[SCALARS]; /* the answer of a message: they come in order */
   u8 local_store;
   Delays delays;
   /* `kept`: the masks that are saved now. `within`: those that were saved when a register's request was made.
    * `others`: those whose other lanes execute now, which did not make the request. */
   Masks kept, within[VECTORS], others[VECTORS];
} Pending;

/* The context of the rules: a wave of `lanes` lanes, the only one of its group or not. */
typedef struct {
   Pending now;
   u32 lanes;
   bool alone;
   void (*report)(void *to, const Instruction *i, const char *what); /* NULL: findings are not reported */
   void *to;
} Waits;

void waits_step(Waits *w, const Instruction *i);
/* Merges what is pending on two paths; false if nothing changed. */
bool waits_join(Pending *to, const Pending *from);

#endif
