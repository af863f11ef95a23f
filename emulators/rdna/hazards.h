/* What finished shaders lack. */
#ifndef HAZARDS_H
#define HAZARDS_H

#include "gfx.h"

/* Marks what the shader at an address lacks in waves of `lanes` lanes, once for each who takes the marks; alone: a group is one wave. */
void hazards_report(u64 address, u32 lanes, bool alone);

#endif
