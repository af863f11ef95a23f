/* The command streamer. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "eu.h"

void choose_gpu(void); /* that one, or the submission is stopped */
/* A batch of a context, whose state the contexts keep apart. `key`: which context and which engine. */
void run_batch(u64 address, u32 key);
u64 now_in_ticks(void);

#endif
