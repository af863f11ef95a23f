/* The kernel driver of Valhall with a command stream: a buffer is where VM_BIND maps it, and a submission can reach
 * every mapped buffer. */
#include "../engine/shim.h"
#include "jobs.h"
#include <stdlib.h>
#include <time.h>

/* The kernel's panthor_drm.h: commands from DRM_COMMAND_BASE on, and their arguments. */
enum { DEVICE_QUERY = 0x40, BIND = 0x43, CREATE = 0x45, MMAP_OFFSET = 0x46, SUBMIT = 0x49 };
enum { TIMESTAMP_INFO = 2, MAP = 0, UNMAP = 1 };
struct array { u32 stride, count; u64 at; };
struct query { u32 type, size; u64 at; };
struct bind { u32 vm, flags; struct array operations; };
struct operation { u32 flags, handle; u64 offset, address, size; struct array syncs; };
struct create { u64 size; u32 flags, vm, handle, pad; };
struct mmap_offset { u32 handle, pad; u64 offset; };
struct submit { u32 group, pad; struct array queues; };
struct queue { u32 index, size; u64 at; u32 flush, pad; struct array syncs; };

/* Per file descriptor, because all groups of the shim have the number 0. */
enum { DEVICES = 64 };
static struct device { int fd; bool used; Queue queue; } devices[DEVICES];
static struct bound { int fd; u64 address, size, offset; } *bound;
static u32 bound_count;

static u64 now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static Queue *queue_of(int fd)
{
   u32 n = 0;
   while (n < DEVICES - 1 && devices[n].used && devices[n].fd != fd)
      n++;
   if (!devices[n].used || devices[n].fd != fd)
      devices[n] = (struct device){.fd = fd, .used = true};
   return &devices[n].queue;
}

struct work { int fd; const struct submit *submit; };

static void execute(void *argument)
{
   const struct work *work = argument;
   choose_gpu();
   shim_open();
   Range *ranges = calloc(bound_count + 1, sizeof *ranges);
   u32 count = 0;
   for (u32 n = 0; n < bound_count; n++)
      if (bound[n].fd == work->fd && shim_range(bound[n].offset, bound[n].size, &ranges[count])) {
         ranges[count].start = bound[n].address, ranges[count].end = bound[n].address + bound[n].size;
         count++;
      }
   memory_set_mapped(ranges, count);
   memory_set(ranges, count);
   free(ranges);
   for (u32 n = 0; n < work->submit->queues.count; n++) {
      const struct queue *q = (const void *)(uintptr_t)(work->submit->queues.at + (u64)n * work->submit->queues.stride);
      if (q->size)
         run_queue(queue_of(work->fd), q->at, q->size);
   }
}

/* Unmaps the range, and maps the operation's buffer unless the operation only unmaps. */
static void map(int fd, const struct operation *o, int (*real)(int, unsigned long, void *))
{
   u32 kept = 0, type = o->flags >> 28;
   if (type != MAP && type != UNMAP)
      return;
   for (u32 n = 0; n < bound_count; n++)
      if (bound[n].fd != fd || bound[n].address >= o->address + o->size || bound[n].address + bound[n].size <= o->address)
         bound[kept++] = bound[n];
   bound_count = kept;
   if (type == UNMAP)
      return;
   struct mmap_offset m = {.handle = o->handle};
   real(fd, 0xc0106400 + MMAP_OFFSET, &m);
   bound = realloc(bound, (bound_count + 1) * sizeof *bound);
   bound[bound_count++] = (struct bound){fd, o->address, o->size, m.offset + o->offset};
}

bool panthor_before(int fd, u32 command, void *data)
{
   struct work work = {fd, data};
   if (command == SUBMIT)
      submission(execute, &work);
   return command == SUBMIT;
}

void panthor_after(int fd, u32 command, void *data, int (*real)(int, unsigned long, void *))
{
   if (command == DEVICE_QUERY) { /* the shim has no clock */
      const struct query *q = data;
      u64 *info = (void *)(uintptr_t)q->at;
      if (q->type == TIMESTAMP_INFO && info)
         info[0] = 1000000000, info[1] = now(), info[2] = 0;
   } else if (command == BIND) {
      const struct bind *b = data;
      for (u32 n = 0; n < b->operations.count; n++)
         map(fd, (const void *)(uintptr_t)(b->operations.at + (u64)n * b->operations.stride), real);
   } else if (command == CREATE) {
      const struct create *c = data;
      struct mmap_offset m = {.handle = c->handle};
      if (!real(fd, 0xc0106400 + MMAP_OFFSET, &m))
         shim_clear(m.offset, c->size);
   }
}
