/* What tests/emulators/ executes without a driver (engine/bare.c). */
#include "commands.h"

void run_stream(u64 address, u32 words)
{
   (void)words; /* a batch says where it ends */
   choose_gpu();
   run_batch(address, 1);
}

/* An instruction as text, as in a trace. */
__attribute__((visibility("default"))) const char *emulator_instruction(u64 low, u64 high);
const char *emulator_instruction(u64 low, u64 high)
{
   Instruction i;
   gpu_named();
   const u64 words[2] = {low, high};
   return decode(&i, words) ? instruction_text(&i) : "unknown";
}
