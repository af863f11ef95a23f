/* For emulators in front of a noop shim that keeps all buffers in one file. */
#ifndef SHIM_H
#define SHIM_H

#include "engine.h"

void shim_open(void); /* finds the file; marks an error if there is none */
bool shim_range(u64 start, u64 size, Range *range); /* false if it is not in the file */
void shim_clear(u64 start, u64 size);               /* clears a new buffer */

#endif
