/* Buffers of the msm kernel driver, as its noop shim keeps them. */
#ifndef MSM_H
#define MSM_H

#include "packets.h"

/* A buffer as the shim keeps it: its address is its place in the shim's memory. False if there is no buffer with this handle. */
bool buffer_memory(int fd, u32 handle, Range *range);

/* vm.c: what the driver maps by DRM_MSM_VM_BIND, per device. */
void vm_bind(int fd, const void *data);
u32 vm_ranges(int fd, Range **ranges); /* allocated; returns their number, 0 for a driver that lists buffers */

#endif
