/* The command processor: packets in, launches and copies out. */
#ifndef PACKETS_H
#define PACKETS_H

#include "ir3.h"

enum { REGISTERS = 0x10000 };

extern u32 gpu_register[REGISTERS];
u64 register_pair(u32 number);
u64 now_in_ticks(void); /* 19.2 MHz */
void run_commands(u64 address, u32 dwords, u32 depth);
void forget_constants(void); /* at the start of a submission */
void blit(void); /* CP_BLIT, by the registers of the 2D engine */
void clear(void); /* a7xx: the event CCU_RESOLVE */
u64 atomic_result(const Instruction *i, u64 old, u64 data, u64 compare);

#endif
