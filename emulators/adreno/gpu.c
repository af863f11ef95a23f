/* Which GPU it is. */
#include "ir3.h"
#include <stdlib.h>

u32 gpu_generation = 6, gpu_number = 630;
u32 gpu_narrow_wave = 64;
bool gpu_without_double_threads;

/* The GPUs that differ, by Mesa's freedreno_devices.py: the lanes of a narrow wave, and which register makes a wave wide. */
static const struct {
   u32 number, narrow_wave;
   bool without_double_threads;
} GPUS[] = {{702, 32, true}};

void choose_gpu(void)
{
   const char *name = getenv("EMULATOR_GPU");
   u32 number = name && *name == 'a' ? (u32)atoi(name + 1) : 0;
   if (number < 600 || number > 799)
      stop(UNKNOWN, "EMULATOR_GPU=%s: not one of a600 to a799", name ? name : "");
   gpu_number = number;
   gpu_generation = number / 100 == 6 || number == 702 ? 6 : 7;
   for (u32 n = 0; n < COUNT(GPUS); n++)
      if (GPUS[n].number == number) {
         gpu_narrow_wave = GPUS[n].narrow_wave;
         gpu_without_double_threads = GPUS[n].without_double_threads;
      }
}
