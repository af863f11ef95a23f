/* The kernel driver's buffers, for families that keep them themselves: all in one memory file, where a handle has the
 * offset that it is mapped by.
 *
 * Only a shim can map its own buffers. A family whose driver chooses the addresses of buffers replaces them: it handles
 * the ioctls that create, map and close one, and passes the driver's mmap to object_map.
 */
#ifndef OBJECTS_H
#define OBJECTS_H

#include "engine.h"
#include <sys/types.h>

/* Shared by all handles of the same memory: their number, and the file that stands for the memory if it was exported. */
typedef struct {
   u32 handles;
   int file; /* 1 + its number; 0: not exported */
   u64 note[40]; /* the family's data for importers */
} Shared;

typedef struct {
   u64 size, offset;
   u8 *host;
   bool user; /* the memory belongs to the application */
   Shared *shared;
} Object;

u32 object_new(u64 size);              /* returns a handle, 0 if out of memory. The contents are 0. */
u32 object_of_user(void *host, u64 size);
Object *object_of(u32 handle);         /* NULL if there is none */
void object_close(u32 handle);
int object_share(u32 handle);          /* a file of its size that stands for its memory (PRIME), which the caller closes; -1 on error */
u32 object_of_file(int file);          /* another handle of that memory; 0 if the file does not stand for any */
u64 object_place(const Object *object); /* the offset for mmap */
/* Maps an offset; NULL if it does not belong to an object. */
void *object_map(void *at, size_t size, int protection, int flags, off_t place);

#endif
