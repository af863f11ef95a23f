/* The handling of denormals and rounding by a wave's mode; "RDNA3" ISA, 3.4.1. */
#include "modes.h"
#include <fenv.h>

enum { ROUND_32 = 0, ROUND_16_64 = 2, DENORMALS_32 = 4, DENORMALS_16_64 = 6 };

u32 denormals(const Wave *wave, u32 bits) { return wave->reg.mode >> (bits == 32 ? DENORMALS_32 : DENORMALS_16_64) & 3; }

static u64 exponent_mask(u32 bits) { return bits == 64 ? 0x7ff0000000000000ull : bits == 32 ? 0x7f800000 : 0x7c00; }

void flush(u64 *values, u32 bits, u32 lanes)
{
   u64 mask = exponent_mask(bits), sign = 1ull << (bits - 1);
   for (u32 lane = 0; lane < lanes; lane++)
      values[lane] &= values[lane] & mask ? ~0ull : ~(sign - 1);
}

bool round_as_wave(const Wave *wave, u32 bits)
{
   static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
   u32 mode = wave->reg.mode >> (bits == 32 ? ROUND_32 : ROUND_16_64) & 3;
   if (mode)
      fesetround(modes[mode]);
   return mode;
}

void round_to_nearest(void) { fesetround(FE_TONEAREST); }
