/*!
[config]
name: a private array of more elements than 16 bits can count, which lives across a barrier
kernel_name: look_up
dimensions: 1
global_size: 16 0 0
local_size: 16 0 0

[test]
name: uchar
arg_in:  0 buffer uint[16] 0 1 255 256 4095 4096 16383 16384 32767 32768 65534 65535 65536 65537 65598 65599
arg_out: 1 buffer uint[16] 15 30 45 60 75 90 105 120 135 150 165 180 195 210 225 240
!*/

// Each work-item fills in 16 elements of its own, and reads one of them after the barrier.
kernel void look_up(global const uint *places, global uint *found) {
    uchar own[65600];
    uint item = get_local_id(0);
    for (uint i = 0; i < 16; i++)
        own[places[i]] = 16 * item + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    found[item] = own[places[15 - item]];
}
