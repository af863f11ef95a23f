/* The command processor. */
#ifndef PACKETS_H
#define PACKETS_H

#include "gfx.h"

void run_commands(u64 address, u64 words, u32 depth);

enum { REGISTERS = 1024, USER_REGISTERS = 16384 };
extern u32 context_register[REGISTERS], user_register[USER_REGISTERS]; /* registers from 0x28000 and from 0x30000 on; those of shaders from 0xb000 on */
void launch_of(const u32 *registers, const u32 groups[3], u32 initiator); /* dispatch.c */

#endif
