/*!
[config]
name: the half of a stage that a work-item is in, by the quotient of its local id, as sorting networks have it
kernel_name: halves
dimensions: 1
global_size: 16 0 0
local_size: 16 0 0

[test]
name: stages
arg_out: 0 buffer uint[16] 0 0 1 1 10 10 11 11 100 100 101 101 110 110 111 111
!*/

// The quotient is of 64 bits (size_t), and its lowest bit alone is used: as in the sort of bug 443.
kernel void halves(global uint *digits) {
    uint digit = 1, sum = 0;
    for (uint size = 2; size < get_local_size(0); size <<= 1) {
        uint half_of = get_local_id(0) / size & 1;
        sum += half_of * digit;
        digit *= 10;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    digits[get_global_id(0)] = sum;
}
