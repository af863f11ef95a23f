/* Buffers that the emulator keeps itself: one memory file, and handles. */
#define _GNU_SOURCE
#include "objects.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OBJECTS = 1 << 20, FIRST = 1000, PAGE = 4096 };
#define PLACES (1ull << 40) /* before the first one: beyond the length of any file */

static Object objects[OBJECTS];
static u32 count, free_handle[OBJECTS], free_count;
static int file = -1;
static u64 file_size;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The family's own mmap may come first. */
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
         objects[handle] = (Object){size, offset, host, false, calloc(1, sizeof(Shared))};
         objects[handle].shared->handles = 1;
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
      objects[handle] = (Object){size, 0, host, true, NULL};
   pthread_mutex_unlock(&lock);
   return handle;
}

Object *object_of(u32 handle) { return handle < OBJECTS && objects[handle].host ? &objects[handle] : NULL; }

void object_close(u32 handle)
{
   pthread_mutex_lock(&lock);
   Object *object = object_of(handle);
   if (object) {
      if (!object->user && !--object->shared->handles) { /* its other mappings read zeros from now on */
         munmap(object->host, object->size);
         fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)object->offset, (off_t)object->size);
         if (object->shared->file)
            close(object->shared->file - 1);
         free(object->shared);
      }
      *object = (Object){0};
      free_handle[free_count++] = handle;
   }
   pthread_mutex_unlock(&lock);
}

int object_share(u32 handle)
{
   pthread_mutex_lock(&lock);
   Object *object = object_of(handle);
   Shared *shared = object ? object->shared : NULL;
   if (shared && !shared->file) {
      int made = memfd_create("emulated buffer", MFD_CLOEXEC);
      if (made >= 0 && !ftruncate(made, (off_t)object->size))
         shared->file = made + 1;
   }
   int given = shared && shared->file ? (int)syscall(SYS_fcntl, shared->file - 1, F_DUPFD_CLOEXEC, 0) : -1; /* a shim's fcntl calls the driver's ioctl */
   pthread_mutex_unlock(&lock);
   return given;
}

static bool stands_for(const Object *object, const struct stat *wanted)
{
   struct stat own;
   bool has_file = object->shared && object->shared->file && !fstat(object->shared->file - 1, &own);
   return has_file && own.st_ino == wanted->st_ino && own.st_dev == wanted->st_dev;
}

u32 object_of_file(int given)
{
   struct stat wanted;
   u32 found = 0, made = 0;
   if (fstat(given, &wanted))
      return 0;
   pthread_mutex_lock(&lock);
   for (u32 handle = FIRST; handle < FIRST + count && !found; handle++)
      found = stands_for(&objects[handle], &wanted) ? handle : 0;
   if (found && (made = new_handle())) {
      objects[made] = objects[found];
      objects[made].shared->handles++;
   }
   pthread_mutex_unlock(&lock);
   return made;
}

u64 object_place(const Object *object) { return PLACES + object->offset; }

void *object_map(void *at, size_t size, int protection, int flags, off_t place)
{
   return (u64)place >= PLACES && file >= 0 ? map_file(at, size, protection, flags, (u64)place - PLACES) : NULL;
}
