/* The GPU that is emulated: EMULATOR_GPU, as --gpu names it. */
#include "gfx.h"
#include <stdlib.h>

static const struct Gpu GPUS[] = {
   {"vega10", &opcodes_of_gfx900, decode_memory_9, 9, false},
   {"raven", &opcodes_of_gfx900, decode_memory_9, 9, false},
   {"renoir", &opcodes_of_gfx900, decode_memory_9, 9, false},
   {"navi10", &opcodes_of_gfx1010, decode_memory_10, 10, false},
   {"navi21", &opcodes_of_gfx1030, decode_memory_10, 10, false},
   {"vangogh", &opcodes_of_gfx1030, decode_memory_10, 10, false},
   {"raphael_mendocino", &opcodes_of_gfx1030, decode_memory_10, 10, false},
   {"navi31", &opcodes_of_rdna3, decode_memory_11, 11, false},
   {"navi33", &opcodes_of_rdna3, decode_memory_11, 11, false},
   {"phoenix", &opcodes_of_rdna3, decode_memory_11, 11, false},
   {"gfx1150", &opcodes_of_rdna3, decode_memory_11, 11, true},
   {"strix1", &opcodes_of_rdna3, decode_memory_11, 11, true}, /* gfx1150, which Mesa's shim calls strix1 from 26.2 on */
   {"gfx1201", &opcodes_of_rdna4, decode_memory_12, 12, true},
};

bool gpu_known;
struct Gpu gpu = {.opcodes = &opcodes_of_rdna3, .decode_memory = decode_memory_11, .gfx = 11};

void choose_gpu(void)
{
   const char *name = getenv("EMULATOR_GPU");
   for (u32 n = 0; name && n < COUNT(GPUS); n++)
      if (!strcmp(name, GPUS[n].name)) {
         gpu = GPUS[n];
         gpu_known = true;
         return;
      }
   stop(UNKNOWN, "EMULATOR_GPU=%s: not a GPU of this emulator", name ? name : "");
}
