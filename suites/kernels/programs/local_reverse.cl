/*!
[config]
name: groups that turn their part of a buffer round, through local memory
kernel_name: reverse
dimensions: 1
local_size: 4 0 0

[test]
name: one_group
global_size: 4 0 0
arg_in:  0 buffer short[4] 1 2 3 4
arg_out: 0 buffer short[4] 4 3 2 1
arg_in:  1 buffer short[4] NULL

[test]
name: three_groups
global_size: 12 0 0
arg_in:  0 buffer short[12] 1 2 3 4  5 6 7 8  -9 -10 -11 -12
arg_out: 0 buffer short[12] 4 3 2 1  8 7 6 5  -12 -11 -10 -9
arg_in:  1 buffer short[4] NULL
!*/

kernel void reverse(global short *values, local short *shared) {
    size_t i = get_local_id(0);
    shared[i] = values[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    values[get_global_id(0)] = shared[get_local_size(0) - 1 - i];
}
