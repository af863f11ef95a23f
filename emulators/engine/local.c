/* Local and private memory: bounds, what was never written, races. */
#include "engine.h"

/* A shader reads what it has not written: reported, but never red. The value is POISON. */
static void check_written(const u8 *written, u32 size, const char *memory, i64 offset, const char *what)
{
   for (u32 i = 0; i < size; i++)
      if (!written[i]) {
         mark(UNDEFINED, "%s: byte %lld of %s memory was never written", what, (long long)(offset + i), memory);
         return;
      }
}

static void check_bounds(i64 offset, u32 size, u32 align, u32 limit, const char *memory, const char *what)
{
   if (offset < 0 || offset + size > limit)
      stop(FAULT, "%s: byte %lld is not in the %u bytes of %s memory", what, (long long)offset, limit, memory);
   if (offset & (align - 1))
      stop(FAULT, "%s: byte %lld of %s memory is not aligned to %u bytes", what, (long long)offset, memory, align);
}

/* A race: two work-items access one byte without a barrier in between, and one of them writes without an atomic. In
 * one wave a fence orders them. In two waves it takes a fence in each, after the one access and before the other. */
static void check_race(const Wave *wave, const Touch *touch, u32 item, enum Access access, i64 offset, const char *what)
{
   const Group *group = wave->group;
   if (!touch->item || touch->item == item + 1 || touch->epoch != group->epoch)
      return;
   const Wave *other = &group->wave[(touch->item - 1) / wave->lanes];
   if (other == wave ? touch->fences != wave->fences : touch->released != other->released && wave->released)
      return;
   if (access == STORE || touch->how == STORE)
      mark(RACE, "%s: work-items %u and %u of group %u touch byte %lld of local memory, and no barrier is between", what,
           touch->item - 1, item, group->index, (long long)offset);
}

u8 *local_at(Wave *wave, u32 lane, i64 offset, u32 size, u32 align, enum Access access, const char *what)
{
   Group *group = wave->group;
   check_bounds(offset, size, align, group->launch->local_size, "local", what);
   u32 item = wave_item(wave, lane);
   if (access == LOAD)
      check_written((const u8 *)group->local_written + offset, size, "local", offset, what);
   for (u32 i = 0; i < size; i++) {
      Touch *wrote = &group->wrote[offset + i], *read = &group->read[offset + i];
      check_race(wave, wrote, item, access, offset + i, what);
      if (access == LOAD) {
         if (read->item != item + 1)
            group->read_before[offset + i] = *read;
         *read = (Touch){group->epoch, wave->fences, wave->released, item + 1, access};
         continue;
      }
      check_race(wave, read->item == item + 1 ? &group->read_before[offset + i] : read, item, access, offset + i, what);
      *wrote = (Touch){group->epoch, wave->fences, wave->released, item + 1, access};
      group->local_written[offset + i] = true;
   }
   return group->local + offset;
}

u8 *private_at(Wave *wave, u32 lane, i64 offset, u32 size, u32 align, enum Access access, const char *what)
{
   Group *group = wave->group;
   u32 limit = group->launch->private_size;
   check_bounds(offset, size, align, limit, "private", what);
   u64 at = (u64)wave_item(wave, lane) * limit + offset;
   if (access == LOAD)
      check_written(group->private_written + at, size, "private", offset, what);
   else
      memset(group->private_written + at, 1, size);
   return group->private + at;
}
