/* The functions that the expressions of instructions.py call. */
#ifndef ALU_H
#define ALU_H

#include "eu.h"
#include <math.h>

#define LOW(x) ((u64)(x) & (~0ull >> (64 - WIDTH)))
#define SHIFT (WIDTH == 64 ? 63 : 31)
#define FMA(x, y, z) (WIDTH == 32 ? (double)fmaf((float)(x), (float)(y), (float)(z)) : fma(x, y, z))

static inline i64 rotate(u64 x, u32 by, u32 width)
{
   return (i64)(by ? (x << by | x >> (width - by)) & (~0ull >> (64 - width)) : x);
}

/* Less than one, for a number just below zero as well. */
static inline double fraction(double a, u32 width)
{
   double x = a - floor(a), most = width == 16 ? 0x1.ffcp-1 : 0x1.fffffep-1;
   return x > most ? most : x;
}

#endif
