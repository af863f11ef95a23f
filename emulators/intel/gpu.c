/* Which GPU it is. */
#include "commands.h"
#include <stdlib.h>

enum Generation generation = GEN12;

static const struct {
   const char *name;
   enum Generation generation;
} GPUS[] = {
   {"tgl", GEN12}, {"rkl", GEN12}, {"adl", GEN12}, {"dg1", GEN12}, /* rkl and adl are like Tiger Lake, dg1 has its own memory */
   {"skl", GEN9}, {"kbl", GEN9}, {"glk", GEN9}, {"icl", GEN11}, {"dg2", GEN125}, {"mtl", GEN125}, {"arl", GEN125},
};

bool gpu_named(void)
{
   const char *name = getenv("EMULATOR_GPU");
   for (u32 n = 0; name && n < COUNT(GPUS); n++)
      if (!strcmp(name, GPUS[n].name)) {
         generation = GPUS[n].generation;
         return true;
      }
   return false;
}

void choose_gpu(void)
{
   if (!gpu_named())
      stop(UNKNOWN, "EMULATOR_GPU=%s: not a GPU of this family", getenv("EMULATOR_GPU"));
}
