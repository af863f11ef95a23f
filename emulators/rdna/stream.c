/* A command stream on buffers that the caller has, without a driver: tests/emulators/ loads the library and executes by this. */
#include "packets.h"

#define EXPORTED __attribute__((visibility("default")))

struct stream {
   const Range *buffers;
   u64 address;
   u32 count, words;
};

static void execute(void *argument)
{
   const struct stream *s = argument;
   choose_gpu();
   memory_set(s->buffers, s->count);
   forget_code();
   run_commands(s->address, s->words, 0);
}

EXPORTED bool emulator_commands(const Range *buffers, u32 count, u64 address, u32 words, u64 budget);
bool emulator_commands(const Range *buffers, u32 count, u64 address, u32 words, u64 budget)
{
   struct stream s = {buffers, address, count, words};
   submission_budget = budget;
   return submission(execute, &s);
}

/* An instruction in words, as a trace has it. */
EXPORTED const char *emulator_instruction(const u32 words[5]);
const char *emulator_instruction(const u32 words[5])
{
   Instruction i;
   decode(&i, words);
   return instruction_text(&i);
}
