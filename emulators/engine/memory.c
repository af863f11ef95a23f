/* The buffers of a submission, by GPU address. */
#include "engine.h"
#include <stdlib.h>

typedef struct {
   Range *range;
   u32 count, space, last;
} Set;
static Set listed, mapped;

static int by_start(const void *a, const void *b)
{
   u64 x = ((const Range *)a)->start, y = ((const Range *)b)->start;
   return (x > y) - (x < y);
}

static void set_ranges(Set *s, const Range *list, u32 count)
{
   if (count > s->space) {
      free(s->range);
      s->space = count * 2;
      s->range = malloc(s->space * sizeof *s->range);
   }
   if (count) /* otherwise the list may be NULL */
      memcpy(s->range, list, count * sizeof *s->range);
   qsort(s->range, count, sizeof *s->range, by_start);
   s->count = count;
   s->last = 0;
}

void memory_set(const Range *list, u32 count) { set_ranges(&listed, list, count); }
void memory_set_mapped(const Range *list, u32 count) { set_ranges(&mapped, list, count); }

static u8 *find(Set *s, u64 address, u64 size)
{
   if (!s->count)
      return NULL;
   const Range *r = &s->range[s->last];
   if (address < r->start || address >= r->end) {
      u32 low = 0, high = s->count;
      while (low < high) {
         u32 middle = (low + high) / 2;
         if (s->range[middle].start <= address)
            low = middle + 1;
         else
            high = middle;
      }
      if (!low)
         return NULL;
      s->last = low - 1;
      r = &s->range[s->last];
   }
   return address < r->end && size <= r->end - address ? r->host + (address - r->start) : NULL;
}

u8 *memory_find(u64 address, u64 size) { return find(&listed, address, size); }

u8 *memory_find_mapped(u64 address, u64 size)
{
   u8 *found = memory_find(address, size);
   return found ? found : find(&mapped, address, size);
}

static u8 *checked(u8 *found, u64 address, u64 size, u32 align, const char *what)
{
   if (!found)
      stop(FAULT, "%s: address 0x%llx (%llu bytes) is in no buffer of the submission", what, (unsigned long long)address,
           (unsigned long long)size);
   if (address & (align - 1))
      stop(FAULT, "%s: address 0x%llx is not aligned to %u bytes", what, (unsigned long long)address, align);
   return found;
}

u8 *memory_at(u64 address, u64 size, u32 align, const char *what)
{
   return checked(memory_find(address, size), address, size, align, what);
}

u8 *memory_mapped(u64 address, u64 size, u32 align, const char *what)
{
   return checked(memory_find_mapped(address, size), address, size, align, what);
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
