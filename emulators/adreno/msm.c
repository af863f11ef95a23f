/* LD_PRELOAD before Mesa's noop shim of the msm kernel driver: submissions are executed.
 *
 * freedreno asks the kernel by libdrm's drmCommandWriteRead alone. The shim keeps all buffers of a process in one memory
 * file, each at the offset that is its GPU address too; so the file is mapped once, and a submission's list of buffers
 * says what of it may be touched. A submission is over when the call returns: waits have nothing to wait for.
 */
#define _GNU_SOURCE
#include "packets.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's msm_drm.h: commands, and what they take. */
enum { GET_PARAM = 0x00, GEM_NEW = 0x02, GEM_INFO = 0x03, GEM_SUBMIT = 0x06, SUBMITQUEUE_QUERY = 0x0c };
enum { PARAM_TIMESTAMP = 0x05, INFO_GET_IOVA = 1 };
struct param { u32 pipe, param; u64 value; u32 length, pad; };
struct gem_new { u64 size; u32 flags, handle; };
struct gem_info { u32 handle, info; u64 value; u32 length, pad; };
struct submit_command { u32 type, buffer, offset, size, pad, relocation_count; u64 relocations; };
struct submit_buffer { u32 flags, handle; u64 presumed; };
struct submit { u32 flags, fence, buffer_count, command_count; u64 buffers, commands; };
struct submitqueue_query { u64 data; u32 id, param, length, pad; };

enum { HANDLES = 1 << 20 };
static u64 sizes[HANDLES];
static int (*real)(int, unsigned long, void *, unsigned long);
static u8 *memory; /* the shim's */
static u64 memory_size;

static u8 *map_memory(u64 *size)
{
   char path[64], target[64];
   for (int fd = 3; fd < 4096; fd++) {
      snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
      long n = syscall(SYS_readlink, path, target, sizeof target - 1); /* the shim has its own readlink */
      if (n <= 0)
         continue;
      target[n] = 0;
      if (strncmp(target, "/memfd:shim mem", 15))
         continue;
      off_t end = lseek(fd, 0, SEEK_END);
      void *memory = end > 0 ? mmap(NULL, end, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
      *size = end;
      return memory == MAP_FAILED ? NULL : memory;
   }
   return NULL;
}

struct work {
   int fd;
   const struct submit *submit;
};

static u64 iova(int fd, u32 handle)
{
   struct gem_info info = {.handle = handle, .info = INFO_GET_IOVA};
   return real(fd, GEM_INFO, &info, sizeof info) ? 0 : info.value;
}

static void execute(void *argument)
{
   const struct work *work = argument;
   const struct submit *s = work->submit;
   const struct submit_buffer *buffers = (const void *)(uintptr_t)s->buffers;
   const struct submit_command *commands = (const void *)(uintptr_t)s->commands;
   if (!memory)
      choose_gpu();
   if (!memory && !(memory = map_memory(&memory_size)))
      stop(UNKNOWN, "the shim's memory file was not found: is the noop shim preloaded behind the emulator?");
   Range *ranges = calloc(s->buffer_count + 1, sizeof *ranges);
   u32 count = 0;
   for (u32 n = 0; n < s->buffer_count; n++) {
      u64 start = iova(work->fd, buffers[n].handle), size = buffers[n].handle < HANDLES ? sizes[buffers[n].handle] : 0;
      if (size && start < memory_size && size <= memory_size - start)
         ranges[count++] = (Range){start, start + size, memory + start};
   }
   memory_set(ranges, count);
   forget_constants();
   free(ranges);
   for (u32 n = 0; n < s->command_count; n++) {
      if (commands[n].buffer >= s->buffer_count)
         stop(FAULT, "command buffer %u of %u", commands[n].buffer, s->buffer_count);
      run_commands(iova(work->fd, buffers[commands[n].buffer].handle) + commands[n].offset, commands[n].size / 4, 0);
   }
}

/* The shim gives the memory of a buffer that was freed once more as it is. The kernel clears it. */
static void clear(int fd, const struct gem_new *new)
{
   if (new->handle >= HANDLES)
      return;
   sizes[new->handle] = new->size;
   u64 start = memory ? iova(fd, new->handle) : 0;
   if (memory && start < memory_size && new->size <= memory_size - start)
      madvise(memory + start, new->size, MADV_REMOVE);
}

__attribute__((visibility("default"))) int drmCommandWriteRead(int fd, unsigned long index, void *data, unsigned long size);
int drmCommandWriteRead(int fd, unsigned long index, void *data, unsigned long size)
{
   if (index == SUBMITQUEUE_QUERY && size == sizeof(struct submitqueue_query)) {
      const struct submitqueue_query *query = data; /* the count of faults: none */
      if (query->data)
         memset((void *)(uintptr_t)query->data, 0, query->length);
      return 0;
   }
   if (!real)
      /* Not RTLD_NEXT: libdrm comes with the driver, which is opened for itself alone. */
      real = (int (*)(int, unsigned long, void *, unsigned long))dlsym(dlopen("libdrm.so.2", RTLD_LAZY), "drmCommandWriteRead");
   int result = real(fd, index, data, size);
   if (executes() && index == GET_PARAM && ((struct param *)data)->param == PARAM_TIMESTAMP) {
      ((struct param *)data)->value = now_in_ticks();
      return 0;
   }
   if (!result && index == GEM_NEW)
      clear(fd, data);
   if (!result && index == GEM_SUBMIT) {
      struct work work = {fd, data};
      submission(execute, &work);
   }
   return result;
}
