/* LD_PRELOAD beside one of Mesa's noop drm-shims: removes waits for the missing GPU.
 *
 * A shim answers Mesa's requests to open a device and to submit work, not the later ones.
 * Two of those answers decide whether an enqueued kernel comes back:
 *
 * - panfrost, v3d, asahi: a submission's fence is exported as a sync file. The shims leave the file descriptor
 *   unset, and Mesa crashes or waits for ever. Here it is a readable eventfd, which poll() treats like a fence that has been
 *   signalled.
 * - msm: after a submission Mesa asks for the queue's count of faults. The shim does not write it, so old contents of that
 *   memory look like a lost device. Here it is 0.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

/* The kernel's msm_drm.h: DRM_MSM_SUBMITQUEUE_QUERY and what it takes. */
enum { SUBMITQUEUE_QUERY = 0x0c };
struct submitqueue_query {
   uint64_t data;
   uint32_t id;
   uint32_t param;
   uint32_t len;
   uint32_t pad;
};

static int
signalled_fence(int *fence)
{
   *fence = eventfd(1, EFD_CLOEXEC);
   return *fence < 0 ? -errno : 0;
}

int
drmSyncobjExportSyncFile(int fd, uint32_t handle, int *sync_file)
{
   (void)fd;
   (void)handle;
   return signalled_fence(sync_file);
}

int
drmSyncobjHandleToFD(int fd, uint32_t handle, int *object)
{
   (void)fd;
   (void)handle;
   return signalled_fence(object);
}

int
drmCommandWriteRead(int fd, unsigned long index, void *data, unsigned long size)
{
   /* Other drivers have other commands of this number: the shim's own variable tells msm apart. */
   if (index == SUBMITQUEUE_QUERY && size == sizeof(struct submitqueue_query) && getenv("FD_GPU_ID")) {
      const struct submitqueue_query *query = data;
      if (query->data)
         memset((void *)(uintptr_t)query->data, 0, query->len);
      return 0;
   }
   /* Not RTLD_NEXT: libdrm comes with the driver, which is opened with RTLD_LOCAL. */
   static int (*real)(int, unsigned long, void *, unsigned long);
   if (!real)
      real = (int (*)(int, unsigned long, void *, unsigned long))dlsym(dlopen("libdrm.so.2", RTLD_LAZY), "drmCommandWriteRead");
   return real(fd, index, data, size);
}
