/* A batch on buffers that the caller has, without a driver: tests/emulators/ loads the library and executes by this. */
#include "commands.h"

#define EXPORTED __attribute__((visibility("default")))

struct stream {
   const Range *buffers;
   u64 address;
   u32 count;
};

static void execute(void *argument)
{
   const struct stream *s = argument;
   choose_gpu();
   memory_set(s->buffers, s->count);
   run_batch(s->address, 1);
}

EXPORTED bool emulator_commands(const Range *buffers, u32 count, u64 address, u32 words, u64 budget);
bool emulator_commands(const Range *buffers, u32 count, u64 address, u32 words, u64 budget)
{
   (void)words; /* a batch says where it ends */
   struct stream s = {buffers, address, count};
   submission_budget = budget;
   return submission(execute, &s);
}

/* An instruction in words, as a trace has it. */
EXPORTED const char *emulator_instruction(u64 low, u64 high);
const char *emulator_instruction(u64 low, u64 high)
{
   Instruction i;
   const u64 words[2] = {low, high};
   return decode(&i, words) ? instruction_text(&i) : "unknown";
}
