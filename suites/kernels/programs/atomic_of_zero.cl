/*!
[config]
name: an atomic operation on the bits of a float, with a 0 beside a 0.0f, as programs read one that others add to
kernel_name: read_all
dimensions: 1
global_size: 4 0 0

[test]
name: floats
arg_in:  0 buffer float[4] 1.5 -2.5 0 8
arg_out: 0 buffer float[4] 1.5 -2.5 0 8
arg_out: 1 buffer float[4] 1.5 0 0 8
!*/

kernel void read_all(global float *values, global float *positive) {
    size_t i = get_global_id(0);
    float value = as_float(atomic_add((global volatile uint *)values + i, 0));
    positive[i] = value > 0.0f ? value : 0.0f;
}
