/* Mesa's noop shims read a path even if it is NULL, as hashcat 7.1 passes it. The C library returns EFAULT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

/* Without sys/stat.h, which declares that a path is never NULL. */
typedef int (*Ask)(const char *path, void *status);

static int ask(const char *name, const char *path, void *status)
{
   if (!path) {
      errno = EFAULT;
      return -1;
   }
   Ask next = (Ask)dlsym(RTLD_NEXT, name);
   return next(path, status);
}

__attribute__((visibility("default"))) int stat(const char *path, void *status);
__attribute__((visibility("default"))) int stat64(const char *path, void *status);
int stat(const char *path, void *status) { return ask("stat", path, status); }
int stat64(const char *path, void *status) { return ask("stat64", path, status); }
