/* A thread of an Intel execution unit. */
#ifndef FAMILY_H
#define FAMILY_H

#define LANES 32

enum { REGISTER = 32, GRF_BYTES = 128 * REGISTER, FLAGS = 2, ADDRESSES = 16 };

struct Registers {
   u8 grf[GRF_BYTES] __attribute__((aligned(64)));
   u8 written[GRF_BYTES] __attribute__((aligned(64))); /* 1: the byte has been written */
   i64 acc[LANES]; /* the accumulators, whose channels have more bits than a register's */
   u16 a0[ADDRESSES];
   u32 flag[FLAGS], flag_written[FLAGS];
   u32 acc_written, a0_written; /* a bit per channel; a bit per address */
   u32 control; /* cr0.0 */
   u32 dispatched;
   bool signalled; /* signals to the barrier */
};

#endif
