/* Executes commands on the caller's buffers, without a driver: tests/emulators/ loads a library and calls this. */
#include "engine.h"

struct stream {
   const Range *buffers;
   u64 address;
   u32 count, words;
};

static void execute(void *argument)
{
   const struct stream *s = argument;
   memory_set(s->buffers, s->count);
   run_stream(s->address, s->words);
}

__attribute__((visibility("default"))) bool emulator_commands(const Range *, u32 count, u64 address, u32 words, u64 budget);
bool emulator_commands(const Range *buffers, u32 count, u64 address, u32 words, u64 budget)
{
   struct stream s = {buffers, address, count, words};
   submission_budget = budget;
   return submission(execute, &s);
}
