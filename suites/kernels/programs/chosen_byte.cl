/*!
[config]
name: a narrow part of a number, chosen against a constant, then widened again (OpenCL C 3.0, 6.5.9, 6.4.3)

[test]
name: byte
kernel_name: byte_of
global_size: 4 0 0
arg_out: 0 buffer ulong[8] 1 255 7 7 9 255 249 249
arg_in: 1 buffer ulong[8] 5 1 0 7 2 9 1 249

[test]
name: short
kernel_name: short_of
global_size: 4 0 0
arg_out: 0 buffer ulong[8] 1 65535 7 7 9 65535 65529 65529
arg_in: 1 buffer ulong[8] 5 1 0 7 2 9 1 65529
!*/

kernel void byte_of(global ulong *out, global const ulong *in) {
    size_t i = 2 * get_global_id(0);
    ulong a = in[i];
    char b = as_char((uchar)in[i + 1]), c = 1ul < a ? (char)-1 : b;
    out[i] = (ulong)(uchar)b;
    out[i + 1] = (ulong)(uchar)c;
}

kernel void short_of(global ulong *out, global const ulong *in) {
    size_t i = 2 * get_global_id(0);
    ulong a = in[i];
    short b = as_short((ushort)in[i + 1]), c = 1ul < a ? (short)-1 : b;
    out[i] = (ulong)(ushort)b;
    out[i + 1] = (ulong)(ushort)c;
}
