/* LD_PRELOAD for Rusticl's zink on machines without a render node.
 *
 * Rusticl finds zink through libdrm: it opens /dev/dri/renderD128 and asks for that device's nodes before it
 * looks at Vulkan. This library answers in the kernel's place: the node is a memory file, and the device that
 * drmGetDevice2 describes has one render node, a plain file, whose device number (0:0) no Vulkan device claims.
 * zink then takes the first Vulkan device, or lavapipe if LIBGL_ALWAYS_SOFTWARE is set.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char node[] = "/dev/dri/renderD128";

/* The head of libdrm's struct _drmDevice. */
struct device {
   char **nodes; /* primary, control, render */
   int available_nodes;
   int bustype;
   void *bus;
   void *info;
};

enum { RENDER_NODE = 2, PLATFORM_BUS = 2 };

static int
open_node(const char *name, const char *path, int flags, mode_t mode)
{
   if (path && strcmp(path, node) == 0)
      return memfd_create("render-node", MFD_CLOEXEC);
   int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);
   return real(path, flags, mode);
}

#define OPEN(name)                                         \
   int name(const char *path, int flags, ...)              \
   {                                                       \
      mode_t mode = 0;                                     \
      if (flags & (O_CREAT | O_TMPFILE)) {                 \
         va_list arguments;                                \
         va_start(arguments, flags);                       \
         mode = va_arg(arguments, mode_t);                 \
         va_end(arguments);                                \
      }                                                    \
      return open_node(#name, path, flags, mode);          \
   }

OPEN(open)
OPEN(open64)

int
drmGetDevice2(int fd, uint32_t flags, struct device **out)
{
   (void)fd;
   (void)flags;
   struct device *device = calloc(1, sizeof *device);
   device->nodes = calloc(RENDER_NODE + 1, sizeof *device->nodes);
   device->nodes[RENDER_NODE] = strdup("/proc/self/exe");
   device->available_nodes = 1 << RENDER_NODE;
   device->bustype = PLATFORM_BUS;
   *out = device;
   return 0;
}

void
drmFreeDevice(struct device **device)
{
   if (!device || !*device)
      return;
   free((*device)->nodes[RENDER_NODE]);
   free((*device)->nodes);
   free(*device);
   *device = NULL;
}
