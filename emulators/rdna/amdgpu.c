/* LD_PRELOAD before Mesa's noop shim of the amdgpu kernel driver: submissions are executed.
 *
 * Buffers, their GPU addresses and submissions are handled here, because the shim has no addresses and keeps freed
 * buffers mapped. Everything else is left to the shim. A submission is over when the call returns, so waits return at
 * once.
 */
#define _GNU_SOURCE
#include "../engine/objects.h"
#include "packets.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>

/* The kernel's drm.h and amdgpu_drm.h: commands and their arguments. */
enum { GEM_CLOSE = 0x09, PRIME_HANDLE_TO_FD = 0x2d, PRIME_FD_TO_HANDLE = 0x2e, GEM_CREATE = 0x40, GEM_MMAP = 0x41, BO_LIST = 0x43, CS = 0x44, INFO = 0x45, GEM_METADATA = 0x46, GEM_VA = 0x48, GEM_OP = 0x50, GEM_USERPTR = 0x51 };
enum { CHUNK_IB = 1, CHUNK_FENCE = 2, CHUNK_BO_HANDLES = 6, VM_ALWAYS_VALID = 1 << 6, INFO_TIMESTAMP = 5 };
enum { SET_METADATA = 1, GET_METADATA = 2, GET_CREATED = 0 };
enum { VA_MAP = 1, VA_UNMAP = 2, VA_CLEAR = 3, VA_REPLACE = 4 };
struct prime { u32 handle, flags; int file; };
struct gem_create { u64 size, alignment, domains, flags; }; /* returns a handle in the first word */
struct gem_metadata { u32 handle, operation; u64 data[35]; }; /* flags, tiling, and the driver's metadata of an image */
struct gem_op { u32 handle, operation; u64 answer; };
struct note { struct gem_create created; u64 metadata[35]; };
_Static_assert(sizeof(struct note) <= sizeof((Shared *)0)->note, "a note has its place");
struct gem_mmap { u32 handle, pad; }; /* returns an offset for mmap */
struct gem_va { u32 handle, pad, operation, flags; u64 address, offset, size; };
struct gem_userptr { u64 address, size; u32 flags, handle; };
struct info { u64 answer; u32 size, query; };
struct chunk { u32 kind, words; u64 data; };
struct submit { u32 context, list, chunk_count, flags; u64 chunks; }; /* returns a number in the first 64 bits */
struct indirect { u32 pad, flags; u64 address; u32 bytes, type, instance, ring; };
struct fence { u32 handle, offset; };
struct list { u32 operation, handle, count, entry_size; u64 entries; };

typedef struct {
   u64 start, end, offset;
   u32 handle;
} Mapping;

enum { HANDLES = 1 << 20 };
static bool always[HANDLES], listed[HANDLES]; /* the buffers that every submission has; those of this submission */
static Mapping *mappings;
static u32 mapping_count, mapping_space;
static u64 submissions;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int (*real_ioctl)(int, unsigned long, ...);
static void *(*real_mmap)(void *, size_t, int, int, int, off_t);

static void unmap(u64 start, u64 end)
{
   u32 kept = 0;
   for (u32 n = 0; n < mapping_count; n++)
      if (mappings[n].end <= start || mappings[n].start >= end)
         mappings[kept++] = mappings[n];
   mapping_count = kept;
}

static void close_buffer(u32 handle)
{
   u32 kept = 0;
   for (u32 n = 0; n < mapping_count; n++)
      if (mappings[n].handle != handle)
         mappings[kept++] = mappings[n];
   mapping_count = kept;
   always[handle] = false;
   object_close(handle);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset);

static int change_address(const struct gem_va *va)
{
   u64 start = va->address & 0xffffffffffffull, end = start + va->size;
   const Object *b = object_of(va->handle);
   if (va->operation == VA_UNMAP || va->operation == VA_CLEAR || va->operation == VA_REPLACE)
      unmap(start, end);
   if (va->operation == VA_UNMAP || va->operation == VA_CLEAR)
      return 0;
   if (!b || va->offset > b->size || va->size > b->size - va->offset)
      return -EINVAL;
   if (mapping_count == mapping_space) {
      mapping_space = mapping_space ? 2 * mapping_space : 1024;
      mappings = realloc(mappings, mapping_space * sizeof *mappings);
   }
   mappings[mapping_count++] = (Mapping){start, end, va->offset, va->handle};
   trace("buffer %u from 0x%llx on lies at 0x%llx to 0x%llx", va->handle, (unsigned long long)va->offset, (unsigned long long)start,
         (unsigned long long)end);
   return 0;
}

/* The driver's metadata of a buffer, for itself or for another context that imports it. */
static struct note *note_of(u32 handle)
{
   const Object *b = object_of(handle);
   return b && b->shared ? (struct note *)b->shared->note : NULL;
}

static int exchange_metadata(struct gem_metadata *m)
{
   struct note *note = note_of(m->handle);
   if (!note || (m->operation != SET_METADATA && m->operation != GET_METADATA))
      return -EINVAL;
   m->operation == SET_METADATA ? memcpy(note->metadata, m->data, sizeof m->data) : memcpy(m->data, note->metadata, sizeof m->data);
   return 0;
}

static int tell_created(const struct gem_op *op)
{
   const struct note *note = note_of(op->handle);
   if (note && op->operation == GET_CREATED)
      memcpy((void *)(uintptr_t)op->answer, &note->created, sizeof note->created);
   return note ? 0 : -EINVAL;
}

/* ---- submissions */

static const struct chunk *chunk_of(const struct submit *s, u32 n) { return ((const struct chunk *const *)(uintptr_t)s->chunks)[n]; }

/* The submission's buffers: those in its list, and those that are always valid. */
static bool choose_buffers(const struct submit *s)
{
   bool has = false;
   memcpy(listed, always, sizeof listed);
   for (u32 n = 0; n < s->chunk_count; n++) {
      const struct chunk *chunk = chunk_of(s, n);
      if (chunk->kind != CHUNK_BO_HANDLES)
         continue;
      const struct list *list = (const void *)(uintptr_t)chunk->data;
      const u8 *entry = (const u8 *)(uintptr_t)list->entries;
      has = true;
      for (u32 k = 0; k < list->count; k++, entry += list->entry_size) {
         u32 handle;
         memcpy(&handle, entry, 4);
         if (handle < HANDLES)
            listed[handle] = true;
      }
   }
   return has;
}

static void execute(void *argument)
{
   const struct submit *s = argument;
   if (!gpu_known)
      choose_gpu();
   bool has = choose_buffers(s);
   Range *ranges = calloc(mapping_count + 1, sizeof *ranges);
   u32 count = 0;
   for (u32 n = 0; n < mapping_count; n++) {
      const Mapping *m = &mappings[n];
      const Object *b = object_of(m->handle);
      if (b && (listed[m->handle] || !has))
         ranges[count++] = (Range){m->start, m->end, b->host + m->offset};
   }
   memory_set(ranges, count);
   free(ranges);
   for (u32 n = 0; n < s->chunk_count; n++) {
      const struct indirect *ib = (const void *)(uintptr_t)chunk_of(s, n)->data;
      if (chunk_of(s, n)->kind == CHUNK_IB)
         run_commands(ib->address & 0xffffffffffffull, ib->bytes / 4, 0);
   }
}

static int submit(struct submit *s)
{
   submissions++;
   submission(execute, s);
   for (u32 n = 0; n < s->chunk_count; n++) {
      const struct fence *fence = (const void *)(uintptr_t)chunk_of(s, n)->data;
      const Object *b = chunk_of(s, n)->kind == CHUNK_FENCE ? object_of(fence->handle) : NULL;
      if (b && fence->offset + 8ull <= b->size)
         memcpy(b->host + fence->offset, &submissions, 8);
   }
   memcpy(s, &submissions, 8);
   return 0;
}

/* ---- functions that the driver calls */

static void find_real(void)
{
   if (real_ioctl)
      return;
   real_mmap = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
   real_ioctl = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
}

/* Returns 0 or an error if it is handled here, 1 if the shim has to. */
static int handle_request(unsigned number, void *data)
{
   u32 handle;
   memcpy(&handle, data, 4);
   switch (number) {
   case GEM_CLOSE:
      if (!object_of(handle))
         return 1;
      close_buffer(handle);
      return 0;
   case PRIME_HANDLE_TO_FD: return (((struct prime *)data)->file = object_share(handle)) < 0 ? -EINVAL : 0;
   case PRIME_FD_TO_HANDLE: {
      struct prime *prime = data;
      prime->handle = object_of_file(prime->file);
      return prime->handle ? 0 : -EBADF;
   }
   case GEM_CREATE: {
      const struct gem_create *create = data;
      u64 new = object_new(create->size);
      always[new] = new && create->flags & VM_ALWAYS_VALID;
      if (new)
         note_of(new)->created = *create;
      memcpy(data, &new, 8);
      return new ? 0 : -ENOMEM;
   }
   case GEM_MMAP: {
      const Object *b = object_of(handle);
      u64 offset = b ? object_place(b) : 0;
      memcpy(data, &offset, 8);
      return b && !b->user ? 0 : -ENOENT;
   }
   case GEM_USERPTR: {
      struct gem_userptr *user = data;
      user->handle = object_of_user((void *)(uintptr_t)user->address, user->size);
      return 0;
   }
   case GEM_METADATA: return exchange_metadata(data);
   case GEM_OP: return tell_created(data);
   case GEM_VA: return change_address(data);
   case CS: return submit(data);
   case INFO: {
      const struct info *info = data;
      u64 now = now_in_ticks();
      if (info->query != INFO_TIMESTAMP)
         return 1;
      memcpy((void *)(uintptr_t)info->answer, &now, 8);
      return 0;
   }
   }
   return 1;
}

__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...)
{
   va_list values;
   va_start(values, request);
   void *data = va_arg(values, void *);
   va_end(values);
   find_real();
   if (_IOC_TYPE(request) != 'd')
      return real_ioctl(fd, request, data);
   pthread_mutex_lock(&lock);
   int result = handle_request(_IOC_NR(request), data);
   pthread_mutex_unlock(&lock);
   if (result == 1)
      return real_ioctl(fd, request, data);
   errno = result < 0 ? -result : errno;
   return result < 0 ? -1 : 0;
}

__attribute__((visibility("default"))) void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
   find_real();
   void *ours = fd >= 0 ? object_map(at, size, protection, flags, offset) : NULL;
   return ours ? ours : real_mmap(at, size, protection, flags, fd, offset);
}

__attribute__((visibility("default"))) void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
   return mmap(at, size, protection, flags, fd, offset);
}
