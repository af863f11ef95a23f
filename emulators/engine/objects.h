/* The kernel driver's buffers, if a family keeps them itself: in one memory file, at the offset that a handle is mapped by.
 *
 * A shim's own buffers can be mapped only by the shim. A family whose driver says which address a buffer has takes them
 * over: it answers what creates, maps and closes one, and hands the driver's mmap to object_map.
 */
#ifndef OBJECTS_H
#define OBJECTS_H

#include "engine.h"
#include <sys/types.h>

/* What handles of the same memory have in common: how many they are, and a file that stands for it if it was shared. */
typedef struct {
   u32 handles;
   int file; /* 1 + its number; 0: it was not shared */
   u64 note[40]; /* what the family keeps of it for those that it is shared with */
} Shared;

typedef struct {
   u64 size, offset;
   u8 *host;
   bool user; /* the memory is the application's */
   Shared *shared;
} Object;

u32 object_new(u64 size);              /* a handle; 0 without memory. What it holds is 0. */
u32 object_of_user(void *host, u64 size);
Object *object_of(u32 handle);         /* NULL if there is none */
void object_close(u32 handle);
int object_share(u32 handle);          /* a file of its size, to be closed, which stands for its memory (PRIME); -1 */
u32 object_of_file(int file);          /* another handle of that memory; 0 if the file stands for none */
u64 object_place(const Object *object); /* what the driver gives to mmap */
/* An mmap of a place; NULL if the place is not an object's. */
void *object_map(void *at, size_t size, int protection, int flags, off_t place);

#endif
