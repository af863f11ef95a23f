/* A launch, from the shader registers: the types COMPUTE_* of Mesa's src/amd/registers/gfx11.json and gfx12.json. */
#include "hazards.h"
#include "packets.h"

enum { /* register numbers, in words from 0xb000 on */
   START_X = 0x810 / 4, NUM_THREAD_X = 0x81c / 4, PGM_LO = 0x830 / 4, PGM_HI = 0x834 / 4, PGM_RSRC1 = 0x848 / 4, PGM_RSRC2 = 0x84c / 4, PGM_RSRC3 = 0x8a0 / 4,
   TMPRING_SIZE = 0x860 / 4, INTERLEAVE = 0x8bc / 4, USER_DATA = 0x900 / 4,
};
enum { INITIATOR_PARTIAL = 1, INITIATOR_FROM_ZERO = 2, INITIATOR_WAVE32 = 15, INITIATOR_INTERLEAVE = 18, LDS_UNIT = 512, SCRATCH_UNIT = 256, SCRATCH_UNIT_10 = 1024, MOST_ITEMS = 1024, MOST_LOCAL = 1 << 16 };

/* Launches the groups of one size. With partial groups at the ends of the axes there are up to eight sizes. */
static void run_part(const Launch *whole, State *state, const u32 from[3], const u32 count[3], const u32 size[3])
{
   Launch launch = *whole;
   for (u32 axis = 0; axis < 3; axis++) {
      if (!count[axis])
         return;
      launch.groups[axis] = count[axis];
      launch.size[axis] = size[axis];
      state->first[axis] = from[axis];
   }
   launch.items = size[0] * size[1] * size[2];
   launch_run(&launch);
}

static void run_parts(const Launch *launch, State *state, const u32 start[3], const u32 end[3], const u32 whole[3], const u32 partial[3])
{
   u64 launches = statistics.launches + 1;
   for (u32 part = 0; part < 8; part++) {
      u32 from[3], count[3], size[3];
      for (u32 axis = 0; axis < 3; axis++) {
         bool last = part >> axis & 1, has = partial[axis] && partial[axis] != whole[axis];
         u32 groups = end[axis] > start[axis] ? end[axis] - start[axis] : 0;
         u32 full = groups && has ? groups - 1 : groups;
         from[axis] = last ? start[axis] + full : start[axis];
         count[axis] = last ? groups - full : full;
         size[axis] = last ? partial[axis] : whole[axis];
      }
      run_part(launch, state, from, count, size);
   }
   statistics.launches = launches;
}

static void describe(const State *state, const u32 *groups, const u32 *size, const Launch *launch)
{
   trace("launch: code 0x%llx, %ux%ux%u groups of %ux%ux%u, waves of %u, local %u, private %u, rsrc %08x %08x", (unsigned long long)state->code,
         groups[0], groups[1], groups[2], size[0], size[1], size[2], launch->wave_lanes, launch->local_size, launch->private_size,
         state->rsrc1, state->rsrc2);
   for (u32 n = 0; n < state->user_count; n++)
      trace("   s%u = 0x%08x", n, state->user[n]);
}

void launch_of(const u32 *registers, const u32 groups[3], u32 initiator)
{
   State state = {.code = ((u64)registers[PGM_HI] << 32 | registers[PGM_LO]) << 8 & 0xffffffffffffull, .rsrc1 = registers[PGM_RSRC1],
                  .rsrc2 = registers[PGM_RSRC2], .rsrc3 = registers[PGM_RSRC3]};
   u32 start[3], whole[3], partial[3];
   u64 items = 1;
   for (u32 axis = 0; axis < 3; axis++) {
      u32 threads = registers[NUM_THREAD_X + axis];
      whole[axis] = BITS(threads, 0, gpu.gfx >= 12 && axis < 2 ? 12 : 15);
      state.tile[axis] = gpu.gfx >= 12 && axis < 2 ? BITS(threads, 13, 15) : 0;
      partial[axis] = initiator >> INITIATOR_PARTIAL & 1 ? BITS(threads, 16, 31) : 0;
      start[axis] = initiator >> INITIATOR_FROM_ZERO & 1 ? 0 : registers[START_X + axis];
      if (gpu.gfx >= 12 && initiator >> INITIATOR_INTERLEAVE & 1 && axis < 2) /* the number of grids */
         start[axis] <<= axis ? BITS(registers[INTERLEAVE], 24, 27) : BITS(registers[INTERLEAVE], 16, 19);
      items *= whole[axis];
      if (partial[axis] > whole[axis])
         stop(FAULT, "a partial group of %u work-items instead of %u", partial[axis], whole[axis]);
   }
   if (items > MOST_ITEMS)
      stop(FAULT, "a launch of groups of %llu work-items", (unsigned long long)items);
   state.user_count = BITS(state.rsrc2, 1, 5);
   if (state.user_count > COUNT(state.user))
      stop(FAULT, "a launch with %u user registers", state.user_count);
   memcpy(state.user, registers + USER_DATA, sizeof state.user);
   bool narrow = gpu.gfx > 9 && initiator >> INITIATOR_WAVE32 & 1;
   Launch launch = {.wave_lanes = narrow ? 32 : 64, .local_size = BITS(state.rsrc2, 15, 23) * LDS_UNIT, .state = &state};
   if (launch.local_size > MOST_LOCAL)
      stop(FAULT, "a launch with %u bytes of local memory", launch.local_size);
   launch.private_size = state.rsrc2 & 1 ? BITS(registers[TMPRING_SIZE], 12, gpu.gfx >= 12 ? 29 : gpu.gfx == 11 ? 26 : 24) * (gpu.gfx >= 11 ? SCRATCH_UNIT : SCRATCH_UNIT_10) / launch.wave_lanes : 0;
   if (!memory_find(state.code, 4))
      stop(FAULT, "a launch of the shader at 0x%llx, which is in no buffer of the submission", (unsigned long long)state.code);
   if (tracing)
      describe(&state, groups, whole, &launch);
   if (!items)
      stop(FAULT, "a launch of work-groups without work-items");
   forget_code();
   hazards_report(state.code, launch.wave_lanes, items <= launch.wave_lanes);
   if (executes())
      run_parts(&launch, &state, start, groups, whole, partial);
}
