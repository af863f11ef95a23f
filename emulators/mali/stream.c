/* A chain of jobs on buffers that the caller has, without a driver: tests/emulators/mali/ loads the library and executes by this. */
#include "jobs.h"

#define EXPORTED __attribute__((visibility("default")))

struct chain {
   const Range *buffers;
   u64 address;
   u32 count;
};

static void execute(void *argument)
{
   const struct chain *c = argument;
   choose_gpu();
   memory_set(c->buffers, c->count);
   run_chain(c->address);
}

EXPORTED bool emulator_jobs(const Range *buffers, u32 count, u64 address, u64 budget);
bool emulator_jobs(const Range *buffers, u32 count, u64 address, u64 budget)
{
   struct chain c = {buffers, address, count};
   submission_budget = budget;
   return submission(execute, &c);
}
