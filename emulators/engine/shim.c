/* The memory of Mesa's noop shims: all buffers of a process lie in one file, and a buffer's offset is also its GPU address. */
#define _GNU_SOURCE
#include "shim.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LEAST = 1 << 30 }; /* the shim's memory has 4 GiB */

static u8 *memory;
static u64 memory_size;

static void map_memory(void)
{
   char path[64], target[64] = "";
   for (int fd = 3; fd < 4096; fd++) {
      snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
      long n = syscall(SYS_readlinkat, AT_FDCWD, path, target, sizeof target - 1); /* the shim has its own readlink */
      if (n > 0 ? strncmp(target, "/memfd:shim mem", 15) : fcntl(fd, F_GET_SEALS) < 0)
         continue;
      off_t end = lseek(fd, 0, SEEK_END);
      if (n <= 0 && end < LEAST)
         continue; /* a memory file whose name cannot be read because /proc is hidden */
      void *mapped = end > 0 ? mmap(NULL, end, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
      if (mapped == MAP_FAILED)
         return;
      memory = mapped;
      memory_size = end;
      return;
   }
}

void shim_open(void)
{
   if (!memory)
      map_memory();
   if (!memory)
      stop(UNKNOWN, "the shim's memory file was not found: is the noop shim preloaded after the emulator?");
}

bool shim_range(u64 start, u64 size, Range *range)
{
   if (!size || start >= memory_size || size > memory_size - start)
      return false;
   *range = (Range){start, start + size, memory + start};
   return true;
}

/* The shim reuses the memory of a freed buffer without clearing it. The kernel clears it. */
void shim_clear(u64 start, u64 size)
{
   Range range;
   if (memory && shim_range(start, size, &range))
      madvise(range.host, size, MADV_REMOVE);
}
