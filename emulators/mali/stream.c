/* What tests/emulators/ execute without a driver (engine/bare.c). */
#include "jobs.h"

void run_stream(u64 address, u32 words)
{
   (void)words; /* a chain of jobs says where it ends */
   choose_gpu();
   run_chain(address);
}
