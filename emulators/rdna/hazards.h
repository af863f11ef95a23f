/* Missing waits and distances in finished shaders. */
#ifndef HAZARDS_H
#define HAZARDS_H

#include "gfx.h"

/* Marks the findings for the shader at an address in waves of `lanes` lanes, once for each case that takes the
 * marks; alone: a group is one wave. */
void hazards_report(u64 address, u32 lanes, bool alone);

#endif
