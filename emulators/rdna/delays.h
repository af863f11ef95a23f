/* Hazards between instructions that do not access memory: the hardware does not wait by itself. */
#ifndef DELAYS_H
#define DELAYS_H

#include "gfx.h"

/* How long ago something was done, 1 for the last step; 0: too long ago, or no longer relevant. gfx9 counts wait
 * states, gfx11 vector instructions. */
typedef struct {
   u8 vector_unit[512]; /* gfx9: a register was written by a vector instruction */
   u8 stored[VECTORS];  /* gfx9: a store of more than 64 bits took its data from a register */
   u8 m0;               /* gfx9: a scalar instruction wrote M0 */
   u8 mode[64];         /* gfx9: S_SETREG wrote a register of the hardware */
   /* gfx11: half a register was written by a transcendental instruction; `own` counts transcendental instructions only. */
   u8 transcendental[2 * VECTORS], own[2 * VECTORS];
   bool nop; /* gfx11: the last instruction was S_NOP */
} Delays;

typedef void (*Lack)(void *to, const Instruction *i, const char *what);

/* Takes the smaller of two ages, which needs the longer wait; false if that was the first one already. 0 means no age. */
bool join_ages(u8 *to, const u8 *from, u32 count);

void delays_step(Delays *d, const Instruction *i, u32 lanes, Lack report, void *to);
/* Merges the ages of two paths; false if nothing changed. */
bool delays_join(Delays *to, const Delays *from);

#endif
