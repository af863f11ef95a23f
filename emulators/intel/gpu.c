/* Which GPU it is. */
#include "commands.h"
#include <stdlib.h>

/* All of them have Gen12's instructions and messages (rkl and adl are Tiger Lake's, dg1 has memory of its own). */
static const char *const GPUS[] = {"tgl", "rkl", "adl", "dg1"};

void choose_gpu(void)
{
   const char *name = getenv("EMULATOR_GPU");
   for (u32 n = 0; name && n < COUNT(GPUS); n++)
      if (!strcmp(name, GPUS[n]))
         return;
   stop(UNKNOWN, "EMULATOR_GPU=%s: not one of tgl, rkl, adl, dg1", name ? name : "");
}
