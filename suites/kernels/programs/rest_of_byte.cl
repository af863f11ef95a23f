/*!
[config]
name: the remainder of a byte's largest number by one of two divisors beyond 32 bits (OpenCL C 3.0, 6.4.1)

[test]
name: value
kernel_name: rest
global_size: 4 0 0
arg_out: 0 buffer ulong[4] 255 255 255 255
arg_in: 1 buffer uint[4] 0 1 2 3
!*/

kernel void rest(global ulong *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = 255ul % ((in[i] < 2 ? 0x800000000ul : 0x400000000ul) | 1);
}
