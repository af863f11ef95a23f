/*!
[config]
name: a sub-group's sum of a constant 0, divided by what is made of it (OpenCL C 3.0, 6.15.19.3, 6.4.1)
clc_version_min: 30
require_device_extensions: subgroups

[test]
name: value
kernel_name: rest
global_size: 4 0 0
local_size: 4 0 0
arg_out: 0 buffer ulong[4] 0 0 0 0
!*/

kernel void rest(global ulong *out) {
    ulong sum = sub_group_reduce_add(0ul);
    out[get_global_id(0)] = sum % ((sum & 127) | 1);
}
