/* A wave of an RDNA work-group processor. */
#ifndef FAMILY_H
#define FAMILY_H

#define LANES 64

/* Scalar register numbers, as in instructions. */
enum { SGPRS = 106, FLAT_SCRATCH_9 = 102, VCC_LO = 106, TTMP = 108, NULL_REGISTER = 124, M0 = 125, EXEC_LO = 126, SCALARS = 128, VECTORS = 256 };

struct Registers {
   u32 v[VECTORS][LANES] __attribute__((aligned(64)));
   u32 s[SCALARS + 4];
   u64 v_written[VECTORS][2]; /* per half: the lanes in which it has been written */
   u64 s_written[2];
   u64 scratch; /* gfx10: FLAT_SCRATCH, which the shader sets; gfx9 has it in scalar registers */
   u64 base; /* the address of the shader: pc counts words from there */
   u32 scc, mode, vectors, shared; /* vectors: the number of registers of the launch; after them come those that gfx10's half waves share */
   bool ieee;
   bool indexed; /* gfx9: M0 has a number that is added to those of vector registers */
   bool signalled; /* it has signalled a barrier and not waited yet */
};

#endif
