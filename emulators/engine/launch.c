/* Groups, waves, and the paths of a wave. */
#include "engine.h"
#include <stdlib.h>

enum { TURN = 1 << 20, TURNS = 4096, GRANT = 64 };
#define ENDLESS (1ull << 33) /* instructions of a wave */

u32 wave_item(const Wave *wave, u32 lane) { return wave->index * wave->lanes + lane; }

/* ---- paths */

static void park(Wave *wave, u32 pc, Mask lanes)
{
   for (u32 i = 0; i < wave->parked_count; i++)
      if (wave->parked[i].pc == pc) {
         wave->parked[i].lanes = mask_or(wave->parked[i].lanes, lanes);
         return;
      }
   wave->parked[wave->parked_count++] = (Path){pc, lanes};
}

static u32 lowest(const Wave *wave)
{
   u32 best = 0;
   for (u32 i = 1; i < wave->parked_count; i++)
      if (wave->parked[i].pc < wave->parked[best].pc)
         best = i;
   return best;
}

static void resume(Wave *wave, u32 i)
{
   wave->pc = wave->parked[i].pc;
   wave->active = wave->parked[i].lanes;
   memmove(&wave->parked[i], &wave->parked[i + 1], (--wave->parked_count - i) * sizeof(Path));
}

void wave_join(Wave *wave)
{
   for (u32 i = 0; i < wave->parked_count; i++)
      if (wave->parked[i].pc == wave->pc) {
         wave->active = mask_or(wave->active, wave->parked[i].lanes);
         memmove(&wave->parked[i], &wave->parked[i + 1], (--wave->parked_count - i) * sizeof(Path));
         break;
      }
   if (!wave->parked_count)
      return;
   if (wave->granted) {
      wave->granted--;
      return;
   }
   /* A path that spins on another one must let it run. After many turns the path that was parked first runs, and
    * skips a number of joins, because it may stand at the next one. */
   u32 next = wave->turns > TURNS ? 0 : lowest(wave);
   if (wave->turns <= TURNS && wave->parked[next].pc > wave->pc)
      return;
   Path own = {wave->pc, wave->active};
   wave->granted = wave->turns > TURNS ? GRANT : 0;
   wave->turns = 0;
   resume(wave, next);
   park(wave, own.pc, own.lanes);
}

void wave_goto(Wave *wave, u32 pc)
{
   wave->turns += pc <= wave->pc;
   wave->pc = pc;
   wave_join(wave);
}

void wave_branch(Wave *wave, Mask taken, u32 to, u32 other)
{
   taken = mask_and(taken, wave->active);
   Mask rest = mask_without(wave->active, taken);
   if (mask_any(taken) && mask_any(rest)) {
      park(wave, other, rest);
      wave->active = taken;
   }
   wave_goto(wave, mask_any(taken) ? to : other);
}

/* Switches to another path of the wave, if there is one. */
static void next_path(Wave *wave)
{
   wave->granted = 0;
   if (wave->parked_count)
      resume(wave, lowest(wave));
   else
      wave->state = wave->waiting_count ? WAITS : ENDED;
}

void wave_barrier(Wave *wave, u32 pc)
{
   u32 i = 0;
   while (i < wave->waiting_count && wave->waiting[i].pc != pc)
      i++;
   if (i == wave->waiting_count)
      wave->waiting[wave->waiting_count++] = (Path){pc, {{0}}};
   wave->waiting[i].lanes = mask_or(wave->waiting[i].lanes, wave->active);
   next_path(wave);
}

void wave_end(Wave *wave)
{
   wave->alive = mask_without(wave->alive, wave->active);
   next_path(wave);
}

static void release(Wave *wave)
{
   if (wave->state != WAITS)
      return;
   memcpy(wave->parked, wave->waiting, wave->waiting_count * sizeof(Path));
   wave->parked_count = wave->waiting_count;
   wave->waiting_count = 0;
   wave->state = RUNS;
   resume(wave, lowest(wave));
}

/* ---- groups */

static Group *new_group(const Launch *launch)
{
   static Group group;
   static size_t waves_space, local_space, private_space;
   size_t waves = (launch->items + launch->wave_lanes - 1) / launch->wave_lanes;
   size_t local = launch->local_size, private = waves * launch->wave_lanes * launch->private_size; /* of whole waves */
   if (waves > waves_space) {
      free(group.wave);
      group.wave = aligned_alloc(64, (waves * sizeof(Wave) + 63) & ~(size_t)63);
      waves_space = waves;
   }
   if (local > local_space) {
      free(group.local), free(group.local_written), free(group.wrote), free(group.read), free(group.read_before);
      group.local = malloc(local);
      group.local_written = malloc(local);
      group.wrote = malloc(local * sizeof(Touch));
      group.read = malloc(local * sizeof(Touch));
      group.read_before = malloc(local * sizeof(Touch));
      local_space = local;
   }
   if (private > private_space) {
      free(group.private), free(group.private_written);
      group.private = malloc(private);
      group.private_written = malloc(private);
      private_space = private;
   }
   group.waves = waves;
   return &group;
}

static void poison(u8 *memory, size_t size)
{
   const u32 pattern = POISON;
   for (size_t i = 0; i + 4 <= size; i += 4)
      memcpy(memory + i, &pattern, 4);
}

static void start_group(Group *group, Launch *launch, u32 index)
{
   group->launch = launch;
   group->index = index;
   group->id[0] = index % launch->groups[0];
   group->id[1] = index / launch->groups[0] % launch->groups[1];
   group->id[2] = index / launch->groups[0] / launch->groups[1];
   group->epoch = 1;
   poison(group->local, launch->local_size);
   memset(group->local_written, 0, launch->local_size);
   memset(group->wrote, 0, launch->local_size * sizeof(Touch));
   memset(group->read, 0, launch->local_size * sizeof(Touch));
   memset(group->read_before, 0, launch->local_size * sizeof(Touch));
   size_t private = (size_t)group->waves * launch->wave_lanes * launch->private_size;
   poison(group->private, private);
   memset(group->private_written, 0, private);
   for (u32 i = 0; i < group->waves; i++) {
      Wave *wave = &group->wave[i];
      memset(wave, 0, offsetof(Wave, parked));
      wave->group = group;
      wave->index = i;
      wave->lanes = launch->wave_lanes;
      u32 left = launch->items - i * wave->lanes;
      wave->alive = wave->active = mask_first(left < wave->lanes ? left : wave->lanes);
      wave->executed = wave->fences = wave->released = wave->turns = wave->granted = 0;
      family_start(wave);
   }
}

/* Runs all waves in turn, until they have ended or wait at a barrier. False once all have ended. */
static bool run_waves(Group *group)
{
   bool runs = true, waits = false;
   while (runs) {
      runs = waits = false;
      for (u32 i = 0; i < group->waves; i++) {
         Wave *wave = &group->wave[i];
         if (wave->state == RUNS) {
            u64 before = wave->executed;
            family_run(wave, submission_budget < TURN ? submission_budget : TURN);
            spend(wave->executed - before);
         }
         if (wave->executed > ENDLESS)
            stop(FAULT, "the shader does not end");
         runs |= wave->state == RUNS;
         waits |= wave->state == WAITS;
      }
   }
   return waits;
}

void launch_run(Launch *launch)
{
   u64 layer = (u64)launch->groups[0] * launch->groups[1], groups = 0;
   if (__builtin_mul_overflow(layer, launch->groups[2], &groups) || groups > UINT32_MAX)
      stop(UNKNOWN, "a launch of %ux%ux%u work-groups", launch->groups[0], launch->groups[1], launch->groups[2]);
   if (!launch->items)
      stop(FAULT, "a launch of work-groups without work-items");
   Group *group = new_group(launch);
   statistics.launches++;
   u64 memory = launch->local_size + (u64)launch->items * launch->private_size;
   for (u64 i = 0; i < groups; i++) {
      spend(1 + memory / 64); /* filled with POISON */
      start_group(group, launch, i);
      while (run_waves(group)) {
         group->epoch++;
         for (u32 k = 0; k < group->waves; k++)
            release(&group->wave[k]);
      }
      statistics.groups++;
   }
}
