/* What tests/emulators/ executes without a driver (engine/bare.c). */
#include "jobs.h"

void run_stream(u64 address, u32 words)
{
   static Queue queue;
   choose_gpu();
   if (gpu_arch < 10) {
      run_chain(address); /* it ends by itself */
      return;
   }
   queue = (Queue){0};
   run_queue(&queue, address, 4ull * words);
}
