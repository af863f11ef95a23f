/* LD_PRELOAD before Mesa's noop shim of the msm kernel driver: submissions are executed.
 *
 * freedreno calls the kernel only by libdrm's drmCommandWriteRead. A submission may touch the buffers of its list, or,
 * if the driver maps buffers itself (vm.c), all that is mapped. A submission is over when the call returns, so waits
 * return at once.
 */
#define _GNU_SOURCE
#include "msm.h"
#include "../engine/shim.h"
#include "layout.h"
#include <dlfcn.h>
#include <stdlib.h>

/* The kernel's msm_drm.h: commands and their arguments. */
enum { GET_PARAM = 0x00, GEM_NEW = 0x02, GEM_INFO = 0x03, GEM_SUBMIT = 0x06, SUBMITQUEUE_QUERY = 0x0c, VM_BIND = 0x0d };
enum { TIMESTAMP = 0x05, HIGHEST_BANK_BIT = 0x10, UBWC_SWIZZLE = 0x12, MACROTILE_MODE = 0x13, INFO_GET_IOVA = 1 };
struct param { u32 pipe, param; u64 value; u32 length, pad; };
struct gem_new { u64 size; u32 flags, handle; };
struct gem_info { u32 handle, info; u64 value; u32 length, pad; };
struct submit_command { u32 type, buffer, offset, size, pad, relocation_count; u64 address; /* with VM_BIND */ };
struct submit_buffer { u32 flags, handle; u64 presumed; };
struct submit { u32 flags, fence, buffer_count, command_count; u64 buffers, commands; };
struct submitqueue_query { u64 data; u32 id, param, length, pad; };

enum { PAGE = 4096, PAGES = 1 << 20 };
static u64 sizes[PAGES]; /* of buffers, by their place in the shim's memory, because a handle belongs to one device only */
static int (*real)(int, unsigned long, void *, unsigned long);

struct work {
   int fd;
   const struct submit *submit;
};

static u64 iova(int fd, u32 handle)
{
   struct gem_info info = {.handle = handle, .info = INFO_GET_IOVA};
   return real(fd, GEM_INFO, &info, sizeof info) ? 0 : info.value;
}

bool buffer_memory(int fd, u32 handle, Range *range)
{
   u64 start = iova(fd, handle);
   return start / PAGE < PAGES && shim_range(start, sizes[start / PAGE], range);
}

static u32 listed_ranges(int fd, const struct submit *s, Range **ranges)
{
   const struct submit_buffer *buffers = (const void *)(uintptr_t)s->buffers;
   u32 count = 0;
   free(*ranges);
   *ranges = calloc(s->buffer_count + 1, sizeof **ranges);
   for (u32 n = 0; n < s->buffer_count; n++)
      count += buffer_memory(fd, buffers[n].handle, &(*ranges)[count]);
   return count;
}

static void execute(void *argument)
{
   const struct work *work = argument;
   const struct submit *s = work->submit;
   const struct submit_buffer *buffers = (const void *)(uintptr_t)s->buffers;
   const struct submit_command *commands = (const void *)(uintptr_t)s->commands;
   choose_gpu();
   shim_open();
   Range *ranges;
   u32 mapped = vm_ranges(work->fd, &ranges), count = mapped;
   if (!mapped)
      count = listed_ranges(work->fd, s, &ranges);
   memory_set(ranges, count);
   forget_constants();
   free(ranges);
   for (u32 n = 0; n < s->command_count; n++) {
      if (!mapped && commands[n].buffer >= s->buffer_count)
         stop(FAULT, "command buffer %u of %u", commands[n].buffer, s->buffer_count);
      u64 start = mapped ? commands[n].address : iova(work->fd, buffers[commands[n].buffer].handle);
      run_commands(start + commands[n].offset, commands[n].size / 4, 0);
   }
}

static void note(int fd, const struct gem_new *new)
{
   u64 start = iova(fd, new->handle);
   if (start / PAGE >= PAGES)
      return;
   sizes[start / PAGE] = new->size;
   shim_clear(start, new->size);
}

/* What the shim has no answer for, or one GPU's for all: turnip's copies by the host need the tiling of this one. */
static bool get_param(struct param *p)
{
   choose_gpu();
   switch (p->param) {
   case TIMESTAMP: p->value = now_in_ticks(); return true;
   case HIGHEST_BANK_BIT: p->value = gpu()->highest_bank_bit; return true;
   case UBWC_SWIZZLE: p->value = gpu()->bank_levels; return true;
   case MACROTILE_MODE: p->value = gpu()->eight_channels; return true;
   default: return false;
   }
}

__attribute__((visibility("default"))) int drmCommandWriteRead(int fd, unsigned long index, void *data, unsigned long size);
int drmCommandWriteRead(int fd, unsigned long index, void *data, unsigned long size)
{
   if (index == SUBMITQUEUE_QUERY && size == sizeof(struct submitqueue_query)) {
      const struct submitqueue_query *query = data; /* the number of faults: none */
      if (query->data)
         memset((void *)(uintptr_t)query->data, 0, query->length);
      return 0;
   }
   if (index == GET_PARAM && executes() && get_param(data))
      return 0;
   if (!real)
      /* RTLD_NEXT does not find it: libdrm comes with the driver, which is opened with RTLD_LOCAL. */
      real = (int (*)(int, unsigned long, void *, unsigned long))dlsym(dlopen("libdrm.so.2", RTLD_LAZY), "drmCommandWriteRead");
   int result = real(fd, index, data, size);
   if (!result && index == GEM_NEW)
      note(fd, data);
   if (!result && index == VM_BIND)
      vm_bind(fd, data);
   if (!result && index == GEM_SUBMIT) {
      struct work work = {fd, data};
      submission(execute, &work);
   }
   return result;
}
