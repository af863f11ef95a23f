/* LD_PRELOAD for lavapipe on machines without /dev/udmabuf, which makes memory that processes and devices share.
 *
 * lavapipe maps the memory file that it made for the dma-buf, on a real /dev/udmabuf too; so here that file itself is
 * handed out as the dma-buf. lavapipe has no work in flight when it gives memory away: a fence taken from such a
 * buffer has always been signalled.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define OPEN(name)                                                       \
   int name(const char *path, int flags, ...)                            \
   {                                                                     \
      mode_t mode = 0;                                                   \
      if (flags & (O_CREAT | O_TMPFILE)) {                               \
         va_list arguments;                                              \
         va_start(arguments, flags);                                     \
         mode = va_arg(arguments, mode_t);                               \
         va_end(arguments);                                              \
      }                                                                  \
      if (path && strcmp(path, "/dev/udmabuf") == 0)                     \
         return memfd_create("udmabuf", MFD_CLOEXEC);                    \
      int (*real)(const char *, int, ...) =                              \
         (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name);       \
      return real(path, flags, mode);                                    \
   }

OPEN(open)
OPEN(open64)

int
ioctl(int fd, unsigned long request, ...)
{
   va_list arguments;
   va_start(arguments, request);
   void *argument = va_arg(arguments, void *);
   va_end(arguments);
   switch (request) {
   case UDMABUF_CREATE:
      return fcntl((int)((struct udmabuf_create *)argument)->memfd, F_DUPFD_CLOEXEC, 0);
   case DMA_BUF_IOCTL_EXPORT_SYNC_FILE:
      ((struct dma_buf_export_sync_file *)argument)->fd = eventfd(1, EFD_CLOEXEC);
      return 0;
   case DMA_BUF_IOCTL_IMPORT_SYNC_FILE:
   case DMA_BUF_IOCTL_SYNC:
      return 0;
   default: {
      int (*real)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
      return real(fd, request, argument);
   }
   }
}
