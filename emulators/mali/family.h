/* A warp of a Mali. */
#ifndef FAMILY_H
#define FAMILY_H

#define LANES 16 /* Valhall's. Bifrost's warps have 8 or 4, and use the first ones */

enum { REGISTERS = 64 };

struct Registers {
   u32 row[REGISTERS][LANES] __attribute__((aligned(64)));
   u16 written[2 * REGISTERS]; /* of each half register: the lanes that have written it */
   u32 blend[LANES] __attribute__((aligned(64))); /* ~0 for the lanes that execute */
   u16 exec;                                      /* the same, a bit per lane */
   /* Bifrost: the ports r0 to r2 of the current tuple, the FMA unit's result, the two words of the constant, the two
    * results of the tuple before. Valhall: the four sources, and the high words of those of 64 bits. */
   u32 port[8][LANES] __attribute__((aligned(64)));
   u16 missing[8][2]; /* of ports that are registers: the lanes that have not written the low half, the high half */
   u32 result[2][LANES] __attribute__((aligned(64))); /* of FMA and ADD; on Valhall the low and the high word */
   u16 taken; /* the lanes that take the clause's branch */
   u32 target;
   /* Left by ATOM_C for ATOM_CX. */
   u32 atomic_data[LANES];
   u8 atomic_operation;
   bool atomic_wide, atomic_one, atomic_returns;
};

#endif
