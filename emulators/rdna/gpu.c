/* Which GPU is emulated: EMULATOR_GPU, as --gpu names it. */
#include "gfx.h"
#include <stdlib.h>

static const struct {
   const char *name;
   u32 generation;
} GPUS[] = {
   {"navi31", 11},
};

u32 gpu_generation;

void choose_gpu(void)
{
   const char *name = getenv("EMULATOR_GPU");
   for (u32 n = 0; name && n < COUNT(GPUS); n++)
      if (!strcmp(name, GPUS[n].name)) {
         gpu_generation = GPUS[n].generation;
         return;
      }
   stop(UNKNOWN, "EMULATOR_GPU=%s: no GPU of this emulator", name ? name : "");
}
