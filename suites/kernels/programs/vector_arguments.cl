/*!
[config]
name: vectors by value and in buffers; three components take the room of four
dimensions: 2
global_size: 2 2 0

[test]
name: uchar3
kernel_name: mix_bytes
arg_out: 0 buffer uchar3[4] 10 20 30  11 20 30 \
                            10 21 30  11 21 30
arg_in:  1 uchar3 10 20 30

[test]
name: long2
kernel_name: mix_longs
arg_out: 0 buffer long2[4] repeat LONG_MIN LONG_MAX
arg_in:  1 long2 LONG_MIN LONG_MAX
!*/

kernel void mix_bytes(global uchar3 *r, uchar3 v) {
    size_t x = get_global_id(0), y = get_global_id(1);
    r[y * 2 + x] = v + (uchar3)(x, y, 0);
}

kernel void mix_longs(global long2 *r, long2 v) {
    r[get_global_id(1) * 2 + get_global_id(0)] = v;
}
