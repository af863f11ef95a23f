/* What tests/emulators/ executes without a driver (engine/bare.c). */
#include "packets.h"

void run_stream(u64 address, u32 words)
{
   choose_gpu();
   forget_code();
   run_commands(address, words, 0);
}

/* An instruction as text, as in a trace. */
__attribute__((visibility("default"))) const char *emulator_instruction(const u32 words[5]);
const char *emulator_instruction(const u32 words[5])
{
   Instruction i;
   decode(&i, words);
   return instruction_text(&i);
}
