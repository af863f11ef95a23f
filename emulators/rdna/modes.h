/* Denormals and rounding. */
#ifndef MODES_H
#define MODES_H

#include "gfx.h"

enum { IN = 1, OUT = 2 }; /* bits of `denormals`: keep those of sources, and of results */
u32 denormals(const Wave *wave, u32 bits);
void flush(u64 *values, u32 bits, u32 lanes); /* denormals become zeros */

/* Makes the host round as the wave does, until round_to_nearest; false if it does so already. */
bool round_as_wave(const Wave *wave, u32 bits);
void round_to_nearest(void);

#endif
