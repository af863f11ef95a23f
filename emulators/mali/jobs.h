/* The job manager, and the command stream that takes its place. */
#ifndef JOBS_H
#define JOBS_H

#include "shader.h"

void run_chain(u64 address);

/* jobs.c: a launch of Valhall: three sizes of 10 bits, each less one; the first group; the number of groups; the
 * shader's environment. */
void run_groups(const u32 *size, const u32 *first, const u32 *groups, const u32 *environment);

/* commands.c */
enum { QUEUE_REGISTERS = 96 };
typedef struct {
   u32 reg[QUEUE_REGISTERS];
   u8 pending[QUEUE_REGISTERS]; /* 1 + the slot of a load that was not waited for */
   u8 slot;                     /* added to the addresses of the next loads and stores */
} Queue;
void run_queue(Queue *q, u64 address, u64 size);

/* panthor.c: an ioctl of panthor's driver; false: it is not for the emulator. */
bool panthor_before(int fd, u32 command, void *data);
void panthor_after(int fd, u32 command, void *data, int (*real)(int, unsigned long, void *));

#endif
