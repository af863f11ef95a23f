/* LD_PRELOAD before Mesa's noop shim of the i915 kernel driver: submissions are executed.
 *
 * The emulator keeps the buffers itself, because two mappings of one of the shim's buffers do not share memory. The
 * driver chooses the address of each of a submission's buffers ("softpin"), so the submission's list is the page table.
 * A submission is over when the call returns, so waits return at once.
 */
#define _GNU_SOURCE
#include "../engine/objects.h"
#include "commands.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

/* The kernel's i915_drm.h and drm.h: commands and their arguments. */
enum {
   GEM_CLOSE = 0x09, PRIME_HANDLE_TO_FD = 0x2d, PRIME_FD_TO_HANDLE, SYNCOBJ_CREATE = 0xbf, SYNCOBJ_DESTROY = 0xc0, SYNCOBJ_HANDLE_TO_FD = 0xc1, SYNCOBJ_FD_TO_HANDLE = 0xc2,
   SYNCOBJ_WAIT = 0xc3, SYNCOBJ_RESET = 0xc4, SYNCOBJ_SIGNAL = 0xc5, SYNCOBJ_TIMELINE_WAIT = 0xca, SYNCOBJ_TRANSFER = 0xcc,
   SYNCOBJ_TIMELINE_SIGNAL = 0xcd, DRIVER = 0x40, GEM_BUSY = DRIVER + 0x17, GEM_CREATE = DRIVER + 0x1b, GEM_MMAP = DRIVER + 0x1e,
   GEM_SET_TILING = DRIVER + 0x21, GEM_GET_TILING = DRIVER + 0x22, GEM_MMAP_OFFSET = DRIVER + 0x24, GEM_MADVISE = DRIVER + 0x26,
   GEM_EXECBUFFER2 = DRIVER + 0x29, GEM_WAIT = DRIVER + 0x2c, CONTEXT_CREATE = DRIVER + 0x2d, GEM_SET_CACHING = DRIVER + 0x2f,
   GEM_GET_CACHING = DRIVER + 0x30, REG_READ = DRIVER + 0x31, GEM_USERPTR = DRIVER + 0x33, GEM_CREATE_EXT = DRIVER + 0x3c,
};
struct create { u64 size; u32 handle, pad; };
struct close { u32 handle, pad; };
struct prime { u32 handle, flags; i32 file; };
struct map { u32 handle, pad; u64 offset, size, address, flags; };
struct map_offset { u32 handle, pad; u64 place, flags, extensions; };
struct userptr { u64 address, size; u32 flags, handle; };
struct entry { u32 handle, relocation_count; u64 relocations, alignment, offset, flags, reserved[2]; };
struct submit { u64 entries; u32 count, start, length, dr1, dr4, clip_count; u64 clips, flags, reserved[2]; };
struct reg_read { u64 offset, value; };
struct busy { u32 handle, busy; };
struct advice { u32 handle, advice, retained; };
struct context_create { u32 id, flags; u64 extensions; };

enum { FENCE_OUT = 17, BATCH_FIRST = 18, RING = 0x3f, CLOCK = 0x2358 };

static int (*real)(int, unsigned long, ...);

struct work {
   const struct submit *submit;
};

static void execute(void *argument)
{
   const struct submit *s = ((const struct work *)argument)->submit;
   const struct entry *entries = (const void *)(uintptr_t)s->entries;
   static Range *ranges;
   static u32 space;
   choose_gpu();
   if (s->count > space) {
      free(ranges);
      space = 2 * s->count;
      ranges = malloc(space * sizeof *ranges);
   }
   u64 batch = 0;
   for (u32 n = 0; n < s->count; n++) {
      const Object *o = object_of(entries[n].handle);
      u64 start = entries[n].offset & 0xffffffffffffu;
      if (!o)
         stop(FAULT, "the submission names buffer %u, which does not exist", entries[n].handle);
      ranges[n] = (Range){start, start + o->size, o->host};
      if (n == (s->flags >> BATCH_FIRST & 1 ? 0 : s->count - 1))
         batch = start;
   }
   memory_set(ranges, s->count);
   run_batch(batch + s->start, ((u32)s->reserved[0] + 1) * (RING + 1) + (u32)(s->flags & RING));
}

static int map_object(struct map *map)
{
   const Object *o = object_of(map->handle);
   errno = ENOENT;
   if (o)
      map->address = (u64)(uintptr_t)o->host + map->offset;
   return o ? 0 : -1;
}

static int place_object(struct map_offset *map)
{
   const Object *o = object_of(map->handle);
   errno = ENOENT;
   if (o)
      map->place = object_place(o);
   return o ? 0 : -1;
}

static int submit(struct submit *s)
{
   struct work work = {s};
   submission(execute, &work);
   if (s->flags >> FENCE_OUT & 1)
      s->reserved[1] = (u64)(u32)open("/dev/null", O_RDONLY | O_CLOEXEC) << 32;
   return 0;
}

static int new_handle(u32 *handle, u32 made)
{
   errno = ENOMEM;
   *handle = made;
   return made ? 0 : -1;
}

static int share(struct prime *p)
{
   errno = ENOENT;
   p->file = object_share(p->handle);
   return p->file < 0 ? -1 : 0;
}

EXPORTED int ioctl(int fd, unsigned long request, ...);
int ioctl(int fd, unsigned long request, ...)
{
   static u32 next_syncobj, next_context;
   va_list values;
   va_start(values, request);
   void *data = va_arg(values, void *);
   va_end(values);
   if (!real)
      *(void **)&real = dlsym(RTLD_NEXT, "ioctl");
   if (_IOC_TYPE(request) != 'd')
      return real(fd, request, data);
   switch (_IOC_NR(request)) {
   case GEM_CREATE: case GEM_CREATE_EXT: return new_handle(&((struct create *)data)->handle, object_new(((struct create *)data)->size));
   case GEM_USERPTR: {
      struct userptr *u = data;
      return new_handle(&u->handle, object_of_user((void *)(uintptr_t)u->address, u->size));
   }
   case GEM_CLOSE: object_close(((struct close *)data)->handle); return 0;
   case PRIME_HANDLE_TO_FD: return share((struct prime *)data);
   case PRIME_FD_TO_HANDLE: return new_handle(&((struct prime *)data)->handle, object_of_file(((struct prime *)data)->file));
   case GEM_MMAP: return map_object(data);
   case GEM_MMAP_OFFSET: return place_object(data);
   case GEM_EXECBUFFER2: return submit(data);
   case GEM_BUSY: ((struct busy *)data)->busy = 0; return 0;
   case GEM_MADVISE: ((struct advice *)data)->retained = 1; return 0;
   case CONTEXT_CREATE: ((struct context_create *)data)->id = ++next_context; return 0;
   case REG_READ:
      if ((((struct reg_read *)data)->offset & ~1ull) == CLOCK)
         ((struct reg_read *)data)->value = now_in_ticks();
      return 0;
   case SYNCOBJ_CREATE: *(u32 *)data = ++next_syncobj; return 0;
   case SYNCOBJ_FD_TO_HANDLE: *(u32 *)data = ++next_syncobj; return 0;
   case SYNCOBJ_HANDLE_TO_FD: ((u32 *)data)[2] = (u32)open("/dev/null", O_RDONLY | O_CLOEXEC); return 0;
   case SYNCOBJ_DESTROY: case SYNCOBJ_WAIT: case SYNCOBJ_RESET: case SYNCOBJ_SIGNAL: case SYNCOBJ_TIMELINE_WAIT: case SYNCOBJ_TRANSFER:
   case SYNCOBJ_TIMELINE_SIGNAL: case GEM_SET_TILING: case GEM_GET_TILING: case GEM_WAIT: case GEM_SET_CACHING: case GEM_GET_CACHING:
      return 0;
   default: return real(fd, request, data);
   }
}

EXPORTED void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
   static void *(*next)(void *, size_t, int, int, int, off_t);
   void *mapped = fd >= 0 ? object_map(at, size, protection, flags, offset) : NULL;
   if (mapped)
      return mapped;
   if (!next)
      *(void **)&next = dlsym(RTLD_NEXT, "mmap");
   return next(at, size, protection, flags, fd, offset);
}

EXPORTED void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset) { return mmap(at, size, protection, flags, fd, offset); }
