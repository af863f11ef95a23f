/* Which GPU it is. */
#include "ir3.h"
#include <stdlib.h>

u32 gpu_generation = 6, gpu_number = 630;
bool gpu_without_double_threads;

/* What Mesa's freedreno_devices.py says of those that differ. */
static const struct {
   u32 number;
   bool without_double_threads;
} GPUS[] = {{702, true}};

void choose_gpu(void)
{
   const char *name = getenv("EMULATOR_GPU");
   u32 number = name && *name == 'a' ? (u32)atoi(name + 1) : 0;
   if (number < 600 || number > 799)
      stop(UNKNOWN, "EMULATOR_GPU=%s: not one of a600 to a799", name ? name : "");
   gpu_number = number;
   gpu_generation = number / 100 == 6 || number == 702 ? 6 : 7;
   gpu_without_double_threads = false;
   for (u32 n = 0; n < COUNT(GPUS); n++)
      gpu_without_double_threads |= GPUS[n].number == number && GPUS[n].without_double_threads;
}
