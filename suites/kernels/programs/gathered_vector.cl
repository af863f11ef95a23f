/*!
[config]
name: a vector of more than four components put together from values that lie apart, and read as another type (OpenCL C 3.0, 6.3.5, 6.4.4.2)
global_size: 2 0 0

[test]
name: uchar8
kernel_name: bytes
arg_in:  0 buffer uchar[16] 0x88 0x77 0x66 0x55 0x44 0x33 0x22 0x11 0 1 2 3 4 5 6 0x87
arg_out: 1 buffer ulong[2] 0x1122334455667788 0x8706050403020100

[test]
name: ushort8
kernel_name: shorts
arg_in:  0 buffer ushort[16] 0x7788 0x5566 0x3344 0x1122 4 3 2 1 8 7 6 5 0xff 0 0 0x8000
arg_out: 1 buffer ulong2[2] 0x1122334455667788 0x0001000200030004 0x0005000600070008 0x80000000000000ff

[test]
name: uchar16
kernel_name: all_bytes
arg_in:  0 buffer uchar[32] 0x88 0x77 0x66 0x55 0x44 0x33 0x22 0x11 0 1 2 3 4 5 6 0x87 \
    31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16
arg_out: 1 buffer ulong2[2] 0x1122334455667788 0x8706050403020100 0x18191a1b1c1d1e1f 0x1011121314151617
!*/

kernel void bytes(global const uchar *a, global ulong *gathered) {
    size_t i = get_global_id(0);
    a += 8 * i;
    gathered[i] = as_ulong((uchar8)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]));
}

kernel void shorts(global const ushort *a, global ulong2 *gathered) {
    size_t i = get_global_id(0);
    a += 8 * i;
    gathered[i] = as_ulong2((ushort8)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]));
}

kernel void all_bytes(global const uchar *a, global ulong2 *gathered) {
    size_t i = get_global_id(0);
    a += 16 * i;
    gathered[i] = as_ulong2((uchar16)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7],
                                      a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15]));
}
