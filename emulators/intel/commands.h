/* The command streamer. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "eu.h"

void choose_gpu(void); /* the address, or the submission is stopped */
/* Runs a batch. Each context has state of its own. `key`: which context and which engine. */
void run_batch(u64 address, u32 key);
u64 now_in_ticks(void);

#endif
