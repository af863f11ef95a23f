/* A wave of an Adreno a6xx or a7xx shader processor. */
#ifndef FAMILY_H
#define FAMILY_H

#define LANES 128

/* Registers by number, as instructions name them: r0.x is 0, r48.x (the first shared one) 192, a0.x 244, p0.x 248. */
enum { SHARED = 192, ROWS = 224, A0 = 244, A1 = 245, P0 = 248, DUMMY = 252, CONSTANTS = 2048 };

struct Registers {
   /* A row of 32 bits a lane; half registers are the halves of the same rows (merged registers). */
   u32 row[ROWS][LANES] __attribute__((aligned(64)));
   u64 written[2 * ROWS][LANES / 64]; /* which lanes' half has been written */
   i32 a0[LANES];
   i32 a1;
   u64 p[4][LANES / 64];
   u64 predicated[LANES / 64]; /* between predt or predf and prede: what they let through */
   bool predicating;
   u64 resume[LANES / 64]; /* in the preamble: the lanes that go on behind it */
   /* The lanes that execute: active ones, less what predication holds back; as a mask, and as words of 0 and ~0. */
   u64 exec[LANES / 64];
   u32 blend[LANES] __attribute__((aligned(64)));
};

#endif
