/* Which GPU it is. */
#include "shader.h"
#include <stdlib.h>

u32 gpu_arch = 7, gpu_lanes = 8;

/* The architecture's number is the first digit of Mesa's product id. */
u32 named_arch(void)
{
   static const struct { const char *name; u32 arch; } GPUS[] = {
      {"g71", 6}, {"g72", 6}, {"g51", 7}, {"g31", 7}, {"g76", 7}, {"g52", 7}, {"g52_r1", 7}, {"g57", 9}, {"g57_9093", 9},
      {"g610", 10}, {"g310", 10},
   };
   const char *name = getenv("EMULATOR_GPU");
   for (u32 n = 0; n < COUNT(GPUS); n++)
      if (name && !strcmp(name, GPUS[n].name))
         return GPUS[n].arch;
   return 0;
}

/* The lanes of a warp: pan_subgroup_size of util/pan_ir.h. */
void choose_gpu(void)
{
   u32 arch = named_arch();
   if (!arch)
      stop(UNKNOWN, "EMULATOR_GPU is %s", getenv("EMULATOR_GPU") ? getenv("EMULATOR_GPU") : "not set");
   gpu_arch = arch, gpu_lanes = arch >= 9 ? 16 : arch >= 7 ? 8 : 4;
}
