/* The functions that the expressions of instructions.py call. */
#ifndef ALU_H
#define ALU_H

#include "ir3.h"
#include <math.h>

/* The number, if the other one is a NaN. */
static inline float min_float(float a, float b) { return a != a ? b : b != b ? a : a < b ? a : b; }
static inline float max_float(float a, float b) { return a != a ? b : b != b ? a : a > b ? a : b; }
static inline i32 signed24(i32 x) { return (i32)((u32)x << 8) >> 8; }
static inline i32 extend(u32 x, u32 width) { return width == 16 ? (i16)x : (i32)x; }

static inline i32 leading_zeros(u32 x, u32 width) /* -1 for zero */
{
   x = width == 16 ? x & 0xffff : x;
   return x ? __builtin_clz(x) - (32 - (i32)width) : -1;
}

#endif
