/* Buffers of our own: one memory file, and handles. */
#define _GNU_SOURCE
#include "objects.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OBJECTS = 1 << 20, FIRST = 1000, PAGE = 4096 };
#define PLACES (1ull << 40) /* before the first one: no file is that long */

static Object objects[OBJECTS];
static u32 count, free_handle[OBJECTS], free_count;
static int file = -1;
static u64 file_size;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The family's own mmap may be in front. */
static void *map_file(void *at, size_t size, int protection, int flags, u64 offset)
{
   return (void *)syscall(SYS_mmap, at, size, protection, flags, file, (off_t)offset);
}

static u32 new_handle(void) { return free_count ? free_handle[--free_count] : count < OBJECTS - FIRST ? FIRST + count++ : 0; }

u32 object_new(u64 size)
{
   pthread_mutex_lock(&lock);
   size = (size + PAGE - 1) & ~(u64)(PAGE - 1);
   if (file < 0)
      file = memfd_create("emulated memory", MFD_CLOEXEC);
   u32 handle = 0;
   u64 offset = file_size;
   if (file >= 0 && size && !ftruncate(file, (off_t)(file_size + size))) {
      void *host = map_file(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, offset);
      if (host != MAP_FAILED && (handle = new_handle())) {
         file_size += size;
         objects[handle] = (Object){size, offset, host, false};
      }
   }
   pthread_mutex_unlock(&lock);
   return handle;
}

u32 object_of_user(void *host, u64 size)
{
   pthread_mutex_lock(&lock);
   u32 handle = new_handle();
   if (handle)
      objects[handle] = (Object){size, 0, host, true};
   pthread_mutex_unlock(&lock);
   return handle;
}

Object *object_of(u32 handle) { return handle < OBJECTS && objects[handle].host ? &objects[handle] : NULL; }

void object_close(u32 handle)
{
   pthread_mutex_lock(&lock);
   Object *object = object_of(handle);
   if (object) {
      if (!object->user) { /* other mappings of it read zeros from now on */
         munmap(object->host, object->size);
         fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)object->offset, (off_t)object->size);
      }
      *object = (Object){0};
      free_handle[free_count++] = handle;
   }
   pthread_mutex_unlock(&lock);
}

u64 object_place(const Object *object) { return PLACES + object->offset; }

void *object_map(void *at, size_t size, int protection, int flags, off_t place)
{
   return (u64)place >= PLACES && file >= 0 ? map_file(at, size, protection, flags, (u64)place - PLACES) : NULL;
}
