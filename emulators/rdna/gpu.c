/* Which GPU is emulated: EMULATOR_GPU, as --gpu names it. */
#include "gfx.h"
#include <stdlib.h>

static const struct {
   const char *name;
   bool scalar_reals;
} GPUS[] = {
   {"navi31", false}, {"navi33", false}, {"phoenix", false},
   {"gfx1150", true}, {"strix1", true}, /* one GPU: Mesa's shim has another name for it from 26.2 on */
};

bool gpu_known, gpu_scalar_reals;

void choose_gpu(void)
{
   const char *name = getenv("EMULATOR_GPU");
   for (u32 n = 0; name && n < COUNT(GPUS); n++)
      if (!strcmp(name, GPUS[n].name)) {
         gpu_scalar_reals = GPUS[n].scalar_reals;
         gpu_known = true;
         return;
      }
   stop(UNKNOWN, "EMULATOR_GPU=%s: no GPU of this emulator", name ? name : "");
}
