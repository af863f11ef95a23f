/* Addresses that the driver chooses itself (DRM_MSM_VM_BIND), as turnip does. Each open device has an address space,
 * and a submission may touch all that is mapped there. */
#include "msm.h"
#include <pthread.h>
#include <stdlib.h>

enum { UNMAP, MAP };
struct operation { u32 operation, handle; u64 offset, address, size; u32 flags, pad; };
struct vm_bind {
   u32 flags, count, fence, queue;
   u64 waits, signals;
   u32 wait_count, signal_count, syncobj_stride, stride;
   union { struct operation one; u64 several; };
};

struct mapping { int fd; u32 handle; u64 offset, start, end; };
static struct mapping *mappings;
static u32 mapping_count, mapping_space;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* a thread may map while another one submits */

static void add(struct mapping mapping)
{
   if (mapping.start >= mapping.end)
      return;
   if (mapping_count == mapping_space)
      mappings = realloc(mappings, (mapping_space = mapping_space * 2 + 64) * sizeof *mappings);
   mappings[mapping_count++] = mapping;
}

/* The parts of a mapping outside of the range stay. */
static void unmap(int fd, u64 start, u64 end)
{
   for (u32 n = mapping_count; n-- > 0;) {
      struct mapping before = mappings[n], behind = before;
      if (before.fd != fd || before.start >= end || before.end <= start)
         continue;
      mappings[n] = mappings[--mapping_count];
      before.end = start > before.start ? start : before.start;
      behind.start = end < behind.end ? end : behind.end;
      behind.offset += behind.start - before.start;
      add(before);
      add(behind);
   }
}

void vm_bind(int fd, const void *data)
{
   const struct vm_bind *bind = data;
   const u8 *operations = bind->count == 1 ? (const u8 *)&bind->one : (const u8 *)(uintptr_t)bind->several;
   pthread_mutex_lock(&lock);
   for (u32 n = 0; n < bind->count; n++) {
      struct operation o;
      memcpy(&o, operations + (u64)n * bind->stride, sizeof o);
      if (o.address + o.size < o.address)
         continue;
      unmap(fd, o.address, o.address + o.size);
      if (o.operation == MAP)
         add((struct mapping){fd, o.handle, o.offset, o.address, o.address + o.size});
   }
   pthread_mutex_unlock(&lock);
}

u32 vm_ranges(int fd, Range **ranges)
{
   u32 count = 0;
   pthread_mutex_lock(&lock);
   *ranges = calloc(mapping_count + 1, sizeof **ranges);
   for (u32 n = 0; n < mapping_count; n++) {
      const struct mapping *m = &mappings[n];
      Range buffer;
      if (m->fd != fd || !buffer_memory(fd, m->handle, &buffer))
         continue;
      u64 size = buffer.end - buffer.start;
      if (m->offset <= size && m->end - m->start <= size - m->offset)
         (*ranges)[count++] = (Range){m->start, m->end, buffer.host + m->offset};
   }
   pthread_mutex_unlock(&lock);
   return count;
}
