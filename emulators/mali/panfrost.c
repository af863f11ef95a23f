/* LD_PRELOAD before Mesa's noop shim of the panfrost kernel driver: submissions are executed.
 *
 * panfrost calls the kernel only by libdrm's drmIoctl. A submission's list of buffers says what of the shim's memory
 * its shaders may touch; descriptors and code may lie in any buffer, because the kernel driver has all of them mapped.
 * A submission is over when the call returns, so a fence is always signalled.
 */
#define _GNU_SOURCE
#include "../engine/shim.h"
#include "jobs.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>

#define EXPORTED __attribute__((visibility("default")))

/* The kernel's panfrost_drm.h: commands from DRM_COMMAND_BASE on (and DRM's own GEM_CLOSE), and their arguments. */
enum { CLOSE = 0x09, SUBMIT = 0x40, CREATE_BUFFER = 0x42, GET_PARAM = 0x44 };
enum { PARAM_TIMESTAMP = 41, PARAM_FREQUENCY = 42 };
struct submit { u64 chain, in_syncs; u32 in_sync_count, out_sync; u64 buffers; u32 buffer_count, requirements; };
struct create { u32 size, flags, handle, pad; u64 offset; };
struct param { u32 param, pad; u64 value; };

enum { HANDLES = 1 << 20, PAGE = 4096 };
static struct { u64 start, size; } known[HANDLES];
static u32 highest; /* handle */

static void *of_libdrm(const char *name) /* RTLD_NEXT does not find it: libdrm comes with the driver, which is opened with RTLD_LOCAL */
{
   return dlsym(dlopen("libdrm.so.2", RTLD_LAZY), name);
}

static void execute(void *argument)
{
   const struct submit *s = argument;
   const u32 *handles = (const void *)(uintptr_t)s->buffers;
   choose_gpu();
   shim_open();
   Range *ranges = calloc(s->buffer_count + highest + 1, sizeof *ranges);
   u32 count = 0;
   for (u32 n = 0; n <= highest; n++)
      count += shim_range(known[n].start, known[n].size, &ranges[count]);
   memory_set_mapped(ranges, count);
   count = 0;
   for (u32 n = 0; n < s->buffer_count; n++)
      count += handles[n] < HANDLES && shim_range(known[handles[n]].start, known[handles[n]].size, &ranges[count]);
   memory_set(ranges, count);
   free(ranges);
   run_chain(s->chain);
}

static bool get_param(struct param *p)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   if (p->param == PARAM_TIMESTAMP)
      p->value = t.tv_sec * 1000000000ull + t.tv_nsec;
   else if (p->param == PARAM_FREQUENCY)
      p->value = 1000000000;
   return p->param == PARAM_TIMESTAMP || p->param == PARAM_FREQUENCY;
}

EXPORTED int drmIoctl(int fd, unsigned long request, void *data);
int drmIoctl(int fd, unsigned long request, void *data)
{
   static int (*real)(int, unsigned long, void *);
   if (!real)
      real = (int (*)(int, unsigned long, void *))of_libdrm("drmIoctl");
   u32 command = (request >> 8 & 0xff) == 'd' ? request & 0xff : 0;
   bool streams = named_arch() >= 10, own = !streams && command == GET_PARAM;
   if ((own && get_param(data)) || (streams && panthor_before(fd, command, data)))
      return 0;
   int result = real(fd, request, data);
   if (result)
      return result;
   if (streams) {
      panthor_after(fd, command, data, real);
      return result;
   }
   if (command == CREATE_BUFFER) {
      const struct create *c = data;
      u64 size = (c->size + (u64)PAGE - 1) & ~(u64)(PAGE - 1);
      if (c->handle < HANDLES) {
         known[c->handle].start = c->offset, known[c->handle].size = size;
         highest = c->handle > highest ? c->handle : highest;
      }
      shim_clear(c->offset, size);
   } else if (command == CLOSE) {
      u32 handle = *(const u32 *)data;
      if (handle < HANDLES)
         known[handle].size = 0;
   } else if (command == SUBMIT) {
      submission(execute, data);
   }
   return result;
}

/* The shim's kernel is older than the clocks: Rusticl has queues with profiling from version 1.3 on. */
EXPORTED void *drmGetVersion(int fd);
void *drmGetVersion(int fd)
{
   static void *(*real)(int);
   if (!real)
      real = (void *(*)(int))of_libdrm("drmGetVersion");
   struct { int major, minor, patch; } *version = real(fd);
   if (version && named_arch() < 10 && version->major == 1 && version->minor < 3)
      version->minor = 3;
   return version;
}

/* The shim leaves the file descriptor of an exported fence unset. */
static int signalled_fence(int *fence)
{
   *fence = eventfd(1, EFD_CLOEXEC);
   return *fence < 0 ? -errno : 0;
}

EXPORTED int drmSyncobjExportSyncFile(int fd, u32 handle, int *fence);
int drmSyncobjExportSyncFile(int fd, u32 handle, int *fence) { return (void)fd, (void)handle, signalled_fence(fence); }
EXPORTED int drmSyncobjHandleToFD(int fd, u32 handle, int *fence);
int drmSyncobjHandleToFD(int fd, u32 handle, int *fence) { return (void)fd, (void)handle, signalled_fence(fence); }
