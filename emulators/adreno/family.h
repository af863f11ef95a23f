/* A wave of an Adreno a6xx or a7xx shader processor. */
#ifndef FAMILY_H
#define FAMILY_H

#define LANES 128

/* Register numbers, as in instructions: r0.x is 0, r48.x (the first shared one) 192, a0.x 244, p0.x 248. */
enum { SHARED = 192, ROWS = 224, A0 = 244, A1 = 245, P0 = 248, DUMMY = 252, CONSTANTS = 2048 };

struct Registers {
   /* A row has 32 bits per lane; half registers are the halves of the same rows (merged registers). */
   u32 row[ROWS][LANES] __attribute__((aligned(64)));
   u64 written[2 * ROWS][LANES / 64]; /* per half: the lanes in which it has been written */
   i32 a0[LANES];
   i32 a1;
   u64 p[4][LANES / 64];
   u64 predicated[LANES / 64]; /* between predt or predf and prede: the lanes that execute */
   bool predicating;
   u64 resume[LANES / 64]; /* in the preamble: the lanes that go on after it */
   /* The lanes that execute: the active ones without those that predication holds back; as a mask, and as words of 0 and ~0. */
   u64 exec[LANES / 64];
   u32 blend[LANES] __attribute__((aligned(64)));
};

#endif
