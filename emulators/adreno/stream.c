/* What tests/emulators/ executes without a driver (engine/bare.c). */
#include "packets.h"

void run_stream(u64 address, u32 words)
{
   choose_gpu();
   forget_constants();
   run_commands(address, words, 0);
}

/* An instruction as text, as in a trace. */
__attribute__((visibility("default"))) const char *emulator_instruction(u32 generation, u64 word);
const char *emulator_instruction(u32 generation, u64 word)
{
   Instruction i;
   gpu_generation = generation;
   decode(&i, word);
   return instruction_text(&i);
}
