/* For what stands before one of Mesa's noop shims that keep all buffers in one file. */
#ifndef SHIM_H
#define SHIM_H

#include "engine.h"

void shim_open(void); /* finds the file; a mark if there is none */
bool shim_range(u64 start, u64 size, Range *range); /* false if the file does not have it */
void shim_clear(u64 start, u64 size);               /* of a new buffer */

#endif
