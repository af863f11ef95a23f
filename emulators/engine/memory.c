/* The buffers of a submission, by GPU address. */
#include "engine.h"
#include <stdlib.h>

static Range *ranges;
static u32 range_count, last;

static int by_start(const void *a, const void *b)
{
   u64 x = ((const Range *)a)->start, y = ((const Range *)b)->start;
   return (x > y) - (x < y);
}

void memory_set(const Range *list, u32 count)
{
   static u32 space;
   if (count > space) {
      free(ranges);
      space = count * 2;
      ranges = malloc(space * sizeof *ranges);
   }
   memcpy(ranges, list, count * sizeof *ranges);
   qsort(ranges, count, sizeof *ranges, by_start);
   range_count = count;
   last = 0;
}

u8 *memory_find(u64 address, u64 size)
{
   if (!range_count)
      return NULL;
   const Range *r = &ranges[last];
   if (address < r->start || address >= r->end) {
      u32 low = 0, high = range_count;
      while (low < high) {
         u32 middle = (low + high) / 2;
         if (ranges[middle].start <= address)
            low = middle + 1;
         else
            high = middle;
      }
      if (!low)
         return NULL;
      last = low - 1;
      r = &ranges[last];
   }
   return address < r->end && size <= r->end - address ? r->host + (address - r->start) : NULL;
}

u8 *memory_at(u64 address, u64 size, u32 align, const char *what)
{
   u8 *found = memory_find(address, size);
   if (!found)
      stop(FAULT, "%s: address 0x%llx (%llu bytes) is in no buffer of the submission", what, (unsigned long long)address,
           (unsigned long long)size);
   if (address & (align - 1))
      stop(FAULT, "%s: address 0x%llx is not aligned to %u bytes", what, (unsigned long long)address, align);
   return found;
}

u32 memory_u32(u64 address, const char *what)
{
   u32 value;
   memcpy(&value, memory_at(address, 4, 1, what), 4);
   return value;
}

u64 memory_u64(u64 address, const char *what)
{
   u64 value;
   memcpy(&value, memory_at(address, 8, 1, what), 8);
   return value;
}
