/* A warp of a Mali. */
#ifndef FAMILY_H
#define FAMILY_H

#define LANES 16 /* of Valhall; Bifrost's warps have 8 or 4, and use the first of them */

enum { REGISTERS = 64 };

struct Registers {
   u32 row[REGISTERS][LANES] __attribute__((aligned(64)));
   u16 written[2 * REGISTERS]; /* which lanes have written a half */
   u32 blend[LANES] __attribute__((aligned(64))); /* of the lanes that execute ~0 */
   u16 exec;                                      /* the same as bits */
   /* Of the tuple that runs: the ports r0 to r2, the FMA unit's result, the two words of the constant, the two results of the
    * tuple before. Of a Valhall instruction its four sources, and the higher words of those of 64 bits. */
   u32 port[8][LANES] __attribute__((aligned(64)));
   u16 missing[8][2]; /* of the ports that are registers: the lanes that have not written the low, the high half */
   u32 result[2][LANES] __attribute__((aligned(64))); /* of FMA and ADD; a Valhall instruction's, of 64 bits both */
   u16 taken; /* the lanes for which the clause's branch is taken */
   u32 target;
   /* What ATOM_C leaves for ATOM_CX. */
   u32 atomic_data[LANES];
   u8 atomic_operation;
   bool atomic_wide, atomic_one, atomic_returns;
};

#endif
