/*!
[config]
name: sums of 32-bit words, which wrap around
kernel_name: add
dimensions: 1
global_size: 4 0 0

[test]
name: signed
arg_out: 0 buffer int[4] 11 -8 INT_MIN 0
arg_in:  1 buffer int[4]  1 -9 INT_MAX -1
arg_in:  2 buffer int[4] 10  1       1  1

[test]
name: in_place
kernel_name: add_to
arg_in:  0 buffer uint[4] 0 1 0x7fffffff UINT_MAX
arg_out: 0 buffer uint[4] 7 8 0x80000006 6  # the same buffer, afterwards
arg_in:  1 uint 7
!*/

kernel void add(global int *sum, global const int *a, global const int *b) {
    size_t i = get_global_id(0);
    sum[i] = as_int(as_uint(a[i]) + as_uint(b[i]));
}

kernel void add_to(global uint *words, uint n) {
    words[get_global_id(0)] += n;
}
