/* LD_PRELOAD before Mesa's noop shim of the amdgpu kernel driver: submissions are executed.
 *
 * Buffers, their GPU addresses and submissions are answered here, because the shim has no addresses, and its own buffers stay
 * mapped after their end; everything else is the shim's. A submission is over when the call returns: waits have nothing
 * to wait for.
 */
#define _GNU_SOURCE
#include "packets.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* The kernel's drm.h and amdgpu_drm.h: commands, and what they take. */
enum { GEM_CLOSE = 0x09, GEM_CREATE = 0x40, GEM_MMAP = 0x41, BO_LIST = 0x43, CS = 0x44, INFO = 0x45, GEM_VA = 0x48, GEM_USERPTR = 0x51 };
enum { CHUNK_IB = 1, CHUNK_FENCE = 2, CHUNK_BO_HANDLES = 6, VM_ALWAYS_VALID = 1 << 6, INFO_TIMESTAMP = 5 };
enum { VA_MAP = 1, VA_UNMAP = 2, VA_CLEAR = 3, VA_REPLACE = 4 };
struct gem_create { u64 size, alignment, domains, flags; }; /* the answer: a handle in the first word */
struct gem_mmap { u32 handle, pad; }; /* the answer: an offset for mmap */
struct gem_va { u32 handle, pad, operation, flags; u64 address, offset, size; };
struct gem_userptr { u64 address, size; u32 flags, handle; };
struct info { u64 answer; u32 size, query; };
struct chunk { u32 kind, words; u64 data; };
struct submit { u32 context, list, chunk_count, flags; u64 chunks; }; /* the answer: a number in the first 64 bits */
struct indirect { u32 pad, flags; u64 address; u32 bytes, type, instance, ring; };
struct fence { u32 handle, offset; };
struct list { u32 operation, handle, count, entry_size; u64 entries; };

#define FIRST_OFFSET (1ull << 40) /* of our buffers, for mmap */
enum { FIRST_HANDLE = 1 << 20, PAGE = 4096 };

typedef struct {
   u64 size, offset;
   u8 *host; /* NULL: gone */
   bool user, always, listed;
} Buffer;
typedef struct {
   u64 start, end, offset;
   u32 buffer;
} Mapping;

static Buffer *buffers;
static u32 buffer_count, buffer_space, mapping_count, mapping_space;
static Mapping *mappings;
static int memory_file = -1;
static u64 memory_end, submissions;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int (*real_ioctl)(int, unsigned long, ...);
static void *(*real_mmap)(void *, size_t, int, int, int, off_t);

static void *more(void *array, u32 count, u32 *space, size_t size)
{
   if (count < *space)
      return array;
   *space = *space ? 2 * *space : 1024;
   return realloc(array, *space * size);
}

static Buffer *buffer_of(u32 handle)
{
   u32 n = handle - FIRST_HANDLE;
   return handle >= FIRST_HANDLE && n < buffer_count && buffers[n].host ? &buffers[n] : NULL;
}

static u32 new_buffer(u64 size, u8 *host, bool always)
{
   Buffer b = {.size = (size + PAGE - 1) & ~(u64)(PAGE - 1), .host = host, .user = host, .always = always};
   if (!host) {
      if (memory_file < 0)
         memory_file = memfd_create("emulated memory", MFD_CLOEXEC);
      b.offset = memory_end;
      memory_end += b.size;
      if (ftruncate(memory_file, (off_t)memory_end))
         return 0;
      b.host = real_mmap(NULL, b.size, PROT_READ | PROT_WRITE, MAP_SHARED, memory_file, (off_t)b.offset);
      if (b.host == MAP_FAILED)
         return 0;
   }
   buffers = more(buffers, buffer_count, &buffer_space, sizeof *buffers);
   buffers[buffer_count] = b;
   return FIRST_HANDLE + buffer_count++;
}

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
   Buffer *b = buffer_of(handle);
   u32 number = handle - FIRST_HANDLE, kept = 0;
   for (u32 n = 0; n < mapping_count; n++)
      if (mappings[n].buffer != number)
         mappings[kept++] = mappings[n];
   mapping_count = kept;
   if (!b->user) {
      munmap(b->host, b->size);
      fallocate(memory_file, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, (off_t)b->offset, (off_t)b->size);
   }
   b->host = NULL;
}

static int change_address(const struct gem_va *va)
{
   u64 start = va->address & 0xffffffffffffull, end = start + va->size;
   const Buffer *b = buffer_of(va->handle);
   if (va->operation == VA_UNMAP || va->operation == VA_CLEAR || va->operation == VA_REPLACE)
      unmap(start, end);
   if (va->operation == VA_UNMAP || va->operation == VA_CLEAR)
      return 0;
   if (!b || va->offset > b->size || va->size > b->size - va->offset)
      return -EINVAL;
   mappings = more(mappings, mapping_count, &mapping_space, sizeof *mappings);
   mappings[mapping_count++] = (Mapping){start, end, va->offset, va->handle - FIRST_HANDLE};
   return 0;
}

/* ---- submissions */

static const struct chunk *chunk_of(const struct submit *s, u32 n) { return ((const struct chunk *const *)(uintptr_t)s->chunks)[n]; }

/* The submission's buffers: those in its list, and those that are always there. */
static bool choose_buffers(const struct submit *s)
{
   bool has = false;
   for (u32 n = 0; n < buffer_count; n++)
      buffers[n].listed = buffers[n].always;
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
         Buffer *b = buffer_of(handle);
         if (b)
            b->listed = true;
      }
   }
   return has;
}

static void execute(void *argument)
{
   const struct submit *s = argument;
   if (!gpu_generation)
      choose_gpu();
   bool has = choose_buffers(s);
   Range *ranges = calloc(mapping_count + 1, sizeof *ranges);
   u32 count = 0;
   for (u32 n = 0; n < mapping_count; n++) {
      const Mapping *m = &mappings[n];
      const Buffer *b = &buffers[m->buffer];
      if (b->host && (b->listed || !has))
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
      const Buffer *b = chunk_of(s, n)->kind == CHUNK_FENCE ? buffer_of(fence->handle) : NULL;
      if (b && fence->offset + 8ull <= b->size)
         memcpy(b->host + fence->offset, &submissions, 8);
   }
   memcpy(s, &submissions, 8);
   return 0;
}

/* ---- what the driver calls */

static void find_real(void)
{
   if (real_ioctl)
      return;
   real_mmap = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
   real_ioctl = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
}

/* Answered here: 0 or an error; 1: the shim is to. */
static int answer(unsigned number, void *data)
{
   u32 handle;
   memcpy(&handle, data, 4);
   switch (number) {
   case GEM_CLOSE:
      if (!buffer_of(handle))
         return 1;
      close_buffer(handle);
      return 0;
   case GEM_CREATE: {
      const struct gem_create *create = data;
      u64 new = new_buffer(create->size, NULL, create->flags & VM_ALWAYS_VALID);
      memcpy(data, &new, 8);
      return new ? 0 : -ENOMEM;
   }
   case GEM_MMAP: {
      const Buffer *b = buffer_of(handle);
      u64 offset = b ? FIRST_OFFSET + b->offset : 0;
      memcpy(data, &offset, 8);
      return b && !b->user ? 0 : -ENOENT;
   }
   case GEM_USERPTR: {
      struct gem_userptr *user = data;
      user->handle = new_buffer(user->size, (u8 *)(uintptr_t)user->address, false);
      return 0;
   }
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
   int result = answer(_IOC_NR(request), data);
   pthread_mutex_unlock(&lock);
   if (result == 1)
      return real_ioctl(fd, request, data);
   errno = result < 0 ? -result : errno;
   return result < 0 ? -1 : 0;
}

__attribute__((visibility("default"))) void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
   find_real();
   bool ours = fd >= 0 && (u64)offset >= FIRST_OFFSET && memory_file >= 0;
   return ours ? real_mmap(at, size, protection, flags, memory_file, (off_t)(offset - FIRST_OFFSET)) : real_mmap(at, size, protection, flags, fd, offset);
}

__attribute__((visibility("default"))) void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
   return mmap(at, size, protection, flags, fd, offset);
}
