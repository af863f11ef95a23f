/* The command processor. */
#ifndef PACKETS_H
#define PACKETS_H

#include "gfx.h"

void run_commands(u64 address, u64 words, u32 depth);

enum { REGISTERS = 1024 }; /* those of shaders, from 0xb000 on */
void launch_of(const u32 *registers, const u32 groups[3], u32 initiator); /* dispatch.c */

#endif
